// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void middleOfAnOddNumberIsOneOfThem() {
        assertThat(Spread.of(List.of(9, 1, 5))).isEqualTo(new Spread(1, 5, 9));
    }

    @Test
    void middleOfAnEvenNumberLiesBetweenTheTwo() {
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(new Spread(1, 2.5, 4));
    }

    @Test
    void oneValueIsItsOwnSpread() {
        assertThat(Spread.of(List.of(7))).isEqualTo(new Spread(7, 7, 7));
    }

    @Test
    void nothingMeasuredIsRefusedInsteadOfReportedAsZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Spread.of(List.of()))
                .withMessageContaining("nothing");
    }

    @Test
    void percentileLiesBetweenItsNeighbours() {
        List<Integer> values = List.of(10, 20, 30, 40, 50);

        assertThat(Spread.percentile(values, 0)).isEqualTo(10);
        assertThat(Spread.percentile(values, 90)).isEqualTo(46);
        assertThat(Spread.percentile(values, 100)).isEqualTo(50);
    }

    @Test
    void shownWithAsManyDigitsAsCount() {
        assertThat(List.of(Spread.show(1234.56), Spread.show(12.345), Spread.show(0.01234)))
                .containsExactly("1235", "12.35", "0.0123");
    }
}
