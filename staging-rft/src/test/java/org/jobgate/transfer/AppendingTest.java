// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jobgate.job.JobId;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.transfer.file.FileProtocol;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.TransferToken;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are sent while they are written, with a real store; the destination is in memory and fails on demand. */
class AppendingTest {

    private static final int SLICE = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private final JobId job = new JobId(UUID.randomUUID());
    private final MemoryServers memory = new MemoryServers();
    private final Random random = new Random(7);
    private volatile TransferToken token = token("1");
    private JobStore store;
    private TransferEngine engine;

    @BeforeEach
    void start() throws Exception {
        store = TestStores.sqlite(folder);
        engine = engine();
    }

    @AfterEach
    void stop() {
        engine.close();
        store.close();
    }

    private TransferEngine engine() {
        LocalFiles files = new LocalFiles();
        TransferSettings settings = TestSettings.quick(
                8,
                4,
                new TransferSettings.Tries(
                        3,
                        new Limit("staging.maxAttempts", 20),
                        Duration.ofMillis(10),
                        Duration.ofMillis(40),
                        3,
                        Duration.ofSeconds(30),
                        0),
                new TransferSettings.Following(Duration.ofMillis(20), SLICE, 16));
        return new TransferEngine(
                settings,
                new Protocols(List.of(new FileProtocol(files, files), memory)),
                new UrlPolicy(true),
                (owner, reference) -> {
                    TransferToken now = token;
                    if (now.id().equals("expired")) {
                        throw new TransferException(Kind.TRANSIENT, "the credential expired, on purpose", "Renew it.");
                    }
                    return now;
                },
                store,
                Clock.systemUTC(),
                new Random(5));
    }

    private static TransferToken token(String id) {
        return new TransferToken(id, "word-" + id, Instant.EPOCH.plusSeconds(1_000_000_000));
    }

    private TransferTask task(String name, String server) {
        return new TransferTask(
                URI.create("file://" + folder + "/" + name),
                URI.create("memory://" + server + "/" + name),
                Map.of(),
                false);
    }

    private TransferRequest request(String word, TransferTask task) {
        return new TransferRequest(job + word, job, "/CN=alice", "alice", "key-1", List.of(task), 0, 0, false);
    }

    private CompletableFuture<TransferResult> follow(String name, String server) {
        return engine.submit(request("-live-" + name, task(name, server).followed(job + "-out-" + name + "/0")));
    }

    private void endFollowing(String name) throws Exception {
        var unused = engine.cancel(job + "-live-" + name).get(1, TimeUnit.MINUTES);
    }

    private TransferResult sendRest(String name, String server) throws Exception {
        return engine.submit(request("-out-" + name, task(name, server).after(job + "-live-" + name + "/0")))
                .get(1, TimeUnit.MINUTES);
    }

    private byte[] write(String name, int size) throws IOException {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        Files.write(folder.resolve(name), bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return Files.readAllBytes(folder.resolve(name));
    }

    private static void until(Supplier<Boolean> is) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(is::get);
    }

    private void untilThere(String name, byte[] expected) {
        until(() -> Arrays.equals(memory.files.get("/" + name), expected));
    }

    /** Each write begins where the one before it ended. */
    private void assertNothingWasSentTwice(String name) {
        long end = 0;
        for (String write : memory.writes) {
            if (write.startsWith("/" + name + " ")) {
                String[] ends = write.substring(name.length() + 2).split("-", -1);
                assertThat(Long.parseLong(ends[0])).as("%s", memory.writes).isEqualTo(end);
                end = Long.parseLong(ends[1]);
                assertThat(end - Long.parseLong(ends[0])).isLessThanOrEqualTo(SLICE);
            }
        }
    }

    @Test
    void whatIsWrittenArrivesSoonAndTheRestAtTheEnd() throws Exception {
        var following = follow("log", "a"); // before there is such a file
        untilThere("log", write("log", 1));
        untilThere("log", write("log", 5_000));
        untilThere("log", write("log", 4 * SLICE + 17));
        endFollowing("log");
        assertThat(following.isDone()).isTrue();
        byte[] all = write("log", 3 * SLICE);
        assertThat(memory.files.get("/log")).hasSizeLessThan(all.length);

        assertThat(sendRest("log", "a").failed()).isNull();
        assertThat(memory.files.get("/log")).isEqualTo(all);
        assertNothingWasSentTwice("log");
        TransferRecord record = requireNonNull(engine.status(job).get(job + "-out-log/0"));
        assertThat(record.state()).isEqualTo(TransferState.FINISHED);
        assertThat(record.bytes()).isEqualTo(all.length);
        assertThat(record.attempts()).isEqualTo(1);
    }

    @Test
    void aFileThatIsWholeIsNotTouchedAgainAndOneThatWasNeverSentIsCopied() throws Exception {
        var unused = follow("log", "a");
        byte[] all = write("log", 3_000);
        untilThere("log", all);
        endFollowing("log");
        int writes = memory.writes.size();
        assertThat(sendRest("log", "a").failed()).isNull();
        assertThat(memory.writes).hasSize(writes);

        byte[] other = write("other", 3 * SLICE);
        assertThat(sendRest("other", "a").failed()).isNull();
        assertThat(memory.files.get("/other")).isEqualTo(other);
    }

    @Test
    void aServerThatFailsDelaysItsOwnFileOnlyAndCostsNoAttempts() throws Exception {
        var unused = follow("log", "a");
        var unused2 = follow("sibling", "b");
        untilThere("log", write("log", 2_000));
        memory.failing.add("a");
        memory.untilCut = 700;
        byte[] log = write("log", 2 * SLICE);
        // more often than a transfer may fail
        until(() -> requireNonNull(engine.status(job).get(job + "-live-log/0")).attempts() > 3);
        untilThere("sibling", write("sibling", 2_500));
        assertThat(memory.files.get("/log")).hasSize(2_700).isEqualTo(Arrays.copyOf(log, 2_700));

        memory.failing.clear();
        untilThere("log", log);
        until(() -> requireNonNull(engine.status(job).get(job + "-live-log/0")).attempts() == 0);
    }

    @Test
    void aCutInTheFirstSliceAndInTheRestIsMadeGood() throws Exception {
        memory.failing.add("a");
        memory.untilCut = 300;
        var unused = follow("log", "a");
        byte[] all = write("log", 3 * SLICE);
        until(() -> memory.writes.size() > 2);
        assertThat(memory.files).isEmpty();
        memory.failing.clear();
        untilThere("log", all);
        endFollowing("log");
        all = write("log", 2_000);

        memory.failing.add("a");
        CompletableFuture<TransferResult> rest =
                engine.submit(request("-out-log", task("log", "a").after(job + "-live-log/0")));
        until(() -> requireNonNull(engine.status(job).get(job + "-out-log/0")).attempts() > 0);
        memory.failing.clear();
        assertThat(rest.get(1, TimeUnit.MINUTES).failed()).isNull();
        assertThat(memory.files.get("/log")).isEqualTo(all);
    }

    @Test
    void afterARestartItGoesOnFromTheMark() throws Exception {
        var unused = follow("log", "a");
        byte[] first = write("log", SLICE + 1);
        untilThere("log", first);
        until(() -> String.valueOf(engine.status(job).get(job + "-live-log/0")).contains(" " + (SLICE + 1) + " "));
        engine.close();
        write("log", SLICE);
        memory.writes.clear();
        engine = engine();
        var unused2 = follow("log", "a");
        untilThere("log", Files.readAllBytes(folder.resolve("log")));
        assertThat(memory.writes).first().asString().startsWith("/log " + first.length + "-");
    }

    @Test
    void aFileThatWasWrittenAnewIsSentAsAWholeAtTheEnd() throws Exception {
        for (int size : new int[] {100, 9_000}) { // shorter than before, and longer
            String name = "log" + size;
            var following = follow(name, "a");
            byte[] before = write(name, 5_000);
            untilThere(name, before);
            // what is opened to be truncated is empty for a moment: here at once what it will be
            byte[] anew = new byte[size];
            random.nextBytes(anew);
            Files.write(folder.resolve(name), anew);

            TransferResult result = following.get(1, TimeUnit.MINUTES);
            assertThat(requireNonNull(result.record()).error()).contains("written anew or made shorter");
            assertThat(memory.files.get("/" + name)).isEqualTo(before);
            assertThat(sendRest(name, "a").failed()).isNull();
            assertThat(memory.files.get("/" + name)).isEqualTo(anew);
        }
        assertThat(engine.figures().failed()).isZero();
    }

    @Test
    void aDestinationThatIsLostIsMadeAgain() throws Exception {
        var unused = follow("log", "a");
        untilThere("log", write("log", 5_000));
        memory.files.remove("/log");
        untilThere("log", write("log", 5_000));
        endFollowing("log");
        memory.files.remove("/log");
        assertThat(sendRest("log", "a").failed()).isNull();
        assertThat(memory.files.get("/log")).isEqualTo(Files.readAllBytes(folder.resolve("log")));
        // somebody else has written behind it
        ByteArrayOutputStream more = new ByteArrayOutputStream();
        more.writeBytes(memory.files.get("/log"));
        more.writeBytes(new byte[3]);
        memory.files.put("/log", more.toByteArray());
        TransferResult again = engine.submit(
                        request("-again-log", task("log", "a").after(job + "-live-log/0")))
                .get(1, TimeUnit.MINUTES);
        assertThat(again.failed()).isNull();
        assertThat(memory.files.get("/log")).isEqualTo(Files.readAllBytes(folder.resolve("log")));
    }

    /** A server shows nothing to an unknown user, and removes nothing for one. */
    @Test
    void whatIsLeftUnfinishedIsRemovedWithTheOwnersCredential() throws Exception {
        memory.failing.add("a");
        memory.untilCut = 300;
        write("log", 2_000);
        var unused = follow("log", "a");
        until(() -> memory.writes.size() > 1);
        endFollowing("log");
        assertThat(memory.abandoned).containsExactly("/log as " + token);

        assertThat(sendRest("log", "a").failed()).isNotNull();
        assertThat(memory.abandoned).containsExactly("/log as " + token, "/log as " + token);
    }

    @Test
    void theNextAttemptTakesTheCredentialThatWasRenewedMeanwhile() throws Exception {
        memory.failing.add("a");
        write("log", 3 * SLICE);
        CompletableFuture<TransferResult> sent = engine.submit(new TransferRequest(
                job + "-out-log", job, "/CN=alice", "alice", "key-1", List.of(task("log", "a")), 1, 20, false));
        until(() -> memory.seen.contains(token("1").toString()));
        token = token("expired");
        until(() -> String.valueOf(engine.status(job).get(job + "-out-log/0")).contains("expired, on purpose"));
        token = token("2");
        until(() -> memory.seen.contains(token("2").toString()));
        memory.failing.clear();
        assertThat(sent.get(1, TimeUnit.MINUTES).failed()).isNull();

        // and so does every turn of one that follows its source
        var unused = follow("other", "b");
        untilThere("other", write("other", 1_000));
        token = token("3");
        untilThere("other", write("other", 1_000));
        assertThat(memory.seen).contains(token("3").toString());
    }

    @Test
    void aFileThatIsGoneAtTheEndIsMissed() throws Exception {
        var unused = follow("log", "a");
        untilThere("log", write("log", 5_000));
        endFollowing("log");
        Files.delete(folder.resolve("log"));
        TransferResult result = sendRest("log", "a");
        assertThat(requireNonNull(result.record()).error()).contains("there is no file");
    }
}
