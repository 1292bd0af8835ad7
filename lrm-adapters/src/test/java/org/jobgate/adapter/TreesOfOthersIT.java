// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jobgate.files.AccountTree;
import org.jobgate.files.ExportedTree;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileChecksum;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.TreeEntry;
import org.jobgate.files.WritableFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Trees that the site exports, as another account through a real sudo: needs root, who may make an account. */
class TreesOfOthersIT {

    private static final ThrowawayAccount OTHER = new ThrowawayAccount("tr");
    private static final Path SCRATCH =
            Path.of("/tmp/jobgate-tr-scratch-" + ProcessHandle.current().pid());

    private final FileWorkers workers = OTHER.workers();
    private final FileTrees trees = new FileTrees(
            List.of(
                    new ExportedTree("home", "${home}", true),
                    new ExportedTree("projects", "${home}/projects", false),
                    new ExportedTree("scratch", SCRATCH + "/${account}", true),
                    new ExportedTree("all", SCRATCH.toString(), true),
                    new ExportedTree("roots", "/root", true)),
            workers);

    @BeforeAll
    static void makeAccount() throws Exception {
        OTHER.make();
        Files.createDirectories(SCRATCH.resolve(OTHER.name()));
        ThrowawayAccount.command("chmod", "755", SCRATCH.toString());
        ThrowawayAccount.command(
                "chown", OTHER.name(), SCRATCH.resolve(OTHER.name()).toString());
        Files.writeString(SCRATCH.resolve("roots-file"), "for all");
    }

    @AfterAll
    static void removeAccount() throws Exception {
        OTHER.close();
        ThrowawayAccount.command("rm", "-rf", SCRATCH.toString());
    }

    private AccountTree tree(String name) {
        return trees.find(name, OTHER.name()).orElseThrow();
    }

    private static void put(AccountTree tree, String text, String... way) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        tree.put(List.of(way), "it", new WritableFiles.Piece(0, bytes, false));
        tree.finish(List.of(way), "it", bytes.length, false);
    }

    private static String read(AccountTree tree, String... way) throws Exception {
        return new String(tree.read(List.of(way), 0, 1000).bytes(), StandardCharsets.UTF_8);
    }

    private static void assertRefused(FileAnswer.Reason reason, ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        FileRefusedException.class,
                        refused -> assertThat(refused.reason())
                                .as(refused.sentence())
                                .isEqualTo(reason));
    }

    @Test
    void theAccountWorksInItsTreesAndOwnsWhatItMakes() throws Exception {
        OTHER.sh("mkdir -p projects/a; echo mine > projects/a/f");
        try (workers) {
            AccountTree scratch = tree("scratch");
            assertThat(scratch.makeDirectory(List.of("run", "1"), true)).isTrue();
            put(scratch, "data", "run", "1", "in");
            TreeEntry entry = scratch.stat(List.of("run", "1", "in"));
            assertThat(entry.owner()).isEqualTo(OTHER.name());
            assertThat(entry.size()).isEqualTo(4);
            assertThat(Files.getOwner(SCRATCH.resolve(OTHER.name()).resolve("run/1/in"))
                            .getName())
                    .isEqualTo(OTHER.name());
            assertThat(scratch.checksum(List.of("run", "1", "in"), FileChecksum.ADLER32, 4))
                    .isEqualTo("0400019b");
            scratch.chmod(List.of("run", "1", "in"), 0600);
            scratch.rename(List.of("run", "1", "in"), List.of("run", "out"), false);
            assertThat(scratch.list(List.of("run"), null, 10).entries())
                    .extracting(TreeEntry::name)
                    .containsExactly("1", "out");
            assertThat(scratch.stat(List.of("run", "out")).mode()).isEqualTo(0600);
            assertThat(scratch.remove(List.of("run"), true)).isTrue();
            assertThat(SCRATCH.resolve(OTHER.name()).resolve("run")).doesNotExist();
            // one for reading
            assertThat(read(tree("projects"), "a", "f")).isEqualTo("mine\n");
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> put(tree("projects"), "x", "a", "f"));
            assertThat(OTHER.home().resolve("projects/a/f")).hasContent("mine\n");
        }
    }

    @Test
    void whatTheAccountMayNotTheTreeDoesNotGive() throws Exception {
        try (workers) {
            AccountTree all = tree("all");
            assertThat(read(all, "roots-file")).isEqualTo("for all");
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> put(all, "x", "new"));
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> all.chmod(List.of("roots-file"), 0777));
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> all.remove(List.of("roots-file"), false));
            assertRefused(
                    FileAnswer.Reason.NOT_PERMITTED,
                    () -> all.rename(List.of("roots-file"), List.of(OTHER.name(), "mine"), true));
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> all.makeDirectory(List.of("d"), false));
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> tree("roots").list(List.of(), null, 10));
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> tree("roots").stat(List.of(".bashrc")));
            assertThat(SCRATCH.resolve("roots-file")).hasContent("for all");
        }
    }

    @Test
    void noLinkLeadsOutOfATreeAndThoseOfOthersLeadNowhere() throws Exception {
        String secret = OTHER.secret().toString();
        OTHER.sh("mkdir -p links/own; echo mine > links/own/f; ln -sfn own links/short; ln -sfn " + secret
                + " links/secret; ln -sfn / links/slash; ln -sfn ../../.. links/up");
        Path lure = OTHER.home().resolve("links/lure");
        Files.createSymbolicLink(lure, Path.of("own"));
        ThrowawayAccount.command("chown", "-h", "nobody", lure.toString());
        try (workers) {
            AccountTree home = tree("home");
            assertThat(read(home, "links", "short", "f")).isEqualTo("mine\n");
            assertThat(home.stat(List.of("links", "lure")).owner()).isEqualTo("nobody");
            for (List<String> way : List.of(
                    List.of("links", "lure", "f"),
                    List.of("links", "secret"),
                    List.of("links", "slash", "etc", "passwd"),
                    List.of("links", "up", "etc", "passwd"))) {
                assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> home.read(way, 0, 1));
            }
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> put(home, "x", "links", "lure", "new"));
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> put(home, "x", "links", "slash", "tmp", "new"));
            assertRefused(FileAnswer.Reason.NOT_A_FILE, () -> put(home, "x", "links", "secret"));
            assertThat(Files.isSymbolicLink(OTHER.home().resolve("links/secret")))
                    .isTrue();
            assertThat(home.remove(List.of("links"), true)).isTrue();
            assertThat(OTHER.secret()).hasContent("root's own");
        }
    }

    /** Root swaps a directory and a link of root's, which would be followed inside of the tree: what lies outside is never read. */
    @Test
    void aDirectoryThatBecomesALinkAndBackIsNeverReadThrough() throws Exception {
        OTHER.sh("mkdir -p race/real; echo mine > race/real/f");
        Path elsewhere = Files.createTempDirectory("jobgate-tr-elsewhere-");
        Files.writeString(elsewhere.resolve("f"), "not yours");
        ThrowawayAccount.command("chmod", "-R", "a+rwX", elsewhere.toString());
        AtomicBoolean goesOn = new AtomicBoolean(true);
        Path race = OTHER.home().resolve("race");
        Thread swapper = Thread.ofPlatform().start(() -> SwappedNames.swap(race, elsewhere, goesOn));
        int mine = 0;
        try (workers) {
            AccountTree home = tree("home");
            for (int i = 0; i < 2000; i++) {
                try {
                    assertThat(read(home, "race", "now", "f")).isEqualTo("mine\n");
                    mine++;
                    put(home, "mine", "race", "now", "g");
                    boolean unused = home.remove(List.of("race", "now", "g"), false);
                } catch (FileRefusedException e) {
                    assertThat(e.reason()).isNotEqualTo(FileAnswer.Reason.NO_SPACE);
                }
            }
        } finally {
            goesOn.set(false);
            swapper.join();
        }
        assertThat(mine).isPositive();
        try (var left = Files.list(elsewhere)) {
            assertThat(left).containsExactly(elsewhere.resolve("f"));
        }
        assertThat(Files.exists(elsewhere.resolve("f"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
        ThrowawayAccount.command("rm", "-r", elsewhere.toString());
    }
}
