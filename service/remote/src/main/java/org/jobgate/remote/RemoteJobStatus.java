// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.LoggedJob;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at one job of ours at the other gateway, and says what is news. */
final class RemoteJobStatus {

    private static final Logger LOG = LoggerFactory.getLogger(RemoteJobStatus.class);

    private final GatewaySettings settings;
    private final GatewayClient client;
    private final GatewayCredentials credentials;
    private final HandedCredentials handed;
    private final JobStore store;
    private final Clock clock;

    RemoteJobStatus(
            GatewaySettings settings,
            GatewayClient client,
            GatewayCredentials credentials,
            HandedCredentials handed,
            JobStore store,
            Clock clock) {
        this.settings = requireNonNull(settings, "settings is null");
        this.client = requireNonNull(client, "client is null");
        this.credentials = requireNonNull(credentials, "credentials is null");
        this.handed = requireNonNull(handed, "handed is null");
        this.store = requireNonNull(store, "store is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** The job as it stands here. */
    Job job(JobId tag) throws LrmUnavailableException {
        return store.find(tag)
                .orElseThrow(() -> new LrmUnavailableException("the job " + tag + " is not in the store"));
    }

    /** @throws FaultException if nobody could ever act for it, so that it was never submitted */
    ClientCredential actingFor(Job job) throws LrmUnavailableException {
        return credentials.of(job, description(job));
    }

    JobDescription description(Job job) throws LrmUnavailableException {
        return store.description(job.id())
                .orElseThrow(() -> new LrmUnavailableException("the job " + job.id() + " has no description"));
    }

    /** Its key there, by its id here. */
    String key(List<String> localIds) throws LrmUnavailableException {
        String id = localIds.getFirst();
        String prefix = settings.localId("");
        if (!id.startsWith(prefix)) {
            throw new LrmUnavailableException(
                    "it was given to " + id + ", and the LRM " + settings.name() + " is now configured as "
                            + settings.factory() + "; the administrator must put the old address back");
        }
        return id.substring(prefix.length());
    }

    /**
     * What is news of a job that was accepted there; empty where nothing is.
     *
     * @throws IOException if the gateway gave no clear answer
     */
    Optional<LrmEvent> news(Job job) throws IOException {
        try {
            String key = key(job.localIds());
            ClientCredential as = actingFor(job);
            handed.renew(as, job, description(job));
            RemoteJob there = client.look(as, key);
            return there.kind().flatMap(kind -> change(job, there, kind));
        } catch (GatewayFaultException e) {
            return e.isUnknown() ? Optional.of(lost(job)) : trouble(job, e.sentence());
        } catch (LrmUnavailableException e) {
            return trouble(job, String.valueOf(e.getMessage()));
        } catch (FaultException e) {
            return trouble(job, e.fault().sentence());
        }
    }

    /** What is told of a job that could not be asked for because something is wrong here: once, and the log has it. */
    Optional<LrmEvent> failed(Job job, RuntimeException cause) {
        Optional<LrmEvent> event = trouble(job, "this gateway could not ask for the job; its own log says why");
        event.ifPresent(
                told -> LoggedJob.says(job.id(), () -> LOG.error("The job {} could not be asked for", job, cause)));
        return event;
    }

    private Optional<LrmEvent> change(Job job, RemoteJob there, LrmEvent.Kind kind) {
        if (kind == LrmEvent.Kind.ENDED) {
            return Optional.of(event(job, kind, there.end(settings.factory().getAuthority()), null));
        }
        LrmEvent.Kind here = kindOf(job.state());
        if (kind == here) {
            // it is answered for again
            return job.pendingReason() == null ? Optional.empty() : Optional.of(event(job, kind, null, null));
        }
        boolean isPutBack = kind == LrmEvent.Kind.QUEUED;
        return Optional.of(event(job, isPutBack ? LrmEvent.Kind.REQUEUED : kind, null, null));
    }

    private static LrmEvent.Kind kindOf(JobState state) {
        return switch (state) {
            case ACTIVE -> LrmEvent.Kind.STARTED;
            case SUSPENDED -> LrmEvent.Kind.SUSPENDED;
            default -> LrmEvent.Kind.QUEUED;
        };
    }

    /** The state stays; why it may not be the present one is said once. */
    private Optional<LrmEvent> trouble(Job job, String because) {
        LrmEvent event = event(job, kindOf(job.state()), null, "unknown: " + because);
        boolean isSaid =
                job.pendingReason() != null && job.pendingReason().because().equals(event.note());
        return isSaid ? Optional.empty() : Optional.of(event);
    }

    private LrmEvent lost(Job job) {
        Fault fault = Fault.of(
                FaultCode.LOST,
                "The gateway " + settings.factory().getAuthority()
                        + " accepted the job, and does not know it any more.",
                "Look at the job's own output; ask the administrator of that gateway, who can see what became of "
                        + job.localIds().getFirst() + ".");
        LrmEvent.End end = new LrmEvent.End(LrmEvent.Cause.LOST, null, null, null, fault, null);
        return event(job, LrmEvent.Kind.ENDED, end, null);
    }

    private LrmEvent event(Job job, LrmEvent.Kind kind, LrmEvent.@Nullable End end, @Nullable String note) {
        return new LrmEvent(job.id(), job.localIds(), kind, clock.instant(), end, note);
    }
}
