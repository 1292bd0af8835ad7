// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A client of CREAM2 and of the delegation service beside it, on one keep-alive connection, for one thread. */
public final class CreamClient extends WireClient {

    static final String SERVICE_PATH = "/ce-cream/services/CREAM2";
    static final String DELEGATION_PATH = "/ce-cream/services/gridsite-delegation";
    static final String REGISTER_ACTION = "http://glite.org/2007/11/ce/cream/JobRegister";

    private static final String TYPES = "http://glite.org/2007/11/ce/cream/types";
    private static final String DELEGATION = "http://www.gridsite.org/namespaces/delegation-2";
    private static final String RESULT = "JobRegisterResponse/result";
    private static final List<String> FAULTS =
            List.of("GenericFault", "DelegationProxyFault", "DelegationIdMismatchFault", "LeaseIdMismatchFault");

    /** A client that speaks over this connection, and closes it when closed. */
    public CreamClient(HttpsConnection connection) {
        super(connection);
    }

    /**
     * Delegates a proxy as CREAM's own clients do: asks for the service's key, signs, hands the proxy over.
     *
     * @return the id of the delegation
     */
    public String delegate(ProxySigner signer, Duration lifetime)
            throws IOException, RefusedException, GeneralSecurityException {
        String id = UUID.randomUUID().toString();
        String asked = delegation("getProxyReq", id, null)
                .text("getProxyReqResponse/getProxyReqReturn")
                .orElseThrow(() -> new IOException("the delegation service answered without a request to sign"));
        String proxy = ProxySigner.pem(signer.sign(ProxySigner.keyOf(asked), lifetime));
        SoapReply unused = delegation("putProxy", id, proxy);
        return id;
    }

    /** Destroys a delegation, as a client does that needs it no more. */
    public void destroyDelegation(String id) throws IOException, RefusedException {
        SoapReply unused = delegation("destroy", id, null);
    }

    /**
     * Registers and starts jobs by one request.
     *
     * @param jdls a description of each
     * @param delegation the credential of all
     * @throws IOException if it is not known whether the service took them
     */
    public Registered register(List<String> jdls, String delegation) throws IOException, RefusedException {
        HttpReply reply = connection().post(SERVICE_PATH, REGISTER_ACTION, registration(jdls, delegation));
        SoapReply soap = SoapReply.accepted(reply);
        int taken = soap.count(RESULT + "/jobId");
        return new Registered(taken, taken == jdls.size() ? null : reason(soap, reply, taken, jdls.size()));
    }

    private static String reason(SoapReply soap, HttpReply reply, int taken, int asked) {
        for (String fault : FAULTS) {
            if (soap.count(RESULT + "/" + fault) > 0) {
                return fault + ": "
                        + soap.text(RESULT + "/" + fault + "/Description").orElse("no description") + " "
                        + soap.text(RESULT + "/" + fault + "/FaultCause").orElse("");
            }
        }
        return taken + " of " + asked + " jobs were answered: " + reply.start();
    }

    /** The message; each job has a key of its own, by which Jobgate knows a request that comes again. */
    static String registration(List<String> jdls, String delegation) {
        StringBuilder body =
                new StringBuilder("<JobRegisterRequest xmlns=\"").append(TYPES).append("\">");
        for (String jdl : jdls) {
            body.append("<jobDescriptionList jobDescriptionId=\"")
                    .append(UUID.randomUUID())
                    .append("\"><JDL>");
            body.append(GramMessages.escape(jdl)).append("</JDL><delegationId>");
            body.append(GramMessages.escape(delegation)).append("</delegationId>");
            body.append("<autoStart>true</autoStart></jobDescriptionList>");
        }
        return envelope(body.append("</JobRegisterRequest>").toString());
    }

    private SoapReply delegation(String operation, String id, @Nullable String proxy)
            throws IOException, RefusedException {
        String parts = "<delegationID>" + GramMessages.escape(id) + "</delegationID>"
                + (proxy == null ? "" : "<proxy>" + proxy + "</proxy>");
        return SoapReply.accepted(connection()
                .post(
                        DELEGATION_PATH,
                        "",
                        envelope("<d:" + operation + " xmlns:d=\"" + DELEGATION + "\">" + parts + "</d:" + operation
                                + ">")));
    }

    private static String envelope(String body) {
        return "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + body
                + "</s:Body></s:Envelope>";
    }

    /**
     * What came of a registration.
     *
     * @param taken how many jobs the service has taken
     * @param refusal why it did not take one of the others; absent where it took all
     */
    public record Registered(int taken, @Nullable String refusal) {}
}
