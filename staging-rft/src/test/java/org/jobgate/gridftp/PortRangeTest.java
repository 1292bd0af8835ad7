// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortRangeTest {

    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @Test
    void aRangeIsReadAsItIsWritten() {
        assertThat(PortRange.parse("50000-50100")).isEqualTo(new PortRange(50000, 50100));
        assertThat(PortRange.parse("any")).isEqualTo(PortRange.ANY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "50000", "50100-50000", "0-10", "50000-70000", "50000 - 50100", "1-2-3", "ANY"})
    void whatIsNoRangeIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> PortRange.parse(text));
    }

    @Test
    void aPortThatIsFreeIsTaken() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 1, HERE);
                ServerSocket any = PortRange.ANY.listen(HERE, 1, 0)) {
            int port = busy.getLocalPort();
            assertThatThrownBy(() -> new PortRange(port, port).listen(HERE, 1, 0))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining(port + " to " + port);
            assertThat(any.getLocalPort()).isPositive();

            PortRange some = new PortRange(Math.max(1, port - 20), Math.min(65535, port + 20));
            try (ServerSocket free = some.listen(HERE, 1, 0)) {
                assertThat(free.getLocalPort())
                        .isBetween(some.first(), some.last())
                        .isNotEqualTo(port);
            }
        }
    }
}
