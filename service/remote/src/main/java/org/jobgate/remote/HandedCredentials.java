// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.NamedCredential;
import org.jobgate.lrm.LrmUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credentials that the other gateway moves the files of our jobs with. Each is delegated there under a name made of the job's id, so that
 * doing it again, after a lost answer or a restart, leaves one credential and the same description of the job.
 */
final class HandedCredentials {

    private static final Logger LOG = LoggerFactory.getLogger(HandedCredentials.class);

    private final GatewaySettings settings;
    private final GatewayClient client;
    private final GatewayCredentials credentials;

    /** Which versions are there, by the names that they have there. After a restart nothing is known, and all are delegated once more. */
    private final Map<JobId, Map<String, String>> there = new ConcurrentHashMap<>();

    HandedCredentials(GatewaySettings settings, GatewayClient client, GatewayCredentials credentials) {
        this.settings = requireNonNull(settings, "settings is null");
        this.client = requireNonNull(client, "client is null");
        this.credentials = requireNonNull(credentials, "credentials is null");
    }

    /** As the job names them there. */
    List<NamedCredential> named(JobId job, JobDescription description) {
        List<String> keys = keys(description);
        return ofFiles(description).stream()
                .map(one -> new NamedCredential(one.use(), name(job, keys.indexOf(one.key())), settings.credentials()))
                .toList();
    }

    /**
     * Delegates those that the other gateway has not got, or not as they are now.
     *
     * @throws GatewayFaultException if the other gateway takes none
     */
    void hand(ClientCredential as, Job job, JobDescription description)
            throws IOException, GatewayFaultException, LrmUnavailableException {
        List<String> keys = keys(description);
        for (int i = 0; i < keys.size(); i++) {
            DelegableCredential now = credentials.forFiles(job, keys.get(i));
            String name = name(job.id(), i);
            Map<String, String> versions = there.computeIfAbsent(job.id(), id -> new ConcurrentHashMap<>());
            if (!now.version().equals(versions.get(name))) {
                client.putProxy(as, name, now.signature().sign(client.proxyRequest(as, name)));
                versions.put(name, now.version());
            }
        }
    }

    /** Has them forgotten there, as the job is over. What cannot be forgotten now is when it expires. */
    void destroy(ClientCredential as, JobId job, JobDescription description) {
        there.remove(job);
        List<String> keys = keys(description);
        for (int i = 0; i < keys.size(); i++) {
            try {
                client.destroyCredential(as, name(job, i));
            } catch (IOException | GatewayFaultException e) {
                LOG.info(
                        "The credential {} of {} may stay at the gateway {} until it expires: {}",
                        name(job, i),
                        job,
                        settings.name(),
                        e.getMessage());
            }
        }
    }

    /** None of a job without a credential of its own: this gateway acts as itself for it, and others' credentials are not its to give. */
    private static List<NamedCredential> ofFiles(JobDescription description) {
        if (description.credential(CredentialUse.JOB).isEmpty()) {
            return List.of();
        }
        return description.credentials().stream()
                .filter(one -> one.use() != CredentialUse.JOB)
                .toList();
    }

    /** Each once, in the order of their uses. */
    private static List<String> keys(JobDescription description) {
        return ofFiles(description).stream()
                .map(NamedCredential::key)
                .distinct()
                .toList();
    }

    private static String name(JobId job, int index) {
        return job + "-" + index;
    }
}
