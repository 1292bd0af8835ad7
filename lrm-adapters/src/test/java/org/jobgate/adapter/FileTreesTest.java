// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.AccountTree;
import org.jobgate.files.ExportedTree;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileChecksum;
import org.jobgate.files.FileNames;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.TreeEntry;
import org.jobgate.files.TreeRules;
import org.jobgate.files.WritableFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees as our own account, through a real worker. What the account does with hostile trees is tested in tree.t. */
class FileTreesTest {

    private static final String ACCOUNT = System.getProperty("user.name");

    private final FileWorkers workers = FileWorkers.create(
            new FileSettings(
                    LrmRoom.PERL,
                    Path.of("/usr/bin/perl"),
                    Path.of("/usr/bin/sudo"),
                    Set.of("daemon"),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(1)),
            new LeftWorkers(),
            Clock.systemUTC(),
            new SecureRandom());

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        workers.close();
    }

    private AccountTree tree(boolean isWritable) {
        ExportedTree tree = new ExportedTree("data", directory.toString(), isWritable);
        return new FileTrees(List.of(tree), workers).find("data", ACCOUNT).orElseThrow();
    }

    private static void put(AccountTree tree, byte[] bytes, boolean onlyNew, String... way) throws Exception {
        tree.put(List.of(way), "p-1", new WritableFiles.Piece(0, bytes, false));
        tree.finish(List.of(way), "p-1", bytes.length, onlyNew);
    }

    private static void assertRefused(FileAnswer.Reason reason, ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        FileRefusedException.class,
                        refused -> assertThat(refused.reason())
                                .as(refused.sentence())
                                .isEqualTo(reason));
    }

    /** To ask the account costs at most twice what it costs to look at the same directory in this process, as Java does it. */
    @Test
    void aListingThroughTheWorkerIsNotMuchSlowerThanOneHere() throws Exception {
        for (int i = 0; i < AccountTree.MAX_LISTED; i++) {
            Files.writeString(directory.resolve("file-%05d.dat".formatted(i)), "x");
        }
        AccountTree tree = tree(false);
        AccountTree.View view = tree.view(List.of(), AccountTree.MAX_LISTED);
        AccountTree.Page inside = requireNonNull(view.inside());
        assertThat(inside.entries()).hasSize(AccountTree.MAX_LISTED).isEqualTo(listedHere());
        assertThat(inside.isMore()).isFalse();
        long worker = Long.MAX_VALUE;
        long here = Long.MAX_VALUE;
        for (int i = 0; i < 25; i++) {
            long start = System.nanoTime();
            tree.view(List.of(), AccountTree.MAX_LISTED);
            long between = System.nanoTime();
            listedHere();
            worker = Math.min(worker, between - start);
            here = Math.min(here, System.nanoTime() - between);
        }
        System.out.printf("a listing of 1000 files: %d us by the worker, %d us here%n", worker / 1000, here / 1000);
        assertThat(worker).isLessThan(2 * here);
    }

    private List<TreeEntry> listedHere() throws Exception {
        List<TreeEntry> entries = new ArrayList<>();
        try (Stream<Path> names = Files.list(directory)) {
            for (Path path : names.sorted().toList()) {
                PosixFileAttributes seen =
                        Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                entries.add(new TreeEntry(
                        path.getFileName().toString(),
                        TreeEntry.Kind.FILE,
                        seen.size(),
                        seen.lastModifiedTime().toInstant().getEpochSecond(),
                        mode(seen.permissions()),
                        seen.owner().getName(),
                        seen.group().getName(),
                        null));
            }
        }
        return entries;
    }

    private static int mode(Set<PosixFilePermission> permissions) {
        String letters = PosixFilePermissions.toString(permissions);
        int mode = 0;
        for (int i = 0; i < letters.length(); i++) {
            mode = 2 * mode + (letters.charAt(i) == '-' ? 0 : 1);
        }
        return mode;
    }

    @Test
    void aTreeIsFoundByItsNameAndKnowsTheDirectoryOfEachAccount() {
        ExportedTree home = new ExportedTree("home", "${home}", true);
        ExportedTree work = new ExportedTree("work", "/work/${account}/${account}-x", false);
        FileTrees trees = new FileTrees(List.of(home, work), workers);
        assertThat(trees.all()).containsExactly(home, work);
        assertThat(trees.find("work", "ann").orElseThrow().tree()).isSameAs(work);
        assertThat(trees.find("other", "ann")).isEmpty();
        assertThat(home.directory("ann")).isEqualTo(".");
        assertThat(new ExportedTree("h", "${home}//a/${account}", true).directory("ann"))
                .isEqualTo("a/ann");
        assertThat(work.directory("ann")).isEqualTo("/work/ann/ann-x");
        assertThatThrownBy(() -> new FileTrees(List.of(home, home), workers))
                .isInstanceOf(IllegalArgumentException.class);
        for (String path : List.of("", "relative", "/a/../b", "/a/${HOME}", "/a/${home}", "${home}x", "~/x", "/a\0b")) {
            assertThatThrownBy(() -> new ExportedTree("t", path, true))
                    .as(path)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (String name : List.of("", ".", "..", "a/b", "-a", "a b", "a".repeat(65))) {
            assertThatThrownBy(() -> new ExportedTree(name, "/a", true))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Members of a VO are known by the accounts that they are mapped to. */
    @Test
    void aTreeIsThereForSomeAccountsAndWritableForSomeOfThem() throws Exception {
        List<String> readers = List.of("atlas*", "ops", ACCOUNT);
        FileTrees trees = new FileTrees(
                List.of(
                        new ExportedTree(
                                "vo", directory.toString(), true, readers, List.of("atlasprd", "ops*"), TreeRules.NONE),
                        new ExportedTree("all", directory.toString(), true)),
                workers);
        for (String account : List.of("atlasprd", "ops")) {
            assertThat(trees.find("vo", account).orElseThrow().tree().isWritable())
                    .as(account)
                    .isTrue();
        }
        assertThat(trees.find("vo", "atlas001").orElseThrow().tree().isWritable())
                .isFalse();
        for (String account : List.of("cms001", "ops1", "atla", "Atlas001")) {
            assertThat(trees.find("vo", account)).as(account).isEmpty();
            assertThat(trees.of(account)).extracting(ExportedTree::name).containsExactly("all");
        }
        assertThat(trees.of("atlas001")).extracting(ExportedTree::isWritable).containsExactly(false, true);
        AccountTree read = trees.find("vo", ACCOUNT).orElseThrow();
        assertThat(read.list(List.of(), null, 10).entries()).isEmpty();
        assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> read.makeDirectory(List.of("d"), false));
        for (String bad : List.of("", "*", "a b", "a*b", "a/b")) {
            assertThatThrownBy(() -> new ExportedTree("t", "/a", true, List.of(bad), List.of(), TreeRules.NONE))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static final String NAME = "private \u00f6";

    /** What leads there all the same, and does not, is tested in treerules.t. */
    @Test
    void pathsInATreeAreBlockedOrForReadingOnly() throws Exception {
        Files.createDirectories(directory.resolve(ACCOUNT + "/.ssh"));
        Files.writeString(
                Files.createDirectories(directory.resolve("a/" + NAME)).resolve("f"), "secret");
        Files.writeString(Files.createDirectories(directory.resolve("old")).resolve("f"), "old");
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("a/" + NAME));
        TreeRules rules = new TreeRules(List.of("a/" + NAME, "${account}/.ssh"), List.of("old"));
        ExportedTree exported = new ExportedTree("data", directory.toString(), true, List.of(), List.of(), rules);
        AccountTree tree =
                new FileTrees(List.of(exported), workers).find("data", ACCOUNT).orElseThrow();

        assertThat(tree.list(List.of(), null, 10).entries())
                .extracting(TreeEntry::name)
                .containsExactlyInAnyOrder("a", "link", "old", ACCOUNT);
        assertThat(tree.view(List.of("a"), 10).inside()).isEqualTo(new AccountTree.Page(List.of(), false));
        for (List<String> way : List.of(List.of("a", NAME, "f"), List.of("link", "f"), List.of(ACCOUNT, ".ssh", "k"))) {
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> tree.read(way, 0, 10));
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> tree.stat(way));
            assertRefused(
                    FileAnswer.Reason.NOT_PERMITTED, () -> put(tree, new byte[1], false, way.toArray(String[]::new)));
            assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> tree.remove(way, true));
        }
        assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> tree.rename(List.of("a"), List.of("b"), false));
        assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> tree.remove(List.of("a"), true));
        assertThat(tree.read(List.of("old", "f"), 0, 10).bytes()).asString().isEqualTo("old");
        assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> tree.kept(List.of("old", "f"), "p-1"));
        assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> put(tree, new byte[1], false, "old", "f"));
        assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> tree.remove(List.of("old"), true));
        put(tree, new byte[1], true, "new");
    }

    @Test
    void aRuleNamesAPathBelowTheTop() {
        List<String> all = Collections.nCopies(TreeRules.MAX_PATHS, "a");
        assertThat(new TreeRules(all, all).blocked()).hasSize(TreeRules.MAX_PATHS);
        String deep = String.join("/", Collections.nCopies(FilePlace.MAX_NAMES + 1, "a"));
        for (String bad :
                List.of("", "/", "/a", "a/", "a//b", ".", "a/..", "../a", "a/./b", "${home}/a", "a\0b", deep)) {
            for (Boolean isBlocked : List.of(true, false)) {
                List<String> paths = List.of("good", bad);
                assertThatThrownBy(() -> new TreeRules(isBlocked ? paths : List.of(), isBlocked ? List.of() : paths))
                        .as(bad)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("no path below the top of a tree");
            }
        }
        assertThatThrownBy(() -> new TreeRules(Collections.nCopies(TreeRules.MAX_PATHS + 1, "a"), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 64");
    }

    @Test
    void filesAreMadeToldReadRenamedAndRemoved() throws Exception {
        AccountTree tree = tree(true);
        byte[] content = new byte[AccountFiles.MAX_LENGTH + 1000];
        new Random(3).nextBytes(content);
        assertThat(tree.makeDirectory(List.of("a", "b"), true)).isTrue();
        assertThat(tree.makeDirectory(List.of("a", "b"), false)).isFalse();
        List<String> way = List.of("a", "b", "ö \n;$(x)");
        tree.put(
                way,
                "p-1",
                new WritableFiles.Piece(0, java.util.Arrays.copyOf(content, AccountFiles.MAX_LENGTH), false));
        assertThat(tree.kept(way, "p-1")).isEqualTo(AccountFiles.MAX_LENGTH);
        byte[] rest = java.util.Arrays.copyOfRange(content, AccountFiles.MAX_LENGTH, content.length);
        tree.put(way, "p-1", new WritableFiles.Piece(AccountFiles.MAX_LENGTH, rest, true));
        tree.finish(way, "p-1", content.length, true);
        TreeEntry entry = tree.stat(way);
        assertThat(entry.kind()).isEqualTo(TreeEntry.Kind.FILE);
        assertThat(entry.size()).isEqualTo(content.length);
        assertThat(entry.owner()).isEqualTo(ACCOUNT);
        assertThat(entry.name()).isEqualTo("ö \n;$(x)");
        assertThat(tree.read(way, AccountFiles.MAX_LENGTH, 2000).bytes()).isEqualTo(rest);
        assertThat(tree.checksum(way, FileChecksum.SHA256, content.length))
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(content)));
        assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> tree.checksum(way, FileChecksum.MD5, content.length - 1));
        tree.chmod(way, 0604);
        assertThat(tree.stat(way).mode()).isEqualTo(0604);
        tree.rename(way, List.of("moved"), false);
        assertThat(directory.resolve("moved")).hasBinaryContent(content);
        assertRefused(FileAnswer.Reason.NOT_FOUND, () -> tree.rename(way, List.of("moved"), true));
        put(tree, new byte[0], false, "empty");
        assertThat(tree.checksum(List.of("empty"), FileChecksum.CRC32, 0)).isEqualTo("00000000");
        assertRefused(FileAnswer.Reason.EXISTS, () -> tree.rename(List.of("empty"), List.of("moved"), false));
        assertRefused(FileAnswer.Reason.NOT_EMPTY, () -> tree.remove(List.of("a"), false));
        assertThat(tree.remove(List.of("a"), true)).isTrue();
        assertThat(tree.remove(List.of("a"), true)).isFalse();
        assertThat(tree.stat(List.of()).kind()).isEqualTo(TreeEntry.Kind.DIRECTORY);
        assertRefused(FileAnswer.Reason.NOT_PERMITTED, () -> tree.remove(List.of(), true));
        assertThatThrownBy(() -> tree.stat(List.of(".."))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tree.chmod(way, 04755)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aListingHasPages() throws Exception {
        AccountTree tree = tree(true);
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 1100; i++) {
            made.add(String.format(java.util.Locale.ROOT, "f%04d", i));
            Files.createFile(directory.resolve(made.getLast()));
        }
        Files.createSymbolicLink(directory.resolve("link"), Path.of("a\nb"));
        AccountTree.Page first = tree.list(List.of(), null, AccountTree.MAX_LISTED);
        assertThat(first.isMore()).isTrue();
        AccountTree.Page second = tree.list(List.of(), first.entries().getLast().name(), AccountTree.MAX_LISTED);
        assertThat(second.isMore()).isFalse();
        assertThat(Stream.concat(first.entries().stream(), second.entries().stream())
                        .map(TreeEntry::name))
                .containsExactlyElementsOf(
                        Stream.concat(made.stream(), Stream.of("link")).toList());
        assertThat(second.entries().getLast().target()).isEqualTo("a\nb");
        assertThat(tree.list(List.of(), null, 1).entries()).hasSize(1);
        assertRefused(FileAnswer.Reason.NOT_A_DIRECTORY, () -> tree.list(List.of("f0000"), null, 1));
        assertThatThrownBy(() -> tree.list(List.of(), null, 1001)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesThatAreNotUtf8KeepTheirBytes() throws Exception {
        AccountTree tree = tree(true);
        String name = FileNames.decoded("caf%E9%0A");
        put(tree, new byte[] {7}, true, name);
        assertThat(tree.list(List.of(), null, 10).entries())
                .extracting(TreeEntry::name)
                .containsExactly(name);
        tree.rename(List.of(name), List.of(FileNames.decoded("%FF")), false);
        assertThat(tree.read(List.of(FileNames.decoded("%FF")), 0, 10).bytes()).containsExactly(7);
        assertThat(tree.remove(List.of(FileNames.decoded("%FF")), false)).isTrue();
    }

    @Test
    void aTreeForReadingIsNotWritten() throws Exception {
        Files.writeString(directory.resolve("f"), "text");
        AccountTree tree = tree(false);
        List<String> way = List.of("f");
        assertThat(tree.read(way, 0, 10).bytes()).isEqualTo("text".getBytes(StandardCharsets.UTF_8));
        assertThat(tree.list(List.of(), null, 10).entries()).hasSize(1);
        List<ThrowingCallable> changes = List.of(
                () -> tree.makeDirectory(List.of("d"), true),
                () -> tree.rename(way, List.of("g"), true),
                () -> tree.remove(way, false),
                () -> tree.remove(way, true),
                () -> tree.chmod(way, 0),
                () -> tree.kept(way, "p"),
                () -> tree.put(way, "p", new WritableFiles.Piece(0, new byte[1], false)),
                () -> tree.finish(way, "p", 0, false),
                () -> tree.finish(way, "p", 0, true),
                () -> tree.drop(way, "p"));
        changes.forEach(change -> assertRefused(FileAnswer.Reason.NOT_PERMITTED, change));
        assertThat(directory.resolve("f")).hasContent("text");
        assertThat(directory).isDirectoryNotContaining("glob:**/.jobgate*");
    }

    /** A checksum of something between two files helps nobody. */
    @Test
    void aFileThatGrowsWhileItIsReadHasNoChecksum() throws Exception {
        Files.write(directory.resolve("f"), new byte[8 * AccountFiles.MAX_LENGTH]);
        CompletableFuture<Void> growing = new CompletableFuture<>();
        Thread writer = Thread.ofPlatform().start(() -> {
            try {
                while (!growing.isDone()) {
                    Files.write(directory.resolve("f"), new byte[1], java.nio.file.StandardOpenOption.APPEND);
                }
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        assertRefused(
                FileAnswer.Reason.FAILED, () -> tree(true).checksum(List.of("f"), FileChecksum.MD5, Long.MAX_VALUE));
        growing.complete(null);
        writer.join();
    }

    /** Whether it happened is not known when the worker dies: to do it again could do something else. */
    @Test
    void aRenameIsNotRepeated() throws Exception {
        Files.writeString(directory.resolve("f"), "text");
        AccountTree tree = tree(true);
        TreeEntry unused = tree.stat(List.of("f"));
        ProcessHandle worker = ProcessHandle.current()
                .descendants()
                .filter(process -> LrmRoom.commandLine(process.pid()).contains("jobgate-worker"))
                .findFirst()
                .orElseThrow();
        assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(worker.pid()))
                        .start()
                        .waitFor())
                .isZero();
        FutureTask<Void> renamed = new FutureTask<>(() -> {
            tree.rename(List.of("f"), List.of("g"), false);
            return null;
        });
        Thread asks = Thread.ofPlatform().start(renamed);
        await().atMost(Duration.ofMinutes(1))
                .until(() ->
                        Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING).contains(asks.getState()));
        Thread.sleep(500); // what it asks is with the worker then
        worker.destroyForcibly();
        assertThatThrownBy(renamed::get).hasStackTraceContaining(FilesUnavailableException.class.getName());
        assertThat(directory.resolve("f")).exists();
    }
}
