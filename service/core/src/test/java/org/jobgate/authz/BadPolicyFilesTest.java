// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jobgate.identity.Identity;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every file that decides, with every bad content: what it said before holds or the file admits nobody, it is said, and a good file mends it. */
class BadPolicyFilesTest {

    private static final Duration INTERVAL = Duration.ofSeconds(2);

    @TempDir
    Path folder;

    private final AtomicLong nanos = new AtomicLong();

    /** Puts something bad in the place of the file. */
    interface Spoiler {
        void spoil(Path file) throws Exception;
    }

    record Bad(String name, Spoiler spoiler) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Bad bytes(String name, byte[] bytes) {
        return new Bad(name, file -> Files.write(file, bytes));
    }

    static List<Bad> bad() {
        byte[] random = new byte[100_000];
        new Random(7).nextBytes(random);
        return List.of(
                bytes("garbage", "\"no end of the quote\n!!! ===\n".getBytes(StandardCharsets.UTF_8)),
                bytes("random bytes", random),
                bytes("one line without end", "x".repeat(5_000_000).getBytes(StandardCharsets.UTF_8)),
                bytes("blank lines without end", "\n".repeat(3_000_000).getBytes(StandardCharsets.UTF_8)),
                bytes("half a character", new byte[] {'/', 'C', 'N', '=', (byte) 0xC3, '\n'}),
                new Bad("larger than anything that is read", file -> {
                    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
                        channel.position(WatchedFile.MAX_BYTES).write(java.nio.ByteBuffer.wrap(new byte[] {'\n'}));
                    }
                }),
                new Bad("gone", Files::delete),
                new Bad("a directory", file -> {
                    Files.delete(file);
                    Files.createDirectory(file);
                }),
                new Bad("a link to nowhere", file -> {
                    Files.delete(file);
                    Files.createSymbolicLink(file, Path.of("/nowhere/at/all"));
                }),
                new Bad("a link to itself", file -> {
                    Files.delete(file);
                    Files.createSymbolicLink(file, file);
                }),
                new Bad("a pipe that nobody writes into", file -> {
                    Files.delete(file);
                    assertThat(new ProcessBuilder("mkfifo", file.toString())
                                    .start()
                                    .waitFor())
                            .isZero();
                }),
                new Bad("a device that never ends", file -> {
                    Files.delete(file);
                    Files.createSymbolicLink(file, Path.of("/dev/zero"));
                }));
    }

    private WatchedFile.Watch watch() {
        return new WatchedFile.Watch(INTERVAL, nanos::get, Runnable::run);
    }

    private void later() {
        nanos.addAndGet(INTERVAL.toNanos());
    }

    private static AuthzRequest of(String subject, String... fqans) {
        return AuthzRequest.of(new Identity(subject, "tls", false, List.of(fqans), List.of()), Action.SUBMIT);
    }

    private Path file(String line) throws IOException {
        return Files.writeString(folder.resolve("file"), line + "\n");
    }

    private static void remove(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    @Timeout(300)
    void noBadBanListLiftsABan(Bad bad) throws Exception {
        Path file = file("/CN=Eve");
        BanList bans = new BanList(file, watch());
        assertThat(bans.judge(of("/CN=Eve")).word()).isEqualTo("deny");

        bad.spoiler().spoil(file);
        for (int i = 0; i < 3; i++) {
            later();
            assertThat(bans.judge(of("/CN=Eve")).word()).isEqualTo("deny");
            assertThat(bans.trouble()).get().asString().contains(file.toString(), "What it said before holds.");
        }

        remove(file);
        file("/CN=Mallory");
        later();
        assertThat(bans.judge(of("/CN=Mallory")).word()).isEqualTo("deny");
        assertThat(bans.judge(of("/CN=Eve")).word()).isEqualTo("abstain");
        assertThat(bans.trouble()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    @Timeout(300)
    void aBanListThatIsBadFromTheBeginningAdmitsNobody(Bad bad) throws Exception {
        Path file = file("/CN=Eve");
        bad.spoiler().spoil(file);
        BanList bans = new BanList(file, watch());
        assertThat(bans.judge(of("/CN=Alice")).word()).isEqualTo("indeterminate");
        assertThat(bans.trouble()).get().asString().contains("Nothing is decided by it.");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    @Timeout(300)
    void noBadFqanMapMapsAnybodyElse(Bad bad) throws Exception {
        Path file = file("/atlas atlas");
        FqanMap map = new FqanMap(file, Set.of(), null, watch());
        bad.spoiler().spoil(file);
        later();
        assertThat(map.judge(of("/CN=a", "/atlas")))
                .isInstanceOfSatisfying(
                        PointDecision.Permit.class,
                        permit -> assertThat(permit.accounts()).containsExactly("atlas"));
        assertThat(map.trouble()).get().asString().contains(file.toString());
        remove(file);
        file("/cms cms");
        later();
        assertThat(map.judge(of("/CN=a", "/cms")).word()).isEqualTo("permit");
        assertThat(map.trouble()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    @Timeout(300)
    void noBadAttributeFileTakesAttributesAway(Bad bad) throws Exception {
        Path file = file("/CN=Eve status=suspect");
        AttributeFile people = new AttributeFile(file, watch());
        bad.spoiler().spoil(file);
        later();
        assertThat(people.attributes(of("/CN=Eve"))).isEqualTo(Map.of("status", List.of("suspect")));
        assertThat(people.trouble()).get().asString().contains(file.toString());
        remove(file);
        file("/CN=Eve status=good");
        later();
        assertThat(people.attributes(of("/CN=Eve"))).isEqualTo(Map.of("status", List.of("good")));
        assertThat(people.trouble()).isEmpty();
    }

    static Stream<Bad> unreadable() {
        return bad().stream().filter(bad -> !LINES.contains(bad.name()));
    }

    /** What a grid-mapfile takes for lines, each of them broken. */
    private static final Set<String> LINES =
            Set.of("garbage", "random bytes", "one line without end", "half a character");

    @ParameterizedTest(name = "{0}")
    @MethodSource("unreadable")
    @Timeout(300)
    void aGridMapfileThatCannotBeReadChangesNothing(Bad bad) throws Exception {
        Path file = file("/CN=Alice alice");
        GridMapfile map = new GridMapfile(file, Set.of(), watch());
        bad.spoiler().spoil(file);
        later();
        assertThat(map.judge(of("/CN=Alice")).word()).isEqualTo("permit");
        assertThat(map.trouble()).get().asString().contains(file.toString());
        mended(map, file);
    }

    static Stream<Bad> lines() {
        return bad().stream().filter(bad -> LINES.contains(bad.name()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lines")
    @Timeout(300)
    void brokenLinesOfAGridMapfileAreLeftOutAndNamed(Bad bad) throws Exception {
        Path file = file("/CN=Alice alice");
        GridMapfile map = new GridMapfile(file, Set.of(), watch());
        bad.spoiler().spoil(file);
        later();
        assertThat(map.judge(of("/CN=Alice")).word()).isEqualTo("abstain");
        assertThat(map.leftOut()).get().asString().contains(file.toString(), "left out", "line ");
        mended(map, file);
    }

    private void mended(GridMapfile map, Path file) throws IOException {
        remove(file);
        file("/CN=Bob bob");
        later();
        assertThat(map.judge(of("/CN=Bob")).word()).isEqualTo("permit");
        assertThat(map.trouble()).isEmpty();
        assertThat(map.leftOut()).isEmpty();
    }
}
