// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What was opened is found until it is forgotten, and not for ever. */
class OpenedCredentialsTest {

    private final OpenedCredentials opened = new OpenedCredentials();

    private static DelegatedCredential token(String owner, String key) {
        return new DelegatedToken(owner, key, "text", Instant.MAX, Instant.MAX);
    }

    @Test
    void whatWasOpenedIsFoundUntilItIsForgotten() {
        DelegatedCredential first = token("alice", "a");
        opened.put(first);
        assertSame(first, opened.of("alice", "a"));
        assertNull(opened.of("bob", "a"));
        assertNull(opened.of("alice", "b"));

        DelegatedCredential second = token("alice", "a");
        opened.put(second);
        assertSame(second, opened.of("alice", "a"));

        opened.forget("alice", "a");
        assertNull(opened.of("alice", "a"));
    }

    @Test
    void theOneThatWasNotUsedLongestMakesRoom() {
        for (int i = 0; i < OpenedCredentials.MOST; i++) {
            opened.put(token("alice", "k" + i));
        }
        opened.of("alice", "k0");
        opened.put(token("alice", "new"));
        assertEquals(OpenedCredentials.MOST, opened.size());
        assertNull(opened.of("alice", "k1"));
        assertNotNull(opened.of("alice", "k0"));
    }
}
