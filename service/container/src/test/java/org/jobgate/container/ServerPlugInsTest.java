// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.transfer.server.FileServer;
import org.jobgate.transfer.server.ServerChoice;
import org.jobgate.transfer.server.ServerChoiceProvider;
import org.jobgate.transfer.server.ServerState;
import org.junit.jupiter.api.Test;

/** A site's own way to choose among file servers, as it is found beside the server's jars: here in META-INF/services of the tests. */
class ServerPlugInsTest {

    private static final ServerState A = state("a");
    private static final ServerState B = state("b");

    private static ServerState state(String host) {
        return new ServerState(new FileServer(null, "/home", URI.create("gsiftp://" + host + "/home")), 0, 0);
    }

    /** Takes the last one. */
    public static final class Last implements ServerChoiceProvider {
        @Override
        public String name() {
            return "last";
        }

        @Override
        public ServerChoice create() {
            return List::getLast;
        }
    }

    /** Fails if there are several, and else chooses one that is not there. */
    public static final class Broken implements ServerChoiceProvider {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public ServerChoice create() {
            return servers -> {
                if (servers.size() > 1) {
                    throw new IllegalStateException("too many servers");
                }
                return state("elsewhere");
            };
        }
    }

    @Test
    void theOneOfTheNameChooses() {
        assertThat(ServerPlugIns.find("last").choose(List.of(A, B))).isEqualTo(B);
    }

    @Test
    void oneThatDoesWrongCostsNoFile() {
        ServerChoice broken = ServerPlugIns.find("broken");
        assertThat(broken.choose(List.of(A, B))).isEqualTo(A);
        assertThat(broken.choose(List.of(B))).isEqualTo(B);
    }

    @Test
    void oneThatIsNotThereIsRefusedWithThoseThatAre() {
        assertThatThrownBy(() -> ServerPlugIns.find("none"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("staging.serverPlugIn = none")
                .hasMessageContaining("[last, broken]");
    }
}
