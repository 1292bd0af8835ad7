// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.authz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.authz.Action;
import org.jobgate.authz.AuthzRequest;
import org.jobgate.authz.CachedPoint;
import org.jobgate.authz.PointDecision;
import org.jobgate.container.tls.TestPki;
import org.jobgate.identity.Identity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mapping service of the SAML profile of XACML, played by the test: what it is asked, and what may come back. */
class XacmlTest {

    private static final Path SCHEMAS =
            Path.of(System.getProperty("jobgate.root", "."), "..", "shared", "schemas", "xacml");
    private static final AuthzRequest ALICE = AuthzRequest.of(
            new Identity(
                    "/DC=org/O=People/CN=Alice <&> Test",
                    "tls",
                    false,
                    List.of("/testvo/prod/Role=pilot", "/testvo"),
                    List.of()),
            Action.SUBMIT);
    private static final XacmlWording.Asker ASKER = new XacmlWording.Asker(
            "CN=gw.example.org,O=Hosts", "/O=Hosts/CN=gw.example.org", "/CN=Test CA", "gw.example.org", "ce");

    /** Accounts of this machine: ann is 20001; nobody else is known. */
    private final LocalAccounts accounts = new LocalAccounts(List.of(
            "/bin/sh", "-c", "case $2 in ann|20001) echo ann:x:20001:20000::/home/ann:/bin/sh;; esac", "getent"));

    @TempDir
    Path folder;

    private final XacmlWording wording = new XacmlWording(ASKER, accounts, Clock.systemUTC());

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String answer(String decision, String obligations) {
        return "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Body><p:Response"
                + " xmlns:p='urn:oasis:names:tc:SAML:2.0:protocol' InResponseTo='_1'><a:Assertion"
                + " xmlns:a='urn:oasis:names:tc:SAML:2.0:assertion'><a:Statement><c:Response"
                + " xmlns:c='urn:oasis:names:tc:xacml:2.0:context:schema:os'><c:Result><c:Decision>" + decision
                + "</c:Decision><o:Obligations xmlns:o='urn:oasis:names:tc:xacml:2.0:policy:schema:os'>" + obligations
                + "</o:Obligations></c:Result></c:Response></a:Statement></a:Assertion></p:Response></S:Body></S:Envelope>";
    }

    private static String obligation(String id, String... namesAndValues) {
        StringBuilder text = new StringBuilder(
                "<o:Obligation ObligationId='" + XacmlWording.INTEROP + "obligation/" + id + "' FulfillOn='Permit'>");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            text.append("<o:AttributeAssignment AttributeId='" + XacmlWording.INTEROP + "attribute/")
                    .append(namesAndValues[i])
                    .append("' DataType='s'>")
                    .append(namesAndValues[i + 1])
                    .append("</o:AttributeAssignment>");
        }
        return text + "</o:Obligation>";
    }

    private PointDecision read(String answer) {
        return new XacmlAnswer(accounts).read(answer.getBytes(StandardCharsets.UTF_8), "_1");
    }

    @Test
    void theQueryTellsWhoAsksWhoCallsAndWhatFor() {
        String query = text(wording.ask(ALICE).body());

        assertThat(query)
                .contains(
                        "/DC=org/O=People/CN=Alice &lt;&amp;&gt; Test",
                        "subject/voms-primary-fqan",
                        "/testvo/prod/Role=pilot/Capability=NULL",
                        "/testvo/prod/Role=NULL/Capability=NULL",
                        "/testvo/Role=NULL/Capability=NULL",
                        "action/action-type/queue",
                        "resource/resource-type/ce",
                        ">gw.example.org<",
                        "/O=Hosts/CN=gw.example.org",
                        "obligation/uidgid");
        assertThat(text(wording.ask(AuthzRequest.of(ALICE.identity(), Action.FILES))
                        .body()))
                .contains("action/action-type/access");
    }

    private static Schema schema() throws Exception {
        assumeTrue(Files.isDirectory(SCHEMAS), "SKIPPED: no schemas of XACML beside the project");
        SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
        return factory.newSchema(new Source[] {
            new StreamSource(SCHEMAS.resolve("access_control-xacml-2.0-saml-protocol-schema-os.xsd")
                    .toFile()),
            new StreamSource(SCHEMAS.resolve("access_control-xacml-2.0-saml-assertion-schema-os.xsd")
                    .toFile())
        });
    }

    /** Services speak draft 2 of the profile, of which there is no schema: the standard of 2005 has other namespaces, and no CombinePolicies. */
    private static String asStandard(String message) {
        String body =
                message.replaceFirst("(?s).*<[a-zA-Z]+:Body[^>]*>", "").replaceFirst("(?s)</[a-zA-Z]+:Body>.*", "");
        return body.replace(
                        "urn:oasis:names:tc:xacml:2.0:profile:saml2.0:v2:schema:protocol",
                        "urn:oasis:xacml:2.0:saml:protocol:schema:os")
                .replace(
                        "urn:oasis:names:tc:xacml:2.0:profile:saml2.0:v2:schema:assertion",
                        "urn:oasis:xacml:2.0:saml:assertion:schema:os")
                .replace(" CombinePolicies=\"true\"", "");
    }

    @Test
    void theQueryIsAsTheSchemasWantItButForTheNamespacesOfTheDraft() throws Exception {
        Schema schema = schema();
        String query = asStandard(text(wording.ask(ALICE).body()));

        schema.newValidator().validate(new StreamSource(new StringReader(query)));

        String broken = query.replace("Version=\"2.0\"", "");
        assertThatThrownBy(() -> schema.newValidator().validate(new StreamSource(new StringReader(broken))))
                .hasMessageContaining("Version");
    }

    @Test
    void theSampleOfAnAnswerIsValidAndNamesItsAccount() throws Exception {
        Schema schema = schema();
        String sample = Files.readString(SCHEMAS.resolve("sample-gums-response.xml"));
        schema.newValidator().validate(new StreamSource(new StringReader(asStandard(sample))));

        assertThat(new XacmlAnswer(accounts).read(sample.getBytes(StandardCharsets.UTF_8), "_0f3a7c1e5b"))
                .isEqualTo(
                        new PointDecision.Permit(List.of("tvo001"), "the mapping service maps the caller to tvo001"));
    }

    @Test
    void obligationsNameTheAccount() {
        String name = obligation("username", "username", "ann");
        assertThat(accountsOf(read(answer("Permit", name)))).containsExactly("ann");
        assertThat(accountsOf(read(answer("Permit", obligation("uidgid", "posix-uid", "20001", "posix-gid", "7")))))
                .containsExactly("ann");
        assertThat(accountsOf(read(answer("Permit", name + obligation("uidgid", "posix-uid", "20001")))))
                .containsExactly("ann");
        assertThat(accountsOf(read(answer("Permit", name + obligation("uidgid", "posix-gid", "5")))))
                .containsExactly("ann");
        assertThat(accountsOf(
                        read(answer("Permit", obligation("account", "username", "ann", "primary-groupname", "lab")))))
                .containsExactly("ann");
        assertThat(accountsOf(read(answer("Permit", "")))).isEmpty();
        assertThat(read(answer("Deny", obligation("username", "username", ""))).word())
                .isEqualTo("deny");
        assertThat(read(answer("NotApplicable", "")).word()).isEqualTo("abstain");
    }

    private static List<String> accountsOf(PointDecision decision) {
        assertThat(decision).isInstanceOf(PointDecision.Permit.class);
        return ((PointDecision.Permit) decision).accounts();
    }

    /** The uid of another account, root, two names, an unknown obligation: whoever made the mistake, nobody gets in by it. */
    @Test
    void aPermitThatCannotBeFulfilledIsNone() {
        for (String obligations : List.of(
                obligation("username", "username", "ann") + obligation("uidgid", "posix-uid", "20002"),
                obligation("uidgid", "posix-uid", "0"),
                obligation("uidgid", "posix-uid", "-1"),
                obligation("uidgid", "posix-uid", "30000"),
                obligation("username", "username", "-rf"),
                obligation("username", "username", ""),
                obligation("username", "username", "ann", "username", "bob"),
                obligation("access-permissions", "access-permissions", "read-only"),
                obligation("username", "colour", "red"),
                "<o:Obligation ObligationId='x' FulfillOn='Permit'/>")) {
            assertThatThrownBy(() -> read(answer("Permit", obligations)))
                    .as(obligations)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "permit",
                "<a/>",
                "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
                "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Body/></S:Envelope>",
                "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Body><S:Fault><faultcode>GUMS</faultcode>"
                        + "<faultstring>no DN</faultstring></S:Fault></S:Body></S:Envelope>"
            })
    void whatIsNoAnswerIsRefused(String answer) {
        assertThatThrownBy(() -> read(answer)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void answersToOtherQueriesSeveralResultsAndDepthAreRefused() {
        String good = answer("Permit", obligation("username", "username", "ann"));
        assertThat(read(good).word()).isEqualTo("permit");
        for (String bad : List.of(
                good.replace("_1", "_2"),
                good.replace("<c:Decision>Permit", "<c:Decision>Perhaps"),
                good.replace("</c:Result>", "</c:Result><c:Result><c:Decision>Deny</c:Decision></c:Result>"),
                good.replace(
                        "<a:Assertion", "<p:Status><p:StatusCode Value='urn:x:Requester'/></p:Status><a:Assertion"),
                answer("Permit", "<x>".repeat(40) + "</x>".repeat(40)),
                answer("Permit", "<x/>".repeat(3_000)))) {
            assertThatThrownBy(() -> read(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void tokensAndRehearsalsAreNotAsked() {
        AuthzRequest token =
                AuthzRequest.of(new Identity("https://issuer.example#alice", "token", false), Action.SUBMIT);
        assertThat(wording.ask(token).isNothing()).isTrue();
        assertThat(wording.ask(token).answer().apply(new byte[0]).word()).isEqualTo("abstain");
        AuthzRequest rehearsal = new AuthzRequest(ALICE.identity(), Action.SUBMIT, Map.of(), true);
        assertThat(wording.ask(rehearsal).answer().apply(new byte[0]).word()).isEqualTo("indeterminate");
    }

    /** Shows its own certificate, and believes those of this authority. */
    private SSLContext tls(TestPki.Credential own, TestPki authority) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("own", own.key(), new char[0], own.chain());
        Path authorities = authority.trustIn(Files.createTempDirectory(folder, "trust"));
        try (Stream<Path> files = Files.list(authorities);
                InputStream in = Files.newInputStream(
                        files.filter(file -> file.toString().endsWith(".0"))
                                .findFirst()
                                .orElseThrow())) {
            keys.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, new char[0]);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** Over TLS with both certificates: asked once for many requests, and who does not answer in time has not permitted. */
    @Test
    void theServiceIsAskedByMutualTlsAndItsAnswerIsKept() throws Exception {
        TestPki pki = new TestPki("CN=CA,O=Grid");
        TestPki.Credential service = pki.issue("CN=localhost,O=Grid");
        TestPki.Credential gateway = pki.issue("CN=gw,O=Grid");
        TestPki other = new TestPki("CN=Another,O=Grid");
        AtomicReference<String> caller = new AtomicReference<>("");
        AtomicReference<Duration> delay = new AtomicReference<>(Duration.ZERO);
        AtomicInteger asked = new AtomicInteger();
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls(service, pki)) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = getSSLContext().getDefaultSSLParameters();
                wanted.setNeedClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        server.setExecutor(executor);
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            String query = text(exchange.getRequestBody().readAllBytes());
            caller.set(((com.sun.net.httpserver.HttpsExchange) exchange)
                    .getSSLSession()
                    .getPeerPrincipal()
                    .getName());
            try {
                Thread.sleep(Optional.ofNullable(delay.get()).orElse(Duration.ZERO));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            String id = query.replaceFirst("(?s).* ID=\"([^\"]*)\".*", "$1");
            byte[] bytes = answer("Permit", obligation("username", "username", "ann"))
                    .replace("_1", id)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        URI address = URI.create("https://localhost:" + server.getAddress().getPort() + "/gums");
        Destinations site = Destinations.ofSite(new OwnPorts());
        try (HttpCallout known =
                        new HttpCallout("gums", address, wording, Duration.ofSeconds(20), tls(gateway, pki), site);
                HttpCallout hasty =
                        new HttpCallout("gums", address, wording, Duration.ofMillis(300), tls(gateway, pki), site);
                HttpCallout stranger =
                        new HttpCallout("gums", address, wording, Duration.ofSeconds(20), tls(gateway, other), site)) {
            CachedPoint cached = new CachedPoint(known, Duration.ofMinutes(1), System::nanoTime);
            for (int i = 0; i < 100; i++) {
                assertThat(accountsOf(cached.judge(ALICE))).containsExactly("ann");
            }
            assertThat(asked.get()).isEqualTo(1);
            assertThat(caller.get()).isEqualTo("CN=gw,O=Grid");
            assertThat(stranger.judge(ALICE).word())
                    .as("a service of an authority that is not trusted is not believed")
                    .isEqualTo("indeterminate");
            delay.set(Duration.ofMinutes(1)); // it is interrupted at the end
            assertThat(hasty.judge(ALICE).word()).isEqualTo("indeterminate");
        } finally {
            server.stop(0);
            executor.shutdownNow();
        }
    }
}
