// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.time.Instant;
import org.jobgate.store.DoorRecord;
import org.junit.jupiter.api.Test;

/** What was opened is found as long as its record is the same, and not for ever. */
class OpenedCredentialsTest {

    private final OpenedCredentials opened = new OpenedCredentials();

    private static DoorRecord record(String id, String body) {
        return new DoorRecord("credential", id, null, "alice", body, Instant.EPOCH);
    }

    private static DelegatedCredential token(String text) {
        return new DelegatedToken("alice", "key", text, Instant.MAX, Instant.MAX);
    }

    @Test
    void whatWasOpenedIsFoundUntilItIsRenewedOrGone() {
        DelegatedCredential first = token("first");
        opened.put(record("a", "1"), first);
        assertSame(first, opened.of(record("a", "1")));
        assertNull(opened.of(record("a", "2")));
        assertNull(opened.of(record("b", "1")));

        DelegatedCredential second = token("second");
        opened.put(record("a", "2"), second);
        assertSame(second, opened.of(record("a", "2")));
        assertNull(opened.of(record("a", "1")));

        opened.forget("a");
        assertNull(opened.of(record("a", "2")));
    }

    @Test
    void theOneThatWasNotUsedLongestMakesRoom() {
        for (int i = 0; i < OpenedCredentials.MOST; i++) {
            opened.put(record("r" + i, "1"), token("t" + i));
        }
        opened.of(record("r0", "1"));
        opened.put(record("new", "1"), token("new"));
        assertEquals(OpenedCredentials.MOST, opened.size());
        assertNull(opened.of(record("r1", "1")));
        assertEquals(token("t0").toString(), String.valueOf(opened.of(record("r0", "1"))));
    }
}
