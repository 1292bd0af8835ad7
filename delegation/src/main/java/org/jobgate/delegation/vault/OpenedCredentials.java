// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jobgate.store.DoorRecord;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that were opened last, a few: thousands of files may be moved with one, and opening it for each costs more than half of
 * what the file's own bookkeeping does. What is not in the store any more, or is there in another form, is not found here. Safe for many
 * threads.
 */
final class OpenedCredentials {

    static final int MOST = 64;

    private record Opened(String body, DelegatedCredential credential) {}

    /** By the records' ids, the one that was used last at the end. Guarded by this. */
    private final Map<String, Opened> byRecord = new LinkedHashMap<>(16, 0.75f, true);

    /** What this record was when it was opened, if it was and is the same still. */
    synchronized @Nullable DelegatedCredential of(DoorRecord record) {
        Opened opened = byRecord.get(record.id());
        return opened != null && opened.body().equals(record.body()) ? opened.credential() : null;
    }

    synchronized void put(DoorRecord record, DelegatedCredential credential) {
        byRecord.put(record.id(), new Opened(record.body(), credential));
        if (byRecord.size() > MOST) {
            byRecord.remove(byRecord.keySet().iterator().next());
        }
    }

    synchronized void forget(String id) {
        byRecord.remove(id);
    }

    synchronized int size() {
        return byRecord.size();
    }
}
