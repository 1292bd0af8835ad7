// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jobgate.delegation.TestGrid.ALICE;

import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyChainType;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jobgate.delegation.TestGrid;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FurtherProxiesTest {

    private static final TestGrid GRID = new TestGrid();
    private static final KeyPair SERVICE_KEYS = TestGrid.keys();
    private static final KeyPair OTHER_KEYS = TestGrid.keys();
    private static final Duration HOUR = Duration.ofHours(1);

    private static DelegatedProxy credential(List<X509Certificate> chain, PrivateKey key, boolean limited) {
        Instant end = Instant.now().plus(HOUR).truncatedTo(ChronoUnit.SECONDS);
        return new DelegatedProxy(ALICE, "k1", chain, key, limited, end, end);
    }

    private static X509Certificate[] further(List<X509Certificate> chain, boolean limited) throws Exception {
        DelegatedProxy credential = credential(chain, SERVICE_KEYS.getPrivate(), limited);
        X509Certificate[] further = FurtherProxies.over(credential, OTHER_KEYS.getPublic(), Clock.systemUTC());

        ChainCheck.Verified verified = GRID.check().check(further);
        assertThat(verified.subject()).isEqualTo(ALICE);
        assertThat(further).hasSize(chain.size() + 1);
        assertThat(further[0].getPublicKey()).isEqualTo(OTHER_KEYS.getPublic());
        assertThat(further[0].getNotAfter().toInstant()).isEqualTo(credential.terminates());
        assertThat(further[0].getKeyUsage()[0]).as("may sign").isTrue();
        return further;
    }

    /** The certificate of our key is signed with the owner's key then, which says nothing about how our key signs. */
    @ParameterizedTest
    @CsvSource({"EC,SHA256withECDSA", "Ed25519,Ed25519"})
    void theOwnersKeyMayBeOfAnotherKindThanOurs(String keys, String algorithm) throws Exception {
        X509Certificate[] further =
                further(GRID.proxyOfAliceWith(keys, algorithm, SERVICE_KEYS.getPublic(), HOUR), false);

        assertThat(further[0].getSigAlgName()).isEqualTo("SHA256withRSA");
        assertThat(new ProxyChainInfo(further).getProxyType()).isEqualTo(ProxyChainType.RFC3820);
    }

    @Test
    void itIsOfTheKindOfTheCredentialAndLimitedWhereThatIs() throws Exception {
        ProxyChainInfo full = new ProxyChainInfo(further(GRID.proxyOfAlice(SERVICE_KEYS.getPublic(), HOUR), false));
        assertThat(full.getProxyType()).isEqualTo(ProxyChainType.RFC3820);
        assertThat(full.isLimited()).isFalse();
        X509Certificate[] limited = further(GRID.limitedProxyOfAlice(SERVICE_KEYS.getPublic(), HOUR), true);
        assertThat(new ProxyChainInfo(limited).isLimited()).isTrue();
        assertThat(GRID.check()
                        .check(new X509Certificate[] {limited[0], limited[1], limited[2]})
                        .limited())
                .isTrue();

        X509Certificate[] legacy = further(GRID.legacyProxyOfAlice(SERVICE_KEYS.getPublic(), HOUR), false);
        assertThat(new ProxyChainInfo(legacy).getProxyType()).isEqualTo(ProxyChainType.LEGACY);
        assertThat(legacy[0].getSubjectX500Principal().getName()).startsWith("CN=proxy,CN=proxy,");
        assertThat(legacy[0].getSerialNumber()).isEqualTo(legacy[1].getSerialNumber());
    }

    @Test
    void aKeyThatCannotSignMakesItsCredentialUnusableAndNothingElse() throws Exception {
        PrivateKey agreesOnly =
                KeyPairGenerator.getInstance("X25519").generateKeyPair().getPrivate();
        DelegatedProxy credential = credential(GRID.proxyOfAlice(SERVICE_KEYS.getPublic(), HOUR), agreesOnly, false);

        assertThatThrownBy(() -> FurtherProxies.over(credential, OTHER_KEYS.getPublic(), Clock.systemUTC()))
                .isInstanceOfSatisfying(
                        FaultException.class,
                        e -> assertThat(e.fault().code()).isEqualTo(FaultCode.CREDENTIAL_UNUSABLE));
    }
}
