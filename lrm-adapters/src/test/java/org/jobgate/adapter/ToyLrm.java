// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.SubmitResult;

/** Real workers with the adapter of {@code src/test/perl/toy}: an LRM that does what files say. */
final class ToyLrm implements AutoCloseable {

    static final String ACCOUNT = LrmRoom.ACCOUNT;

    final Path directory;
    final RecordStore records = new RecordStore();
    final List<LrmEvent> events = new CopyOnWriteArrayList<>();
    final List<Duration> lags = new CopyOnWriteArrayList<>();
    private final SecureRandom random = new SecureRandom();
    private final LrmSettings settings;
    PerlLrm lrm;

    ToyLrm(Path root, UnaryOperator<LrmSettings> change) throws IOException {
        this.directory = Files.createDirectories(root.resolve("toy"));
        Path perl = root.resolve("perl");
        copy(LrmRoom.PERL, perl);
        copy(Path.of("src/test/perl/toy"), perl.resolve("lib"));
        this.settings = change.apply(LrmSettings.defaults("Toy", "toy", perl)
                .withSpool(root.resolve("spool").toString())
                .withRequestTimeout(Duration.ofSeconds(3))
                .withOptions(Map.of("toy", directory.toString())));
        this.lrm = start();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Path copy = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(path, copy);
                }
            }
        }
    }

    /** As a container does that comes up. */
    PerlLrm start() {
        PerlLrm fresh = new PerlLrm(settings, ACCOUNT, new LeftWorkers(), records.store(), Clock.systemUTC(), random);
        fresh.onLag(lags::add);
        fresh.watch(List.of(ACCOUNT), (source, told) -> {
            events.addAll(told);
            return CompletableFuture.completedFuture(null);
        });
        lrm = fresh;
        return fresh;
    }

    void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text + "\n");
    }

    String read(String name) throws IOException {
        return Files.readString(directory.resolve(name)).strip();
    }

    void remove(String name) throws IOException {
        Files.delete(directory.resolve(name));
    }

    SubmitRequest request() {
        return new SubmitRequest(JobId.create(Clock.systemUTC(), random), JobDescription.of("/bin/true"), false);
    }

    /** The tag of a job that is in the LRM now. */
    JobId submit() {
        SubmitRequest request = request();
        // a slow machine may need longer for the start of a worker than the few seconds that it has
        await().atMost(Duration.ofMinutes(1))
                .until(() -> lrm.submit(ACCOUNT, List.of(request)).getFirst() instanceof SubmitResult.Accepted);
        return request.tag();
    }

    @Override
    public void close() {
        lrm.close();
    }
}
