// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Bearer tokens and no certificate: our commands, and curl. */
@ExtendWith(OneGateway.class)
class TokensIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int REFUSED = 252;
    private static final int NO_CREDENTIAL = 253;

    private final Gateway gateway;

    @TempDir
    Path folder;

    TokensIT(Gateway gateway) {
        this.gateway = gateway;
    }

    private String token(int seconds) throws Exception {
        return gateway.issuers().token("https://localhost:" + gateway.port(), seconds);
    }

    /** A client that has only the named credentials; its home directory has none. */
    private Programs user(String... more) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "HOME", folder.toString(),
                "X509_USER_CERT", folder.resolve("none").toString(),
                "X509_USER_PROXY", "",
                "X509_CERT_DIR", gateway.trustDirectory().toString()));
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return new Programs(folder, environment);
    }

    private Programs.Result globusrun(Programs user, String... words) throws Exception {
        List<String> all = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/globusrun-ws").toString()));
        all.addAll(List.of(words));
        return user.run(all);
    }

    private Path file(String token, String mode) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), token + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return file;
    }

    @Test
    void aJobRunsAsTheTokensAccount() throws Exception {
        Path out = folder.resolve("who");
        Programs.Result done = globusrun(
                user("BEARER_TOKEN", token(600)),
                "-submit",
                "-F",
                "localhost:" + gateway.port(),
                "-so",
                out.toString(),
                "-c",
                "/usr/bin/id",
                "-un");
        assertThat(done.status()).as(done.output()).isZero();
        assertThat(Files.readString(out).strip()).isEqualTo(System.getProperty("user.name"));
    }

    @Test
    void theTokensFileIsFoundWhereTheRuleSays() throws Exception {
        String contact = "localhost:" + gateway.port();
        Path named = file(token(600), "rw-------");
        Programs.Result byVariable = globusrun(
                user("BEARER_TOKEN_FILE", named.toString()), "-submit", "-b", "-F", contact, "-c", "/bin/true");
        assertThat(byVariable.status()).as(byVariable.output()).isZero();

        Path run = Files.createDirectories(folder.resolve("run"));
        Files.move(named, run.resolve("bt_u" + Files.getAttribute(Path.of("/proc/self"), "unix:uid")));
        Programs.Result inRun =
                globusrun(user("XDG_RUNTIME_DIR", run.toString()), "-submit", "-b", "-F", contact, "-c", "/bin/true");
        assertThat(inRun.status()).as(inRun.output()).isZero();
    }

    @Test
    void badTokensAndOpenFilesAreRefusedWithTheirReasonAndNeverShown() throws Exception {
        String contact = "localhost:" + gateway.port();
        String expired = token(-300);
        Programs.Result late =
                globusrun(user("BEARER_TOKEN", expired), "-submit", "-b", "-F", contact, "-dbg", "-c", "/bin/true");
        assertThat(late.status()).isEqualTo(REFUSED);
        assertThat(late.output()).contains("expired").doesNotContain(expired);

        Programs.Result open = globusrun(
                user("BEARER_TOKEN_FILE", file(token(600), "rw-r--r--").toString()),
                "-submit",
                "-b",
                "-F",
                contact,
                "-c",
                "/bin/true");
        assertThat(open.status()).isEqualTo(NO_CREDENTIAL);
        assertThat(open.output()).contains("chmod 600");

        Programs.Result broken =
                globusrun(user("BEARER_TOKEN", "a b"), "-submit", "-b", "-F", contact, "-c", "/bin/true");
        assertThat(broken.status()).isEqualTo(NO_CREDENTIAL);

        Programs.Result delegating =
                globusrun(user("BEARER_TOKEN", token(600)), "-submit", "-J", "-F", contact, "-c", "/bin/true");
        assertThat(delegating.status()).as(delegating.output()).isEqualTo(NO_CREDENTIAL);
        assertThat(delegating.output()).contains("your certificate", "jobgate proxy init");
    }

    /** The job's token is for services elsewhere; its owner calls this gateway with another token. */
    @Test
    void aJobFindsTheTokenThatWasDelegatedForItAndTheNextOne() throws Exception {
        String contact = "localhost:" + gateway.port();
        String first = gateway.issuers().token("https://data.example.org", 600);
        String second = gateway.issuers().token("https://data.example.org", 900);
        Programs user = user("BEARER_TOKEN", token(600));
        Path work = Files.createDirectory(folder.resolve("work"));
        Path epr = delegate(user, "token.epr", first);

        Path job = folder.resolve("job.epr");
        String script =
                "echo $BEARER_TOKEN_FILE > path; stat -c %a $BEARER_TOKEN_FILE > mode; cp $BEARER_TOKEN_FILE first;"
                        + " until grep -q -F -f next $BEARER_TOKEN_FILE; do sleep 0.2; done; echo $X509_USER_PROXY > proxy";
        Files.writeString(work.resolve("next"), second);
        done(
                user,
                "globusrun-ws",
                "-submit",
                "-b",
                "-F",
                contact,
                "-Jf",
                epr.toString(),
                "-o",
                job.toString(),
                "-f",
                description(work, script).toString());
        await().atMost(PATIENCE).until(() -> Files.exists(work.resolve("first")));
        done(
                user,
                "globus-credential-refresh",
                "-e",
                epr.toString(),
                "-token",
                file(second, "rw-------").toString());
        done(user, "globusrun-ws", "-monitor", "-j", job.toString());

        assertThat(work.resolve("first")).hasContent(first);
        assertThat(Files.readString(work.resolve("mode")).strip()).isEqualTo("600");
        assertThat(Files.readString(work.resolve("proxy")).strip()).isEmpty();
        Path gone = Path.of(Files.readString(work.resolve("path")).strip());
        await().atMost(PATIENCE).until(() -> !Files.exists(gone));
        done(user, "wsrf-destroy", "-e", epr.toString());
    }

    private Path delegate(Programs user, String name, String token) throws Exception {
        Path epr = folder.resolve(name);
        done(
                user,
                "globus-credential-delegate",
                "-p",
                Integer.toString(gateway.port()),
                "-token",
                file(token, "rw-------").toString(),
                epr.toString());
        return epr;
    }

    private static String copy(String from, String to) {
        return "<transfer><sourceUrl>" + from + "</sourceUrl><destinationUrl>" + to + "</destinationUrl></transfer>";
    }

    private Path staging(Path work, String from, String to) throws IOException {
        return Files.writeString(
                work.resolve("staging.xml"),
                "<job><executable>/bin/cp</executable><directory>" + work + "</directory><argument>in</argument>"
                        + "<argument>out</argument><fileStageIn>" + copy(from, "file://" + work + "/in")
                        + "</fileStageIn><fileStageOut>" + copy("file://" + work + "/out", to)
                        + "</fileStageOut><fileCleanUp><deletion><file>" + from
                        + "</file></deletion></fileCleanUp></job>");
    }

    /** The front says where the file is; only the server that has it knows tokens. */
    @Test
    void filesAreFetchedFromAndSentToAStorageThatWantsTokens() throws Exception {
        try (XrootdServers storage = XrootdServers.need(folder, gateway)) {
            Path work = Files.createDirectory(folder.resolve("work"));
            byte[] content = new byte[3_000_001];
            new Random(7).nextBytes(content);
            storage.put("in", content);
            Programs user = user("BEARER_TOKEN", token(600));
            String contact = "localhost:" + gateway.port();
            String permitting = gateway.issuers()
                    .token(XrootdServers.AUDIENCE, 600, "storage.read:/ storage.create:/ storage.modify:/");
            Path epr = delegate(user, "storage.epr", permitting);

            done(
                    user,
                    "globusrun-ws",
                    "-submit",
                    "-F",
                    contact,
                    "-Sf",
                    epr.toString(),
                    "-f",
                    staging(work, storage.front("in"), storage.files("new/out")).toString());

            assertThat(work.resolve("in")).hasBinaryContent(content);
            assertThat(storage.get("new/out")).isEqualTo(content);

            storage.put("in", content);
            Path reading = delegate(
                    user,
                    "reading.epr",
                    gateway.issuers().token(XrootdServers.AUDIENCE, 600, "storage.read:/nothing-here"));
            Programs.Result refused = globusrun(
                    user,
                    "-submit",
                    "-F",
                    contact,
                    "-Sf",
                    reading.toString(),
                    "-f",
                    staging(work, storage.files("in"), storage.files("out")).toString());
            assertThat(refused.status()).as(refused.output()).isNotZero();
            assertThat(refused.output())
                    .contains("fileStageIn", "not permitted")
                    .doesNotContain(permitting);
            assertThat(storage.has("out")).isFalse();
        }
    }

    private static Path description(Path work, String script) throws IOException {
        return Files.writeString(
                work.resolve("job.xml"),
                "<job><executable>/bin/sh</executable><directory>" + work
                        + "</directory><argument>-c</argument><argument>"
                        + script.replace("&", "&amp;").replace("<", "&lt;") + "</argument></job>");
    }

    private static void done(Programs user, String command, String... words) throws Exception {
        List<String> all = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/" + command).toString()));
        all.addAll(List.of(words));
        Programs.Result done = user.run(all);
        assertThat(done.status()).as(done.output()).isZero();
    }

    @Test
    void curlIsKnownByItsToken() throws Exception {
        Programs.Result good = curl(token(600));
        Programs.Result bad = curl(token(-300));

        assertThat(good.output()).as("nothing is there, and it is looked for").endsWith("404");
        assertThat(bad.output()).contains("TOKEN_EXPIRED").endsWith("401");
    }

    private Programs.Result curl(String token) throws Exception {
        Path header = Files.writeString(folder.resolve("header"), "Authorization: Bearer " + token + "\n");
        return gateway.clients()
                .run(List.of(
                        "/usr/bin/curl",
                        "--silent",
                        "--capath",
                        gateway.trustDirectory().toString(),
                        "--header",
                        "@" + header,
                        "--write-out",
                        " %{http_code}",
                        "https://localhost:" + gateway.port() + "/jobs/00000000-0000-0000-0000-000000000000/files/x"));
    }
}
