// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.CreationFlag;
import org.jobgate.job.FileTokens;
import org.jobgate.job.JobId;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.transfer.file.FileProtocol;
import org.jobgate.transfer.https.HttpsProtocol;
import org.jobgate.transfer.https.PackingSettings;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies to files that are there already, in both directions, with a real store; also after what broke in the middle. */
class CreationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final JobId job = new JobId(UUID.randomUUID());
    private final MemoryServers memory = new MemoryServers();
    private FileServer server;
    private JobStore store;
    private TransferEngine engine;

    @BeforeEach
    void start() throws Exception {
        server = new FileServer();
        store = TestStores.sqlite(folder);
        engine = engine(Duration.ofMillis(20));
    }

    @AfterEach
    void stop() {
        engine.close();
        store.close();
        server.close();
    }

    /** @param pause after a failure */
    private TransferEngine engine(Duration pause) {
        LocalFiles files = new LocalFiles();
        TransferSettings settings = TestSettings.quick(
                8,
                4,
                new TransferSettings.Tries(
                        5, new Limit("staging.maxAttempts", 20), pause, pause, 9, Duration.ofSeconds(30), 0));
        return new TransferEngine(
                settings,
                new Protocols(List.of(
                        new FileProtocol(files, files),
                        memory,
                        new HttpsProtocol(
                                credential -> server.clientSide(),
                                Duration.ofSeconds(20),
                                new UrlPolicy(true),
                                PackingSettings.DEFAULTS))),
                new UrlPolicy(true),
                (owner, reference) -> {
                    throw new TransferException(Kind.PERMANENT, "there is none", "");
                },
                store,
                Clock.systemUTC(),
                new Random(5));
    }

    /** As after a kill -9: what was in the engine is lost, the store and the files are as they are. */
    private void restart(Duration pause) {
        engine.close();
        engine = engine(pause);
    }

    private URI local(String name) {
        return URI.create("file://" + folder + "/" + name);
    }

    private static URI far(String name) {
        return URI.create("memory://server/" + name);
    }

    private TransferRequest request(CreationFlag flag, URI from, URI to) {
        TransferTask task = new TransferTask(from, to, flag.options(), false);
        return new TransferRequest(job + "-x", job, "/CN=alice", "alice", null, List.of(task), 0, 0, false);
    }

    private TransferResult run(TransferRequest request) throws Exception {
        return engine.submit(request).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private TransferRecord record() {
        return requireNonNull(engine.status(job).get(job + "-x/0"));
    }

    private void write(String name, String text) throws Exception {
        Files.writeString(folder.resolve(name), text, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static byte[] both(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    @ParameterizedTest
    @CsvSource({
        "OVERWRITE,,new",
        "OVERWRITE,old,new",
        "APPEND,,new",
        "APPEND,old,oldnew",
        "DONT_OVERWRITE,,new",
        "DONT_OVERWRITE,old,old",
        "APPEND,'',new",
        "DONT_OVERWRITE,'',''"
    })
    void aFileThatIsFetched(CreationFlag flag, String before, String after) throws Exception {
        server.files.put("/in", bytes("new"));
        if (before != null) {
            write("in", before);
        }

        assertThat(run(request(flag, server.url("/in"), local("in"))).failed()).isNull();

        assertThat(folder.resolve("in")).hasContent(after);
        assertThat(server.gets).hasSize(after.endsWith("new") ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({
        "OVERWRITE,,new",
        "OVERWRITE,old,new",
        "APPEND,,new",
        "APPEND,old,oldnew",
        "DONT_OVERWRITE,,new",
        "DONT_OVERWRITE,old,old"
    })
    void aFileThatIsSent(CreationFlag flag, String before, String after) throws Exception {
        write("out", "new");
        if (before != null) {
            memory.files.put("/out", bytes(before));
        }

        assertThat(run(request(flag, local("out"), far("out"))).failed()).isNull();

        assertThat(memory.files.get("/out")).asString(StandardCharsets.UTF_8).isEqualTo(after);
    }

    @Test
    void whatStaysIsSaidSo() throws Exception {
        server.files.put("/out", bytes("old"));
        write("out", "new");

        assertThat(run(request(CreationFlag.DONT_OVERWRITE, local("out"), server.url("/out")))
                        .failed())
                .isNull();

        assertThat(server.files.get("/out")).isEqualTo(bytes("old"));
        assertThat(record().toString()).contains("stays as it was");
    }

    @Test
    void aFetchThatBreaksIsAppendedOnce() throws Exception {
        byte[] old = random(1_000_000);
        byte[] added = random(3_000_000);
        Files.write(folder.resolve("log"), old);
        server.files.put("/log", added);
        server.breaks.set(2);

        assertThat(run(request(CreationFlag.APPEND, server.url("/log"), local("log")))
                        .failed())
                .isNull();

        assertThat(server.gets).hasSize(3);
        assertThat(Files.readAllBytes(folder.resolve("log"))).isEqualTo(both(old, added));
    }

    @Test
    void anAppendThatIsCutIsNotDoubledByTheNextStart() throws Exception {
        memory.files.put("/log", bytes("old,"));
        write("log", "0123456789");
        memory.failing.add("server");
        memory.untilCut = 7;
        restart(Duration.ofHours(1));
        CompletableFuture<TransferResult> cut = engine.submit(request(CreationFlag.APPEND, local("log"), far("log")));
        await().atMost(PATIENCE).until(() -> record().attempts() == 1);
        assertThat(memory.files.get("/log")).as("a part of it is there").isEqualTo(bytes("old,0123456"));

        memory.failing.clear();
        restart(Duration.ofMillis(20));
        assertThat(cut).isNotDone();
        assertThat(run(request(CreationFlag.APPEND, local("log"), far("log"))).failed())
                .isNull();

        assertThat(memory.files.get("/log")).asString(StandardCharsets.UTF_8).isEqualTo("old,0123456789");
        assertThat(memory.writes).containsExactly("/log 4-11", "/log 4-14");
    }

    /** All bytes are there, and that the attempt was good is not written down yet. */
    @Test
    void anAppendThatIsCompleteButNotKnownToBeIsMadeOverItself() throws Exception {
        memory.files.put("/log", bytes("old,"));
        write("log", "0123456789");
        memory.failing.add("server");
        memory.untilCut = 10;
        restart(Duration.ofHours(1));
        CompletableFuture<TransferResult> unused =
                engine.submit(request(CreationFlag.APPEND, local("log"), far("log")));
        await().atMost(PATIENCE).until(() -> record().attempts() == 1);
        assertThat(memory.files.get("/log")).isEqualTo(bytes("old,0123456789"));

        memory.failing.clear();
        restart(Duration.ofMillis(20));
        run(request(CreationFlag.APPEND, local("log"), far("log")));

        assertThat(memory.files.get("/log")).asString(StandardCharsets.UTF_8).isEqualTo("old,0123456789");
    }

    @Test
    void aFileOfItsOwnThatIsNotWholeIsNotTakenForOneThatWasThere() throws Exception {
        server.files.put("/in", random(3_000_000));
        server.breaks.set(1);
        restart(Duration.ofHours(1));
        CompletableFuture<TransferResult> unused =
                engine.submit(request(CreationFlag.DONT_OVERWRITE, server.url("/in"), local("in")));
        await().atMost(PATIENCE).until(() -> record().attempts() == 1);
        write("in", "of somebody else, or of an answer that was lost");

        restart(Duration.ofMillis(20));
        assertThat(run(request(CreationFlag.DONT_OVERWRITE, server.url("/in"), local("in")))
                        .failed())
                .isNull();

        assertThat(Files.readAllBytes(folder.resolve("in"))).isEqualTo(random(3_000_000));
    }

    @Test
    void whatAnotherHasAppendedMeanwhileIsNotWrittenOver() throws Exception {
        memory.files.put("/log", bytes("old,"));
        write("log", "0123");
        memory.failing.add("server");
        memory.untilCut = 2;
        restart(Duration.ofHours(1));
        CompletableFuture<TransferResult> unused =
                engine.submit(request(CreationFlag.APPEND, local("log"), far("log")));
        await().atMost(PATIENCE).until(() -> record().attempts() == 1);
        memory.files.put("/log", bytes("old,01somebody else"));

        memory.failing.clear();
        restart(Duration.ofMillis(20));
        TransferResult result = run(request(CreationFlag.APPEND, local("log"), far("log")));

        assertThat(requireNonNull(result.record()).toString()).contains("somebody else has made it longer");
        assertThat(memory.files.get("/log")).isEqualTo(bytes("old,01somebody else"));
    }

    /** Another transfer had its turn between two attempts; what it has written is shorter than the copy, as long, or longer. */
    @ParameterizedTest
    @ValueSource(ints = {10, 3_000_000, 4_000_000})
    void whatAnotherHasAppendedSinceAnAttemptThatBrokeStays(int others) throws Exception {
        byte[] old = random(1_000);
        byte[] added = random(3_000_000);
        byte[] theirs = random(others);
        Files.write(folder.resolve("log"), old);
        server.files.put("/log", added);
        server.breaks.set(1);
        restart(Duration.ofHours(1));
        CompletableFuture<TransferResult> unused =
                engine.submit(request(CreationFlag.APPEND, server.url("/log"), local("log")));
        await().atMost(PATIENCE).until(() -> record().attempts() == 1);
        Files.write(folder.resolve("log"), both(old, theirs));

        restart(Duration.ofMillis(20));
        assertThat(run(request(CreationFlag.APPEND, server.url("/log"), local("log")))
                        .failed())
                .isNull();

        assertThat(Files.readAllBytes(folder.resolve("log"))).isEqualTo(both(both(old, theirs), added));
    }

    @Test
    void severalThatAppendToOneFileDoSoOneAfterTheOther() throws Exception {
        TransferTask[] tasks = new TransferTask[8];
        for (int i = 0; i < tasks.length; i++) {
            write("part" + i, "[" + i + "]");
            tasks[i] = new TransferTask(local("part" + i), far("all"), CreationFlag.APPEND.options(), false);
        }

        assertThat(run(new TransferRequest(job + "-x", job, "/CN=alice", "alice", null, List.of(tasks), 8, 0, false))
                        .failed())
                .isNull();

        assertThat(memory.files.get("/all"))
                .asString(StandardCharsets.UTF_8)
                .hasSize(24)
                .contains("[0]", "[1]", "[2]", "[3]", "[4]", "[5]", "[6]", "[7]");
    }

    private TransferRequest filling(CreationFlag flag, Map<String, String> tokens) {
        Map<String, String> options = new HashMap<>(flag.options());
        options.put(FileTokens.OPTION, FileTokens.of(tokens).text());
        TransferTask task = new TransferTask(server.url("/in"), local("in"), options, false);
        return new TransferRequest(job + "-x", job, "/CN=alice", "alice", null, List.of(task), 0, 0, false);
    }

    /** Each attempt begins anew: where a file broke off says nothing of the file that is made of it. */
    @Test
    void tokensAreReplacedOnTheWayAlsoWhereItBreaks() throws Exception {
        byte[] noise = random(3_000_000);
        server.files.put("/in", both(bytes("n=@N@;"), both(noise, bytes("@N@"))));
        server.breaks.set(2);

        assertThat(run(filling(CreationFlag.OVERWRITE, Map.of("@N@", "17"))).failed())
                .isNull();

        assertThat(server.gets).hasSize(3);
        assertThat(Files.readAllBytes(folder.resolve("in"))).isEqualTo(both(bytes("n=17;"), both(noise, bytes("17"))));
    }

    @Test
    void aFileThatStaysIsNotFilled() throws Exception {
        server.files.put("/in", bytes("@N@"));
        write("in", "old @N@");

        assertThat(run(filling(CreationFlag.DONT_OVERWRITE, Map.of("@N@", "17")))
                        .failed())
                .isNull();

        assertThat(folder.resolve("in")).hasContent("old @N@");
    }
}
