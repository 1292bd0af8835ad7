// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.training;

import static java.util.Objects.requireNonNull;

import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.cli.wire.Names;

/** What the service of a rehearsal answers: one job and one request of transfers, each at its end soon, and delegations. */
final class RehearsedAnswers {
    private static final String[] STATES = {"Pending", "Active", "CleanUp", "Done"};
    private static final String SECURITY =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";

    private final AtomicInteger asked = new AtomicInteger();
    private final String services;
    private final String hostPath;

    /**
     * @param services the address of its services, with a slash at the end
     * @param hostPath to the keys of which is delegated, as a PkiPath
     */
    RehearsedAnswers(String services, byte[] hostPath) {
        this.services = requireNonNull(services, "services is null");
        this.hostPath = Base64.getEncoder().encodeToString(hostPath);
    }

    /** The content of the answer's body. */
    String to(String request) {
        if (request.contains("createManagedJob")) {
            return "<job:createManagedJobResponse xmlns:job=\"" + Names.JOB + "\">"
                    + "<job:NewTerminationTime>2026-11-21T14:57:46.764Z</job:NewTerminationTime>"
                    + "<job:CurrentTime>2026-11-20T14:57:46.764Z</job:CurrentTime><job:managedJobEndpoint>"
                    + reference("ManagedExecutableJobService")
                    + "</job:managedJobEndpoint></job:createManagedJobResponse>";
        }
        if (request.contains("createReliableFileTransferRequest")) {
            return "<createReliableFileTransferResponse xmlns=\"" + Names.RFT + "\"><reliableTransferEPR>"
                    + reference("ReliableFileTransferService")
                    + "</reliableTransferEPR></createReliableFileTransferResponse>";
        }
        if (request.contains("RequestSecurityToken")) {
            return "<RequestSecurityTokenResponse><at>" + reference("DelegationService")
                    + "</at></RequestSecurityTokenResponse>";
        }
        if (request.contains("GetMultipleResourceProperties")) {
            return properties(request.contains("OverallStatusProperty") ? transfers() : job());
        }
        if (request.contains("GetResourceProperty")) {
            return "<wsrp:GetResourcePropertyResponse xmlns:wsrp=\"" + Names.PROPERTIES + "\">" + property(request)
                    + "</wsrp:GetResourcePropertyResponse>";
        }
        if (request.contains("SetTerminationTime")) {
            return "<wsrl:SetTerminationTimeResponse xmlns:wsrl=\"" + Names.LIFETIME
                    + "\"><wsrl:NewTerminationTime>2026-11-21T14:57:46.764Z</wsrl:NewTerminationTime>"
                    + "</wsrl:SetTerminationTimeResponse>";
        }
        return "<wsrl:DestroyResponse xmlns:wsrl=\"" + Names.LIFETIME + "\"/>";
    }

    /** The answer of the REST API to a request with this first line: one job, which is over. */
    String toRest(String line) {
        String job =
                "{\"id\":\"01a2135a-7978-7b7e-b09b-04b38dd7aee4\",\"version\":4,\"state\":\"Done\",\"holding\":false,\"final\":true,"
                        + "\"lrm\":\"Fork\",\"account\":\"a\",\"created\":\"2026-11-20T14:57:46.764Z\",\"exitCode\":0}";
        return line.startsWith("GET /api/v1/jobs?") ? "{\"jobs\":[" + job + "]}" : job;
    }

    private static String properties(String content) {
        return "<wsrp:GetMultipleResourcePropertiesResponse xmlns:wsrp=\"" + Names.PROPERTIES + "\">" + content
                + "</wsrp:GetMultipleResourcePropertiesResponse>";
    }

    private String job() {
        String state = STATES[Math.min(asked.getAndIncrement(), STATES.length - 1)];
        return "<types:state xmlns:types=\"" + Names.TYPES + "\">" + state
                + "</types:state><types:holding xmlns:types=\""
                + Names.TYPES + "\">false</types:holding><types:exitCode xmlns:types=\"" + Names.TYPES
                + "\">0</types:exitCode>";
    }

    private static String transfers() {
        return "<rft:OverallStatusProperty xmlns:rft=\"" + Names.RFT
                + "\"><rft:transfersFinished>1</rft:transfersFinished>"
                + "</rft:OverallStatusProperty><rft:RequestStatusProperty xmlns:rft=\"" + Names.RFT
                + "\"><rft:requestStatus>Done</rft:requestStatus></rft:RequestStatusProperty>";
    }

    private String property(String request) {
        if (request.contains("CertificateChain")) {
            return "<CertificateChain xmlns=\"" + Names.DELEGATION + "\"><wsse:BinarySecurityToken xmlns:wsse=\""
                    + SECURITY + "\">" + hostPath + "</wsse:BinarySecurityToken></CertificateChain>";
        }
        for (String endpoint : new String[] {"stagingDelegationFactoryEndpoint", "delegationFactoryEndpoint"}) {
            if (request.contains(endpoint)) {
                return "<job:" + endpoint + " xmlns:job=\"" + Names.JOB + "\">" + reference("DelegationFactoryService")
                        + "</job:" + endpoint + ">";
            }
        }
        return "<types:state xmlns:types=\"" + Names.TYPES + "\">Done</types:state>";
    }

    private String reference(String service) {
        return "<wsa:Address>" + services + service
                + "</wsa:Address><wsa:ReferenceProperties><job:ResourceID xmlns:job=\"" + Names.JOB
                + "\">rehearsal</job:ResourceID></wsa:ReferenceProperties>";
    }
}
