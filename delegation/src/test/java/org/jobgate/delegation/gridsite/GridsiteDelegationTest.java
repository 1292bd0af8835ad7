// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gridsite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.jobgate.delegation.TestGrid.ALICE;
import static org.jobgate.delegation.TestGrid.BOB;

import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.jobgate.access.Access;
import org.jobgate.authz.Decision;
import org.jobgate.delegation.Calls;
import org.jobgate.delegation.TestClock;
import org.jobgate.delegation.TestGrid;
import org.jobgate.delegation.vault.ChainAcceptance;
import org.jobgate.delegation.vault.KeyPool;
import org.jobgate.delegation.vault.PendingKeys;
import org.jobgate.delegation.vault.SiteKey;
import org.jobgate.delegation.vault.TokenAcceptance;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.delegation.vault.VaultDelegations;
import org.jobgate.delegation.vault.VaultSettings;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.limits.Limit;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridsiteDelegationTest {

    private static final TestGrid GRID = new TestGrid();

    private final TestClock clock = new TestClock();

    @TempDir
    private Path directory;

    private JobStore store;
    private KeyPool keys;
    private Vault vault;
    private GridsiteDelegation service;

    @BeforeEach
    void open() {
        SecureRandom random = new SecureRandom();
        store = TestStores.sqlite(directory);
        keys = new KeyPool(2, random);
        vault = Vault.open(store, SiteKey.in(directory.resolve("site.key"), random), VaultSettings.defaults(), clock);
        PendingKeys pending = new PendingKeys(
                new Limit("delegation.maxPendingKeys", 10),
                new Limit("delegation.maxPendingKeysPerOwner", 5),
                Duration.ofMinutes(5),
                clock);
        service = new GridsiteDelegation(
                new VaultDelegations(
                        vault,
                        keys,
                        pending,
                        new ChainAcceptance(GRID.check(), clock),
                        new TokenAcceptance(clock),
                        () -> "made-here"),
                new Access(identity -> new Decision.Permit(List.of("somebody"))),
                "1.2.3");
    }

    @AfterEach
    void close() {
        keys.close();
        store.close();
    }

    private XmlElement ask(String subject, String namespace, String operation, String parts) {
        XmlElement answer = Calls.answer(
                service,
                Calls.call(
                        subject,
                        Generation.GT40,
                        "<d:" + operation + " xmlns:d='" + namespace + "'>" + parts + "</d:" + operation + ">"));
        assertThat(answer.name().getNamespaceURI()).isEqualTo(namespace);
        assertThat(answer.localName()).isEqualTo(operation + "Response");
        return answer;
    }

    private String refusal(String subject, String operation, String parts) {
        SoapFaultException fault = catchThrowableOfType(
                SoapFaultException.class, () -> ask(subject, GridsiteDelegation.NAMESPACE_2, operation, parts));
        assertThat(fault).isNotNull();
        XmlElement detail = Calls.detail(fault);
        assertThat(detail.name().getNamespaceURI()).isEqualTo(GridsiteDelegation.NAMESPACE_2);
        assertThat(detail.localName()).isEqualTo("DelegationException");
        return detail.child("msg").orElseThrow().text();
    }

    private static String text(XmlElement answer, String name) {
        XmlElement part = answer.child(name).orElseThrow();
        assertThat(part.name().getNamespaceURI()).isEmpty();
        return part.text();
    }

    private static PublicKey keyOf(String request) throws Exception {
        try (PEMParser parser = new PEMParser(new StringReader(request))) {
            return new JcaPKCS10CertificationRequest((PKCS10CertificationRequest) parser.readObject()).getPublicKey();
        }
    }

    private static String id(String id) {
        return "<delegationID>" + id + "</delegationID>";
    }

    private static String proxy(List<X509Certificate> chain) throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter out = new JcaPEMWriter(text)) {
            for (X509Certificate certificate : chain) {
                out.writeObject(certificate);
            }
        }
        return "<proxy>" + text + "</proxy>";
    }

    @ParameterizedTest
    @ValueSource(strings = {GridsiteDelegation.NAMESPACE_1, GridsiteDelegation.NAMESPACE_2})
    void aCredentialIsPutRenewedAskedForAndDestroyed(String namespace) throws Exception {
        XmlElement answer = ask(ALICE, namespace, "getNewProxyReq", "");
        XmlElement request = answer.child("getNewProxyReqReturn").orElseThrow();
        assertThat(answer.child("delegationID").isPresent())
                .isEqualTo(namespace.equals(GridsiteDelegation.NAMESPACE_2));
        String id = text(request, "delegationID");
        assertThat(id).isEqualTo("made-here");
        PublicKey key = keyOf(text(request, "proxyRequest"));
        ask(ALICE, namespace, "putProxy", id(id) + proxy(GRID.legacyProxyOfAlice(key, Duration.ofHours(1))));
        Instant expires = vault.find(ALICE, id).orElseThrow().expires();
        assertThat(text(ask(ALICE, namespace, "getTerminationTime", id(id)), "getTerminationTimeReturn"))
                .isEqualTo(Times.format(expires));

        PublicKey next = keyOf(text(ask(ALICE, namespace, "renewProxyReq", id(id)), "renewProxyReqReturn"));
        assertThat(next).isNotEqualTo(key);
        ask(ALICE, namespace, "putProxy", id(id) + proxy(GRID.proxyOfAlice(next, Duration.ofHours(9))));
        assertThat(vault.find(ALICE, id).orElseThrow().expires()).isAfter(expires);
        ask(ALICE, namespace, "destroy", id(id));
        assertThat(vault.find(ALICE, id)).isEmpty();
    }

    @Test
    void anEmptyIdIsTheCallersUsualOne() throws Exception {
        String namespace = GridsiteDelegation.NAMESPACE_2;
        PublicKey key = keyOf(text(ask(ALICE, namespace, "getProxyReq", id("")), "getProxyReqReturn"));
        ask(ALICE, namespace, "putProxy", id("") + proxy(GRID.proxyOfAlice(key, Duration.ofHours(1))));
        assertThat(text(ask(ALICE, namespace, "getTerminationTime", id("")), "getTerminationTimeReturn"))
                .isNotEmpty();
        assertThat(refusal(BOB, "getTerminationTime", id(""))).contains("no such delegated credential");
    }

    @Test
    void whatCannotBeDoneIsSaidWithTheReason() throws Exception {
        assertThat(refusal(ALICE, "putProxy", id("x") + "<proxy/>")).contains("No key waits");
        assertThat(refusal(ALICE, "renewProxyReq", id("x"))).contains("no such delegated credential");
        assertThat(refusal(ALICE, "destroy", id("x"))).contains("no such delegated credential");
        assertThat(refusal(ALICE, "getProxyReq", id("a b/../c"))).contains("cannot be used");
        assertThat(refusal(ALICE, "getServiceMetadata", "<key>features</key>")).contains("features");
        ask(ALICE, GridsiteDelegation.NAMESPACE_2, "getProxyReq", id("x"));
        assertThat(refusal(ALICE, "putProxy", id("x") + "<proxy>none</proxy>")).contains("cannot be read");
        PublicKey other = TestGrid.keys().getPublic();
        assertThat(refusal(ALICE, "putProxy", id("x") + proxy(GRID.proxyOfAlice(other, Duration.ofHours(1)))))
                .contains("another key");
    }

    @Test
    void theVersionsAreTold() {
        String namespace = GridsiteDelegation.NAMESPACE_2;
        assertThat(text(ask(ALICE, namespace, "getVersion", ""), "getVersionReturn"))
                .isEqualTo("1.2.3");
        assertThat(text(ask(ALICE, namespace, "getInterfaceVersion", ""), "getInterfaceVersionReturn"))
                .isEqualTo("2.0.0");
    }
}
