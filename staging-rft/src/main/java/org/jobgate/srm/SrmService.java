// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.job.FaultException;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service of SRM v2.2. A request's body is {@code <srm:OP><OPRequest>...</OPRequest></srm:OP>}, the answer's
 * {@code <srm:OPResponse><OPResponse>...</OPResponse></srm:OPResponse>}, both of style rpc. The header SOAPAction says nothing.
 */
final class SrmService implements SoapService {

    static final String NAMESPACE = "http://srm.lbl.gov/StorageResourceManager";

    private static final Logger LOG = LoggerFactory.getLogger(SrmService.class);
    private static final String REQUEST = "Request";
    private static final String RESPONSE = "Response";

    private final String name;
    private final Access access;
    private final Map<String, Operation> operations;

    /**
     * One of the addresses of the service.
     *
     * @param name the end of the address
     * @param operations by their names
     */
    SrmService(String name, Access access, Map<String, Operation> operations) {
        this.name = requireNonNull(name, "name is null");
        this.access = requireNonNull(access, "access is null");
        this.operations = Map.copyOf(operations);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Reply answer(SoapCall call) {
        XmlElement body = call.body();
        String namespace = body.name().getNamespaceURI();
        String wanted = body.localName();
        Operation operation = operations.get(wanted);
        if (operation == null || !(namespace.isEmpty() || namespace.equals(NAMESPACE))) {
            throw SoapFaultException.client("There is no operation "
                    + Surl.shown(body.name().toString())
                    + " here: this is an SRM v2.2 service, whose operations are in the namespace " + NAMESPACE + ".");
        }
        Caller caller = access.caller(call.identity());
        QName outer = new QName(NAMESPACE, wanted + RESPONSE, "srm");
        QName inner = new QName(wanted + RESPONSE);
        XmlContent content = content(operation, caller, call, wanted);
        return new Reply("", out -> {
            out.open(outer).open(inner);
            content.write(out);
            out.close().close();
        });
    }

    private static XmlContent content(Operation operation, Caller caller, SoapCall call, String wanted) {
        try {
            return operation.answer(new Call(caller, new Ask(request(call.body(), wanted)), call.delegated()));
        } catch (SrmException e) {
            return Answer.of(e.status());
        } catch (FaultException e) {
            Status status = Status.of(e.fault(), caller.isAnonymous());
            if (status.code() == Code.SRM_FAILURE || status.code() == Code.SRM_INTERNAL_ERROR) {
                LOG.warn("{} could not be answered: {}", wanted, e.fault().sentence());
            }
            return Answer.of(status);
        }
    }

    /** The one part of the message; what has no part of that name is taken for the part itself. */
    private static XmlElement request(XmlElement body, String wanted) {
        Optional<XmlElement> part = body.child(wanted + REQUEST);
        if (part.isPresent() && part.get().attribute("href").isPresent()) {
            throw SrmException.invalid(
                    "The request is somewhere else in the message (href), where it is not looked for;"
                            + " write it in its place.");
        }
        return part.orElse(body);
    }
}
