// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lifecycle;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.TransferList;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/** What the parts of the engine share: the ports, and the one way to change a job. */
final class EngineContext {

    private final JobStore store;
    private final LrmDesk desk;
    private final @Nullable FileStager stager;
    private final @Nullable JobCredentials credentials;
    private final Clock clock;
    private final Instant started;
    private Consumer<Job> onChanged = job -> {};
    private Consumer<Job> onOver = job -> {};

    EngineContext(
            JobStore store,
            LrmDesk desk,
            @Nullable FileStager stager,
            @Nullable JobCredentials credentials,
            Clock clock) {
        this.store = store;
        this.desk = desk;
        this.stager = stager;
        this.credentials = credentials;
        this.clock = clock;
        this.started = clock.instant();
    }

    /** Names who is told of a job that changed, and of a job that reached its terminal state. */
    void connect(Consumer<Job> changed, Consumer<Job> over) {
        this.onChanged = changed;
        this.onOver = over;
    }

    JobStore store() {
        return store;
    }

    LrmDesk desk() {
        return desk;
    }

    boolean canStage() {
        return stager != null;
    }

    /**
     * Changes a job, and hands it on to whatever is next for it when the change is on disk. The future is empty if there is no such
     * job.
     */
    CompletableFuture<Optional<Job>> update(JobId id, Consumer<Transitions> change) {
        AtomicBoolean ended = new AtomicBoolean();
        return store.update(id, current -> {
                    Transitions transitions = new Transitions(current, clock.instant());
                    change.accept(transitions);
                    ended.set(!current.state().isTerminal()
                            && transitions.job().state().isTerminal());
                    return transitions.steps();
                })
                .thenApply(after -> {
                    after.ifPresent(job -> changed(job, ended.get()));
                    return after;
                });
    }

    /** Hands a job on to whatever is next for it. */
    void next(Job job) {
        onChanged.accept(job);
    }

    private void changed(Job job, boolean justEnded) {
        if (justEnded) {
            onOver.accept(job);
        } else {
            onChanged.accept(job);
        }
    }

    List<Job> jobs(List<JobId> ids) {
        Map<JobId, Job> found = store.findAll(ids);
        List<Job> jobs = new ArrayList<>(ids.size());
        for (JobId id : ids) {
            Job job = found.get(id);
            if (job != null) {
                jobs.add(job);
            }
        }
        return jobs;
    }

    /** The files the job wants moved; none for a job that is gone. */
    TransferList transfers(JobId id) {
        return store.description(id).map(JobDescription::transfers).orElse(TransferList.NONE);
    }

    /** Whether there is something to do between the end of a job and its terminal state. */
    boolean mustCleanUp(TransferList transfers) {
        return !transfers.cleanUp().isEmpty() || credentials != null;
    }

    /** Whether the job may be in its LRM although we have no id of it: a try was unclear, or was cut short by our own end. */
    boolean mayExist(Job job) {
        return job.submitTried() || !job.created().isAfter(started);
    }

    JobDescription withCredentials(Job job, JobDescription description) {
        if (credentials == null) {
            return description;
        }
        List<EnvironmentVariable> environment = new ArrayList<>(description.environment());
        credentials.place(job).forEach((name, value) -> environment.add(new EnvironmentVariable(name, value)));
        return description.toBuilder().environment(environment).build();
    }

    void removeCredentials(Job job) {
        if (credentials != null) {
            credentials.remove(job);
        }
    }

    /** One movement of files. */
    @FunctionalInterface
    interface Staging {
        Optional<Fault> move(FileStager stager, Job job, JobDescription description);
    }

    /** Moves files; jobs without any are done at once. */
    Optional<Fault> stage(Job job, Staging staging) {
        if (stager == null) {
            return Optional.empty(); // admission refused jobs with files
        }
        return store.description(job.id()).flatMap(description -> staging.move(stager, job, description));
    }
}
