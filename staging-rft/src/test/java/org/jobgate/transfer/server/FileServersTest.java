// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.transfer.server.FileServers.Passage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileServersTest {

    private final Set<String> down = new HashSet<>();
    private final AtomicLong nanos = new AtomicLong();

    private FileServers servers(ServerChoice choice, String... texts) {
        List<FileServer> all = List.of(texts).stream().map(FileServer::parse).toList();
        return new FileServers(
                all,
                choice,
                url -> {
                    if (down.contains(url.getHost())) {
                        throw new IOException("no answer");
                    }
                },
                nanos::get);
    }

    private static String taken(FileServers servers, @Nullable String lrm, String file) {
        Optional<Passage> passage = servers.through(lrm, URI.create("file://" + file));
        passage.ifPresent(Passage::close);
        return passage.map(one -> one.url().toString()).orElse("-");
    }

    @Test
    void aServerIsNotBlamedForAnotherServerOnItsHost() {
        try (FileServers servers = servers(ServerChoice.roundRobin(), "/d=gsiftp://h:2811/", "/e=gsiftp://h/");
                Passage here = servers.through(null, URI.create("file:///d/x")).orElseThrow();
                Passage unnumbered =
                        servers.through(null, URI.create("file:///e/x")).orElseThrow()) {
            assertThat(here.isNamedIn("the GridFTP server h:2811, connect: refused"))
                    .isTrue();
            assertThat(here.isNamedIn("the GridFTP server h:28119, connect: refused"))
                    .isFalse();
            assertThat(here.isNamedIn("the GridFTP server h:2812, connect: refused"))
                    .isFalse();
            assertThat(unnumbered.isNamedIn("the GridFTP server h:2811, connect: refused"))
                    .isTrue();
            assertThat(unnumbered.isNamedIn("the GridFTP server other:2811, connect: refused"))
                    .isFalse();
        }
    }

    @Test
    void theLongestPathLeadsAndNamesAreKeptAsTheyAre() {
        FileServers servers = servers(
                ServerChoice.roundRobin(),
                "/home=gsiftp://h:2811/export",
                "/home/big=gsiftp://b/",
                "slurm:/scratch=gsiftp://s/x",
                "/=gsiftp://r/root");
        assertThat(taken(servers, null, "/home/alice/a%20b")).isEqualTo("gsiftp://h:2811/export/alice/a%20b");
        assertThat(taken(servers, null, "/home/big/x/")).isEqualTo("gsiftp://b/x/");
        assertThat(taken(servers, null, "/homeless")).isEqualTo("gsiftp://r/root/homeless");
        assertThat(taken(servers, "Slurm", "/scratch/1")).isEqualTo("gsiftp://s/x/1");
        assertThat(taken(servers, "Fork", "/scratch/1")).isEqualTo("gsiftp://r/root/scratch/1");
        assertThat(taken(servers, null, "/home/../etc/x")).isEqualTo("-");
    }

    /** Clients that move files themselves say by which protocol, and have no job. */
    @Test
    void aClientIsLedThroughServersOfItsProtocol() {
        FileServers servers = servers(
                ServerChoice.roundRobin(), "/d=gsiftp://a/x", "/d=FTP://b/y", "slurm:/d=sftp://c/", "/d=gsiftp://d/z");
        URI file = URI.create("file:///d/f");
        assertThat(servers.schemes()).containsExactly("gsiftp", "ftp");
        assertThat(servers.through(file, "ftp").orElseThrow().url()).hasToString("FTP://b/y/f");
        assertThat(servers.through(file, "gsiftp").orElseThrow().url()).hasToString("gsiftp://d/z/f");
        assertThat(servers.through(file, "sftp")).isEmpty();
    }

    @Test
    void serversTakeTurnsAndThoseThatAreDownAreLeftOut() {
        FileServers servers = servers(ServerChoice.roundRobin(), "/d=gsiftp://a", "/d=gsiftp://b", "/d=gsiftp://c");
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            seen.add(taken(servers, null, "/d/x").substring(9, 10));
        }
        assertThat(seen).containsExactly("a", "b", "c", "a");

        down.add("b");
        servers.look();
        Set<String> living = new HashSet<>();
        for (int i = 0; i < 6; i++) {
            living.add(taken(servers, null, "/d/x").substring(9, 10));
        }
        assertThat(living).containsExactlyInAnyOrder("a", "c");

        Passage failing = servers.through(null, URI.create("file:///d/x")).orElseThrow();
        String gone = failing.url().getHost();
        failing.failed("refused");
        failing.close();
        down.add(gone);
        for (int i = 0; i < 4; i++) {
            assertThat(taken(servers, null, "/d/x")).doesNotContain("//" + gone).doesNotContain("//b");
        }
        down.addAll(List.of("a", "c"));
        servers.look();
        assertThat(taken(servers, null, "/d/x")).isEqualTo("-");
        down.clear();
        servers.look();
        assertThat(taken(servers, null, "/d/x")).isNotEqualTo("-");
    }

    @Test
    void theLeastLoadedIsTakenAndAmongEqualsTheFastest() {
        FileServers servers = servers(ServerChoice.leastLoad(), "/d=gsiftp://a", "/d=gsiftp://b");
        URI file = URI.create("file:///d/x");
        Passage first = servers.through(null, file).orElseThrow();
        Passage second = servers.through(null, file).orElseThrow();
        assertThat(Set.of(first.url().getHost(), second.url().getHost())).containsExactlyInAnyOrder("a", "b");
        first.moved(1_000);
        second.moved(9_000);
        nanos.addAndGet(1_000_000_000L);
        first.close();
        second.close();
        String fast = second.url().getHost();
        Passage third = servers.through(null, file).orElseThrow();
        assertThat(third.url().getHost()).isEqualTo(fast);
        assertThat(servers.through(null, file).orElseThrow().url().getHost()).isNotEqualTo(fast);
    }

    @Test
    void chanceReachesAll() {
        FileServers servers = servers(ServerChoice.random(new Random(1)), "/d=gsiftp://a", "/d=gsiftp://b");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            seen.add(taken(servers, null, "/d/x"));
        }
        assertThat(seen).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/home", "home=gsiftp://h/", "/home=/export", "/home=gsiftp://user@h/", "/home=gsiftp://h/?x"})
    void aWrongEntryIsRefused(String text) {
        assertThatThrownBy(() -> FileServer.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aServerThatGreetsIsAlive() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 4, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                for (String word : List.of("220 hello\r\n", "421 too busy\r\n")) {
                    try (var client = server.accept()) {
                        client.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            ServerProbe probe = ServerProbe.greeting(Duration.ofSeconds(5));
            URI url = URI.create("gsiftp://127.0.0.1:" + server.getLocalPort() + "/x");
            probe.look(url);
            assertThatThrownBy(() -> probe.look(url)).hasMessageContaining("421");
        }
    }
}
