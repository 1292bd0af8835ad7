// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileNames;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jobgate.files.WritableFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of our own account, through a real worker. What the account itself does with odd files is tested in files.t. */
class FileWorkersTest {

    private static final String ACCOUNT = System.getProperty("user.name");

    @TempDir
    Path directory;

    private static FileWorkers workers(Path perl, Duration answerTimeout, Duration idleEnd) {
        FileSettings settings = new FileSettings(
                LrmRoom.PERL, perl, Path.of("/usr/bin/sudo"), Set.of("daemon"), answerTimeout, idleEnd);
        return FileWorkers.create(settings, new LeftWorkers(), Clock.systemUTC(), new SecureRandom());
    }

    private static FileWorkers workers() {
        return workers(Path.of("/usr/bin/perl"), Duration.ofMinutes(1), Duration.ofMinutes(1));
    }

    private FilePlace named(String name) {
        return new FilePlace.Named(directory.toString(), name);
    }

    private static FileAnswer.Part part(FileAnswer answer) {
        assertThat(answer).isInstanceOf(FileAnswer.Part.class);
        return (FileAnswer.Part) answer;
    }

    @Test
    void everyByteArrives() throws Exception {
        byte[] content = new byte[AccountFiles.MAX_LENGTH + 1000];
        new Random(3).nextBytes(content);
        Files.write(directory.resolve("ö \n;$(x)"), content);
        try (FileWorkers files = workers()) {
            FileAnswer.Part first = part(files.read(ACCOUNT, named("ö \n;$(x)"), 0, AccountFiles.MAX_LENGTH));
            FilePlace below = new FilePlace.Below(directory.toString(), List.of("ö \n;$(x)"));
            FileAnswer.Part rest = part(files.read(ACCOUNT, below, AccountFiles.MAX_LENGTH, AccountFiles.MAX_LENGTH));
            assertThat(first.size()).isEqualTo(content.length).isEqualTo(rest.size());
            assertThat(first.file()).isEqualTo(rest.file());
            assertThat(first.bytes()).isEqualTo(java.util.Arrays.copyOf(content, AccountFiles.MAX_LENGTH));
            assertThat(rest.bytes()).hasSize(1000).endsWith(content[content.length - 1]);
        }
    }

    /** The shell says what really lies there: Java itself has no word for such a name, whatever its locale. */
    @Test
    void namesThatAreNotUtf8AreBytesOnTheDisk() throws Exception {
        String name = FileNames.decoded("caf%E9 %C3%A4%0A");
        String made = FileNames.decoded(directory + "/d%FF");
        byte[] content = {1, 2, 3};
        try (FileWorkers files = workers()) {
            files.makeDirectory(ACCOUNT, made);
            FilePlace place = new FilePlace.Named(null, made + "/" + name);
            files.put(ACCOUNT, place, "t-1", new WritableFiles.Piece(0, content, true));
            files.finish(ACCOUNT, place, "t-1", 3, false);
            assertThat(shell("test -f \"$1/$(printf 'd\\377')/$(printf 'caf\\351 \\303\\244\\n.')\""))
                    .isNotZero();
            assertThat(
                            shell(
                                    "cd \"$1/$(printf 'd\\377')\" && n=$(printf 'caf\\351 \\303\\244\\n.') && test -f \"${n%.}\""))
                    .isZero();
            assertThat(files.list(ACCOUNT, made, null)).containsExactly(new WritableFiles.Listed(name, "file", 3));
            assertThat(files.list(ACCOUNT, made, name)).isEmpty();
            List<String> way = List.of(FileNames.decoded("d%FF"));
            assertThat(files.browse(ACCOUNT, directory.toString(), way, null).entries())
                    .extracting(JobDirectories.Entry::name)
                    .containsExactly(name);
            FilePlace below = new FilePlace.Below(directory.toString(), List.of(way.getFirst(), name));
            assertThat(part(files.read(ACCOUNT, below, 0, 10)).bytes()).isEqualTo(content);
            assertThat(files.delete(ACCOUNT, new FilePlace.Named(null, made))).isTrue();
            assertThat(shell("test -e \"$1/$(printf 'd\\377')\"")).isNotZero();
        }
    }

    private int shell(String line) throws Exception {
        return new ProcessBuilder("/bin/sh", "-c", line, "sh", directory.toString())
                .inheritIO()
                .start()
                .waitFor();
    }

    @Test
    void whatIsNotThereIsToldAndWhatIsThereIsRemoved() throws Exception {
        Files.writeString(directory.resolve("old"), "x");
        try (FileWorkers files = workers()) {
            assertThat(files.remove(ACCOUNT, named("old"))).isEqualTo(new FileAnswer.Removed());
            assertThat(directory.resolve("old")).doesNotExist();
            assertThat(files.remove(ACCOUNT, named("old"))).isEqualTo(new FileAnswer.Removed());
            assertThat(files.read(ACCOUNT, named("old"), 0, 1))
                    .isInstanceOfSatisfying(
                            FileAnswer.Refused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(FileAnswer.Reason.NOT_FOUND));
        }
    }

    @Test
    void aFileIsWrittenPieceByPieceAndHasItsNameWhenItIsWhole() throws Exception {
        byte[] content = new byte[AccountFiles.MAX_LENGTH + 1000];
        new Random(4).nextBytes(content);
        byte[] first = java.util.Arrays.copyOf(content, AccountFiles.MAX_LENGTH);
        byte[] rest = java.util.Arrays.copyOfRange(content, AccountFiles.MAX_LENGTH, content.length);
        try (FileWorkers files = workers()) {
            files.makeDirectory(ACCOUNT, directory.resolve("a/b").toString());
            Files.writeString(directory.resolve("a/file"), "x");
            assertThat(files.makeDirectories(
                            ACCOUNT,
                            directory.resolve("a").toString(),
                            List.of("one", "file", FileNames.decoded("d%FF"))))
                    .containsOnlyKeys("file");
            assertThat(directory.resolve("a/one")).isDirectory();
            FilePlace place = named("a/b/ö \n;$(x)");
            files.put(ACCOUNT, place, "t-1", new WritableFiles.Piece(0, first, false));
            files.put(ACCOUNT, place, "t-1", new WritableFiles.Piece(first.length, rest, true));
            files.put(ACCOUNT, place, "t-1", new WritableFiles.Piece(first.length, rest, true)); // told twice
            assertThat(files.kept(ACCOUNT, place, "t-1")).isEqualTo(content.length);
            assertThat(directory.resolve("a/b/ö \n;$(x)")).doesNotExist();
            files.finish(ACCOUNT, place, "t-1", content.length, true);
            files.finish(ACCOUNT, place, "t-1", content.length, true);
            assertThat(Files.readAllBytes(directory.resolve("a/b/ö \n;$(x)"))).isEqualTo(content);
            assertThat(directory.resolve("a/b/ö \n;$(x)")).isExecutable();
            assertThat(files.list(ACCOUNT, directory.toString(), null))
                    .containsExactly(new WritableFiles.Listed("a", "directory", Files.size(directory.resolve("a"))));
            assertThatThrownBy(() ->
                            files.put(ACCOUNT, named("a/missing/x"), "t-2", new WritableFiles.Piece(0, rest, false)))
                    .isInstanceOfSatisfying(
                            FileRefusedException.class,
                            refused -> assertThat(refused.reason()).isEqualTo(FileAnswer.Reason.NOT_FOUND));
            assertThat(files.delete(ACCOUNT, named("a"))).isTrue();
            assertThat(files.delete(ACCOUNT, named("a"))).isFalse();
            assertThat(directory.resolve("a")).doesNotExist();
        }
    }

    @Test
    void manyReadAtOnceFromOneWorker() throws Exception {
        Files.writeString(directory.resolve("out"), "content");
        try (FileWorkers files = workers()) {
            List<CompletableFuture<String>> readers = java.util.stream.IntStream.range(0, 200)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                        try {
                            byte[] bytes = part(files.read(ACCOUNT, named("out"), i % 7, 100))
                                    .bytes();
                            return new String(bytes, StandardCharsets.UTF_8);
                        } catch (FilesUnavailableException e) {
                            throw new IllegalStateException(e);
                        }
                    }))
                    .toList();
            for (int i = 0; i < readers.size(); i++) {
                assertThat(readers.get(i).get()).isEqualTo("content".substring(i % 7));
            }
            assertThat(ownWorkers()).hasSize(1);
        }
    }

    @Test
    void aWorkerThatDiesIsReplacedAndOneThatIdlesIsEnded() throws Exception {
        Files.writeString(directory.resolve("out"), "content");
        try (FileWorkers files = workers(Path.of("/usr/bin/perl"), Duration.ofMinutes(1), Duration.ofSeconds(1))) {
            part(files.read(ACCOUNT, named("out"), 0, 1));
            ownWorkers().forEach(ProcessHandle::destroyForcibly);
            await().atMost(Duration.ofMinutes(1))
                    .pollDelay(Duration.ofMillis(300))
                    .ignoreExceptions()
                    .until(() -> part(files.read(ACCOUNT, named("out"), 0, 1)).size() == 7);
            await().atMost(Duration.ofMinutes(1)).until(() -> ownWorkers().isEmpty());
            assertThat(part(files.read(ACCOUNT, named("out"), 0, 1)).size()).isEqualTo(7);
        }
    }

    @Test
    void whyThereIsNoAnswerIsSaid() {
        try (FileWorkers files = workers(Path.of("/bin/false"), Duration.ofMinutes(1), Duration.ofMinutes(1))) {
            assertThatThrownBy(() -> files.read(ACCOUNT, named("out"), 0, 1))
                    .isInstanceOf(FilesUnavailableException.class)
                    .hasMessageContaining("exit code 1");
        }
        try (FileWorkers files = workers(Path.of("/usr/bin/yes"), Duration.ofSeconds(1), Duration.ofMinutes(1))) {
            assertThatThrownBy(() -> files.read(ACCOUNT, named("out"), 0, 1))
                    .isInstanceOf(FilesUnavailableException.class)
                    .hasMessageContaining("did not answer within 1 s");
        }
    }

    @Test
    void deniedAccountsAndWhatIsNoAccountAreNeverReached() {
        try (FileWorkers files = workers()) {
            for (String account : List.of("daemon", "-u root", "root;", "", "../x")) {
                assertThatThrownBy(() -> files.read(account, named("out"), 0, 1))
                        .isInstanceOf(FilesUnavailableException.class)
                        .hasMessageContaining("nothing may be done");
            }
            assertThat(ownWorkers()).isEmpty();
        }
    }

    @Test
    void placesThatLeadElsewhereCannotBeMade() {
        for (List<String> names : List.of(
                List.<String>of(), List.of(".."), List.of("a", "."), List.of("a/b"), List.of(""), List.of("a\0b"))) {
            assertThatThrownBy(() -> new FilePlace.Below(null, names)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new FilePlace.Below(null, java.util.Collections.nCopies(65, "d")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FilePlace.Named(null, "")).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<ProcessHandle> ownWorkers() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> LrmRoom.commandLine(process.pid()).contains("jobgate-worker"))
                .toList();
    }
}
