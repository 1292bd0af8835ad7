// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.lrm.Lrm.LrmJob;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.SubmitResult;
import org.jobgate.lrm.SuspendResult;

/** A real LRM behind {@link PerlLrm}, with a directory of the account's own for spool and jobs; events are collected with their time. */
final class ContractRoom implements AutoCloseable {

    /** Generous: the machine of the tests may be busy, and an LRM looks at its limits every few seconds. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    final String account;
    final Path directory;
    final Path work;
    final RecordStore records = new RecordStore();
    final List<LrmEvent> events = new CopyOnWriteArrayList<>();
    final List<Duration> lags = new CopyOnWriteArrayList<>();
    /** Those of ends alone: what happens to a job by itself, and not because we asked for it. */
    final List<Duration> endLags = new CopyOnWriteArrayList<>();

    private final LrmSettings settings;
    private final SecureRandom random = new SecureRandom();
    private final List<JobId> submitted = new CopyOnWriteArrayList<>();
    private final AtomicReference<PerlLrm> lrm = new AtomicReference<>();

    /** For the account, which may be another than ours if we are root. */
    ContractRoom(String account, LrmSettings given) throws IOException {
        this.account = account;
        this.directory = Files.createTempDirectory("jobgate-contract-");
        this.work = Files.createDirectory(directory.resolve("work"));
        for (Path path : List.of(directory, work)) {
            Files.setOwner(
                    path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(account));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        this.settings = given.withSpool(directory.resolve("spool").toString()).withGrace(Duration.ofSeconds(1));
        start();
    }

    PerlLrm lrm() {
        return requireNonNull(lrm.get());
    }

    /** A container that comes up on the same store and spool. */
    void start() {
        PerlLrm fresh = new PerlLrm(
                settings,
                System.getProperty("user.name"),
                new LeftWorkers(),
                records.store(),
                Clock.systemUTC(),
                random);
        fresh.watch(List.of(account), (source, told) -> {
            told.forEach(event -> {
                Duration lag = Duration.between(event.at(), Clock.systemUTC().instant());
                lags.add(lag);
                if (event.kind() == LrmEvent.Kind.ENDED) {
                    endLags.add(lag);
                }
            });
            events.addAll(told);
            return CompletableFuture.completedFuture(null);
        });
        lrm.set(fresh);
    }

    JobId newTag() {
        return JobId.create(Clock.systemUTC(), random);
    }

    JobDescription.Builder job(String executable, String... arguments) {
        return JobDescription.builder(executable).arguments(List.of(arguments)).directory(work.toString());
    }

    JobDescription.Builder sh(String script) {
        return job("/bin/sh", "-c", script);
    }

    /** A script that begins when {@link #letGo} is called: however late the LRM or this machine is, the job is there until then. */
    JobDescription.Builder waiting(String script) {
        return sh(until("go") + "; " + script);
    }

    /** Shell that waits for the file; ten minutes at most, so that a test that fails before it writes the file leaves no job for ever. */
    static String until(Object file) {
        return "n=0; until test -e " + file + " || test $n -ge 6000; do n=$((n + 1)); sleep 0.1; done";
    }

    void letGo() throws IOException {
        write("go", "");
    }

    void awaitChanges(JobId tag, LrmEvent.Kind... kinds) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(changes(tag)).containsExactly(kinds));
    }

    SubmitResult trySubmit(JobId tag, JobDescription.Builder description, boolean mayExist) {
        submitted.add(tag);
        return lrm().submit(account, List.of(new SubmitRequest(tag, description.build(), mayExist)))
                .getFirst();
    }

    JobId submit(JobDescription.Builder description) {
        JobId tag = newTag();
        assertThat(trySubmit(tag, description, false)).isInstanceOf(SubmitResult.Accepted.class);
        return tag;
    }

    LrmEvent.End run(JobDescription.Builder description) {
        return awaitEnd(submit(description));
    }

    List<LrmEvent.Kind> kinds(JobId tag) {
        return events.stream()
                .filter(event -> event.tag().equals(tag))
                .map(LrmEvent::kind)
                .toList();
    }

    /** What the LRM calls the job, as far as an event has told. */
    List<String> localIds(JobId tag) {
        return events.stream()
                .filter(event -> event.tag().equals(tag) && !event.localIds().isEmpty())
                .findFirst()
                .map(LrmEvent::localIds)
                .orElse(List.of());
    }

    /** The kinds, without those that only tell a waiting job's reason to wait: on a busy LRM there is one, and it changes. */
    List<LrmEvent.Kind> changes(JobId tag) {
        List<LrmEvent.Kind> changes = new ArrayList<>();
        for (LrmEvent.Kind kind : kinds(tag)) {
            boolean waits = !changes.isEmpty()
                    && (changes.getLast() == LrmEvent.Kind.QUEUED || changes.getLast() == LrmEvent.Kind.REQUEUED);
            if (!waits || kind != LrmEvent.Kind.QUEUED) {
                changes.add(kind);
            }
        }
        return changes;
    }

    LrmEvent awaitEvent(JobId tag, LrmEvent.Kind kind) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> event(tag, kind).isPresent());
        return event(tag, kind).orElseThrow();
    }

    private Optional<LrmEvent> event(JobId tag, LrmEvent.Kind kind) {
        return events.stream()
                .filter(event -> event.tag().equals(tag) && event.kind() == kind)
                .findFirst();
    }

    LrmEvent.End awaitEnd(JobId tag) {
        return requireNonNull(awaitEvent(tag, LrmEvent.Kind.ENDED).end());
    }

    void cancel(JobId tag) {
        lrm().cancel(account, List.of(new LrmJob(tag, List.of())));
    }

    SuspendResult suspend(JobId tag) {
        return clear(() -> lrm().suspend(account, List.of(new LrmJob(tag, localIds(tag)))));
    }

    SuspendResult hold(JobId tag) {
        return clear(() -> lrm().hold(account, List.of(new LrmJob(tag, localIds(tag)))));
    }

    SuspendResult resume(JobId tag) {
        return clear(() -> lrm().resume(account, List.of(new LrmJob(tag, localIds(tag)))));
    }

    /** As the engine does it: what is not clear is asked again. */
    private static SuspendResult clear(Supplier<List<SuspendResult>> ask) {
        AtomicReference<SuspendResult> last = new AtomicReference<>();
        await().atMost(PATIENCE).until(() -> {
            last.set(ask.get().getFirst());
            return !(last.get() instanceof SuspendResult.Unclear);
        });
        return requireNonNull(last.get());
    }

    void awaitFile(String name) {
        await().atMost(PATIENCE).until(() -> Files.exists(work.resolve(name)));
    }

    /** The size of the file when a second has not changed it. */
    long settledSize(String name) {
        AtomicReference<Long> size = new AtomicReference<>(-1L);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> size.getAndSet(Files.size(work.resolve(name))) == Files.size(work.resolve(name)));
        return requireNonNull(size.get());
    }

    Map<JobId, List<LrmEvent>> lookup(JobId... tags) throws Exception {
        return lrm().lookup(account, List.of(tags));
    }

    String read(String name) throws IOException {
        return Files.readString(work.resolve(name));
    }

    /** A file in the working directory that belongs to the account. */
    Path write(String name, String text) throws IOException {
        Path file = Files.writeString(work.resolve(name), text);
        Files.setOwner(file, Files.getOwner(work));
        return file;
    }

    /** The workers that this process has started for the account, directly or through sudo. */
    List<ProcessHandle> workers() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> LrmRoom.commandLine(process.pid()).contains("/jobgate-worker "))
                .filter(process -> !LrmRoom.commandLine(process.pid()).contains("sudo"))
                .toList();
    }

    /**
     * Begins what submits once more and gives it time to meet the command that outlived its worker; whatever it answers, no job may come of it
     * beside that command's.
     *
     * @param dead the workers that were killed
     */
    <T> CompletableFuture<T> beginAgain(List<ProcessHandle> dead, Supplier<T> submission) throws InterruptedException {
        CompletableFuture<T> second = CompletableFuture.supplyAsync(submission);
        await().atMost(PATIENCE)
                .until(() -> second.isDone() || workers().stream().anyMatch(worker -> !dead.contains(worker)));
        TimeUnit.SECONDS.sleep(2);
        return second;
    }

    @Override
    public void close() throws IOException {
        lrm().cancel(
                        account,
                        submitted.stream()
                                .map(tag -> new LrmJob(tag, List.of()))
                                .toList());
        lrm().close();
        ProcessHandle.allProcesses()
                .filter(process -> LrmRoom.commandLine(process.pid()).contains("jobgate-fork-starter " + directory))
                .forEach(ProcessHandle::destroy);
        await().atMost(PATIENCE).ignoreExceptions().until(this::isRemoved);
    }

    /** The LRM may still write into its log while we remove the directory. */
    private boolean isRemoved() throws IOException, InterruptedException {
        TimeUnit.MILLISECONDS.sleep(50);
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
        return Files.notExists(directory);
    }
}
