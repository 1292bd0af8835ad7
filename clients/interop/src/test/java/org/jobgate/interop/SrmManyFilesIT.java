// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many files put and got by the transfer URLs of SRM over two GridFTP servers, of which one is killed in the middle, with globus-url-copy as
 * the client that moves them. {@code -Djobgate.srm.files=10000} makes it ten thousand.
 */
class SrmManyFilesIT {

    private static final int FILES = Integer.getInteger("jobgate.srm.files", 300);
    private static final int BATCH = FILES > 1_000 ? 100 : 20;
    private static final int CLIENTS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** A kill in an instant in which no client is on its way to that server cuts nobody off, and tries nothing. */
    private static final int MOST_KILLS = 5;

    @TempDir
    Path folder;

    private @Nullable Gateway gateway;
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger cut = new AtomicInteger();

    private Gateway gateway() {
        return requireNonNull(gateway);
    }

    private SrmCalls calls() {
        return new SrmCalls(gateway(), folder);
    }

    private static byte[] content(int i) {
        byte[] content = new byte[size(i)];
        new Random(i).nextBytes(content);
        return content;
    }

    private static int size(int i) {
        return 4_000 + i * 37 % 9_000;
    }

    private static String name(int i) {
        return "file-" + i;
    }

    private static String surl(int i) {
        return "srm://localhost/work/" + name(i);
    }

    private static String token(String answer) {
        return "<requestToken>" + SrmCalls.all(answer, "requestToken").getFirst() + "</requestToken>";
    }

    private static String request(List<Integer> batch, String element) {
        StringBuilder text = new StringBuilder("<arrayOfFileRequests>");
        for (int i : batch) {
            text.append("<requestArray><" + element + ">" + surl(i) + "</" + element + "></requestArray>");
        }
        return text + "</arrayOfFileRequests><transferParameters><arrayOfTransferProtocols><stringArray>gsiftp"
                + "</stringArray></arrayOfTransferProtocols></transferParameters>";
    }

    /** Whether all of them were moved: by one program, one after the other, until one cannot be. */
    private boolean move(List<String> from, List<String> to) throws Exception {
        Path list = Files.createTempFile(folder, "list-", ".txt");
        // those of one server behind one another, for which it takes one connection
        List<String> lines = IntStream.range(0, from.size())
                .boxed()
                .sorted(Comparator.comparing(i -> server(from.get(i)) + server(to.get(i))))
                .map(i -> from.get(i) + " " + to.get(i))
                .toList();
        Files.write(list, lines);
        Programs.Result result = gateway().clients().run(List.of("globus-url-copy", "-q", "-f", list.toString()));
        Files.delete(list);
        if (result.status() != 0) {
            cut.incrementAndGet();
        }
        return result.status() == 0;
    }

    private static String server(String url) {
        return url.startsWith("file:") ? "" : url.substring(0, url.indexOf('/', "gsiftp://".length()));
    }

    /** A client that is cut off gives its whole request up, and begins again: the files that had come are put again. */
    private boolean put(List<Integer> batch) throws Exception {
        String answer = calls().ask("srmPrepareToPut", request(batch, "targetSURL"));
        List<String> urls = SrmCalls.all(answer, "transferURL");
        if (urls.size() != batch.size()) {
            // while both servers are not seen to live, there is no way to some of the files
            assertThat(answer).contains("SRM_NOT_SUPPORTED");
            return false;
        }
        List<String> sources = batch.stream()
                .map(i -> "file://" + folder.resolve("from").resolve(name(i)))
                .toList();
        boolean isMoved = move(sources, urls);
        String end = calls().ask(isMoved ? "srmPutDone" : "srmAbortRequest", token(answer));
        assertThat(SrmCalls.codes(end).getFirst()).as(end).isEqualTo("SRM_SUCCESS");
        return isMoved;
    }

    private boolean get(List<Integer> batch) throws Exception {
        String answer = calls().ask("srmPrepareToGet", request(batch, "sourceSURL"));
        List<String> urls = SrmCalls.all(answer, "transferURL");
        if (urls.size() != batch.size()) {
            assertThat(answer).contains("SRM_NOT_SUPPORTED");
            return false;
        }
        List<String> targets = batch.stream()
                .map(i -> "file://" + folder.resolve("back").resolve(name(i)))
                .toList();
        boolean isMoved = move(urls, targets);
        String released = calls().ask("srmReleaseFiles", token(answer));
        assertThat(SrmCalls.codes(released).getFirst()).as(released).isEqualTo("SRM_SUCCESS");
        return isMoved;
    }

    @FunctionalInterface
    private interface Work {
        boolean isDone(List<Integer> batch) throws Exception;
    }

    private boolean isLeftOut(OwnGridFtpServer server) throws IOException {
        String log = gateway().log();
        String about = "The file server " + server.url() + " is ";
        return log.lastIndexOf(about + "left out") > log.lastIndexOf(about + "used again");
    }

    /** Kills the server, and where that has cut off nobody starts it and kills it again while there are files to move; it stays dead. */
    private void killUntilCut(OwnGridFtpServer victim) throws Exception {
        for (int kill = 1; ; kill++) {
            victim.kill();
            await().atMost(PATIENCE).until(() -> isLeftOut(victim));
            if (cut.get() > 0 || kill == MOST_KILLS || ended.get() == FILES) {
                return;
            }
            victim.startAgain();
            await().atMost(PATIENCE).until(() -> !isLeftOut(victim));
            int before = ended.get();
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(Duration.ofMinutes(10))
                    .until(() -> ended.get() > before || ended.get() == FILES);
        }
    }

    /** All batches, by a few clients at once; when a third of the files is done, the server is killed. */
    private void all(Work work, OwnGridFtpServer victim) throws Exception {
        List<List<Integer>> batches = new ArrayList<>();
        for (int i = 0; i < FILES; i += BATCH) {
            batches.add(IntStream.range(i, Math.min(FILES, i + BATCH)).boxed().toList());
        }
        Collections.shuffle(batches, new Random(FILES));
        ended.set(0);
        cut.set(0);
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Void>> running = new ArrayList<>();
            for (List<Integer> batch : batches) {
                running.add(clients.submit(() -> {
                    done(work, batch);
                    ended.addAndGet(batch.size());
                    return null;
                }));
            }
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(Duration.ofMinutes(10))
                    .until(() -> ended.get() >= FILES / 3);
            killUntilCut(victim);
            for (Future<Void> one : running) {
                one.get();
            }
        }
        assertThat(cut).as("clients that were cut off").hasPositiveValue();
    }

    private void done(Work work, List<Integer> batch) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!work.isDone(batch)) {
            assertThat(System.nanoTime())
                    .as("the files from %s on were not moved within %s", batch.getFirst(), PATIENCE)
                    .isLessThan(end);
            Thread.sleep(300); // the dead server is noticed by a probe
        }
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).toList();
        }
    }

    /** Looks again and again: what has its own name is whole. Answers how many times a file was looked at. */
    private static long watch(Path tree, AtomicInteger stop) throws IOException, InterruptedException {
        long looked = 0;
        while (stop.get() == 0) {
            for (String name : names(tree)) {
                if (!name.startsWith(".")) {
                    assertThat(Files.size(tree.resolve(name)))
                            .as(name)
                            .isEqualTo(size(Integer.parseInt(name.substring("file-".length()))));
                    looked++;
                }
            }
            Thread.sleep(20);
        }
        return looked;
    }

    private void requireAll(Path directory) throws IOException {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(names(directory))
                        .as("none is lost, and nothing else is left")
                        .hasSize(FILES));
        for (int i = 0; i < FILES; i++) {
            try {
                assertThat(Files.readAllBytes(directory.resolve(name(i))))
                        .as(name(i))
                        .isEqualTo(content(i));
            } catch (NoSuchFileException e) {
                throw new AssertionError("lost: " + name(i), e);
            }
        }
    }

    @Test
    void noneIsLostAndNoneIsSeenHalfWhenOneServerIsKilled() throws Exception {
        try (GridFtpServers lab = GridFtpServers.need(folder);
                OwnGridFtpServer one = OwnGridFtpServer.start(lab, folder);
                OwnGridFtpServer other = OwnGridFtpServer.start(lab, folder)) {
            Files.createDirectory(folder.resolve("from"));
            Files.createDirectory(folder.resolve("back"));
            for (int i = 0; i < FILES; i++) {
                Files.write(folder.resolve("from").resolve(name(i)), content(i));
            }
            String servers =
                    ", servers: [ \"%2$s=%1$s%2$s\", \"%2$s=%3$s%2$s\" ], serverSelection: round-robin, serverProbeInterval: 1s"
                            .formatted(one.url(), lab.directory(), other.url());
            try (Gateway made = Gateway.startBeside(
                    lab,
                    servers,
                    "fileTrees: [ { name: work, path: \"%s\", writable: true } ]%n".formatted(lab.directory()))) {
                gateway = made;
                AtomicInteger stop = new AtomicInteger();
                try (ExecutorService watcher = Executors.newSingleThreadExecutor()) {
                    Future<Long> watched = watcher.submit(() -> watch(lab.directory(), stop));
                    try {
                        all(this::put, one);
                    } finally {
                        stop.set(1);
                    }
                    assertThat(watched.get()).as("looks at files").isPositive();
                }
                requireAll(lab.directory());
                // a server writes its log a little after it has answered
                await().atMost(PATIENCE).until(() -> one.transfers() > 0 && other.transfers() > 0);

                int before = made.log().length();
                one.startAgain();
                made.awaitLog(before, "The file server " + one.url() + " is used again");
                all(this::get, other);
                requireAll(folder.resolve("back"));
                requireAll(lab.directory());
            }
        }
    }
}
