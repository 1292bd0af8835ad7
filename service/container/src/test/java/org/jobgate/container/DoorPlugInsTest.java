// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.transfer.door.Door;
import org.jobgate.transfer.door.DoorChoice;
import org.jobgate.transfer.door.DoorChoiceProvider;
import org.jobgate.transfer.door.DoorState;
import org.junit.jupiter.api.Test;

/** A site's own way to choose among doors, as it is found beside the server's jars: here in META-INF/services of the tests. */
class DoorPlugInsTest {

    private static final DoorState A = state("a");
    private static final DoorState B = state("b");

    private static DoorState state(String host) {
        return new DoorState(new Door(null, "/home", URI.create("gsiftp://" + host + "/home")), 0, 0);
    }

    /** Takes the last one. */
    public static final class Last implements DoorChoiceProvider {
        @Override
        public String name() {
            return "last";
        }

        @Override
        public DoorChoice create() {
            return List::getLast;
        }
    }

    /** Fails if there are several, and else chooses one that is not there. */
    public static final class Broken implements DoorChoiceProvider {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public DoorChoice create() {
            return doors -> {
                if (doors.size() > 1) {
                    throw new IllegalStateException("too many doors");
                }
                return state("elsewhere");
            };
        }
    }

    @Test
    void theOneOfTheNameChooses() {
        assertThat(DoorPlugIns.find("last").choose(List.of(A, B))).isEqualTo(B);
    }

    @Test
    void oneThatDoesWrongCostsNoFile() {
        DoorChoice broken = DoorPlugIns.find("broken");
        assertThat(broken.choose(List.of(A, B))).isEqualTo(A);
        assertThat(broken.choose(List.of(B))).isEqualTo(B);
    }

    @Test
    void oneThatIsNotThereIsRefusedWithThoseThatAre() {
        assertThatThrownBy(() -> DoorPlugIns.find("none"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("staging.doorPlugIn = none")
                .hasMessageContaining("[last, broken]");
    }
}
