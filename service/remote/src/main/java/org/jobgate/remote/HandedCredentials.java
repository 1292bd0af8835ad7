// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.LoggedJob;
import org.jobgate.job.NamedCredential;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The credentials that the other gateway moves the files of our jobs with. Each is delegated there under a name made of the job's id, so that
 * doing it again, after a lost answer or a restart, leaves one credential and the same description of the job.
 */
final class HandedCredentials {

    private static final Logger LOG = LoggerFactory.getLogger(HandedCredentials.class);

    /** Between two offers of the same version to a gateway that did not take it. */
    private static final Duration PAUSE = Duration.ofMinutes(2);

    private final GatewaySettings settings;
    private final GatewayClient client;
    private final GatewayCredentials credentials;
    private final JobStore store;
    private final Clock clock;

    /** What was last tried, by the names that they have there. After a restart nothing is known, and all are delegated once more. */
    private final Map<JobId, Map<String, Tried>> tried = new ConcurrentHashMap<>();

    HandedCredentials(
            GatewaySettings settings,
            GatewayClient client,
            GatewayCredentials credentials,
            JobStore store,
            Clock clock) {
        this.settings = requireNonNull(settings, "settings is null");
        this.client = requireNonNull(client, "client is null");
        this.credentials = requireNonNull(credentials, "credentials is null");
        this.store = requireNonNull(store, "store is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * A version of a credential that was offered to the other gateway.
     *
     * @param failed when it did not get there; absent where it is there
     */
    private record Tried(String version, @Nullable Instant failed) {

        boolean isThere(DelegableCredential now) {
            return failed == null && version.equals(now.version());
        }

        boolean failedSince(Instant time, DelegableCredential now) {
            return failed != null && version.equals(now.version()) && failed.isAfter(time);
        }
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
     * @throws GatewayFaultException if the other gateway takes one of them not
     */
    void hand(ClientCredential as, Job job, JobDescription description)
            throws IOException, GatewayFaultException, LrmUnavailableException {
        List<String> keys = keys(description);
        for (int i = 0; i < keys.size(); i++) {
            DelegableCredential now = credentials.forFiles(job, keys.get(i));
            Tried before = before(job.id(), name(job.id(), i));
            if (before == null || !before.isThere(now)) {
                put(as, job.id(), name(job.id(), i), now);
            }
        }
    }

    /**
     * Delegates again what the owner has renewed here. What does not go is tried again after a while, for this is called in every round of
     * questions, which must not wait for it.
     */
    void renew(ClientCredential as, Job job, JobDescription description) {
        List<String> keys = keys(description);
        boolean isTried = false;
        for (int i = 0; i < keys.size(); i++) {
            try {
                isTried |= isRenewed(as, job.id(), name(job.id(), i), credentials.forFiles(job, keys.get(i)));
            } catch (LrmUnavailableException | FaultException e) {
                LOG.debug("Nothing is renewed for the files of {}: {}", job, e.getMessage());
            }
        }
        if (isTried && isOver(job.id())) {
            // it ended meanwhile, and what was put there may have come after all of its credentials had been destroyed
            destroy(as, job.id(), description);
        }
    }

    /** @return whether it was tried, well or not */
    private boolean isRenewed(ClientCredential as, JobId job, String name, DelegableCredential now) {
        Tried before = before(job, name);
        boolean isDue = before == null
                || !(before.isThere(now) || before.failedSince(clock.instant().minus(PAUSE), now));
        if (!isDue || isOver(job)) {
            return false;
        }
        try {
            put(as, job, name, now);
        } catch (IOException | GatewayFaultException | RuntimeException e) {
            boolean isSaid = before != null
                    && before.failed() != null
                    && before.version().equals(now.version());
            of(job).put(name, new Tried(now.version(), clock.instant()));
            LoggedJob.says(
                    job,
                    () -> LOG.atLevel(isSaid ? Level.DEBUG : Level.WARN)
                            .log(
                                    "The gateway {} did not get the credential {} for the files of {}, it is tried again: {}",
                                    settings.name(),
                                    name,
                                    job,
                                    e.getMessage()));
        }
        return true;
    }

    private void put(ClientCredential as, JobId job, String name, DelegableCredential now)
            throws IOException, GatewayFaultException {
        client.putProxy(as, name, now.signature().sign(client.proxyRequest(as, name)));
        of(job).put(name, new Tried(now.version(), null));
    }

    private @Nullable Tried before(JobId job, String name) {
        return tried.getOrDefault(job, Map.of()).get(name);
    }

    private Map<String, Tried> of(JobId job) {
        return tried.computeIfAbsent(job, id -> new ConcurrentHashMap<>());
    }

    /** Then its credentials there are destroyed, or about to be. */
    private boolean isOver(JobId job) {
        return store.find(job).map(found -> found.state().isTerminal()).orElse(true);
    }

    /** Has them forgotten there, as the job is over. What cannot be forgotten now is when it expires. */
    void destroy(ClientCredential as, JobId job, JobDescription description) {
        tried.remove(job);
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
