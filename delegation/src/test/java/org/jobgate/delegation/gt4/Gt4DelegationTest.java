// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.jobgate.delegation.TestGrid.ALICE;
import static org.jobgate.delegation.TestGrid.BOB;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jobgate.access.Access;
import org.jobgate.authz.Decision;
import org.jobgate.delegation.Calls;
import org.jobgate.delegation.TestClock;
import org.jobgate.delegation.TestGrid;
import org.jobgate.delegation.TestTokens;
import org.jobgate.delegation.vault.ChainAcceptance;
import org.jobgate.delegation.vault.Chains;
import org.jobgate.delegation.vault.DelegatedToken;
import org.jobgate.delegation.vault.KeyPool;
import org.jobgate.delegation.vault.ServiceKey;
import org.jobgate.delegation.vault.SiteKey;
import org.jobgate.delegation.vault.TokenAcceptance;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.delegation.vault.VaultSettings;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.job.FaultException;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Element;

/** The conversations of captures 02, 03, 16, 27, 57, 61 and 64 to 66, from the service's side. */
class Gt4DelegationTest {

    private static final TestGrid GRID = new TestGrid();
    private static final String ADDRESS = "https://gate:8443/wsrf/services/DelegationService";
    private static final Duration HALF_DAY = Duration.ofHours(12);

    private final TestClock clock = new TestClock();

    @TempDir
    private Path directory;

    private JobStore store;
    private KeyPool keys;
    private Vault vault;
    private DelegationFactory factory;
    private DelegationResource resource;

    @BeforeEach
    void open() {
        SecureRandom random = new SecureRandom();
        store = TestStores.sqlite(directory);
        keys = new KeyPool(1, random);
        SiteKey siteKey = SiteKey.in(directory.resolve("site.key"), random);
        vault = Vault.open(store, siteKey, VaultSettings.defaults(), clock);
        ServiceKey serviceKey = ServiceKey.in(store, siteKey, keys, clock, random);
        ChainAcceptance acceptance = new ChainAcceptance(GRID.check(), clock);
        DelegationFaults faults = new DelegationFaults(clock);
        Intake intake = new Intake(vault, serviceKey, acceptance, new TokenAcceptance(clock));
        Access access = new Access(identity -> identity.subject().equals(ALICE)
                ? new Decision.Permit(List.of("alice"))
                : new Decision.Deny("no line names the subject"));
        factory = new DelegationFactory(
                intake,
                serviceKey,
                access,
                faults,
                () -> UUID.randomUUID().toString(),
                ADDRESS,
                QueryLimits.defaults());
        resource = new DelegationResource(vault, intake, access, faults, QueryLimits.defaults(), clock);
    }

    @AfterEach
    void close() {
        keys.close();
        store.close();
    }

    private static String getProperty(Generation generation, String name) {
        return "<GetResourceProperty xmlns='" + generation.wsrp() + "' xmlns:d='" + Gt4Names.NAMESPACE + "' xmlns:l='"
                + generation.wsrl() + "'>" + name + "</GetResourceProperty>";
    }

    private static XmlElement child(XmlElement element, String name) {
        return element.child(name).orElseThrow(() -> new AssertionError("no " + name + " in " + element));
    }

    /** The service's key, as a client gets it. */
    private X509Certificate serviceCertificate(Generation generation) throws Exception {
        XmlElement answer =
                Calls.answer(factory, Calls.call(null, generation, getProperty(generation, "d:CertificateChain")));
        assertThat(answer.name()).isEqualTo(generation.properties("GetResourcePropertyResponse"));
        XmlElement token = child(child(answer, "CertificateChain"), "BinarySecurityToken");
        assertThat(token.attribute("ValueType")).contains(Gt4Names.PKI_PATH);
        return Chains.ofPkiPath(Base64.getDecoder().decode(token.text())).getFirst();
    }

    private static String token(List<X509Certificate> chain) throws Exception {
        return "<w:BinarySecurityToken xmlns:w='" + Gt4Names.TOKEN.getNamespaceURI() + "' ValueType='"
                + Gt4Names.PKI_PATH + "'>"
                + Base64.getMimeEncoder().encodeToString(Chains.toPkiPath(chain)) + "</w:BinarySecurityToken>";
    }

    private static String request(String token) {
        return "<RequestSecurityToken xmlns='" + Gt4Names.REQUEST.getNamespaceURI() + "'>" + token
                + "</RequestSecurityToken>";
    }

    private static String refresh(String token) {
        return "<refreshRequest xmlns='" + Gt4Names.NAMESPACE + "'>" + token + "</refreshRequest>";
    }

    private static String token(String webToken) {
        return "<w:BinarySecurityToken xmlns:w='" + Gt4Names.TOKEN.getNamespaceURI() + "' ValueType='"
                + Gt4Names.WEB_TOKEN + "'>"
                + Base64.getEncoder().encodeToString(webToken.getBytes(StandardCharsets.US_ASCII))
                + "</w:BinarySecurityToken>";
    }

    private String delegate(Generation generation, Duration lifetime) throws Exception {
        return delegate(
                generation,
                token(GRID.proxyOfAlice(serviceCertificate(generation).getPublicKey(), lifetime)));
    }

    private String delegate(Generation generation, String token) throws Exception {
        XmlElement answer = Calls.answer(factory, Calls.call(ALICE, generation, request(token)));
        assertThat(answer.name()).isEqualTo(Gt4Names.RESPONSE);
        XmlElement reference = answer.children().getFirst();
        assertThat(reference.name()).isEqualTo(generation.addressing("EndpointReference"));
        assertThat(child(reference, "Address").text()).isEqualTo(ADDRESS);
        return child(child(reference, generation.referenceKeys().getLocalPart()), "DelegationKey")
                .text();
    }

    private static SoapCall about(String subject, Generation generation, String key, String body) {
        Element header = Calls.header(Gt4Names.KEY, key);
        return Calls.call(subject, generation, body, header);
    }

    @ParameterizedTest
    @EnumSource
    void aCredentialIsDelegatedRefreshedShortenedAndDestroyed(Generation generation) throws Exception {
        String key = delegate(generation, Duration.ofHours(1));
        Instant expires = vault.find(ALICE, key).orElseThrow().expires();
        String terminationTime = getProperty(generation, "l:TerminationTime");
        assertThat(child(Calls.answer(resource, about(ALICE, generation, key, terminationTime)), "TerminationTime")
                        .text())
                .isEqualTo(Times.format(expires));

        String token = token(GRID.proxyOfAlice(serviceCertificate(generation).getPublicKey(), HALF_DAY));
        XmlElement refreshed = Calls.answer(resource, about(ALICE, generation, key, refresh(token)));
        assertThat(refreshed.name()).isEqualTo(Gt4Names.deleg(Gt4Names.NAMESPACE, "voidElemType"));
        assertThat(vault.find(ALICE, key).orElseThrow().expires()).isAfter(expires);

        String set = "<SetTerminationTime xmlns='" + generation.wsrl() + "'><RequestedTerminationTime>"
                + Times.format(expires) + "</RequestedTerminationTime></SetTerminationTime>";
        assertThat(child(Calls.answer(resource, about(ALICE, generation, key, set)), "NewTerminationTime")
                        .text())
                .isEqualTo(Times.format(expires));

        String destroy = "<Destroy xmlns='" + generation.wsrl() + "'/>";
        assertThat(Calls.answer(resource, about(ALICE, generation, key, destroy))
                        .name())
                .isEqualTo(generation.lifetime("DestroyResponse"));
        assertUnknown(about(ALICE, generation, key, destroy));
    }

    @ParameterizedTest
    @EnumSource
    void aTokenIsDelegatedInTheSameWay(Generation generation) throws Exception {
        String first = TestTokens.until(clock.instant().plus(Duration.ofHours(1)));
        String key = delegate(generation, token(first + "\n"));
        assertThat(vault.find(ALICE, key))
                .get()
                .isInstanceOfSatisfying(
                        DelegatedToken.class, kept -> assertThat(kept.token()).isEqualTo(first));

        String second = TestTokens.until(clock.instant().plus(HALF_DAY));
        Calls.answer(resource, about(ALICE, generation, key, refresh(token(second))));
        assertThat(vault.find(ALICE, key))
                .get()
                .isInstanceOfSatisfying(
                        DelegatedToken.class, kept -> assertThat(kept.token()).isEqualTo(second));

        assertUnknown(about(BOB, generation, key, refresh(token(second))));
        String proxy = token(GRID.proxyOfAlice(serviceCertificate(generation).getPublicKey(), HALF_DAY));
        assertThatThrownBy(() -> resource.answer(about(ALICE, generation, key, refresh(proxy))))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("cannot take the place");
        assertRefused(request(token("opaque")), "no JSON Web Token");

        Calls.answer(resource, about(ALICE, generation, key, "<Destroy xmlns='" + generation.wsrl() + "'/>"));
        assertThat(vault.find(ALICE, key)).isEmpty();
    }

    private void assertUnknown(SoapCall call) {
        SoapFaultException fault = catchThrowableOfType(SoapFaultException.class, () -> resource.answer(call));
        assertThat(fault).isNotNull().hasMessageContaining("no such delegated credential");
        assertThat(Calls.detail(fault).localName()).isEqualTo("ResourceUnknownFault");
    }

    @ParameterizedTest
    @EnumSource
    void toOthersACredentialIsNotThere(Generation generation) throws Exception {
        String key = delegate(generation, HALF_DAY);
        String token = token(GRID.proxyOfBob(serviceCertificate(generation).getPublicKey(), HALF_DAY));
        assertUnknown(about(BOB, generation, key, refresh(token)));
        assertUnknown(about(BOB, generation, key, "<Destroy xmlns='" + generation.wsrl() + "'/>"));
        assertUnknown(about(BOB, generation, key, getProperty(generation, "l:TerminationTime")));
        assertThat(vault.find(ALICE, key)).isPresent();
    }

    @Test
    void whoMayNotSubmitMayNotDelegate() throws Exception {
        String token = token(GRID.proxyOfBob(serviceCertificate(Generation.GT40).getPublicKey(), HALF_DAY));
        assertThatThrownBy(() -> factory.answer(Calls.call(BOB, Generation.GT40, request(token))))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("may not delegate");
        assertThatThrownBy(() -> factory.answer(Calls.call(null, Generation.GT40, request(token))))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("without a credential");
        assertThat(vault.size()).isZero();
    }

    @Test
    void tokensThatAreNoChainAreRefusedWithTheReason() throws Exception {
        assertRefused(request(""), "there is none");
        assertRefused(request(token(List.of(GRID.aliceCertificate()))), "another key");
        assertRefused(
                request("<BinarySecurityToken ValueType='http://x#X509v3'>AA==</BinarySecurityToken>"), "ValueType");
        assertRefused(request("<BinarySecurityToken>AAAA</BinarySecurityToken>"), "cannot be read");
        assertRefused(request("<BinarySecurityToken>MIAC</BinarySecurityToken>"), "cannot be read");
    }

    private void assertRefused(String body, String why) {
        assertThatThrownBy(() -> factory.answer(Calls.call(ALICE, Generation.GT40, body)))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aTimeAfterTheExpiryIsRefusedAsTheSpecificationSays() throws Exception {
        String key = delegate(Generation.GT40, Duration.ofHours(1));
        String set = "<SetTerminationTime xmlns='" + Generation.GT40.wsrl() + "'><RequestedTerminationTime>"
                + Times.format(clock.instant().plus(HALF_DAY))
                + "</RequestedTerminationTime></SetTerminationTime>";
        SoapFaultException fault = catchThrowableOfType(
                SoapFaultException.class, () -> resource.answer(about(ALICE, Generation.GT40, key, set)));
        assertThat(Calls.detail(fault).localName()).isEqualTo("UnableToSetTerminationTimeFault");
    }

    @Test
    void propertiesThatAreNotThereAreNamed() throws Exception {
        assertThatThrownBy(() ->
                        factory.answer(Calls.call(ALICE, Generation.GT40, getProperty(Generation.GT40, "d:Nothing"))))
                .hasMessageContaining("CertificateChain");
        String key = delegate(Generation.GT40, HALF_DAY);
        assertThatThrownBy(() -> resource.answer(
                        about(ALICE, Generation.GT40, key, getProperty(Generation.GT40, "d:CertificateChain"))))
                .hasMessageContaining("TerminationTime");
        assertThatThrownBy(() -> resource.answer(
                        Calls.call(ALICE, Generation.GT40, "<Destroy xmlns='" + Generation.GT40.wsrl() + "'/>")))
                .hasMessageContaining("DelegationKey");
    }

    /** A client may ask in either namespace, whatever generation the rest of its request is of. */
    @ParameterizedTest
    @CsvSource({
        "GT40, http://www.globus.org/08/2004/delegationService",
        "GT40, http://www.globus.org/01/2008/delegationService",
        "GT42, http://www.globus.org/08/2004/delegationService",
        "GT42, http://www.globus.org/01/2008/delegationService"
    })
    void eitherNamespaceIsAnsweredInItself(Generation generation, String namespace) throws Exception {
        String other = namespace.equals(Gt4Names.NAMESPACE) ? Gt4Names.NAMESPACE_42 : Gt4Names.NAMESPACE;
        String names = "' xmlns:d='" + namespace + "' xmlns:e='" + other + "'>";
        XmlElement chains = Calls.answer(
                factory,
                Calls.call(
                        null,
                        generation,
                        "<GetMultipleResourceProperties xmlns='" + generation.wsrp() + names
                                + "<ResourceProperty>d:CertificateChain</ResourceProperty>"
                                + "<ResourceProperty>e:CertificateChain</ResourceProperty></GetMultipleResourceProperties>"));
        assertThat(chains.children())
                .extracting(XmlElement::name)
                .containsExactly(Gt4Names.certificateChain(namespace), Gt4Names.certificateChain(other));

        String query = "<QueryResourceProperties xmlns='" + generation.wsrp()
                + "'><QueryExpression Dialect='http://www.w3.org/TR/1999/REC-xpath-19991116' xmlns:d='" + namespace
                + "'>/d:RPSet/d:CertificateChain</QueryExpression></QueryResourceProperties>";
        assertThat(Calls.answer(factory, Calls.call(null, generation, query)).children())
                .extracting(XmlElement::name)
                .containsExactly(Gt4Names.certificateChain(namespace));

        Element action = Calls.header(
                generation.addressing("Action"), namespace + "/DelegationFactoryPortType/RequestSecurityToken");
        String token = token(GRID.proxyOfAlice(serviceCertificate(generation).getPublicKey(), HALF_DAY));
        Reply delegated = factory.answer(Calls.call(ALICE, generation, request(token), action));
        assertThat(delegated.action()).isEqualTo(namespace + "/DelegationFactoryPortType/RequestSecurityTokenResponse");

        String key = delegate(generation, token);
        Element named = Calls.header(Gt4Names.deleg(namespace, "DelegationKey"), key);
        String refresh = "<refreshRequest xmlns='" + namespace + "'>" + token + "</refreshRequest>";
        Reply refreshed = resource.answer(Calls.call(ALICE, generation, refresh, named));
        assertThat(refreshed.action()).isEqualTo(namespace + "/DelegationPortType/refreshResponse");
        assertThat(Calls.answer(resource, Calls.call(ALICE, generation, refresh, named))
                        .name())
                .isEqualTo(Gt4Names.deleg(namespace, "voidElemType"));
    }
}
