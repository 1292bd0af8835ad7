// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GridJobIdTest {

    /** The id and its name stand in a description of GRAM's audit logging of 2008. */
    @Test
    void itIsTheAddressAndTheHashThatGlobusToolkitMade() {
        assertThat(GridJobId.of(
                        "https://gw.example.org:8443/wsrf/services/ManagedExecutableJobService",
                        "2828a540-e0bf-11dc-8ba8-ffac443c90f7"))
                .isEqualTo(
                        "https://gw.example.org:8443/wsrf/services/ManagedExecutableJobService?3ozaQzjbyYKPXJAKWMMfn3iqGho");
    }
}
