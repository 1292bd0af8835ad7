// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.lrm.Lrm.LrmJob;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.SubmitResult;

/** A real Fork LRM with a spool of its own; events are collected. */
final class LrmRoom implements AutoCloseable {

    static final String ACCOUNT = System.getProperty("user.name");
    static final Path PERL = Path.of("src/main/perl").toAbsolutePath();
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    final Path directory;
    final Path work;
    final RecordStore records = new RecordStore();
    final List<LrmEvent> events = new CopyOnWriteArrayList<>();
    final LrmSettings settings;
    private final AtomicInteger storesToFail = new AtomicInteger();
    private volatile Runnable onEnd = () -> {};
    private final SecureRandom random = new SecureRandom();
    private final List<JobId> submitted = new CopyOnWriteArrayList<>();
    PerlLrm lrm;

    LrmRoom(Path directory) throws IOException {
        this(directory, settings -> settings);
    }

    LrmRoom(Path directory, UnaryOperator<LrmSettings> change) throws IOException {
        this.directory = directory;
        this.work = Files.createDirectories(directory.resolve("work"));
        this.settings = change.apply(LrmSettings.defaults("Fork", "fork", PERL)
                .withSpool(directory.resolve("spool").toString())
                .withGrace(Duration.ofSeconds(1)));
        this.lrm = start();
    }

    /** A container that comes up on the same store and spool. */
    PerlLrm start() {
        PerlLrm fresh = new PerlLrm(settings, ACCOUNT, new LeftWorkers(), records.store(), Clock.systemUTC(), random);
        fresh.watch(List.of(ACCOUNT), (source, told) -> {
            if (storesToFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                return CompletableFuture.failedFuture(new IllegalStateException("the store is told to fail"));
            }
            events.addAll(told);
            if (told.stream().anyMatch(event -> event.end() != null)) {
                onEnd.run();
            }
            return CompletableFuture.completedFuture(null);
        });
        lrm = fresh;
        return fresh;
    }

    /** Lets the store refuse the next so many batches of events. */
    void failStores(int times) {
        storesToFail.set(times);
    }

    void onEnd(Runnable action) {
        onEnd = action;
    }

    JobId newTag() {
        return JobId.create(Clock.systemUTC(), random);
    }

    JobDescription.Builder job(String executable, String... arguments) {
        return JobDescription.builder(executable).arguments(List.of(arguments)).directory(work.toString());
    }

    JobId submit(JobDescription.Builder description) {
        JobId tag = newTag();
        submitted.add(tag);
        List<SubmitResult> results = lrm.submit(ACCOUNT, List.of(new SubmitRequest(tag, description.build(), false)));
        assertThat(results).singleElement().isInstanceOf(SubmitResult.Accepted.class);
        return tag;
    }

    LrmEvent.End run(JobDescription.Builder description) {
        return awaitEnd(submit(description));
    }

    Optional<LrmEvent> event(JobId tag, LrmEvent.Kind kind) {
        return events.stream()
                .filter(event -> event.tag().equals(tag) && event.kind() == kind)
                .findFirst();
    }

    LrmEvent awaitEvent(JobId tag, LrmEvent.Kind kind) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> event(tag, kind).isPresent());
        return event(tag, kind).orElseThrow();
    }

    LrmEvent.End awaitEnd(JobId tag) {
        return requireNonNull(awaitEvent(tag, LrmEvent.Kind.ENDED).end());
    }

    String read(String name) throws IOException {
        return Files.readString(work.resolve(name));
    }

    @Override
    public void close() {
        lrm.cancel(
                ACCOUNT,
                submitted.stream().map(tag -> new LrmJob(tag, List.of())).toList());
        lrm.close();
        endStarter();
    }

    /** The starter would stay for its idle time; it is found by its spool. */
    void endStarter() {
        ProcessHandle.allProcesses()
                .filter(process ->
                        commandLine(process.pid()).contains("jobgate-fork-starter " + directory.resolve("spool")))
                .forEach(ProcessHandle::destroy);
    }

    long starterPid() {
        return ProcessHandle.allProcesses()
                .filter(process ->
                        commandLine(process.pid()).contains("jobgate-fork-starter " + directory.resolve("spool")))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline")).replace('\0', ' ');
        } catch (IOException gone) {
            return "";
        }
    }
}
