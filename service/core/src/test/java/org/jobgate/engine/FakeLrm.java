// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmHealth;
import org.jobgate.lrm.LrmListener;
import org.jobgate.lrm.LrmSource;
import org.jobgate.lrm.LrmThrottle;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.SubmitResult;
import org.jobgate.lrm.SuspendResult;
import org.jspecify.annotations.Nullable;

/**
 * An LRM in memory that can be told to misbehave. Like a real one it knows jobs by tag, and it lives on when the engine does not:
 * give the same one to a second engine to see a restart.
 */
public final class FakeLrm implements Lrm {

    /** Met by each submission before it is taken. */
    private volatile Runnable onTheWay = () -> {};

    private final Set<JobId> forgotten = ConcurrentHashMap.newKeySet();

    /** What it does with a submission. */
    public enum Mood {
        ACCEPT,
        REFUSE,
        /** It does not take the job, and gives no clear answer. */
        SILENT,
        /** It takes the job, and the answer is lost. */
        TAKE_AND_LOSE_ANSWER
    }

    private final String name;
    private final Map<JobId, JobDescription> known = new ConcurrentHashMap<>();
    private final Map<JobId, AtomicInteger> starts = new ConcurrentHashMap<>();
    private final List<LrmEvent> log = new ArrayList<>();
    private volatile Mood mood = Mood.ACCEPT;
    private volatile boolean runsByItself;
    private volatile String closed = "";
    private volatile boolean saysThatItAnswers;
    private volatile LrmListener listener = (source, events) -> CompletableFuture.completedFuture(events);
    private volatile LrmHealth health = new LrmHealth(true, "", Duration.ZERO);

    private volatile LrmCapabilities capabilities = LrmCapabilities.UNKNOWN;
    private volatile @Nullable LrmCapabilities capabilitiesNow;
    private volatile LrmThrottle throttle = LrmThrottle.unlimited(10);

    private volatile Set<JobState> suspends = Set.of();
    private volatile @Nullable SuspendResult wishAnswer;
    private final AtomicReference<@Nullable RuntimeException> failureOfLookup = new AtomicReference<>();
    private volatile boolean isSilentOnLookup;
    private final List<String> wishes = new CopyOnWriteArrayList<>();

    private volatile @Nullable Fault refusalOfFiles;
    private volatile boolean movesFiles;

    public FakeLrm(String name) {
        this.name = name;
    }

    /** Moves the files of its jobs itself. */
    public void moveFiles() {
        movesFiles = true;
    }

    /** It could not move them, and says so. */
    public void refuseFiles(Fault why) {
        refusalOfFiles = why;
    }

    @Override
    public boolean movesFiles() {
        return movesFiles;
    }

    @Override
    public Optional<Fault> filesRefusal(JobDescription description) {
        return Optional.ofNullable(refusalOfFiles);
    }

    /** The job as it got it. */
    public JobDescription got(JobId id) {
        return requireNonNull(known.get(id));
    }

    /** Gives no clear answer for jobs of this queue, and says that it is only these, or leaves that open. */
    public void close(String queue, boolean says) {
        closed = queue;
        saysThatItAnswers = says;
    }

    /** The next lookup fails in a way that no LRM should. */
    public void failLookup(RuntimeException failure) {
        failureOfLookup.set(failure);
    }

    /** Gives no clear answer to lookups. */
    public void beSilentOnLookup(boolean value) {
        isSilentOnLookup = value;
    }

    public void setMood(Mood value) {
        mood = value;
    }

    public void setCapabilities(LrmCapabilities value) {
        capabilities = value;
    }

    @Override
    public LrmCapabilities capabilities() {
        return capabilities;
    }

    /** What it says when it is asked anew; else what it said before. */
    public void setCapabilitiesNow(LrmCapabilities value) {
        capabilitiesNow = value;
    }

    @Override
    public LrmCapabilities capabilitiesNow() {
        LrmCapabilities now = capabilitiesNow;
        return now == null ? capabilities : now;
    }

    @Override
    public LrmThrottle throttle() {
        return throttle;
    }

    @Override
    public void throttle(LrmThrottle changed) {
        throttle = changed;
    }

    /** Has each submission meet this before it is taken. */
    public void delaySubmissions(Runnable meeting) {
        onTheWay = meeting;
    }

    /** Whether it was told to forget the job. */
    public boolean wasToForget(JobId tag) {
        return forgotten.contains(tag);
    }

    /** Whom it has at present, over or not. */
    public int taken() {
        return known.size();
    }

    /** Each job that is accepted starts and ends with exit code 0 at once. */
    public void runByItself() {
        runsByItself = true;
    }

    public void setHealth(LrmHealth value) {
        health = value;
    }

    /** How often the job was really taken. */
    public int starts(JobId tag) {
        AtomicInteger count = starts.get(tag);
        return count == null ? 0 : count.get();
    }

    public JobDescription descriptionOf(JobId tag) {
        JobDescription description = known.get(tag);
        if (description == null) {
            throw new IllegalStateException("never got " + tag);
        }
        return description;
    }

    public boolean knows(JobId tag) {
        return known.containsKey(tag);
    }

    public void start(JobId tag) {
        tell(new LrmEvent(tag, idsOf(tag), LrmEvent.Kind.STARTED, Instant.now(), null));
    }

    public void tell(JobId tag, LrmEvent.Kind kind, String note) {
        tell(new LrmEvent(tag, idsOf(tag), kind, Instant.now(), null, note));
    }

    public void tell(JobId tag, LrmEvent.Kind kind) {
        tell(new LrmEvent(tag, idsOf(tag), kind, Instant.now(), null));
    }

    public void end(JobId tag, int exitCode) {
        end(tag, new LrmEvent.End(LrmEvent.Cause.EXITED, exitCode, null, Duration.ofMillis(5), null, null));
    }

    public void end(JobId tag, LrmEvent.End end) {
        tell(new LrmEvent(tag, idsOf(tag), LrmEvent.Kind.ENDED, Instant.now(), end));
    }

    /** Tells everything again that it ever told, as a real log does after a restart. */
    public void replay() {
        List<LrmEvent> all;
        synchronized (log) {
            all = List.copyOf(log);
        }
        listener.events(LrmSource.ofWhole(name), all).join();
    }

    /** Says it as if a local account had; answers what was not refused. */
    public List<LrmEvent> tellAs(String account, LrmEvent event) {
        return listener.events(LrmSource.ofAccount(name, account), List.of(event))
                .join();
    }

    private void tell(LrmEvent event) {
        synchronized (log) {
            log.add(event);
        }
        listener.events(LrmSource.ofWhole(name), List.of(event)).join();
    }

    private static List<String> idsOf(JobId tag) {
        return List.of("fake:" + tag);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int batchLimit() {
        return 10;
    }

    @Override
    public void watch(Collection<String> accounts, LrmListener newListener) {
        listener = newListener;
    }

    @Override
    public List<SubmitResult> submit(String account, List<SubmitRequest> requests) {
        onTheWay.run();
        return requests.stream().map(this::submit).toList();
    }

    private SubmitResult submit(SubmitRequest request) {
        if (closed.equals(request.description().queue())) {
            return new SubmitResult.Unclear("the queue " + closed + " is closed", saysThatItAnswers);
        }
        return switch (mood) {
            case REFUSE ->
                new SubmitResult.Refused(
                        Fault.of(FaultCode.LRM_REFUSED, "The fake LRM refuses every job.", "Ask it to accept."));
            case SILENT -> new SubmitResult.Unclear("the fake LRM says nothing");
            case TAKE_AND_LOSE_ANSWER -> {
                take(request);
                yield new SubmitResult.Unclear("the answer of the fake LRM was lost");
            }
            case ACCEPT -> {
                take(request);
                yield new SubmitResult.Accepted(idsOf(request.tag()));
            }
        };
    }

    private void take(SubmitRequest request) {
        JobId tag = request.tag();
        if (known.putIfAbsent(tag, request.description()) != null && request.mayExist()) {
            return; // found by its tag
        }
        starts.computeIfAbsent(tag, key -> new AtomicInteger()).incrementAndGet();
        if (runsByItself) {
            Thread.ofVirtual().start(() -> {
                start(tag);
                end(tag, 0);
            });
        }
    }

    @Override
    public List<CancelResult> cancel(String account, List<LrmJob> jobs) {
        return jobs.stream().map(job -> cancel(job.tag())).toList();
    }

    private CancelResult cancel(JobId tag) {
        if (mood == Mood.SILENT) {
            return new CancelResult.Unclear("the fake LRM says nothing");
        }
        if (!known.containsKey(tag)) {
            return new CancelResult.NotThere();
        }
        Thread.ofVirtual()
                .start(() -> end(tag, new LrmEvent.End(LrmEvent.Cause.CANCELLED, null, 15, null, null, null)));
        return new CancelResult.Ending();
    }

    /** In which states of a job it can suspend it. */
    public void suspendsIn(JobState... states) {
        suspends = Set.of(states);
    }

    /** What it answers from now on to each wish to suspend or resume a job; absent: it does it. */
    public void answerWishes(@Nullable SuspendResult value) {
        wishAnswer = value;
    }

    /** What it was asked, in order, e.g. {@code suspend <id>}. */
    public List<String> wishes() {
        return List.copyOf(wishes);
    }

    @Override
    public Set<JobState> suspends() {
        return suspends;
    }

    @Override
    public List<SuspendResult> suspend(String account, List<LrmJob> jobs) {
        return jobs.stream()
                .map(job -> wish("suspend", job.tag(), LrmEvent.Kind.SUSPENDED))
                .toList();
    }

    @Override
    public List<SuspendResult> hold(String account, List<LrmJob> jobs) {
        return jobs.stream()
                .map(job -> wish("hold", job.tag(), LrmEvent.Kind.SUSPENDED))
                .toList();
    }

    @Override
    public List<SuspendResult> resume(String account, List<LrmJob> jobs) {
        return jobs.stream()
                .map(job -> wish("resume", job.tag(), LrmEvent.Kind.STARTED))
                .toList();
    }

    private SuspendResult wish(String word, JobId tag, LrmEvent.Kind kind) {
        wishes.add(word + " " + tag);
        SuspendResult answer = wishAnswer;
        if (answer != null) {
            return answer;
        }
        tell(tag, kind);
        return new SuspendResult.Done();
    }

    @Override
    public Map<JobId, List<LrmEvent>> lookup(String account, Collection<JobId> tags) throws LrmUnavailableException {
        if (isSilentOnLookup) {
            throw new LrmUnavailableException("the fake LRM says nothing");
        }
        RuntimeException failure = failureOfLookup.getAndSet(null);
        if (failure != null) {
            throw failure;
        }
        Map<JobId, List<LrmEvent>> found = new LinkedHashMap<>();
        synchronized (log) {
            for (JobId tag : tags) {
                if (known.containsKey(tag)) {
                    found.put(
                            tag,
                            log.stream()
                                    .filter(event -> event.tag().equals(tag))
                                    .toList());
                }
            }
        }
        return found;
    }

    @Override
    public void forget(String account, List<LrmJob> jobs) {
        // it remembers everything, so that a second start of the same tag can be seen
        jobs.forEach(job -> forgotten.add(job.tag()));
    }

    @Override
    public LrmHealth health() {
        return health;
    }

    @Override
    public void close() {
        // nothing to close
    }
}
