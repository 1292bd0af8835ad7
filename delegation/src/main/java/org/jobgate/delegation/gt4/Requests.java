// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import java.util.List;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.query.Queries;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.job.ShortText;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;

/** What requests have in common. */
final class Requests {

    private static final int SHOWN = 120;

    private Requests() {}

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
            SoapCall call,
            String root,
            DelegationFaults faults,
            QueryLimits limits,
            Function<String, XmlContent> properties) {
        Generation generation = Generation.ofShared(call);
        String namespace =
                Gt4Names.asked(generation, call.body().child("QueryExpression").orElseGet(call::body));
        return new Queries(generation, faults.in(generation), limits)
                .answer(call.body(), Gt4Names.deleg(namespace, root), properties.apply(namespace));
    }

    static SoapFaultException noOperation(String service, SoapCall call, String known) {
        return SoapFaultException.client(
                service + " has no operation " + shown(call.body().name().toString()) + ". It has: " + known + ".");
    }

    static String shown(String text) {
        return ShortText.of(text, SHOWN);
    }
}
