// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The bearer of a token in the grid-mapfile. */
class TokenSubjectTest {

    @Test
    void anIssuerAndASubjectAreMappedAsTheyAre() {
        GridMapfileLine line = GridMapfileLine.parse("\"https://iam.example.org/E=x,a b\" alice")
                .orElseThrow();
        assertThat(line.subject()).isEqualTo("https://iam.example.org/E=x,a b");
        assertThat(line.accounts()).isEqualTo(List.of("alice"));
    }

    @Test
    void anIssuerAloneIsNobody() {
        assertThatThrownBy(() -> GridMapfileLine.parse("https://iam.example.org/ alice"))
                .hasMessageContaining("https://ISSUER,SUBJECT");
    }
}
