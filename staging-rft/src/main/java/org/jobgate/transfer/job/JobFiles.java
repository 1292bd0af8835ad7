// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.jobs.FileStager;
import org.jobgate.transfer.TransferEngine;
import org.jobgate.transfer.TransferRecord;
import org.jobgate.transfer.TransferRequest;
import org.jobgate.transfer.TransferResult;
import org.jobgate.transfer.TransferState;
import org.jobgate.transfer.TransferTask;

/** Moves the files of jobs with the transfer engine. */
public final class JobFiles implements FileStager {

    private final TransferEngine engine;
    private final FileRules rules;
    private final AccountPlaces places;
    private final boolean sendsAfterFailure;

    /** How many files of which failed jobs are being sent. */
    private final Map<JobId, Integer> sending = new ConcurrentHashMap<>();

    /** The requests that follow the files of running jobs; guarded by itself, as is their beginning. */
    private final Map<JobId, List<String>> following = new HashMap<>();

    /** @param sendsAfterFailure whether existing output files of failed jobs are sent, for jobs that do not choose themselves */
    public JobFiles(TransferEngine engine, FileRules rules, AccountPlaces places, boolean sendsAfterFailure) {
        this.engine = requireNonNull(engine, "engine is null");
        this.rules = requireNonNull(rules, "rules is null");
        this.places = requireNonNull(places, "places is null");
        this.sendsAfterFailure = sendsAfterFailure;
    }

    @Override
    public boolean sendsAfterFailure(JobDescription description) {
        return requireNonNullElse(description.stageOutOnFailure(), sendsAfterFailure);
    }

    @Override
    public boolean concerns(JobDescription description) {
        return !description.transfers().isEmpty() || RemoteStreams.areIn(description);
    }

    @Override
    public Optional<Fault> refusal(Owner owner, JobDescription description) {
        return rules.refusal(description);
    }

    @Override
    public JobDescription prepared(JobId id, Owner owner, JobDescription description) {
        return Preparation.of(
                description,
                places.scratchBase(owner.account()) + "/" + id,
                rules.followed().isOutputFollowed(description),
                rules.followed()::appends);
    }

    @Override
    public CompletableFuture<Optional<Fault>> stageIn(Job job, JobDescription prepared, Consumer<String> news) {
        return submit(Directive.STAGE_IN, job, prepared, news);
    }

    @Override
    public boolean followsAny() {
        return rules.followed().isAnyFollowed();
    }

    @Override
    public void follow(Job job, JobDescription prepared, BooleanSupplier stillRuns, Consumer<String> news) {
        List<TransferRequest> requests = Directive.STAGE_OUT.followed(job, prepared).stream()
                .filter(request -> request.tasks().getFirst().isSliced()
                        || rules.followed().appends(request.tasks().getFirst().destination()))
                .toList();
        if (requests.isEmpty()) {
            return;
        }
        synchronized (following) {
            if (!stillRuns.getAsBoolean()) {
                return; // the request that sends the rest has stopped this one before, and will not do so again
            }
            following.put(job.id(), requests.stream().map(TransferRequest::id).toList());
            for (TransferRequest request : requests) {
                var unused = engine.submit(request).thenAccept(result -> tell(request, result, news));
            }
        }
    }

    private static void tell(TransferRequest request, TransferResult result, Consumer<String> news) {
        TransferRecord record = result.record();
        if (result.failed() != null && record != null) {
            news.accept("no more of " + request.tasks().getFirst().destination() + " is sent before the job has ended: "
                    + record.error());
        }
    }

    @Override
    public void unfollow(JobId job) {
        var unused = unfollowed(job);
    }

    /** Nothing is appended to the job's files any more when the future is complete. */
    private CompletableFuture<Void> unfollowed(JobId job) {
        List<String> requests;
        synchronized (following) {
            requests = following.remove(job);
        }
        return requests == null
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.allOf(requests.stream().map(engine::cancel).toArray(CompletableFuture[]::new));
    }

    @Override
    public CompletableFuture<Optional<Fault>> stageOut(Job job, JobDescription prepared, Consumer<String> news) {
        return unfollowed(job.id()).thenCompose(stopped -> submit(Directive.STAGE_OUT, job, prepared, news));
    }

    @Override
    public CompletableFuture<Optional<Fault>> cleanUp(Job job, JobDescription prepared) {
        return engine.cancel(Directive.STAGE_IN.requestOf(job.id()))
                .thenCompose(stopped -> engine.cancel(Directive.STAGE_OUT.requestOf(job.id())))
                .thenCompose(stopped -> stoppedSending(job.id()))
                .thenCompose(stopped -> unfollowed(job.id()))
                .thenCompose(stopped -> submit(Directive.CLEAN_UP, job, prepared, note -> {}));
    }

    @Override
    public void stop(JobId job) {
        for (Directive directive : new Directive[] {Directive.STAGE_IN, Directive.STAGE_OUT}) {
            var unused = engine.cancel(directive.requestOf(job));
        }
    }

    /** Each copy is a request of its own: in one, the first failure would stop the others. */
    @Override
    public CompletableFuture<Optional<Fault>> sendWhatIsThere(Job job, JobDescription prepared, Consumer<String> news) {
        List<TransferRequest> requests = Directive.STAGE_OUT.eachAlone(job, prepared);
        sending.put(job.id(), requests.size());
        return unfollowed(job.id()).thenCompose(stopped -> sendEach(job, requests, news));
    }

    private CompletableFuture<Optional<Fault>> sendEach(
            Job job, List<TransferRequest> requests, Consumer<String> news) {
        List<CompletableFuture<TransferResult>> results =
                requests.stream().map(engine::submit).toList();
        return CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    sending.remove(job.id());
                    results.forEach(result -> result.join().notes().forEach(news));
                    return results.stream()
                            .map(result -> fault(Directive.STAGE_OUT, result.join()))
                            .flatMap(Optional::stream)
                            .findFirst();
                });
    }

    @Override
    public void stopSending(JobId job) {
        var unused = stoppedSending(job);
    }

    private CompletableFuture<Void> stoppedSending(JobId job) {
        Integer count = sending.get(job);
        return CompletableFuture.allOf(IntStream.range(0, count == null ? 0 : count)
                .mapToObj(i -> engine.cancel(Directive.STAGE_OUT.requestOf(job, i)))
                .toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Optional<Fault>> submit(
            Directive directive, Job job, JobDescription prepared, Consumer<String> news) {
        return engine.submit(directive.request(job, prepared)).thenApply(result -> {
            result.notes().forEach(news);
            return fault(directive, result);
        });
    }

    private static Optional<Fault> fault(Directive directive, TransferResult result) {
        TransferTask task = result.failed();
        TransferRecord record = result.record();
        if (task == null || record == null) {
            return Optional.empty();
        }
        String source = task.source() == null ? null : task.source().toString();
        String what =
                source == null ? "deleting " + task.destination() : "from " + source + " to " + task.destination();
        String attempts = record.attempts() == 1 ? "1 attempt" : record.attempts() + " attempts";
        Fault fault = Fault.of(
                FaultCode.STAGING_FAILED,
                FAILED + ", " + what + ", after " + attempts + ": " + record.error() + ".",
                record.remedy() == null ? "" : record.remedy());
        return Optional.of(
                source == null
                        ? fault.about(directive.part(), task.destination().toString())
                        : fault.about(directive.part(), source)
                                .to(task.destination().toString()));
    }

    /**
     * What was moved of a job's files, in all attempts that are remembered; deletions do not count.
     *
     * @param filesIn input files that arrived
     * @param bytesIn that were moved for input files
     * @param filesOut output files that arrived
     * @param bytesOut that were moved for output files
     * @param attempts at moving a file
     * @param failures of these, those that failed
     */
    public record Moved(long filesIn, long bytesIn, long filesOut, long bytesOut, long attempts, long failures) {

        private static final Moved NOTHING = new Moved(0, 0, 0, 0, 0, 0);

        private Moved with(boolean isIn, TransferRecord record) {
            boolean isThere = record.state() == TransferState.FINISHED;
            long file = isThere ? 1 : 0;
            return new Moved(
                    filesIn + (isIn ? file : 0),
                    bytesIn + (isIn ? record.bytes() : 0),
                    filesOut + (isIn ? 0 : file),
                    bytesOut + (isIn ? 0 : record.bytes()),
                    attempts + record.attempts(),
                    failures + record.attempts() - file);
        }
    }

    /** What was moved of them; asked when the job is over. */
    public Moved moved(JobId job) {
        return moved(job, status(job));
    }

    static Moved moved(JobId job, Map<String, TransferRecord> records) {
        Moved all = Moved.NOTHING;
        for (Map.Entry<String, TransferRecord> one : records.entrySet()) {
            boolean isIn = one.getKey().startsWith(Directive.STAGE_IN.requestOf(job));
            if (isIn || one.getKey().startsWith(Directive.STAGE_OUT.requestOf(job))) {
                all = all.with(isIn, one.getValue());
            }
        }
        return all;
    }

    /** How the transfers of a job stand. */
    public Map<String, TransferRecord> status(JobId job) {
        return engine.status(job);
    }
}
