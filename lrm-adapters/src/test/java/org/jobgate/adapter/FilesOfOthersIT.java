// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.WritableFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files of another account, through a real sudo, with everything hostile in their place: needs root, who may make an account. */
class FilesOfOthersIT {

    private static final ThrowawayAccount OTHER = new ThrowawayAccount("fi");
    private static final String ACCOUNT = OTHER.name();
    private static final Path HOME = OTHER.home();
    private static final Path SECRET = OTHER.secret();

    private final FileWorkers files = OTHER.workers();

    @BeforeAll
    static void makeAccount() throws Exception {
        OTHER.make();
    }

    @AfterAll
    static void removeAccount() throws Exception {
        OTHER.close();
    }

    private static void sh(String script) throws IOException, InterruptedException {
        OTHER.sh(script);
    }

    private FileAnswer below(String... names) throws Exception {
        return files.read(ACCOUNT, new FilePlace.Below(null, List.of(names)), 0, 1000);
    }

    private FileAnswer named(String path) throws Exception {
        return files.read(ACCOUNT, new FilePlace.Named(null, path), 0, 1000);
    }

    private static FileAnswer.Reason refused(FileAnswer answer) {
        assertThat(answer).isInstanceOf(FileAnswer.Refused.class);
        return ((FileAnswer.Refused) answer).reason();
    }

    private static String text(FileAnswer answer) {
        assertThat(answer).isInstanceOf(FileAnswer.Part.class);
        return new String(((FileAnswer.Part) answer).bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void theAccountReadsItsOwnAndNothingMore() throws Exception {
        sh("mkdir -p job/deep; umask 077; echo mine > job/deep/out; ln -sf " + SECRET
                + " job/secret; ln -sfn /tmp job/tmp;" + " ln -sf deep/out job/inner; rm -f job/fifo; mkfifo job/fifo");
        try (files) {
            assertThat(text(below("job", "deep", "out"))).isEqualTo("mine\n");
            assertThat(text(named("job/deep/out"))).isEqualTo("mine\n");
            assertThat(text(named(HOME + "/job/deep/out"))).isEqualTo("mine\n");
            assertThat(refused(below("job", "secret"))).isEqualTo(FileAnswer.Reason.NOT_A_FILE);
            assertThat(refused(below("job", "inner"))).isEqualTo(FileAnswer.Reason.NOT_A_FILE);
            assertThat(refused(below("job", "tmp", SECRET.getFileName().toString())))
                    .isEqualTo(FileAnswer.Reason.NOT_A_FILE);
            assertThat(refused(below("job", "fifo"))).isEqualTo(FileAnswer.Reason.NOT_A_FILE);
            assertThat(refused(named("job/secret"))).isEqualTo(FileAnswer.Reason.NOT_A_FILE);
            assertThat(refused(named(SECRET.toString()))).isEqualTo(FileAnswer.Reason.NOT_PERMITTED);
            assertThat(refused(named("/etc/shadow"))).isEqualTo(FileAnswer.Reason.NOT_PERMITTED);
            assertThat(refused(named("/dev/zero"))).isEqualTo(FileAnswer.Reason.NOT_A_FILE);
            assertThat(refused(named("/root/x"))).isIn(FileAnswer.Reason.NOT_PERMITTED, FileAnswer.Reason.NOT_FOUND);
            assertThat(refused(files.remove(ACCOUNT, new FilePlace.Named(null, SECRET.toString()))))
                    .isEqualTo(FileAnswer.Reason.NOT_PERMITTED);
            assertThat(SECRET).exists();
        }
    }

    private static FilePlace.Below place(String... names) {
        return new FilePlace.Below(null, List.of(names));
    }

    private void put(String text, String... names) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        files.put(ACCOUNT, place(names), "it", new WritableFiles.Piece(0, bytes, false));
        files.finish(ACCOUNT, place(names), "it", bytes.length, false);
    }

    private static void assertRefused(FileAnswer.Reason reason, ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        FileRefusedException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
    }

    @Test
    void whatIsPutBelongsToTheAccountAndHostileNamesLeadNowhere() throws Exception {
        sh("mkdir -p up; chmod 755 . up; ln -sfn /tmp up/tmp; ln -sf " + SECRET
                + " up/secret; mkfifo up/fifo; ln -sfn /root up/root");
        try (files) {
            put("mine", "up", "a", "b", "in");
            Path made = HOME.resolve("up/a/b/in");
            assertThat(Files.getOwner(made).getName()).isEqualTo(ACCOUNT);
            assertThat(Files.getOwner(made.getParent()).getName()).isEqualTo(ACCOUNT);
            assertThat(made).hasContent("mine");
            // links in the place are replaced, links on the way are refused, and what they lead to stays as it was
            put("mine", "up", "secret");
            assertThat(SECRET).hasContent("root's own");
            put("mine", "up", "fifo");
            assertThat(Files.isRegularFile(HOME.resolve("up/fifo"))).isTrue();
            assertRefused(FileAnswer.Reason.NOT_A_FILE, () -> put("x", "up", "tmp", "jobgate-fi-evil"));
            assertRefused(FileAnswer.Reason.NOT_A_FILE, () -> put("x", "up", "root", "evil"));
            assertThat(Path.of("/tmp/jobgate-fi-evil")).doesNotExist();
            assertRefused(FileAnswer.Reason.EXISTS, () -> {
                files.put(ACCOUNT, place("up", "secret"), "it", new WritableFiles.Piece(0, new byte[1], false));
                files.finishNew(ACCOUNT, place("up", "secret"), "it", 1, false);
            });
            files.drop(ACCOUNT, place("up", "secret"), "it");
            // directories of others
            assertRefused(
                    FileAnswer.Reason.NOT_PERMITTED,
                    () -> files.put(
                            ACCOUNT,
                            new FilePlace.Below("/root", List.of("evil")),
                            "it",
                            new WritableFiles.Piece(0, new byte[1], false)));
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> files.browse(ACCOUNT, "/root", List.of(), null));
            assertRefused(FileAnswer.Reason.NOT_A_FILE, () -> files.browse(ACCOUNT, null, List.of("up", "root"), null));
            put("odd", "up", "a\nb %2e%2e");
            assertThat(files.browse(ACCOUNT, null, List.of("up"), null).entries())
                    .extracting(entry -> entry.name() + " " + entry.kind())
                    .containsExactly(
                            "a directory", "a\nb %2e%2e file", "fifo file", "root link", "secret file", "tmp link");
        }
    }

    /** The same for what is written: nothing ever comes to where the link leads. */
    @Test
    void aDirectoryThatBecomesALinkAndBackIsNeverWrittenThrough() throws Exception {
        sh("mkdir -p wrace/real");
        Path race = HOME.resolve("wrace");
        Path elsewhere = Files.createTempDirectory("jobgate-fi-elsewhere-");
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwxrwxrwx"));
        AtomicBoolean goesOn = new AtomicBoolean(true);
        Thread swapper = Thread.ofPlatform().start(() -> SwappedNames.swap(race, elsewhere, goesOn));
        int made = 0;
        try (files) {
            for (int i = 0; i < 1500; i++) {
                try {
                    put("mine", "wrace", "now", "sub" + i % 7, "out");
                    made++;
                } catch (FileRefusedException e) {
                    assertThat(e.reason())
                            .isIn(
                                    FileAnswer.Reason.NOT_A_FILE,
                                    FileAnswer.Reason.NOT_FOUND,
                                    FileAnswer.Reason.EXISTS,
                                    FileAnswer.Reason.FAILED);
                }
            }
        } finally {
            goesOn.set(false);
            swapper.join();
        }
        assertThat(made).isPositive();
        try (var left = Files.list(elsewhere)) {
            assertThat(left).isEmpty();
        }
        Files.delete(elsewhere);
    }

    /** Names change between every two looks: what is read is always the file itself, never what a link leads to. */
    @Test
    void aNameThatBecomesALinkAndBackIsNeverFollowed() throws Exception {
        sh("mkdir -p race/real; echo mine > race/real/out; chmod 755 race race/real; chmod 644 race/real/out");
        Path race = HOME.resolve("race");
        Path elsewhere = Files.createTempDirectory("jobgate-fi-elsewhere-");
        Files.writeString(elsewhere.resolve("out"), "not yours");
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwxr-xr-x"));
        AtomicBoolean goesOn = new AtomicBoolean(true);
        Thread swapper = Thread.ofPlatform().start(() -> SwappedNames.swap(race, elsewhere, goesOn));
        try (files) {
            int mine = 0;
            for (int i = 0; i < 3000; i++) {
                FileAnswer answer = below("race", "now", "out");
                if (answer instanceof FileAnswer.Part) {
                    assertThat(text(answer)).isEqualTo("mine\n");
                    mine++;
                } else {
                    assertThat(refused(answer)).isIn(FileAnswer.Reason.NOT_A_FILE, FileAnswer.Reason.NOT_FOUND);
                }
            }
            assertThat(mine).isPositive();
        } finally {
            goesOn.set(false);
            swapper.join();
            Files.delete(elsewhere.resolve("out"));
            Files.delete(elsewhere);
        }
    }
}
