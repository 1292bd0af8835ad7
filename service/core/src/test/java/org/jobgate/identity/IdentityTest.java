// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdentityTest {

    @Test
    void hasNoAttributesUnlessGiven() {
        Identity alice = new Identity("/O=Grid/CN=Alice", "tls", false);

        assertThat(alice.fqans()).isEmpty();
        assertThat(alice.scopes()).isEmpty();
    }

    @Test
    void refusesMoreAttributesThanItsLimit() {
        List<String> many = Collections.nCopies(Identity.MAX_ATTRIBUTES + 1, "/atlas");

        assertThatThrownBy(() -> new Identity("/CN=Alice", "tls", false, many, List.of()))
                .hasMessage("fqans has 257 entries; at most 256 are taken");
        assertThatThrownBy(() -> new Identity("/CN=Alice", "token", false, List.of(), many))
                .hasMessage("scopes has 257 entries; at most 256 are taken");
    }
}
