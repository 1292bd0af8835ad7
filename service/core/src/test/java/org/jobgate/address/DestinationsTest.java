// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationsTest {

    private static final int OWN_PORT = 8443;
    private static final int OTHER_PORT = 2811;

    private static Destinations destinations(boolean allowPrivate, boolean allowLoopback) {
        OwnPorts own = new OwnPorts();
        own.add(OWN_PORT);
        return new Destinations(own, "staging", allowPrivate, allowLoopback);
    }

    private static void check(Destinations destinations, String address, int port) throws Exception {
        destinations.check("named", InetAddress.getByName(address), port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.170.2",
                "100.100.100.200",
                "192.0.0.192",
                "168.63.129.16",
                "fd00:ec2::254",
                "fd20:ce::254",
                "fe80::1",
                "ff02::1",
                "224.0.0.1",
                "::ffff:169.254.169.254",
                "::ffff:0:169.254.169.254",
                "::169.254.169.254",
                "64:ff9b::169.254.169.254",
                "64:ff9b::100.100.100.200",
                "64:ff9b:1::169.254.169.254",
                "64:ff9b:1:a9fe:a9:fe00::",
                "2002:a9fe:a9fe::1",
                "2001:0:808:808:0:0:5601:5601",
                "2001:db8::5efe:169.254.169.254"
            })
    void theLinkAndMetadataServicesAreNeverAllowed(String address) {
        assertThatThrownBy(() -> check(destinations(true, true), address, OTHER_PORT))
                .isInstanceOf(ForbiddenAddressException.class)
                .hasMessageContaining("metadata service");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.8.7",
                "::1",
                "0.0.0.0",
                "::",
                "0.1.2.3",
                "::ffff:127.0.0.1",
                "64:ff9b::127.0.0.1"
            })
    void theGatewaysOwnPortsAreNeverAllowed(String address) throws Exception {
        assertThatThrownBy(() -> check(destinations(true, true), address, OWN_PORT))
                .isInstanceOf(ForbiddenAddressException.class)
                .hasMessageContaining("this gateway itself");
        check(destinations(true, true), address, OTHER_PORT);
        check(destinations(false, true), address, OTHER_PORT);
        assertThatThrownBy(() -> check(destinations(true, false), address, OTHER_PORT))
                .hasMessageContaining("staging.allowLoopbackAddresses");
    }

    @Test
    void itsPortsAreItsOwnAtEveryInterface() throws Exception {
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            for (InetAddress address : each.inetAddresses().toList()) {
                assertThatThrownBy(() -> destinations(true, true).check("here", address, OWN_PORT))
                        .as("%s", address)
                        .isInstanceOf(ForbiddenAddressException.class);
            }
        }
    }

    @Test
    void itsPublicNameMayBeThatOfARouterBeforeIt() throws Exception {
        OwnPorts own = new OwnPorts("192.0.2.7");
        own.add(OWN_PORT);
        Destinations all = new Destinations(own, "staging", true, true);
        assertThatThrownBy(() -> check(all, "192.0.2.7", OWN_PORT)).hasMessageContaining("this gateway itself");
        check(all, "192.0.2.7", OTHER_PORT);
        check(all, "192.0.2.8", OWN_PORT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.1.2.3",
                "192.168.0.1",
                "172.16.1.1",
                "fd00::1",
                "100.64.0.1",
                "64:ff9b::10.0.0.1",
                "2002:c0a8:1::1"
            })
    void privateNetworksAreTheSitesToAllow(String address) throws Exception {
        check(destinations(true, false), address, OTHER_PORT);
        assertThatThrownBy(() -> check(destinations(false, true), address, OTHER_PORT))
                .hasMessageContaining("staging.allowPrivateAddresses");
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.8.8.8", "2001:4860:4860::8888", "64:ff9b::8.8.8.8", "100.128.0.1"})
    void publicAddressesAreAllowed(String address) {
        assertThatCode(() -> check(destinations(false, false), address, OTHER_PORT))
                .doesNotThrowAnyException();
    }

    @Test
    void everyAddressOfANameIsLookedAt() throws Exception {
        assertThat(destinations(true, true).checked("127.0.0.1", OTHER_PORT))
                .isEqualTo(List.of(InetAddress.getLoopbackAddress()));
        assertThatThrownBy(() -> destinations(true, true).checked("localhost", OWN_PORT))
                .isInstanceOf(ForbiddenAddressException.class);
    }
}
