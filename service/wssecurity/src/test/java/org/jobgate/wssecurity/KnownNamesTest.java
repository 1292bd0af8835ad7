// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.cert.X509Certificate;
import java.util.List;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** For which hosts and ports a signed message may be. */
class KnownNamesTest {

    private static final String CLIENT = "192.0.2.99";

    private static KnownNames names(X509Certificate certificate, String... further) {
        return new KnownNames(
                "Gate.Example.org",
                certificate,
                List.of(further),
                port -> port == 8443 || port == 443,
                address -> List.of("192.0.2.1", "2001:db8:0:0:0:0:0:1").contains(address.getHostAddress()));
    }

    private static final TestSigner GRID = new TestSigner();

    private static final KnownNames NAMED = names(
            GRID.serviceCertificate(
                    new GeneralName(GeneralName.dNSName, "jobs.example.org"),
                    new GeneralName(GeneralName.dNSName, "*.grid.example.org"),
                    new GeneralName(GeneralName.iPAddress, "198.51.100.7")),
            "relay.example.net:9000",
            "old-name.example.org");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://gate.example.org:8443/bes/BESFactory",
                "https://GATE.example.org.:8443/bes/BESFactory",
                "https://gate.example.org/bes/BESFactory",
                "http://gate.example.org:8443/wsrf/services/ManagedJobFactoryService",
                "https://jobs.example.org:8443/bes/BESFactory",
                "https://one.grid.example.org:8443/bes/BESFactory",
                "https://198.51.100.7:8443/bes/BESFactory",
                "https://192.0.2.1:8443/bes/BESFactory",
                "https://[2001:db8::1]:8443/bes/BESFactory",
                "https://relay.example.net:9000/bes/BESFactory",
                "https://old-name.example.org:1/bes/BESFactory"
            })
    void anAddressOfTheGatewayIsKnown(String address) {
        assertThat(NAMED.contain(address, CLIENT)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://other.example.org:8443/bes/BESFactory",
                "https://gate.example.org:8444/bes/BESFactory",
                "http://gate.example.org/bes/BESFactory",
                "https://two.one.grid.example.org:8443/bes/BESFactory",
                "https://grid.example.org:8443/bes/BESFactory",
                "https://198.51.100.8:8443/bes/BESFactory",
                "https://198.51.100.07:8443/bes/BESFactory",
                "https://192.0.513:8443/bes/BESFactory",
                "https://999.1.1.1:8443/bes/BESFactory",
                "https://relay.example.net:8443/bes/BESFactory",
                "https://gate.example.org:8443@other.example.org:8443/bes/BESFactory",
                "https://other.example.org:8443/gate.example.org:8443/BESFactory",
                "https://:8443/BESFactory",
                "https:///BESFactory",
                "//gate.example.org/BESFactory:8443",
                "urn:BESFactory",
                "gate.example.org:8443/BESFactory",
                "",
                "https://gate example.org/BESFactory",
                "https://localhost:8443/bes/BESFactory",
                "https://127.0.0.1:8443/bes/BESFactory"
            })
    void anotherAddressIsNot(String address) {
        assertThat(NAMED.contain(address, CLIENT)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "localhost,127.0.0.1,true",
        "127.0.0.1,127.0.0.1,true",
        "[::1],0:0:0:0:0:0:0:1,true",
        "localhost,192.0.2.99,false",
        "localhost,'',false"
    })
    void theMachinesOwnClientsMayCallItLocalhost(String host, String client, boolean isKnown) {
        assertThat(NAMED.contain("https://" + host + ":8443/bes/BESFactory", client))
                .isEqualTo(isKnown);
    }

    /** As certificates of grids are made that have no alternative names. */
    @Test
    void withoutAlternativeNamesTheCommonNameCounts() {
        assertThat(names(GRID.serviceCertificate).contain("https://localhost:8443/x", CLIENT))
                .isTrue();
        assertThat(NAMED.contain("https://localhost:8443/x", CLIENT))
                .as("with them it does not")
                .isFalse();
        assertThat(names(GRID.certificateOf("O=Test,CN=host/door.example.org"))
                        .contain("https://door.example.org:8443/x", CLIENT))
                .isTrue();
    }

    @Test
    void aFurtherNameIsAHostWithOrWithoutAPort() {
        assertThatThrownBy(() -> names(GRID.serviceCertificate, "https://relay/x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("https://relay/x");
        assertThat(NAMED.toString()).contains("gate.example.org", "jobs.example.org");
    }
}
