// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import java.util.List;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.gram.query.Queries;
import org.jobgate.gram.query.QueryLimits;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.xml.XmlContent;
import org.jobgate.gram.xml.XmlElement;
import org.jobgate.identity.Identity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;

/** What requests have in common. */
final class Requests {

    private static final int SHOWN = 120;

    private Requests() {}

    /** @throws FaultException of code {@code NOT_AUTHORIZED} for an anonymous caller */
    static Identity caller(SoapCall call) {
        Identity identity = call.identity();
        if (identity == null) {
            throw new FaultException(Fault.of(
                    FaultCode.NOT_AUTHORIZED,
                    "The request came without a credential that says who sends it.",
                    "Connect with a client certificate or proxy that this gateway trusts."));
        }
        return identity;
    }

    /** The credential that the request's header names. */
    static String key(SoapCall call) {
        return Gt4Names.key(call)
                .filter(key -> key.length() <= 128)
                .orElseThrow(
                        () -> SoapFaultException.client(
                                "The SOAP header " + Gt4Names.KEY
                                        + " is missing: it says which credential is meant, as in the endpoint reference that the delegation answered."));
    }

    /** The names of the resource properties that a request asks for; those that cannot be read are texts without a namespace. */
    static List<QName> properties(SoapCall call) {
        XmlElement body = call.body();
        List<XmlElement> names = body.localName().equals("GetResourceProperty")
                ? List.of(body)
                : body.children().stream()
                        .filter(child -> child.localName().equals("ResourceProperty"))
                        .toList();
        return names.stream()
                .map(name -> name.qualifiedName().orElseGet(() -> new QName(shown(name.trimmedText()))))
                .toList();
    }

    /**
     * Answers a query of resource properties, whose document is in the namespace that the query asks in.
     *
     * @param root the local name of the document's element
     * @param properties what is in it, by its namespace
     */
    static Reply query(
            SoapCall call, String root, Gt4Faults faults, QueryLimits limits, Function<String, XmlContent> properties) {
        Generation generation = call.generation();
        String namespace =
                Gt4Names.asked(generation, call.body().child("QueryExpression").orElseGet(call::body));
        return new Queries(generation, faults.queries(generation), limits)
                .answer(call.body(), Gt4Names.deleg(namespace, root), properties.apply(namespace));
    }

    static SoapFaultException noOperation(String service, SoapCall call, String known) {
        return SoapFaultException.client(
                service + " has no operation " + shown(call.body().name().toString()) + ". It has: " + known + ".");
    }

    static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }
}
