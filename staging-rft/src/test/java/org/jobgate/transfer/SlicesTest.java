// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jobgate.job.JobId;
import org.jobgate.job.OutputOptions;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.transfer.file.FileProtocol;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.TransferToken;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slices of files that are sent while a job writes them, and files that together are cut to a size, with a real store; the server is in memory and fails on demand. */
class SlicesTest {

    private static final int MOST = 200_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LIST = "/list";

    @TempDir
    Path folder;

    private final JobId job = new JobId(UUID.randomUUID());
    private final MemoryServer memory = new MemoryServer();
    private final Random random = new Random(3);
    private volatile boolean hasCredential = true;
    private JobStore store;
    private TransferEngine engine;

    @BeforeEach
    void start() throws Exception {
        store = TestStores.sqlite(folder.resolve("store"));
        Files.createDirectory(folder.resolve("work"));
        engine = engine();
    }

    @AfterEach
    void stop() {
        engine.close();
        store.close();
    }

    private TransferEngine engine() {
        LocalFiles files = new LocalFiles();
        TransferSettings.Tries tries = new TransferSettings.Tries(
                3,
                new Limit("staging.maxAttempts", 20),
                Duration.ofMillis(10),
                Duration.ofMillis(40),
                3,
                Duration.ofSeconds(30),
                0);
        return new TransferEngine(
                TestSettings.quick(8, 4, tries, new TransferSettings.Following(Duration.ofMillis(20), MOST, 3)),
                new Protocols(List.of(new FileProtocol(files, files), memory)),
                new UrlPolicy(true),
                this::credential,
                store,
                Clock.systemUTC(),
                new Random(5));
    }

    private TransferCredential credential(String owner, String reference) throws TransferException {
        if (!hasCredential) {
            throw new TransferException(Kind.PERMANENT, "it expired, on purpose", "Renew it.");
        }
        return new TransferToken("1", "word", Instant.EPOCH.plusSeconds(1_000_000_000));
    }

    private TransferTask slices(String server, String... more) {
        Map<String, String> options =
                new HashMap<>(Map.of(OutputOptions.SLICES, "0", OutputOptions.SLICES_LIST, "memory://lists" + LIST));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return new TransferTask(
                URI.create("file://" + folder + "/work/"), URI.create("memory://" + server + "/p/"), options, false);
    }

    private TransferRequest request(String word, TransferTask... tasks) {
        return new TransferRequest(job + word, job, "/CN=alice", "alice", "key-1", List.of(tasks), 1, 0, false);
    }

    private CompletableFuture<TransferResult> follow(String server) {
        return engine.submit(request("-live-0", slices(server).followed(job + "-out/0")));
    }

    private TransferResult sendRest(String server) throws Exception {
        var unused = engine.cancel(job + "-live-0").get(60, TimeUnit.SECONDS);
        return engine.submit(request("-out", slices(server).after(job + "-live-0/0")))
                .get(60, TimeUnit.SECONDS);
    }

    private void list(String... names) {
        memory.files.put(LIST, String.join("\n", names).getBytes(StandardCharsets.UTF_8));
    }

    private byte[] write(String name, int size) throws IOException {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        Path file = folder.resolve("work").resolve(name);
        Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return Files.readAllBytes(file);
    }

    /** The slices of a file in their order. */
    private List<String> slicesOf(String name) {
        return memory.files.keySet().stream()
                .filter(path -> path.matches("/p/" + name + "\\.[0-9]{14}_[0-9]+"))
                .sorted(Comparator.comparingInt(path -> Integer.parseInt(path.replaceFirst(".*_", ""))))
                .toList();
    }

    private byte[] joined(String name) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        slicesOf(name).forEach(slice -> all.writeBytes(requireNonNull(memory.files.get(slice))));
        return all.toByteArray();
    }

    private static void until(BooleanSupplier is) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(is::getAsBoolean);
    }

    private void untilThere(String name, byte[] expected) {
        until(() -> Arrays.equals(joined(name), expected));
    }

    @Test
    void eachSliceIsAFileOfItsOwnAndTheListMayComeLater() throws Exception {
        var following = follow("a");
        write("log", 10);
        write("other", 5);
        list("log", "", "  " + folder.resolve("work/other") + "  ", "missing", "bad\u0001name", "dir/");
        untilThere("log", Files.readAllBytes(folder.resolve("work/log")));
        untilThere("log", write("log", 5_000));
        untilThere("other", write("other", 300_000));
        assertThat(slicesOf("log")).hasSizeGreaterThanOrEqualTo(2);
        assertThat(slicesOf("other"))
                .as("slices of a turn are not longer than its part")
                .hasSizeGreaterThan(3);
        List<String> numbers = memory.files.keySet().stream()
                .filter(path -> path.startsWith("/p/"))
                .map(path -> path.replaceFirst(".*_", ""))
                .toList();
        assertThat(numbers).doesNotHaveDuplicates();

        byte[] all = write("log", 7);
        TransferResult end = sendRest("a");

        assertThat(end.failed()).isNull();
        assertThat(end.notes()).isEmpty();
        assertThat(joined("log")).isEqualTo(all);
        assertThat(following.isDone()).isTrue();
        assertThat(memory.files.keySet()).noneMatch(path -> path.contains("missing") || path.contains("bad"));
    }

    /** What was begun is sent again to the same name: after a cut, and in another life of the service. */
    @Test
    void noSliceIsMissingOrTwiceAfterACutAndARestart() throws Exception {
        list("log");
        memory.failing.add("a");
        byte[] all = write("log", 1_000);
        var unused = follow("a");
        until(() -> slicesOf("log").size() == 1
                && requireNonNull(engine.status(job).get(job + "-live-0/0")).attempts() > 2);
        assertThat(joined("log")).hasSize(100);

        engine.close();
        engine = engine();
        memory.failing.clear();
        write("log", 500);
        var unused2 = follow("a");
        untilThere("log", Files.readAllBytes(folder.resolve("work/log")));

        assertThat(memory.files.get(slicesOf("log").getFirst())).isEqualTo(all);
        assertThat(slicesOf("log")).hasSize(2);
    }

    @Test
    void aFileThatIsWrittenAnewBeginsAnew() throws Exception {
        list("log");
        byte[] first = write("log", 100);
        var unused = follow("a");
        untilThere("log", first);
        Files.write(folder.resolve("work/log"), new byte[] {1, 2, 3});

        until(() -> slicesOf("log").size() == 2);

        assertThat(memory.files.get(slicesOf("log").getLast())).containsExactly(1, 2, 3);
    }

    /** Names that go from the list and come again go on where they were; those of more files than may be are left alone. */
    @Test
    void theListMayChangeAndItsLengthIsBounded() throws Exception {
        for (String name : List.of("a", "b", "c", "d")) {
            write(name, 10);
        }
        list("a", "b", "c", "d");
        var unused = follow("x");
        until(() -> slicesOf("a").size() == 1
                && slicesOf("b").size() == 1
                && slicesOf("c").size() == 1);
        list("b");
        byte[] b = write("b", 10);
        untilThere("b", b);
        list("a", "b", "c", "d");
        byte[] a = write("a", 10);
        untilThere("a", a);

        TransferResult end = sendRest("x");

        assertThat(slicesOf("d")).isEmpty();
        assertThat(end.failed()).isNull();
        assertThat(end.notes()).containsExactly("slices were sent of the first 3 files of the list");
    }

    /** What the job has left behind, or somebody else, may write for ever: the job ends all the same. */
    @Test
    void atTheEndAFileIsSentAsLongAsItWasThen() throws Exception {
        list("log");
        byte[] all = write("log", MOST + 1);
        AtomicInteger writes = new AtomicInteger();
        memory.onStore = () -> {
            if (writes.incrementAndGet() < 50) {
                grow("log", 2 * MOST);
            }
        };

        assertThat(sendRest("a").failed()).isNull();

        assertThat(joined("log")).hasSize(MOST + 1).isEqualTo(all);
    }

    private void grow(String name, int size) {
        try {
            var unused = write(name, size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One cut is no reason to leave out what is left. */
    @Test
    void theLastSlicesAreTriedAsOftenAsAnyFile() throws Exception {
        list("log");
        byte[] all = write("log", 1_000);
        memory.failing.add("a");
        memory.onStore = memory.failing::clear;

        TransferResult end = sendRest("a");

        assertThat(end.failed()).isNull();
        assertThat(end.notes()).isEmpty();
        assertThat(slicesOf("log")).hasSize(1);
        assertThat(joined("log")).isEqualTo(all);
    }

    @Test
    void noJobFailsForSlicesWithoutACredential() throws Exception {
        list("log");
        var unused = write("log", 10);
        hasCredential = false;

        TransferResult end = sendRest("a");

        assertThat(end.failed()).isNull();
        assertThat(end.notes()).containsExactly("the last slices of files could not be sent: it expired, on purpose");
    }

    /** A job does not fail for it. */
    @Test
    void whatCannotBeSentAtTheEndIsANoteAndNoFailure() throws Exception {
        list("log");
        write("log", 100);
        memory.failing.add("a");
        TransferResult cut = sendRest("a");
        assertThat(cut.failed()).isNull();
        assertThat(cut.notes())
                .containsExactly("the last slices of files could not be sent: the line was cut, on purpose");
        memory.refusesList = true;
        TransferResult unlisted = sendRest("a");
        assertThat(unlisted.failed()).isNull();
        assertThat(unlisted.notes())
                .containsExactly(
                        "no more slices of files were sent: the list memory://lists/list cannot be read: no such file");
    }

    @Test
    void theTimeBetweenTwoLooksIsNotLessThanTheSites() {
        TransferTask task = slices("a", OutputOptions.SLICES, "30");

        assertThat(task.interval(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(30));
        assertThat(task.interval(Duration.ofSeconds(40))).isEqualTo(Duration.ofSeconds(40));
        assertThat(task.servers()).containsExactly("memory://a", "memory://lists");
    }

    private TransferTask sent(String name) {
        boolean isPattern = name.contains("*");
        return new TransferTask(
                URI.create("file://" + folder + "/work/" + (isPattern ? "" : name)),
                URI.create("memory://a/out/" + (isPattern ? "" : name)),
                isPattern ? Map.of(NamePattern.OPTION, name) : Map.of(),
                false);
    }

    private TransferResult bounded(long most, String... names) throws Exception {
        List<TransferTask> tasks = Arrays.stream(names).map(this::sent).toList();
        OutputQuota quota = new OutputQuota(tasks, most);
        return engine.submit(request(
                        "-out", tasks.stream().map(task -> task.within(quota)).toArray(TransferTask[]::new)))
                .get(60, TimeUnit.SECONDS);
    }

    private static byte[] last(byte[] bytes, int count) {
        return Arrays.copyOfRange(bytes, bytes.length - count, bytes.length);
    }

    /** Of 1000 bytes a (300) is whole; b (900) gets a third of the 700 that are left; c1 (30) and c2 (400) are whole. */
    @Test
    void theFileThatPassesTheBoundIsCutToItsShareOfTheRoom() throws Exception {
        byte[] a = write("a", 300);
        byte[] b = write("b", 900);
        byte[] c = write("c1", 30);
        byte[] d = write("c2", 400);

        TransferResult end = bounded(1_000, "a", "b", "c*");

        assertThat(end.failed()).isNull();
        String path = folder + "/work/";
        assertThat(memory.files.get("/out/a")).isEqualTo(a);
        assertThat(memory.files.get("/out/b.tail")).isEqualTo(last(b, 233));
        assertThat(memory.files.get("/out/c1")).isEqualTo(c);
        assertThat(memory.files.get("/out/c2")).isEqualTo(d);
        assertThat(memory.files).hasSize(4);
        assertThat(end.notes())
                .containsExactly(
                        "OSB quota exceeded for " + path + "b, truncating needed. Truncated last 233 bytes for file b");
    }

    @Test
    void theEndingOfACutFileBelongsToItsNameAndNotToAQuery() throws Exception {
        var unused = write("a", 100);
        TransferTask task = new TransferTask(
                URI.create("file://" + folder + "/work/a"), URI.create("memory://a/out/a?token=1"), Map.of(), false);

        TransferResult end = engine.submit(request("-out", task.within(new OutputQuota(List.of(task), 50))))
                .get(60, TimeUnit.SECONDS);

        assertThat(end.failed()).isNull();
        assertThat(memory.files.keySet()).containsExactly("/out/a.tail");
    }

    @Test
    void filesWithoutRoomAreNotSentAndMissingOnesTakeNone() throws Exception {
        write("a", 100);
        write("b", 100);

        TransferResult end = bounded(9, "a", "b");

        assertThat(end.failed()).isNull();
        assertThat(memory.files).isEmpty();
        assertThat(end.notes())
                .hasSize(2)
                .allMatch(note -> note.contains("Not enough room for a significant truncation on file "));
        TransferResult missing = engine.submit(request("-more", sent("missing").within(new OutputQuota(List.of(), 9))))
                .get(60, TimeUnit.SECONDS);
        assertThat(missing.failed()).isNotNull();
    }

    /** What was told before the service stopped is told with the end of the whole. */
    @Test
    void whatWasCutIsToldAfterARestartToo() throws Exception {
        write("a", 100);
        assertThat(bounded(50, "a").notes()).hasSize(1);
        engine.close();
        engine = engine();

        assertThat(bounded(50, "a").notes()).hasSize(1);
        assertThat(memory.files.get("/out/a.tail")).hasSize(50);
    }

    @Test
    void tenFilesAreWholeAndTenMoreShareWhatIsLeft() throws Exception {
        String[] names = IntStream.range(0, 20).mapToObj(i -> "f" + i).toArray(String[]::new);
        for (String name : names) {
            write(name, 1_000);
        }

        assertThat(bounded(10_500, names).failed()).isNull();

        assertThat(memory.files.values().stream()
                        .mapToInt(bytes -> bytes.length)
                        .sum())
                .isEqualTo(10_500);
        assertThat(memory.files.keySet()).hasSize(20);
    }
}
