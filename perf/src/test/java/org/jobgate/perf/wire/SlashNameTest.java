// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;

import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;

class SlashNameTest {

    @Test
    void theMostGeneralPartComesFirst() {
        assertThat(SlashName.of(new X500Principal("CN=Alice Tester, O=Jobgate Trial")))
                .isEqualTo("/O=Jobgate Trial/CN=Alice Tester");
    }
}
