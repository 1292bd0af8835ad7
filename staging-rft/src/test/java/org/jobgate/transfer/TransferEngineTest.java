// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jobgate.job.JobId;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.transfer.file.EmptyProtocol;
import org.jobgate.transfer.file.FileProtocol;
import org.jobgate.transfer.https.HttpsProtocol;
import org.jobgate.transfer.https.PackingSettings;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine with a real store and a real https server; the local files are this process's own. */
class TransferEngineTest {

    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    Path folder;

    private final JobId job = new JobId(UUID.randomUUID());
    private FileServer server;
    private JobStore store;
    private TransferEngine engine;

    @BeforeEach
    void start() throws Exception {
        server = new FileServer();
        store = TestStores.sqlite(folder);
        engine = engine(settings(Duration.ofSeconds(30), 3), true);
    }

    @AfterEach
    void stop() {
        engine.close();
        store.close();
        server.close();
    }

    private static TransferSettings settings(Duration idle, int failuresToPause) {
        return TestSettings.quick(
                8,
                4,
                new TransferSettings.Tries(
                        5,
                        new Limit("staging.maxAttempts", 20),
                        Duration.ofMillis(20),
                        Duration.ofMillis(100),
                        failuresToPause,
                        idle,
                        0));
    }

    private TransferEngine engine(TransferSettings settings, boolean allowPrivate) {
        LocalFiles files = new LocalFiles();
        Protocols protocols = new Protocols(List.of(
                new FileProtocol(files, files),
                new EmptyProtocol(),
                new HttpsProtocol(
                        credential -> server.clientSide(),
                        Duration.ofSeconds(20),
                        new UrlPolicy(allowPrivate),
                        PackingSettings.DEFAULTS)));
        TransferCredentials none = (owner, reference) -> {
            throw new TransferException(TransferException.Kind.PERMANENT, "there is none", "");
        };
        return new TransferEngine(
                settings, protocols, new UrlPolicy(allowPrivate), none, store, Clock.systemUTC(), new Random(5));
    }

    private URI local(String name) {
        return URI.create("file://" + folder + "/" + name);
    }

    private static TransferTask copy(URI from, URI to) {
        return new TransferTask(from, to, Map.of(), false);
    }

    private TransferRequest request(String word, boolean allOrNone, TransferTask... tasks) {
        return new TransferRequest(job + "-" + word, job, "/CN=alice", "alice", null, List.of(tasks), 0, 0, allOrNone);
    }

    private TransferResult run(TransferRequest request) throws Exception {
        return engine.submit(request).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private TransferRecord record(String id) {
        return requireNonNull(engine.status(job).get(job + "-" + id), id);
    }

    private List<Path> parts() throws Exception {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> path.toString().endsWith(".part")).toList();
        }
    }

    @Test
    void aDirectoryGoesToAWebDavServerAndBack() throws Exception {
        server.isDav = true;
        server.directories.add("/");
        Files.createDirectories(folder.resolve("from/deep"));
        Files.write(folder.resolve("from/a b"), random(1_000));
        Files.write(folder.resolve("from/deep/c"), random(2_000));

        assertThat(run(request("out", false, copy(local("from/"), server.url("/x/y/"))))
                        .failed())
                .isNull();
        assertThat(server.directories).contains("/x/", "/x/y/", "/x/y/deep/");
        assertThat(server.files.get("/x/y/a b")).isEqualTo(random(1_000));

        assertThat(run(request("in", false, copy(server.url("/x/"), local("to/"))))
                        .failed())
                .isNull();
        assertThat(Files.readAllBytes(folder.resolve("to/y/a b"))).isEqualTo(random(1_000));
        assertThat(Files.readAllBytes(folder.resolve("to/y/deep/c"))).isEqualTo(random(2_000));

        assertThat(run(request("one", false, copy(local("from/a b".replace(" ", "%20")), server.url("/new/file"))))
                        .failed())
                .isNull();
        assertThat(server.files.get("/new/file")).isEqualTo(random(1_000));
        assertThat(record("one/0").attempts()).isEqualTo(2); // the first found that the directory was missing

        server.isDav = false;
        TransferResult plain = run(request("plain", false, copy(server.url("/x/"), local("none/"))));
        assertThat(requireNonNull(plain.record()).error()).contains("knows no WebDAV");
    }

    @Test
    void everyByteGoesInAndOut() throws Exception {
        List<TransferTask> tasks = new ArrayList<>();
        int[] sizes = {0, 1, 10_240, 3_000_001};
        for (int size : sizes) {
            server.files.put("/in" + size, random(size));
            tasks.add(copy(server.url("/in" + size), local("new/dir/" + size)));
        }
        assertThat(run(request("in", false, tasks.toArray(TransferTask[]::new))).failed())
                .isNull();
        tasks.clear();
        for (int size : sizes) {
            assertThat(Files.readAllBytes(folder.resolve("new/dir/" + size))).isEqualTo(random(size));
            tasks.add(copy(local("new/dir/" + size), server.url("/out" + size)));
        }
        assertThat(run(request("out", false, tasks.toArray(TransferTask[]::new)))
                        .failed())
                .isNull();
        for (int size : sizes) {
            assertThat(server.files.get("/out" + size)).isEqualTo(random(size));
        }
        assertThat(record("in/2"))
                .isEqualTo(new TransferRecord(TransferState.FINISHED, 1, null, 10_240, null, null, null));
        assertThat(engine.figures().bytes()).isEqualTo(2L * (1 + 10_240 + 3_000_001));
        assertThat(parts()).isEmpty();
    }

    @Test
    void aTransientFailureIsTriedAgainAndCounted() throws Exception {
        server.files.put("/a", random(100));
        server.failures.set(2);
        assertThat(run(request("in", false, copy(server.url("/a"), local("a")))).failed())
                .isNull();
        assertThat(record("in/0").attempts()).isEqualTo(3);
        assertThat(engine.figures().retried()).isEqualTo(2);
    }

    @Test
    void theLastAttemptSaysWhatWasWrong() throws Exception {
        server.failures.set(1000);
        server.failureStatus = 500;
        TransferResult result = run(request("in", false, copy(server.url("/a"), local("a"))));
        TransferRecord record = requireNonNull(result.record());
        assertThat(record.state()).isEqualTo(TransferState.FAILED);
        assertThat(record.attempts()).isEqualTo(5);
        assertThat(record.error()).contains("HTTP status 500");
        assertThat(record.remedy()).isNotEmpty();
    }

    @Test
    void whatIsNotThereIsAskedForOnceAndAllOrNoneLeavesNothing() throws Exception {
        server.files.put("/a", random(100));
        TransferResult result = run(new TransferRequest(
                job + "-in",
                job,
                "/CN=alice",
                "alice",
                null,
                List.of(copy(server.url("/a"), local("a")), copy(server.url("/missing"), local("b"))),
                1,
                0,
                true));
        assertThat(requireNonNull(result.failed()).source()).isEqualTo(server.url("/missing"));
        assertThat(requireNonNull(result.record()).attempts()).isEqualTo(1);
        assertThat(requireNonNull(result.record()).error()).contains("no such file");
        assertThat(folder.resolve("a")).doesNotExist();
        assertThat(folder.resolve("b")).doesNotExist();
    }

    @Test
    void aBrokenConnectionIsTakenUpWhereItBroke() throws Exception {
        byte[] content = random(8_000_000);
        server.files.put("/big", content);
        server.breaks.set(2);
        assertThat(run(request("in", false, copy(server.url("/big"), local("big"))))
                        .failed())
                .isNull();
        assertThat(Files.readAllBytes(folder.resolve("big"))).isEqualTo(content);
        assertThat(server.gets).hasSize(3).first().isEqualTo("whole");
        assertThat(server.gets.subList(1, 3))
                .allMatch(range -> !range.equals("bytes=0-") && range.startsWith("bytes="));
    }

    @Test
    void aFileThatHasChangedBetweenAttemptsIsFetchedAnew() throws Exception {
        server.files.put("/big", random(8_000_000));
        server.breaks.set(1);
        engine.close();
        engine = engine(slow(), true);
        CompletableFuture<TransferResult> first =
                engine.submit(request("in", false, copy(server.url("/big"), local("big"))));
        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .until(() -> engine.status(job).values().stream().anyMatch(one -> one.attempts() == 1));
        byte[] other = random(7_000_000);
        server.files.put("/big", other);
        engine.close();
        engine = engine(settings(Duration.ofSeconds(30), 3), true);
        assertThat(first).isNotDone();
        assertThat(run(request("in", false, copy(server.url("/big"), local("big"))))
                        .failed())
                .isNull();
        assertThat(Files.readAllBytes(folder.resolve("big"))).isEqualTo(other);
    }

    /** Pauses so long after a failure that nothing comes before the test goes on. */
    private static TransferSettings slow() {
        TransferSettings quick = settings(Duration.ofSeconds(30), 3);
        return TestSettings.quick(8, 4, quick.tries().withPauses(Duration.ofHours(1), Duration.ofHours(1)));
    }

    @Test
    void anotherStartGoesOnFromTheMarker() throws Exception {
        byte[] content = random(8_000_000);
        server.files.put("/big", content);
        server.breaks.set(1);
        engine.close();
        engine = engine(slow(), true);
        TransferRequest request = request("in", false, copy(server.url("/big"), local("big")));
        CompletableFuture<TransferResult> cut = engine.submit(request);
        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .until(() -> engine.status(job).values().stream().anyMatch(one -> one.attempts() == 1));
        engine.close();
        assertThat(cut).isNotDone();
        engine = engine(settings(Duration.ofSeconds(30), 3), true);
        assertThat(run(request).failed()).isNull();
        assertThat(Files.readAllBytes(folder.resolve("big"))).isEqualTo(content);
        assertThat(server.gets).hasSize(2);
        assertThat(Integer.parseInt(server.gets.get(1).replaceAll("\\D", ""))).isGreaterThan(1_000_000);
        assertThat(record("in/0").attempts()).isEqualTo(2);
        int before = server.gets.size();
        assertThat(run(request).failed()).isNull();
        assertThat(server.gets).as("what is finished is not made again").hasSize(before);
    }

    @Test
    void aCancelStopsWhatHangsAndWhatPauses() throws Exception {
        server.hangs = true;
        CompletableFuture<TransferResult> hanging =
                engine.submit(request("in", false, copy(server.url("/a"), local("a"))));
        await().until(() -> engine.figures().active() == 1);
        engine.cancel(job + "-in").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(hanging.join().failed()).isNotNull();
        assertThat(requireNonNull(hanging.join().record()).state()).isEqualTo(TransferState.CANCELLED);
        // its place is given back after its end is told
        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .untilAsserted(() -> assertThat(engine.figures().active()).isZero());
        server.hangs = false;
        server.failures.set(1000);
        engine.close();
        engine = engine(slow(), true);
        CompletableFuture<TransferResult> pausing =
                engine.submit(request("out", false, copy(server.url("/a"), local("a"))));
        await().until(() -> engine.figures().retried() == 1);
        engine.cancel(job + "-out").get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(pausing).isDone();
    }

    @Test
    void aServerThatHangsIsGivenUpInTime() throws Exception {
        server.hangs = true;
        engine.close();
        engine = engine(settings(Duration.ofSeconds(1), 100), true);
        TransferResult result = run(new TransferRequest(
                job + "-in",
                job,
                "/CN=alice",
                "alice",
                null,
                List.of(copy(server.url("/a"), local("a"))),
                0,
                2,
                false));
        assertThat(requireNonNull(result.record()).error()).contains("nothing was moved for more than 1 s");
        assertThat(requireNonNull(result.record()).attempts()).isEqualTo(2);
    }

    @Test
    void aFailingServerDelaysOnlyItself() throws Exception {
        server.files.put("/a", random(10));
        List<TransferTask> tasks = new ArrayList<>();
        URI dead = URI.create("https://localhost:1/x"); // nobody listens there
        for (int i = 0; i < 20; i++) {
            tasks.add(copy(dead, local("x" + i)));
        }
        engine.close();
        engine = engine(slow(), true);
        CompletableFuture<TransferResult> stuck =
                engine.submit(request("in", false, tasks.toArray(TransferTask[]::new)));
        await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .until(() -> engine.figures().retried() > 0);
        assertThat(run(request("out", false, copy(server.url("/a"), local("a"))))
                        .failed())
                .isNull();
        assertThat(stuck).isNotDone();
    }

    @Test
    void deletionsMayFindNothing() throws Exception {
        Files.createDirectories(folder.resolve("d/e"));
        Files.writeString(folder.resolve("d/e/f"), "x");
        server.files.put("/there", random(5));
        TransferResult result = run(request(
                "clean",
                false,
                TransferTask.deletion(local("d/"), Map.of()),
                TransferTask.deletion(local("missing"), Map.of()),
                TransferTask.deletion(server.url("/there"), Map.of()),
                TransferTask.deletion(server.url("/gone"), Map.of())));
        assertThat(result.failed()).isNull();
        assertThat(folder.resolve("d")).doesNotExist();
        assertThat(server.files).isEmpty();
        assertThat(record("clean/0").note()).isNull();
        assertThat(record("clean/1").note()).contains("nothing to delete");
        assertThat(record("clean/3").note()).contains("nothing to delete");
    }

    @Test
    void directoriesAreCopiedWithAllThatIsInThem() throws Exception {
        Path from = folder.resolve("from");
        Files.createDirectories(from.resolve("a/b c"));
        Files.createDirectories(from.resolve("empty"));
        for (String name : List.of("1", "2", "3", "a/ö%20", "a/b c/deep")) {
            Files.writeString(from.resolve(name), name);
        }
        TransferResult result = run(request("in", false, copy(local("from/"), local("to/"))));
        assertThat(result.failed()).isNull();
        for (String name : List.of("1", "2", "3", "a/ö%20", "a/b c/deep")) {
            assertThat(folder.resolve("to").resolve(name)).hasContent(name);
        }
        assertThat(folder.resolve("to/empty")).isEmptyDirectory();
    }

    /** Directories are not looked into, and what does not match stays. */
    @Test
    void theFilesOfADirectoryThatMatchAreCopied() throws Exception {
        Path from = folder.resolve("from");
        Files.createDirectories(from.resolve("d.txt"));
        for (String name : List.of("1.txt", "ö.txt", ".txt", "2.log", "d.txt/3.txt")) {
            Files.writeString(from.resolve(name), name);
        }
        TransferTask some = new TransferTask(local("from/"), local("to/"), Map.of(NamePattern.OPTION, "*.txt"), false);
        assertThat(run(request("out", false, some)).failed()).isNull();
        try (Stream<Path> copied = Files.list(folder.resolve("to"))) {
            assertThat(copied.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("1.txt", "ö.txt");
        }
    }

    @Test
    void aDirectoryOverTheLimitIsRefused() throws Exception {
        Path from = Files.createDirectories(folder.resolve("from"));
        for (int i = 0; i < 101; i++) {
            Files.writeString(from.resolve("f" + i), "");
        }
        TransferResult result = run(request("in", false, copy(local("from/"), local("to/"))));
        assertThat(requireNonNull(result.record()).error())
                .contains("staging.maxEntries = 100")
                .contains("101");
        assertThat(requireNonNull(result.record()).attempts()).isEqualTo(1);
    }

    @Test
    void theSiteMayForbidPrivateAddresses() throws Exception {
        engine.close();
        engine = engine(settings(Duration.ofSeconds(30), 3), false);
        TransferResult result = run(request("in", false, copy(server.url("/a"), local("a"))));
        assertThat(requireNonNull(result.record()).error()).contains("staging.allowLoopbackAddresses = false");
        assertThat(server.gets).isEmpty();
    }

    @Test
    void manyTransfersOfManyOwnersAllCome() throws Exception {
        server.files.put("/a", random(1000));
        List<CompletableFuture<TransferResult>> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            List<TransferTask> tasks = new ArrayList<>();
            for (int k = 0; k < 10; k++) {
                tasks.add(copy(server.url("/a"), local("o" + i + "-" + k)));
            }
            JobId one = new JobId(UUID.randomUUID());
            all.add(engine.submit(
                    new TransferRequest(one + "-in", one, "/CN=" + i % 5, "alice", null, tasks, 0, 0, false)));
        }
        for (CompletableFuture<TransferResult> each : all) {
            assertThat(each.get(PATIENCE_SECONDS, TimeUnit.SECONDS).failed()).isNull();
        }
        assertThat(engine.figures().made()).isEqualTo(400);
        assertThat(engine.figures().active()).isZero();
        assertThat(parts()).isEmpty();
    }
}
