// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gridsite;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.xml.namespace.QName;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.gt4.Times;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.ShortText;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;

/**
 * The delegation service of gridsite, gLite and ARC: the server makes a key and a certificate request, the client signs it and puts
 * the proxy. Both namespaces are served; a reply is in that of its request, for gridsite's own clients use the operations of the
 * second interface in the namespace of the first (facts/cream.md section 9).
 */
public final class GridsiteDelegation implements SoapService {

    public static final String NAME = "gridsite-delegation";

    static final String NAMESPACE_1 = "http://www.gridsite.org/namespaces/delegation-1";
    static final String NAMESPACE_2 = "http://www.gridsite.org/namespaces/delegation-2";

    private static final String INTERFACE = "2.0.0";

    private final Delegations delegations;
    private final Access access;
    private final String version;

    /**
     * The service.
     *
     * @param access only those who may submit may delegate
     * @param version of this service, as it is told to clients
     */
    public GridsiteDelegation(Delegations delegations, Access access, String version) {
        this.delegations = requireNonNull(delegations, "delegations is null");
        this.access = requireNonNull(access, "access is null");
        this.version = requireNonNull(version, "version is null");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Reply answer(SoapCall call) {
        String namespace = call.body().name().getNamespaceURI();
        if (!namespace.equals(NAMESPACE_1) && !namespace.equals(NAMESPACE_2)) {
            throw SoapFaultException.client(
                    NAME + " speaks the namespaces " + NAMESPACE_1 + " and " + NAMESPACE_2 + ".");
        }
        try {
            return new Reply(namespace, answered(call, namespace));
        } catch (FaultException e) {
            throw exception(namespace, e.fault());
        }
    }

    private static SoapFaultException exception(String namespace, Fault fault) {
        String text = (fault.sentence() + " " + fault.remedy()).strip();
        return new SoapFaultException(SoapFaultException.Code.SERVER, text, out -> {
            out.open(new QName(namespace, "DelegationException", "d"));
            out.element(new QName("msg"), text).close();
        });
    }

    private XmlContent answered(SoapCall call, String namespace) {
        String operation = call.body().localName();
        Caller caller = access.caller(call.identity());
        String owner = caller.delegate();
        return switch (operation) {
            case "getVersion", "getInterfaceVersion" ->
                result(namespace, operation, operation.equals("getVersion") ? version : INTERFACE);
            case "getServiceMetadata" ->
                throw refused(
                        "This service has no metadata '" + shown(part(call, "key")) + "'.", "There are none at all.");
            case "getNewProxyReq" -> newRequest(namespace, delegations.request(caller));
            case "getProxyReq" ->
                result(
                        namespace,
                        operation,
                        delegations.request(caller, idOrUsual(call, owner)).pem());
            case "renewProxyReq" ->
                result(
                        namespace,
                        operation,
                        delegations
                                .renew(caller, idOrUsual(call, owner))
                                .orElseThrow(GridsiteDelegation::unknown)
                                .pem());
            case "putProxy" -> {
                delegations.put(caller, idOrUsual(call, owner), part(call, "proxy"));
                yield out -> out.empty(new QName(namespace, "putProxyResponse", "d"));
            }
            case "getTerminationTime" ->
                result(
                        namespace,
                        operation,
                        Times.format(delegations
                                .find(caller, idOrUsual(call, owner))
                                .orElseThrow(GridsiteDelegation::unknown)
                                .terminates()));
            case "destroy" -> {
                if (!delegations.destroy(caller, idOrUsual(call, owner))) {
                    throw unknown();
                }
                yield out -> out.empty(new QName(namespace, "destroyResponse", "d"));
            }
            default ->
                throw SoapFaultException.client(NAME + " has no operation " + shown(operation)
                        + ". It has: getVersion, getInterfaceVersion, getServiceMetadata, getNewProxyReq, getProxyReq,"
                        + " renewProxyReq, putProxy, getTerminationTime, destroy.");
        };
    }

    /** One value; its element is in no namespace (facts/cream.md section 5). */
    private static XmlContent result(String namespace, String operation, String value) {
        return out -> {
            out.open(new QName(namespace, operation + "Response", "d"));
            out.element(new QName(operation + "Return"), value).close();
        };
    }

    private static XmlContent newRequest(String namespace, Delegations.Request request) {
        XmlContent both = out -> {
            out.element(new QName("proxyRequest"), request.pem());
            out.element(new QName("delegationID"), request.id());
        };
        return out -> {
            out.open(new QName(namespace, "getNewProxyReqResponse", "d"));
            out.open(new QName("getNewProxyReqReturn"));
            both.write(out);
            out.close();
            if (namespace.equals(NAMESPACE_2)) {
                both.write(out); // interface 2.0 has them inside one part, 2.1 has them bare: each takes what it knows
            }
            out.close();
        };
    }

    private static FaultException unknown() {
        return refused(
                "There is no such delegated credential of yours.",
                "It may have expired or been destroyed. Delegate again.");
    }

    private static FaultException refused(String sentence, String remedy) {
        return new FaultException(Fault.of(FaultCode.CREDENTIAL_UNUSABLE, sentence, remedy));
    }

    /** An empty id means the caller's usual one. */
    private static String idOrUsual(SoapCall call, String owner) {
        String id = part(call, "delegationID");
        return id.isEmpty() ? usualId(owner) : id;
    }

    private static String usualId(String owner) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String part(SoapCall call, String name) {
        return call.body().child(name).map(XmlElement::trimmedText).orElse("");
    }

    private static String shown(String text) {
        return ShortText.of(text, 60);
    }
}
