// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** srmCopy between a tree and the lab's GridFTP servers, with a proxy that the user has delegated, although the gateway is killed. */
class SrmGridFtpIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int FILES = 20;

    @TempDir
    Path folder;

    private @Nullable Gateway gateway;

    private Gateway gateway() {
        return requireNonNull(gateway);
    }

    private Programs.Result run(String command, String... words) throws Exception {
        return new SrmPrograms(gateway()).run(command, words);
    }

    private String good(String command, String... words) throws Exception {
        return new SrmPrograms(gateway()).good(command, words);
    }

    private static byte[] content(int i) {
        byte[] content = new byte[200_000 + i];
        new Random(i).nextBytes(content);
        return content;
    }

    private String url(String name) {
        return new SrmPrograms(gateway()).url("/work/" + name);
    }

    private static List<String> names(Path tree) throws Exception {
        try (Stream<Path> all = Files.list(tree)) {
            return all.map(one -> one.getFileName().toString()).toList();
        }
    }

    @Test
    void filesArePulledAndPushedAlthoughTheGatewayIsKilled() throws Exception {
        try (GridFtpServers servers = GridFtpServers.need(folder)) {
            Path tree = Files.createDirectory(folder.resolve("tree"));
            try (Gateway made = Gateway.startBeside(
                    servers, "", "fileTrees: [ { name: work, path: \"%s\", writable: true } ]%n".formatted(tree))) {
                gateway = made;
                servers.put("in", content(1));

                Programs.Result without = run("srm-copy", servers.first("in"), url("in"));
                assertThat(without.output()).contains("SRM_AUTHENTICATION_FAILURE", "gridsite-delegation");
                assertThat(names(tree)).isEmpty();

                good("glite-ce-delegate-proxy", "-e", "localhost:" + gateway().port(), "mine");
                good("srm-copy", servers.first("in"), url("in"));
                assertThat(Files.readAllBytes(tree.resolve("in"))).isEqualTo(content(1));
                good("srm-copy", url("in"), servers.second("out"));
                assertThat(servers.get("out")).isEqualTo(content(1));
                Programs.Result none = run("srm-copy", servers.first("none"), url("none"));
                assertThat(none.status()).as(none.output()).isEqualTo(252);
                assertThat(names(tree)).containsExactly("in");

                killed(servers, tree);
            }
        }
    }

    /** No other client is known that asks for it: Debian's gfal2 and ARC send the byte that delegates nothing. */
    @Test
    void aProxyThatComesByHttpgItselfIsEnoughForACopy() throws Exception {
        try (GridFtpServers servers = GridFtpServers.need(folder)) {
            Path tree = Files.createDirectory(folder.resolve("tree"));
            try (Gateway made = Gateway.startBeside(
                    servers, "", "fileTrees: [ { name: work, path: \"%s\", writable: true } ]%n".formatted(tree))) {
                gateway = made;
                servers.put("in", content(1));
                String copy = "<arrayOfFileRequests><requestArray><sourceSURL>" + servers.first("in")
                        + "</sourceSURL><targetSURL>" + url("in")
                        + "</targetSURL></requestArray></arrayOfFileRequests>";
                SrmCalls calls = new SrmCalls(made, folder);
                assertThat(calls.ask("srmCopy", copy)).contains("SRM_AUTHENTICATION_FAILURE");

                String asked = new HttpgClient(made).ask("srmCopy", copy);

                assertThat(SrmCalls.all(asked, "requestToken")).as(asked).hasSize(1);
                String question =
                        "<requestToken>" + SrmCalls.all(asked, "requestToken").getFirst() + "</requestToken>";
                Awaitility.await()
                        .atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(SrmCalls.codes(calls.ask("srmStatusOfCopyRequest", question)))
                                .containsExactly("SRM_SUCCESS", "SRM_SUCCESS"));
                assertThat(Files.readAllBytes(tree.resolve("in"))).isEqualTo(content(1));
            }
        }
    }

    private void killed(GridFtpServers servers, Path tree) throws Exception {
        StringBuilder content = new StringBuilder("<arrayOfFileRequests>");
        for (int i = 0; i < FILES; i++) {
            servers.put("many" + i, content(i));
            content.append("<requestArray><sourceSURL>").append(servers.first("many" + i));
            content.append("</sourceSURL><targetSURL>").append(url("many" + i)).append("</targetSURL></requestArray>");
        }
        SrmCalls calls = new SrmCalls(gateway(), folder); // several files are no matter of the commands
        String asked = calls.ask("srmCopy", content + "</arrayOfFileRequests>");
        assertThat(asked).contains("<requestToken>");
        String token = asked.replaceFirst("(?s).*<requestToken>([^<]*)</requestToken>.*", "$1");
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(PATIENCE)
                .until(() -> names(tree).size() > 3);
        gateway().kill();
        gateway().startAgain();

        String question = "<requestToken>" + token + "</requestToken>";
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> !calls.ask("srmStatusOfCopyRequest", question)
                        .matches("(?s).*SRM_REQUEST_(QUEUED|INPROGRESS).*"));
        String over = calls.ask("srmStatusOfCopyRequest", question);
        assertThat(over.split("<statusCode>SRM_SUCCESS</statusCode>", -1))
                .as(over)
                .hasSize(FILES + 2);
        for (int i = 0; i < FILES; i++) {
            assertThat(Files.readAllBytes(tree.resolve("many" + i)))
                    .as("file %d", i)
                    .isEqualTo(content(i));
        }
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(names(tree))
                        .as("nothing is left of what was on its way")
                        .hasSize(FILES + 1));
        assertThat(IntStream.range(0, FILES).mapToObj(i -> "many" + i).toList()).isSubsetOf(names(tree));
    }
}
