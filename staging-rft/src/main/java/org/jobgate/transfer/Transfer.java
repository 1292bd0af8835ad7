// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.job.FaultException;
import org.jobgate.job.LoggedJob;
import org.jobgate.job.Reason;
import org.jobgate.jobs.FilePassword;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One transfer of a request that is being worked on: waits for its turn, makes an attempt, tells its request. */
final class Transfer implements Turns.Waiting, Progress {

    private static final Logger LOG = LoggerFactory.getLogger(Transfer.class);

    private final EngineParts parts;
    private final RunningRequest request;
    private final TransferTask task;
    private final String id;
    private final int place;
    private final List<String> servers;
    private final AtomicLong bytes = new AtomicLong();

    /** Guarded by this. */
    private @Nullable Thread thread;

    private boolean isStopped;
    private boolean isSilent;
    private boolean isSlow;
    private boolean isGivingBack;

    /** Whether the attempt needed no server; used by the thread that makes the attempt only. */
    private boolean askedNobody;

    private volatile @Nullable String told;
    private volatile TransferRecord record;
    private final Pace pace;
    private volatile long markedNanos;

    /**
     * @param id in the store; says as well where it belongs in its request
     * @param place of the request's task that it is of
     */
    Transfer(
            EngineParts parts, RunningRequest request, TransferTask task, String id, int place, TransferRecord record) {
        this.parts = parts;
        this.request = request;
        this.task = task;
        this.id = id;
        this.place = place;
        this.record = record;
        this.bytes.set(record.bytes());
        TransferSettings.Tries tries = parts.settings().tries();
        // a protocol has its own timeouts, which say more: they come first
        this.pace = new Pace(tries.idleTimeout().multipliedBy(3).dividedBy(2), tries.leastRate());
        this.servers = task.servers();
    }

    TransferTask task() {
        return task;
    }

    String id() {
        return id;
    }

    int place() {
        return place;
    }

    TransferRecord record() {
        return record;
    }

    /** As it stands in this moment. */
    synchronized TransferRecord live() {
        TransferRecord known = record;
        return thread != null && !known.state().isOver()
                ? known.withState(TransferState.ACTIVE).at(known.marker(), bytes.get())
                : known;
    }

    long bytes() {
        return bytes.get();
    }

    @Override
    public String owner() {
        return request.order().owner();
    }

    @Override
    public List<String> servers() {
        return servers;
    }

    @Override
    public void begin() {
        Thread made = Thread.ofVirtual().name("transfer-" + id).unstarted(this::run);
        synchronized (this) {
            thread = made;
        }
        markedNanos = parts.nanoTime().getAsLong();
        pace.begin(markedNanos);
        parts.watch(this);
        made.start();
        request.changed();
    }

    private void run() {
        LoggedJob.isNow(request.order().job()); // this thread makes no other attempt
        Turns.Health health = Turns.Health.UNKNOWN;
        Runnable afterwards;
        try {
            afterwards = attempt();
            health = askedNobody ? Turns.Health.UNKNOWN : Turns.Health.GOOD;
        } catch (TransferException e) {
            TransferException why = interruption(e);
            health = why.kind() == Kind.SERVER ? Turns.Health.FAILING : Turns.Health.GOOD;
            afterwards = isToComeAgain(e) ? () -> request.gaveBack(this) : () -> request.failed(this, why);
        } catch (InterruptedException e) {
            TransferException why = interruption(silence());
            health = why.kind() == Kind.SERVER ? Turns.Health.FAILING : Turns.Health.GOOD; // if it was not stopped
            afterwards = isToComeAgain(null) ? () -> request.gaveBack(this) : () -> request.failed(this, why);
        } catch (FaultException e) {
            afterwards = () -> request.failed(this, refused(e));
        } catch (RuntimeException e) {
            // libraries wrap the interruption of their thread in errors of their own: it made room for others all the
            // same
            if (isToComeAgain(null)) {
                LOG.debug("The transfer {} was interrupted in a library", id, e);
                afterwards = () -> request.gaveBack(this);
            } else {
                LOG.error("The transfer {} met an error that is not known", id, e);
                afterwards = () -> request.failed(this, interruption(unknown(e)));
            }
        } finally {
            parts.unwatch(this);
            synchronized (this) {
                thread = null;
            }
        }
        boolean wasInterrupted = Thread.interrupted();
        if (wasInterrupted) {
            LOG.debug("The transfer {} was interrupted", id);
        }
        parts.turns().done(this, wasInterruptedByUs() ? Turns.Health.UNKNOWN : health);
        tell(afterwards);
    }

    private void tell(Runnable afterwards) {
        try {
            afterwards.run();
        } catch (RuntimeException e) {
            LOG.error("What came of the transfer {} could not be written down; it is looked at again", id, e);
            request.lostSight(this);
        }
    }

    private static TransferException refused(FaultException e) {
        String sentence = e.fault().sentence().replaceFirst("\\.$", "");
        return new TransferException(Kind.PERMANENT, sentence, e.fault().remedy(), e);
    }

    private static TransferException unknown(RuntimeException e) {
        return new TransferException(
                Kind.TRANSIENT, "an error that is not known: " + Reason.of(e), "Tell the site's administrator.", e);
    }

    /** Answers what is to be done when its turn is over. */
    private Runnable attempt() throws TransferException, InterruptedException {
        if (wasStopped()) {
            return () -> request.stopped(this);
        }
        askedNobody = false;
        if (task.isFollowed()) {
            Appending.Turn turn = parts.attempt().append(task, context(null), this::context);
            askedNobody = turn == Appending.Turn.NOTHING || turn == Appending.Turn.MISSING;
            return () -> request.appended(this, turn);
        }
        String note = parts.attempt().make(task, context(), request.order().lrm(), found -> request.found(this, found));
        parts.moved().increment();
        return () -> request.finished(this, note == null ? told : note);
    }

    private TransferContext context() throws TransferException {
        TransferRequest order = request.order();
        String key = order.credential();
        String password = task.options().get(FilePassword.OPTION);
        if (password != null) {
            return context(parts.credentials().password(order.job(), password));
        }
        return context(key == null ? null : parts.credentials().find(order.owner(), key));
    }

    private TransferContext context(@Nullable TransferCredential credential) {
        Duration idle = parts.settings().tries().idleTimeout();
        return new TransferContext(
                partName(),
                request.order().account(),
                credential,
                task.options(),
                task.isProgram(),
                idle,
                record.marker(),
                this);
    }

    /** What follows a file and what sends the rest have the same, so that the one finds what the other left unfinished. */
    private String partName() {
        String rest = task.isFollowed() ? task.counterpart() : null;
        return (rest == null ? id : rest).replace('/', '-');
    }

    private TransferException silence() {
        Duration idle = parts.settings().tries().idleTimeout();
        return new TransferException(
                Kind.SERVER,
                "nothing was moved for more than " + idle.toSeconds() + " s",
                "Try again later; ask the server's administrator whether it hangs.");
    }

    private TransferException slowness() {
        TransferSettings.Tries tries = parts.settings().tries();
        return new TransferException(
                Kind.TRANSIENT,
                "less than " + tries.leastRate() + " bytes/s were moved for "
                        + tries.idleTimeout().multipliedBy(3).dividedBy(2).toSeconds()
                        + " s (staging.leastRate), so that its place went to others",
                "Use a server that is faster, or ask the site to lower staging.leastRate.");
    }

    /** What an attempt failed of: if it was interrupted, what for. */
    private synchronized TransferException interruption(TransferException otherwise) {
        return isSlow ? slowness() : isSilent ? silence() : otherwise;
    }

    /** Whether it only made room for others. A failure that is final is one all the same. */
    private synchronized boolean isToComeAgain(@Nullable TransferException e) {
        return isGivingBack && !isSlow && !isSilent && (e == null || e.kind() != Kind.PERMANENT);
    }

    private synchronized boolean wasInterruptedByUs() {
        return isStopped || isGivingBack;
    }

    @Override
    public synchronized void giveBack() {
        if (thread != null) {
            isGivingBack = true;
            thread.interrupt();
        }
    }

    @Override
    public double rate(long nowNanos) {
        return pace.rate(nowNanos);
    }

    @Override
    public String toString() {
        return task.toString();
    }

    /** Makes it now, out of turn, and once; answers why it could not be made. */
    @Nullable
    String makeAtOnce() {
        try {
            parts.attempt().make(task, context(), request.order().lrm(), found -> {});
            return null;
        } catch (TransferException e) {
            return e.sentence();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "it was interrupted";
        }
    }

    /** Servers want to see the owner's credential for what is removed too; local files can do without. */
    private TransferContext contextAtTheEnd() {
        try {
            return context();
        } catch (TransferException e) {
            LOG.info("What was begun of {} is removed without a credential: {}", task, e.sentence());
            return context(null);
        }
    }

    /** There will be no further attempt: removes what the others left. */
    void abandon() {
        if (task.isFollowed() && (record.marker() != null || bytes.get() == 0)) {
            return; // what has arrived is the destination's, and stays
        }
        try {
            parts.attempt().abandon(task, contextAtTheEnd());
        } catch (TransferException e) {
            LOG.warn("What was begun of {} could not be removed: {}", task, e.sentence());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the attempt that is being made, if any, and has none made any more. */
    synchronized void stop() {
        isStopped = true;
        if (thread != null) {
            thread.interrupt();
        }
    }

    synchronized boolean wasStopped() {
        return isStopped;
    }

    /** Stops it for good: that is written down before anything else. */
    void cancel() {
        stop();
        if (!record.state().isOver()) {
            keep(record.cancelled());
        }
    }

    /** Interrupts the attempt if too little has moved for too long. */
    synchronized void interruptIfSilent(long nowNanos) {
        if (thread == null || isSilent || isSlow) {
            return;
        }
        isSilent = pace.isSilent(nowNanos);
        isSlow = !isSilent && pace.isTooSlow(nowNanos);
        if (isSilent || isSlow) {
            thread.interrupt();
        }
    }

    /** It is to be tried once more. */
    synchronized void renew() {
        isSilent = false;
        isSlow = false;
        isGivingBack = false;
    }

    /** Without writing it down. */
    void stands(TransferRecord changed) {
        record = changed;
    }

    void keep(TransferRecord changed) {
        parts.records().put(request.order(), id, changed);
        record = changed; // a reported state is on disk
    }

    @Override
    public void moved(long more) {
        bytes.addAndGet(more);
        parts.bytes().add(more);
        pace.moved(more == 0 ? Pace.STEP : more, parts.nanoTime().getAsLong());
    }

    @Override
    public void came(long more) {
        pace.came(more, parts.nanoTime().getAsLong());
    }

    @Override
    public boolean isMarkDue() {
        return parts.nanoTime().getAsLong() - markedNanos
                >= parts.settings().markInterval().toNanos();
    }

    @Override
    public void mark(String marker) {
        if (wasStopped()) {
            return; // what was said of its end must stay the last word
        }
        keep(record.withState(TransferState.ACTIVE).at(marker, bytes.get()));
        markedNanos = parts.nanoTime().getAsLong();
    }

    @Override
    public void note(String text) {
        told = text;
    }
}
