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
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jobgate.job.JobId;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.transfer.file.FileProtocol;
import org.jobgate.transfer.https.HttpsProtocol;
import org.jobgate.transfer.https.PackingSettings;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two owners whose sources drip hold every place; a third one comes. */
class FairStagingTest {

    private static final int PLACES = 8;
    private static final int OF_EACH = 6; // of two: more than there are places
    private static final int DRIPPED = 1_000_000; // at a byte each 10 ms: hours
    private static final long PATIENCE_SECONDS = 60;
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private FileServer dripping;
    private FileServer other;
    private JobStore store;
    private TransferEngine engine;
    private final List<CompletableFuture<TransferResult>> slow = new ArrayList<>();
    private final List<JobId> slowJobs = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        dripping = new FileServer();
        other = new FileServer();
        store = TestStores.sqlite(folder);
        dripping.files.put("/drip/x", new byte[DRIPPED]);
        engine = engine(NEVER, LONG, 0);
    }

    private void use(Duration kept, Duration idle, long leastRate) {
        engine.close();
        engine = engine(kept, idle, leastRate);
    }

    @AfterEach
    void stop() {
        engine.close();
        store.close();
        dripping.close();
        other.close();
    }

    private TransferEngine engine(Duration kept, Duration idle, long leastRate) {
        LocalFiles files = new LocalFiles();
        TransferSettings usual = TestSettings.quick(
                PLACES,
                OF_EACH,
                new TransferSettings.Tries(
                        2,
                        new Limit("staging.maxAttempts", 20),
                        Duration.ofMillis(20),
                        Duration.ofMillis(100),
                        100,
                        idle,
                        leastRate));
        TransferSettings.AtOnce places = new TransferSettings.AtOnce(
                usual.atOnce().all(),
                usual.atOnce().perOwner(),
                usual.atOnce().perServer(),
                OF_EACH,
                usual.atOnce().mostPerRequest(),
                new Limit("staging.maxActiveLocal", 2),
                kept);
        return new TransferEngine(
                new TransferSettings(places, usual.tries(), usual.markInterval(), usual.entries(), usual.following()),
                new Protocols(List.of(
                        new FileProtocol(files, files),
                        new HttpsProtocol(
                                credential -> dripping.clientSideWith(other),
                                Duration.ofSeconds(20),
                                new UrlPolicy(true),
                                PackingSettings.DEFAULTS))),
                new UrlPolicy(true),
                (owner, reference) -> {
                    throw new TransferException(TransferException.Kind.PERMANENT, "there is none", "");
                },
                store,
                Clock.systemUTC(),
                new Random(5));
    }

    private static TransferRequest request(String owner, JobId job, List<TransferTask> tasks) {
        return new TransferRequest(job + "-in", job, "/CN=" + owner, owner, null, tasks, 0, 0, false);
    }

    private static TransferTask copy(URI from, URI to) {
        return new TransferTask(from, to, Map.of(), false);
    }

    private URI local(String name) {
        return URI.create("file://" + folder + "/" + name);
    }

    private void twoHoldEverything() {
        twoHoldEverything(OF_EACH);
    }

    private void twoHoldEverything(int ofEach) {
        for (String owner : List.of("mallory", "oscar")) {
            JobId job = new JobId(UUID.randomUUID());
            List<TransferTask> tasks = IntStream.range(0, ofEach)
                    .mapToObj(i -> copy(dripping.url("/drip/x"), local(owner + i)))
                    .toList();
            slow.add(engine.submit(request(owner, job, tasks)));
            slowJobs.add(job);
        }
        await().until(() -> dripping.dripping.get() == PLACES);
        assertThat(engine.figures().active()).isEqualTo(PLACES);
    }

    private TransferResult third(URI from) throws Exception {
        return engine.submit(request("alice", new JobId(UUID.randomUUID()), List.of(copy(from, local("alice")))))
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void aCopyOnThisMachineWaitsForNoNetwork() throws Exception {
        twoHoldEverything();
        Files.writeString(folder.resolve("source"), "ten bytes\n");
        assertThat(third(local("source")).failed()).isNull();
        assertThat(folder.resolve("alice")).hasContent("ten bytes\n");
        assertThat(dripping.dripping).hasValue(PLACES); // nobody had to make room
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoHasMoreThanHisShareMakesRoom(boolean isAtTheSameServer) throws Exception {
        use(Duration.ZERO, LONG, 0);
        twoHoldEverything();
        FileServer server = isAtTheSameServer ? dripping : other;
        server.files.put("/small", "small".getBytes(StandardCharsets.UTF_8));
        assertThat(third(server.url("/small")).failed()).isNull();
        assertThat(folder.resolve("alice")).hasContent("small");
        assertThat(slow).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void whatMadeRoomHasNotFailedAndGoesOnFromWhereItWas() throws Exception {
        use(Duration.ZERO, LONG, 0);
        twoHoldEverything(PLACES / 2); // nothing else of theirs waits
        dripping.files.put("/small", new byte[10]);
        assertThat(third(dripping.url("/small")).failed()).isNull();
        await().until(() -> dripping.gets.stream().anyMatch(range -> range.startsWith("bytes=")));
        await().until(() -> dripping.dripping.get() == PLACES); // they have their places back
        for (JobId job : slowJobs) {
            assertThat(engine.status(job).values())
                    .allSatisfy(record -> assertThat(record.attempts()).isZero());
        }
        assertThat(engine.figures().retried()).isZero();
    }

    @Test
    void whatMovesTooLittleFailsThoughItIsNeverSilent() throws Exception {
        use(NEVER, Duration.ofMillis(400), 10_000);
        dripping.files.put("/fast", new byte[3_000_000]);
        boolean isThere = false;
        for (int i = 0;
                i < 10 && !isThere;
                i++) { // a machine with other work may itself be silent for so long, but not each time
            isThere = third(dripping.url("/fast")).failed() == null;
        }
        assertThat(isThere).isTrue();
        TransferResult result = third(dripping.url("/drip/x"));
        TransferRecord record = requireNonNull(result.record());
        assertThat(record.state()).isEqualTo(TransferState.FAILED);
        assertThat(record.attempts()).isEqualTo(2);
        assertThat(record.error()).contains("staging.leastRate");
    }

    @Test
    void bytesThatComeSlowlyAreNoSilence() throws Exception {
        use(NEVER, Duration.ofMillis(400), 0);
        dripping.files.put(
                "/drip/short", new byte[FileServer.AT_ONCE + 150]); // longer than the time-out, less than a piece
        long before;
        int times = 0;
        do { // a machine with other work may itself be silent for so long, but not each time
            before = engine.figures().retried();
            assertThat(third(dripping.url("/drip/short")).failed()).isNull();
            assertThat(folder.resolve("alice")).hasSize(FileServer.AT_ONCE + 150);
        } while (engine.figures().retried() > before && ++times < 10);
        assertThat(engine.figures().retried()).isEqualTo(before);
    }
}
