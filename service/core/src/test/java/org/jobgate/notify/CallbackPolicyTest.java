// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallbackPolicyTest {

    private static final int OWN_PORT = 8443;

    private static CallbackPolicy policy(boolean allowPrivate) {
        OwnPorts own = new OwnPorts();
        own.add(OWN_PORT);
        return new CallbackPolicy(new Destinations(own, "callbacks", allowPrivate, allowPrivate));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:1/",
                "https://10.1.2.3/",
                "https://192.168.0.1/",
                "https://[::1]/",
                "https://[fd00::1]/",
                "https://0.0.0.0/",
                "https://2130706433/",
                "https://[::ffff:127.0.0.1]/",
                "https://[::ffff:a00:1]/",
                "https://[::127.0.0.1]/",
                "https://[64:ff9b::10.0.0.1]/",
                "https://[2002:7f00:1::1]/",
                "https://[2002:c0a8:1::1]/",
                "https://100.64.0.1/",
                "https://0.1.2.3/",
                "https://192.0.0.8/",
                "https://198.18.0.1/",
                "https://255.255.255.255/"
            })
    void privateAddressesAreRefusedWhereTheyAreForbidden(String address) {
        assertThatThrownBy(() -> policy(false).requireAddress(address))
                .hasMessageContaining("callbacks.allow")
                .hasMessageContaining("= false");
        assertThat(policy(true).requireAddress(address)).isEqualTo(URI.create(address));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1:8443/metrics",
                "http://[::1]:8443/",
                "https://0.0.0.0:8443/",
                "https://169.254.169.254/latest",
                "http://[fd00:ec2::254]/latest",
                "http://100.100.100.200/",
                "https://[ff02::1]/",
                "https://[fe80::1]/",
                "http://[64:ff9b::a9fe:a9fe]/"
            })
    void theGatewayItselfAndMetadataServicesAreNeverCalled(String address) {
        assertThatThrownBy(() -> policy(true).requireAddress(address)).hasMessageContaining("never connects to");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://8.8.8.8:8443/x",
                "http://[2001:4860:4860::8888]/",
                "https://[64:ff9b::8.8.8.8]/",
                "https://100.128.0.1/"
            })
    void publicAddressesAreAllowed(String address) {
        assertThat(policy(false).requireAddress(address)).isEqualTo(URI.create(address));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "ip6-localhost.invalid."})
    void namesAreResolvedBeforeTheyAreCalled(String host) {
        URI address = policy(false).requireAddress("https://" + host + "/");

        assertThatThrownBy(() -> policy(false).requireHost(address)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://x/", "file:///etc/passwd", "//x", "https://u:p@x/", "x y", ""})
    void whatIsNoUrlOfAConsumerIsRefused(String address) {
        assertThatThrownBy(() -> policy(true).requireAddress(address)).isInstanceOf(IllegalArgumentException.class);
    }
}
