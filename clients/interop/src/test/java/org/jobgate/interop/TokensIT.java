// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Bearer tokens and no certificate: our commands, and curl. */
@ExtendWith(OneGateway.class)
class TokensIT {

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

    /** Somebody who has nothing but what is named; his home has no credential. */
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
