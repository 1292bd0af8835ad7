// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.proxy.ProxyPolicy;
import eu.emi.security.authn.x509.proxy.ProxyType;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jobgate.container.tls.TestPki;
import org.jobgate.identity.Identity;
import org.junit.jupiter.api.Test;

/** Who the caller of a connection is: certificates and proxies of all kinds, and those that the handshake refuses. */
class HttpCallersTest extends HttpServiceRoom {

    private static String identity(String subject, boolean limited) {
        return "<who>" + new Identity(subject, "tls", limited) + "</who>";
    }

    @Test
    void aCertificateIsItsSubject() throws Exception {
        assertThat(ask(start(""), ALICE).body()).contains(identity("/O=Grid/CN=Alice", false));
    }

    @Test
    void aCallerWithoutACertificateIsAnonymous() throws Exception {
        assertThat(ask(start(""), null).body()).contains("<who>null</who>");
    }

    @Test
    void proxiesOfEveryKindAreTheirEndEntity() throws Exception {
        HttpService service = start("");
        for (ProxyType type : ProxyType.values()) {
            TestPki.Credential full = TestPki.proxy(ALICE, options -> options.setType(type));
            assertThat(ask(service, full).body()).as("%s", type).contains(identity("/O=Grid/CN=Alice", false));
            TestPki.Credential second = TestPki.proxy(full, options -> {});
            assertThat(ask(service, second).body()).as("second %s", type).contains(identity("/O=Grid/CN=Alice", false));
        }
    }

    @Test
    void limitedProxiesOfEveryKindAreRecognisedAndStayLimited() throws Exception {
        HttpService service = start("");
        for (ProxyType type : ProxyType.values()) {
            TestPki.Credential limited = TestPki.proxy(ALICE, options -> {
                options.setType(type);
                options.setLimited(true);
            });
            assertThat(ask(service, limited).body()).as("%s", type).contains(identity("/O=Grid/CN=Alice", true));
        }
    }

    @Test
    void whatIsNotGoodIsRefusedInTheHandshake() throws Exception {
        HttpService service = start("");
        TestPki.Credential independent =
                TestPki.proxy(ALICE, options -> options.setPolicy(new ProxyPolicy(ProxyPolicy.INDEPENDENT_POLICY_OID)));
        TestPki.Credential oldProxy = TestPki.proxy(
                ALICE,
                options -> options.setValidityBounds(
                        java.util.Date.from(Instant.now().minusSeconds(7200)),
                        java.util.Date.from(Instant.now().minusSeconds(3600))));
        TestPki.Credential limited = TestPki.proxy(ALICE, options -> options.setLimited(true));
        TestPki.Credential fullOfLimited = TestPki.proxy(
                limited, options -> options.setPolicy(new ProxyPolicy(ProxyPolicy.INHERITALL_POLICY_OID)));
        List<TestPki.Credential> bad = List.of(
                fullOfLimited,
                PKI.issueExpired("CN=Alice,O=Grid"),
                new TestPki("CN=CA,O=Grid").issue("CN=Alice,O=Grid"),
                new TestPki("CN=Other CA,O=Evil").issue("CN=Alice,O=Grid"),
                PKI.issue("CN=Eve/CN\\=Alice,O=Grid"),
                independent,
                oldProxy);
        for (TestPki.Credential credential : bad) {
            assertThatThrownBy(() -> ask(service, credential))
                    .as("%s", credential.chain()[0].getSubjectX500Principal())
                    .isInstanceOf(IOException.class);
        }
        assertThat(metrics.scrape())
                .containsPattern("jobgate_tls_handshakes_failed_total\\{reason=\"expired\"} 2")
                .containsPattern("jobgate_tls_handshakes_failed_total\\{reason=\"certificate\"} 5");
        assertThat(ask(service, ALICE).statusCode()).isEqualTo(200);
    }

    @Test
    void aCertificateThatExpiresOnAnOpenConnectionIsNoticed() throws Exception {
        HttpService service = start("");
        TestPki.Credential brief = PKI.issueShort("CN=Brief,O=Grid", Duration.ofHours(1));
        try (HttpClient client = client(brief)) {
            HttpRequest request = soap(service, "/wsrf/services/WhoAmI", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).body()).contains("/O=Grid/CN=Brief");
            later.set(Duration.ofHours(2));
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body()).contains("expired at", "faultstring");
        }
    }

    @Test
    void onlyTls12And13AreSpoken() throws Exception {
        HttpService service = start("");
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            assertThat(handshake(service, version)).isEqualTo(version);
        }
        assertThatThrownBy(() -> handshake(service, "TLSv1.1")).isInstanceOf(SSLException.class);
    }

    private static String handshake(HttpService service, String version) throws IOException {
        try (javax.net.ssl.SSLSocket socket = (javax.net.ssl.SSLSocket)
                TestPki.client(ALICE).getSocketFactory().createSocket("localhost", service.port())) {
            socket.setEnabledProtocols(new String[] {version});
            socket.startHandshake();
            return socket.getSession().getProtocol();
        }
    }
}
