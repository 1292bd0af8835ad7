// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sends bad credentials to the running gateway with openssl and curl, and checks the answers and the log. */
@ExtendWith(OneGateway.class)
class RefusalsOnTheWireIT {

    private static final String END = "-----END CERTIFICATE-----\n";
    private static final String NOTHING = "/jobs/00000000-0000-0000-0000-000000000000/files/x";

    private final Gateway gateway;

    @TempDir
    Path folder;

    RefusalsOnTheWireIT(Gateway gateway) {
        this.gateway = gateway;
    }

    private Programs.Result openssl(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("/usr/bin/openssl"));
        all.addAll(List.of(words));
        return gateway.clients().run(all);
    }

    /** One GET; the reply, or why there is none. */
    private Programs.Result connect(Path certificate, Path key, String... more) throws Exception {
        Path request = Files.writeString(
                folder.resolve("request"),
                "GET " + NOTHING + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        List<String> all = new ArrayList<>(List.of(
                "/usr/bin/openssl",
                "s_client",
                "-quiet",
                "-connect",
                "localhost:" + gateway.port(),
                "-CApath",
                gateway.trustDirectory().toString(),
                "-cert",
                certificate.toString(),
                "-key",
                key.toString()));
        all.addAll(List.of(more));
        return gateway.clients().run(all, request);
    }

    private void isRefused(Programs.Result result, String reason) throws IOException {
        assertThat(result.output()).contains("alert").doesNotContain("HTTP/1.1 ");
        gateway.awaitLog(0, reason);
    }

    @Test
    void aGoodProxyIsHeard() throws Exception {
        String all = Files.readString(gateway.proxy());
        Path issuers = Files.writeString(folder.resolve("issuers.pem"), all.substring(all.indexOf(END) + END.length()));
        Programs.Result heard = connect(gateway.proxy(), gateway.proxy(), "-cert_chain", issuers.toString());
        assertThat(heard.output()).contains("HTTP/1.1 404");
    }

    @Test
    void aCertificateThatSignedItselfIsRefused() throws Exception {
        Path certificate = folder.resolve("self.pem");
        Path key = folder.resolve("self.key");
        Programs.Result made = openssl(
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "1",
                "-subj",
                "/O=Jobgate Trial/CN=self signed",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString());
        assertThat(made.status()).as(made.output()).isZero();
        isRefused(connect(certificate, key), "No trusted CA certificate was found");
    }

    @Test
    void aProxyWithoutTheCertificateItWasMadeFromIsRefused() throws Exception {
        String all = Files.readString(gateway.proxy());
        Path alone = Files.writeString(folder.resolve("alone.pem"), all.substring(0, all.indexOf(END) + END.length()));
        isRefused(connect(alone, gateway.proxy()), "Issuing end entity certificate was not found");
    }

    @Test
    void aCertificateOutsideItsAuthoritysNamesIsRefused() throws Exception {
        Path certificate = folder.resolve("outside.pem");
        Path key = folder.resolve("outside.key");
        Path request = folder.resolve("outside.csr");
        Path authority = gateway.trustDirectory().resolve("../ca");
        openssl(
                "req",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-subj",
                "/O=Elsewhere/CN=Outside",
                "-keyout",
                key.toString(),
                "-out",
                request.toString());
        Programs.Result made = openssl(
                "x509",
                "-req",
                "-days",
                "1",
                "-in",
                request.toString(),
                "-CA",
                authority.resolve("cacert.pem").toString(),
                "-CAkey",
                authority.resolve("cakey.pem").toString(),
                "-CAserial",
                folder.resolve("serial").toString(),
                "-CAcreateserial",
                "-out",
                certificate.toString());
        assertThat(made.status()).as(made.output()).isZero();
        isRefused(connect(certificate, key), "CN=Outside, O=Elsewhere");
    }

    @ParameterizedTest
    @CsvSource({"-tls1", "-tls1_1"})
    void oldVersionsOfTlsAreNotSpoken(String version) throws Exception {
        Programs.Result result = connect(gateway.proxy(), gateway.proxy(), version, "-cipher", "ALL:@SECLEVEL=0");
        assertThat(result.output()).contains("alert protocol version");
    }

    @Test
    void plainHttpIsNotAnswered() throws Exception {
        Programs.Result result = curl("http", List.of());
        assertThat(result.status()).isNotZero();
    }

    private Programs.Result curl(String scheme, List<String> headers) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                "/usr/bin/curl",
                "--silent",
                "--max-time",
                "240",
                "--capath",
                gateway.trustDirectory().toString(),
                "--write-out",
                " %{http_code}"));
        for (String header : headers) {
            Path file = Files.createTempFile(folder, "header", "");
            Files.writeString(file, header + "\n");
            all.addAll(List.of("--header", "@" + file));
        }
        all.add(scheme + "://localhost:" + gateway.port() + NOTHING);
        return gateway.clients().run(all);
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void badTokensAreAnsweredWithTheirReason() throws Exception {
        String audience = "https://localhost:" + gateway.port();
        String good = gateway.issuers().token(audience, 600);
        List<String> parts = Arrays.asList(good.split("\\.", -1));
        tokenIsRefused("TOKEN_NOT_SIGNED", base64("{\"alg\":\"none\"}") + "." + parts.get(1) + ".");
        tokenIsRefused(
                "TOKEN_ALGORITHM",
                base64("{\"alg\":\"HS256\",\"kid\":\"one\"}") + "." + parts.get(1) + "." + parts.get(2));
        tokenIsRefused("TOKEN_SIGNATURE", parts.get(0) + "." + parts.get(1) + "." + base64("x".repeat(256)));
        tokenIsRefused("TOKEN_MALFORMED", "word");
        tokenIsRefused("TOKEN_TOO_LARGE", good + "x".repeat(12_400));
        tokenIsRefused("TOKEN_AUDIENCE", gateway.issuers().token("https://elsewhere.invalid", 600));
        tokenIsRefused("TOKEN_EXPIRED", gateway.issuers().token(audience, -300));
        Programs.Result two = curl("https", List.of("Authorization: Bearer " + good, "Authorization: Bearer " + good));
        assertThat(two.output()).contains("TOKEN_MALFORMED").endsWith("401");
        assertThat(gateway.log()).doesNotContain(parts.get(2));
    }

    private void tokenIsRefused(String code, String token) throws Exception {
        Programs.Result result = curl("https", List.of("Authorization: Bearer " + token));
        assertThat(result.output()).as(code).contains(code).endsWith("401");
    }

    @Test
    void nobodyIsToldToSayWhoHeIs() throws Exception {
        assertThat(curl("https", List.of()).output()).endsWith("401");
    }

    @Test
    void headersThatAreTooLongAreRefused() throws Exception {
        // little more than limits.maxHeaderBytes: of more, curl is still sending when the answer comes and the
        // connection ends, and may miss it
        List<String> tooLong = List.of("X-Long: " + "x".repeat(16 * 1024));
        String said = curl("https", tooLong).output();
        for (int again = 0; again < 4 && said.endsWith("000"); again++) {
            said = curl("https", tooLong).output();
        }
        assertThat(said).endsWith("431");
    }
}
