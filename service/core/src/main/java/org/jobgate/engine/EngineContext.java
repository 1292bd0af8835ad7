// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.LoggedJob;
import org.jobgate.jobs.FileStager;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.jobs.JobEnvironment;
import org.jobgate.lrm.LrmSource;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the parts of the engine share: the ports, and the one way to change a job. */
final class EngineContext {

    private static final Logger LOG = LoggerFactory.getLogger(EngineContext.class);

    private final JobStore store;
    private final LrmRegistry registry;
    private final SlotCounter slots;
    private final JobFiles files;
    private final JobCredentials credentials;
    private final Clock clock;
    private final Instant started;
    private final StrayRecords strays;
    private final EarlierJobs earlier;
    private final Observation observation;
    private volatile boolean isGathering;
    private volatile JobEnvironment environment = JobEnvironment.NONE;
    private Consumer<Job> onChanged = job -> {};
    private Consumer<Job> onOver = job -> {};

    EngineContext(JobStore store, LrmRegistry registry, FileStager stager, JobCredentials credentials, Clock clock) {
        this.store = store;
        this.registry = registry;
        this.slots = new SlotCounter(registry.throttles(), store);
        this.credentials = credentials;
        this.files = new JobFiles(store, stager, credentials, this::tell, registry::find);
        this.clock = clock;
        this.started = clock.instant();
        this.strays = new StrayRecords(clock);
        this.earlier = new EarlierJobs(store);
        this.observation = new Observation(clock);
    }

    /** Sets the listeners: one for jobs that changed, and one for jobs that reached a terminal state. */
    void connect(Consumer<Job> changed, Consumer<Job> over) {
        this.onChanged = changed;
        this.onOver = over;
    }

    void provide(JobEnvironment provided) {
        this.environment = provided;
    }

    /** Whether the gateway is still gathering, after a restore, the jobs that the LRMs have and the store lacks. Until then it makes no job by itself. */
    boolean isGathering() {
        return isGathering;
    }

    void gathering(boolean value) {
        isGathering = value;
    }

    JobStore store() {
        return store;
    }

    LrmRegistry registry() {
        return registry;
    }

    /** Reports the work of the stages to an observer. */
    Observation observation() {
        return observation;
    }

    SlotCounter slots() {
        return slots;
    }

    /** The files of jobs. */
    JobFiles files() {
        return files;
    }

    /** Jobs that wait for earlier ones of their owner. */
    EarlierJobs earlier() {
        return earlier;
    }

    /** The credentials of jobs. */
    JobCredentials credentials() {
        return credentials;
    }

    /**
     * Changes a job, and routes it to its next stage when the change is on disk. The future is empty if there is no such job.
     */
    CompletableFuture<Optional<Job>> update(JobId id, Consumer<Transitions> change) {
        return update(id, change, () -> true);
    }

    /**
     * Changes many jobs in one transaction. A job that is named twice is changed once.
     *
     * @param change answers whether it concerns the job: one that it does not concern is neither changed nor handed on
     * @return for each id, in order, the job afterwards; empty where there is none that the change concerns
     */
    CompletableFuture<List<Optional<Job>>> updateAll(List<JobId> ids, Predicate<Transitions> change) {
        Map<JobId, Boolean> concerned =
                new ConcurrentHashMap<>(); // and whether the change ended the job; the writer may ask again
        return store.updateAll(ids, current -> {
                    Transitions transitions = new Transitions(current, clock.instant());
                    concerned.remove(current.id());
                    if (change.test(transitions)) {
                        boolean isOver = transitions.job().state().isTerminal();
                        concerned.put(current.id(), isOver && !current.state().isTerminal());
                    }
                    return transitions.steps();
                })
                .thenApply(after -> {
                    List<Optional<Job>> answers = after.stream()
                            .map(found -> found.filter(job -> concerned.containsKey(job.id())))
                            .toList();
                    answers.stream()
                            .flatMap(Optional::stream)
                            .distinct()
                            .forEach(job -> changed(job, concerned.getOrDefault(job.id(), false)));
                    return answers;
                });
    }

    /** @param isToGoOn whether the job is routed on afterwards; a refused record must not move it on */
    private CompletableFuture<Optional<Job>> update(JobId id, Consumer<Transitions> change, BooleanSupplier isToGoOn) {
        AtomicBoolean ended = new AtomicBoolean();
        return store.update(id, current -> {
                    Transitions transitions = new Transitions(current, clock.instant());
                    change.accept(transitions);
                    ended.set(!current.state().isTerminal()
                            && transitions.job().state().isTerminal());
                    return transitions.steps();
                })
                .thenApply(after -> {
                    after.filter(job -> isToGoOn.getAsBoolean()).ifPresent(job -> changed(job, ended.get()));
                    return after;
                });
    }

    /**
     * Changes a job by a record of its LRM. No other method applies such records. Nothing changes if the source may not report about the job
     * as it stands when the change is made; this is counted, and the future says so. A record about a job that is gone is accepted.
     */
    CompletableFuture<Boolean> hear(LrmSource source, JobId id, Consumer<Transitions> change) {
        AtomicReference<@Nullable String> refusal = new AtomicReference<>();
        return update(
                        id,
                        transitions -> {
                            refusal.set(source.cannotTellOf(transitions.job()).orElse(null));
                            if (refusal.get() == null) {
                                change.accept(transitions);
                            }
                        },
                        () -> refusal.get() == null)
                .thenApply(done -> {
                    String why = refusal.get();
                    if (why != null) {
                        strays.refused(source, id, why);
                    }
                    return why == null;
                });
    }

    /** The records that were refused. */
    StrayRecords strays() {
        return strays;
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

    /** Whether the LRM is believed to have begun the job, and nobody ends it. */
    static boolean runs(Job job) {
        return (job.state() == JobState.ACTIVE || job.state() == JobState.SUSPENDED) && job.outcome() == null;
    }

    /** Whether the job may be in its LRM although we have no id of it: a try was unclear, or was cut short by our own end. */
    boolean mayExist(Job job) {
        return job.submitTried()
                || !job.created().isAfter(started)
                || !job.id().made().isAfter(started); // made again after a restore, under the id that it had
    }

    /**
     * The description as the LRM gets it: with what the service itself tells the job's processes.
     *
     * @param credentialVariables what names the job's credentials to them
     */
    JobDescription forLrm(Job job, JobDescription description, Map<String, String> credentialVariables) {
        JobDescription prepared = files.prepared(job, description);
        Map<String, String> added =
                new LinkedHashMap<>(environment.of(job, MultiJobs.partOf(job).orElse(null), description));
        added.putAll(credentialVariables);
        if (added.isEmpty()) {
            return prepared;
        }
        List<EnvironmentVariable> variables = new ArrayList<>(prepared.environment());
        variables.removeIf(variable -> added.containsKey(variable.name()));
        added.forEach((name, value) -> variables.add(new EnvironmentVariable(name, value)));
        return prepared.toBuilder().environment(variables).build();
    }

    /** Hands jobs on that waited for a credential, when they need not wait any more. */
    void heedCredentials() {
        credentials.onChange(id -> store.find(id).ifPresent(this::next));
        credentials.onNews(this::tell);
    }

    /** Tells the owner of a job, by a note in its history. */
    private void tell(JobId id, String news) {
        var unused = remark(id, news).exceptionally(e -> {
            LoggedJob.says(id, () -> LOG.warn("The owner of job {} could not be told: {}", id, news, e));
            return Optional.empty();
        });
    }

    /** Has the credentials of the job's delegations destroyed after it. */
    void destroyCredentials(Job job) {
        store.description(job.id()).ifPresent(description -> credentials.destroyAfter(job, description));
    }

    /** Adds a note to the job's history; unlike {@link #update} it hands the job on to nobody. */
    CompletableFuture<Optional<Job>> remark(JobId id, String note) {
        return store.update(id, current -> {
            Transitions transitions = new Transitions(current, clock.instant());
            if (!current.state().isTerminal()) {
                transitions.note(current, note);
            }
            return transitions.steps();
        });
    }
}
