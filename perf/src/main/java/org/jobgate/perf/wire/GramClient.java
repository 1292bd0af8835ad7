// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A GRAM4 client on one keep-alive connection, for one thread. */
public final class GramClient extends WireClient {

    private final GramMessages messages;

    /** A client that speaks over this connection, and closes it when closed. */
    public GramClient(HttpsConnection connection, GramMessages messages) {
        super(connection);
        this.messages = requireNonNull(messages, "messages is null");
    }

    /**
     * Creates a job and answers the service's id of it. May be repeated with the same key.
     *
     * @throws IOException if it is not known whether the service took the job
     */
    public String create(JobRequest request) throws IOException, RefusedException {
        HttpReply reply =
                connection().post(GramMessages.FACTORY_PATH, GramMessages.CREATE_ACTION, messages.create(request));
        return SoapReply.accepted(reply)
                .text("createManagedJobResponse/managedJobEndpoint/ReferenceProperties/ResourceID")
                .orElseThrow(() -> new IOException("the reply to createManagedJob names no job: " + reply.start()));
    }

    /**
     * Creates jobs in one request.
     *
     * @throws RefusedException if any of them was refused
     */
    public void createMany(List<JobRequest> requests) throws IOException, RefusedException {
        HttpReply reply = connection()
                .post(GramMessages.FACTORY_PATH, GramMessages.CREATE_MANY_ACTION, messages.createMany(requests));
        SoapReply soap = SoapReply.accepted(reply);
        int created = soap.count("createManagedJobsResponse/result/ResourceID");
        if (created != requests.size()) {
            throw new RefusedException(
                    reply.status(),
                    created + " of " + requests.size() + " jobs were taken: "
                            + soap.text("createManagedJobsResponse/result/explain")
                                    .orElse(reply.start()));
        }
    }

    /**
     * How the caller's jobs stand, in one call.
     *
     * @param most jobs of the answer
     */
    public JobList list(int most) throws IOException, RefusedException {
        String request = messages.list(most);
        long begin = System.nanoTime();
        HttpReply reply = connection().post(GramMessages.FACTORY_PATH, GramMessages.LIST_ACTION, request);
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new JobList(SoapReply.accepted(reply).count("listJobsResponse/job/state"), seconds);
    }

    /**
     * A list of jobs.
     *
     * @param jobs whose state it says
     * @param seconds from the request's first byte to the answer's last one, before it was read as XML
     */
    public record JobList(int jobs, double seconds) {}

    /**
     * Delegates a proxy, as {@code globus-credential-delegate} does: asks for the service's key, signs, hands the proxy over.
     *
     * @return the key of the delegated credential
     */
    public String delegate(ProxySigner signer, Duration lifetime)
            throws IOException, RefusedException, GeneralSecurityException {
        String theirs = SoapReply.accepted(connection()
                        .post(
                                GramMessages.DELEGATION_FACTORY_PATH,
                                GramMessages.PROPERTY_ACTION,
                                messages.keyToDelegateTo()))
                .text("GetResourcePropertyResponse/CertificateChain/BinarySecurityToken")
                .orElseThrow(() -> new IOException("the delegation factory shows no key"));
        String ours =
                ProxySigner.pkiPath(signer.sign(ProxySigner.newestOf(theirs).getPublicKey(), lifetime));
        return SoapReply.accepted(connection()
                        .post(
                                GramMessages.DELEGATION_FACTORY_PATH,
                                GramMessages.DELEGATE_ACTION,
                                messages.delegate(ours)))
                .text("RequestSecurityTokenResponse/EndpointReference/ReferenceProperties/DelegationKey")
                .orElseThrow(() -> new IOException("the reply to the delegation names no credential"));
    }

    /** How a job stands. */
    public JobView view(String jobId) throws IOException, RefusedException {
        return view(
                connection().post(GramMessages.JOB_PATH, GramMessages.PROPERTIES_ACTION, messages.properties(jobId)));
    }

    /**
     * How a job stands when it is in another state than the caller has seen, or this time is over.
     *
     * @param seen a state as GRAM4 names it
     * @param atMost less than the connection's timeout; the service waits 30 s at most
     */
    public JobView viewOnChange(String jobId, String seen, Duration atMost) throws IOException, RefusedException {
        return view(connection()
                .post(
                        GramMessages.JOB_PATH,
                        GramMessages.PROPERTIES_ACTION,
                        messages.changedProperties(jobId, seen, atMost)));
    }

    private static JobView view(HttpReply reply) throws IOException, RefusedException {
        SoapReply properties = SoapReply.accepted(reply);
        String parent = "GetMultipleResourcePropertiesResponse/";
        return new JobView(
                properties
                        .text(parent + "state")
                        .orElseThrow(() -> new IOException("the reply names no state: " + reply.start())),
                properties.text(parent + "exitCode").map(Integer::valueOf));
    }

    /** Cancels a job that lives, and lets the service forget it. */
    public void destroy(String jobId) throws IOException, RefusedException {
        SoapReply unused = SoapReply.accepted(
                connection().post(GramMessages.JOB_PATH, GramMessages.DESTROY_ACTION, messages.destroy(jobId)));
    }

    /** Destroys a delegated credential, as a client does that needs it no more. */
    public void destroyCredential(String delegated) throws IOException, RefusedException {
        SoapReply unused = SoapReply.accepted(connection()
                .post(
                        GramMessages.DELEGATION_PATH,
                        GramMessages.DESTROY_ACTION,
                        messages.destroyCredential(delegated)));
    }

    /**
     * How a job stands, as its owner sees it.
     *
     * @param state GRAM4's name of it
     * @param exitCode absent as long as it is not known
     */
    public record JobView(String state, Optional<Integer> exitCode) {}
}
