// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.jobs.FilePassword;
import org.jobgate.jobs.FileStager;
import org.jobgate.jobs.GroupsBySubject;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.jobs.JobEnvironment;
import org.jobgate.jobs.JobOrders;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.NoCredentials;
import org.jobgate.jobs.NoFiles;
import org.jobgate.jobs.Submission;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.store.Change;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jobgate.store.OwnerChanges;
import org.jspecify.annotations.Nullable;

/**
 * The life of all jobs: takes submissions, drives each job through its stages, and applies the events that the LRMs report.
 *
 * <p>It keeps no job in memory. What a job is to do next follows from how it stands in the store ({@link Phases#route}), so the
 * service's own end at any moment changes no job; after the next start each goes on where it was.
 */
public final class JobEngine implements JobsBySubject, AutoCloseable {

    private final JobStore store;
    private final LrmRegistry registry;
    private final LrmAdministration administration;
    private final EngineContext context;
    private final Admission admission;
    private final Phases phases;
    private final Sweeper sweeper;
    private final ManyJobs many;
    private final Restoration restoration;
    private final LrmWatch watch;
    private final JobIds ids;
    private final Submissions submissions;
    private final GroupOrders groups;
    private final SubjectReads reads;
    private final SubjectOrders orders;
    private final Attempts attempts;
    private final ChangeWaits waits;

    /**
     * Not started yet.
     * @param lrms the first is the default
     * @param stager absent: jobs with files are refused
     * @param credentials absent: jobs get none
     * @param interlude a thread calls it when it begins to wait for a change, and when it has waited
     */
    public JobEngine(
            JobStore store,
            List<Lrm> lrms,
            @Nullable FileStager stager,
            @Nullable JobCredentials credentials,
            JobLimits limits,
            EngineSettings settings,
            Clock clock,
            RandomGenerator random,
            Interlude interlude) {
        this.store = store;
        this.registry = new LrmRegistry(lrms, clock, settings.longestPause(), random);
        this.context = new EngineContext(
                store,
                registry,
                stager == null ? NoFiles.INSTANCE : stager,
                credentials == null ? NoCredentials.INSTANCE : credentials,
                clock);
        this.reads = new SubjectReads(context);
        this.orders = new SubjectOrders(context, reads, clock);
        this.waits = new ChangeWaits(store, interlude);
        AfterRestore afterRestore = new AfterRestore(context, clock);
        this.watch = new LrmWatch(context, afterRestore);
        this.ids = new JobIds(store, afterRestore, clock, random);
        this.admission = new Admission(context, limits, clock, ids);
        this.restoration = new Restoration(context, admission, afterRestore, watch, settings, clock);
        this.phases = new Phases(context, settings, new MultiJobs(context, clock, ids), new Groups(context, admission));
        this.groups = new GroupOrders(context, admission, waits.ofOwners(), phases::route);
        this.submissions = new Submissions(context, admission, phases::route);
        this.attempts = new Attempts(context, submissions, ids, clock);
        this.many = new ManyJobs(context, limits.jobsAtOnce(), reads::withPendingReason);
        this.sweeper = new Sweeper(context, phases, settings, clock);
        this.administration = new LrmAdministration(registry, context.strays(), phases::throttle);
        context.connect(phases::route, phases::over);
        phases.lookFirst(job -> afterRestore.takesUp(job, watch));
    }

    /** Sets the source of environment variables that jobs get beside those that they ask for. To be called before the start. */
    public void provide(JobEnvironment environment) {
        context.provide(environment);
    }

    /** Sets the observer of the work of the stages. To be called before the start. */
    public void observe(StageObserver observer) {
        context.observation().by(observer);
    }

    /** Takes up every job where it was, begins to watch the LRMs, and to sweep. */
    public void start() {
        ids.prepare();
        waits.start();
        context.heedCredentials();
        registry.names().forEach(context.slots()::count);
        for (Lrm lrm : registry.all()) {
            Set<String> accounts = new LinkedHashSet<>(store.accountsWithLiveJobs(lrm.name()));
            accounts.addAll(restoration.alsoWatched());
            lrm.watch(accounts, watch);
        }
        restoration.start();
        sweeper.start();
    }

    /** Takes jobs up after a store was restored from a backup. */
    public Restoration restoration() {
        return restoration;
    }

    /** Takes no new jobs from now on; those that are there go on. */
    public void drain() {
        admission.drain(true);
    }

    /** Takes new jobs again. */
    public void resume() {
        admission.drain(false);
        if (context.isGathering()) {
            context.gathering(false);
            sweeper.takeUpAgain();
        }
    }

    public boolean isDraining() {
        return admission.isDraining();
    }

    /** Sets the check that says, in a sentence, when the service has too much to do: then new jobs are refused as while it drains. */
    public void heed(Supplier<Optional<String>> overload) {
        admission.heed(overload);
    }

    @Override
    public Optional<Fault> closed() {
        return admission.closed();
    }

    /** The workers of each stage, by name, to be looked at and resized. */
    public Map<String, WorkQueue> pools() {
        return phases.pools();
    }

    /** How many jobs are not over. */
    public long liveJobs() {
        return store.countLive();
    }

    /** What administrators see and change of the LRMs. */
    public LrmAdministration lrmAdministration() {
        return administration;
    }

    @Override
    public Set<String> lrms() {
        return new LinkedHashSet<>(registry.names());
    }

    @Override
    public LrmCapabilities capabilities(String lrm) {
        return registry.find(lrm).map(Lrm::capabilities).orElse(LrmCapabilities.UNKNOWN);
    }

    @Override
    public JobId newId(Owner owner, String door, @Nullable String clientId) {
        return ids.of(owner, door, clientId);
    }

    @Override
    public DoorRecord sealed(JobId id, Owner owner, List<FilePassword> passwords) {
        return context.credentials().sealed(id, owner, passwords);
    }

    @Override
    public Submitted submit(Submission submission) {
        return submissions.submit(submission);
    }

    @Override
    public List<BulkAnswer> submitAll(List<Submission> submissions) {
        return this.submissions.submitAll(submissions);
    }

    @Override
    public GroupsBySubject groups() {
        return groups;
    }

    @Override
    public Optional<Submitted> restart(String subject, JobId id, Function<JobId, List<DoorRecord>> records) {
        return attempts.restart(subject, id, records);
    }

    @Override
    public Optional<List<Job>> attempts(String subject, JobId id) {
        return find(subject, id).map(attempts::of);
    }

    @Override
    public Optional<Job> find(String subject, JobId id) {
        return reads.find(subject, id);
    }

    @Override
    public long live(String subject) {
        return store.countLive(subject);
    }

    @Override
    public Optional<Job> findByClientId(String subject, String door, String clientId) {
        return reads.findByClientId(subject, door, clientId);
    }

    @Override
    public Optional<Job> holderOf(String subject, String door, String clientId) {
        return reads.holderOf(subject, door, clientId);
    }

    @Override
    public List<Optional<Job>> findAll(String subject, List<JobId> ids) {
        return many.find(subject, ids);
    }

    @Override
    public List<Optional<Job>> cancelAll(String subject, List<JobId> ids) {
        return many.cancel(subject, ids);
    }

    @Override
    public List<Optional<Job>> releaseAll(String subject, List<JobId> ids) {
        return many.release(subject, ids);
    }

    @Override
    public List<Optional<Job>> destroyAll(String subject, List<JobId> ids) {
        return many.destroy(subject, ids);
    }

    @Override
    public List<Job> list(String subject, JobQuery query) {
        return reads.list(subject, query);
    }

    @Override
    public List<JobId> ids(String subject, JobQuery query) {
        return reads.ids(subject, query);
    }

    /** Any job, for the site's administrator. */
    public Optional<Job> find(JobId id) {
        return reads.findForAdministrator(id);
    }

    @Override
    public Optional<JobDescription> description(String subject, JobId id) {
        return reads.description(subject, id);
    }

    @Override
    public Optional<JobDescription> running(String subject, JobId id) {
        return reads.running(subject, id);
    }

    @Override
    public Optional<Job> awaitChange(String subject, JobId id, long seenVersion, Duration timeout) {
        waits.job(id, () -> reads.isNewer(subject, id, seenVersion), timeout);
        return find(subject, id);
    }

    @Override
    public Optional<List<Change>> history(String subject, JobId id) {
        return reads.history(subject, id);
    }

    @Override
    public long lastChange() {
        return store.lastChange();
    }

    @Override
    public OwnerChanges changes(String subject, long cursor, int limit) {
        return store.changesOf(subject, cursor, limit);
    }

    @Override
    public OwnerChanges awaitChanges(String subject, long cursor, int limit, Duration timeout) {
        return waits.owner(subject, cursor, limit, timeout);
    }

    /** Begins to end any job, on behalf of the site's administrator; the reason is told to the owner. */
    public Optional<Job> cancelAsAdministrator(JobId id, String reason) {
        return orders.cancelAsAdministrator(id, reason);
    }

    @Override
    public Optional<String> credentialPath(String subject, JobId id) {
        return reads.credentialPath(subject, id);
    }

    @Override
    public void destroyCredentials(String subject, JobId id) {
        find(subject, id).ifPresent(context::destroyCredentials);
    }

    @Override
    public JobOrders ordersAt(LongPredicate versions) {
        return orders.at(versions);
    }

    @Override
    public Optional<Job> announce(String subject, JobId id, String note) {
        return orders.announce(subject, id, note);
    }

    @Override
    public boolean isStopping() {
        return waits.isEnded();
    }

    @Override
    public boolean isAccepting() {
        return closed().isEmpty() && !isStopping();
    }

    /** Answers all requests that wait for a change of a job, and lets none wait from now on: the service could not end while they wait. */
    public void endWaits() {
        waits.end();
    }

    /** Stops to work on jobs: waits for what is in hand, at most this long. The LRMs and the store are closed by their owner. */
    public void stop(Duration timeout) {
        drain();
        restoration.close();
        sweeper.close();
        phases.drain(timeout);
    }

    @Override
    public void close() {
        stop(Duration.ofSeconds(10));
    }
}
