// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that were opened last, a few: thousands of files may be moved with one, and to read and open it for each costs more than
 * the file's own bookkeeping. Who changes or removes one in the store has it forgotten here first; who puts one here must know that none
 * has changed it since it was read. Safe for many threads.
 */
final class OpenedCredentials {

    static final int MOST = 64;

    private record Name(String owner, String key) {}

    /** The one that was used last at the end. Guarded by this. */
    private final Map<Name, DelegatedCredential> byName = new LinkedHashMap<>(16, 0.75f, true);

    synchronized @Nullable DelegatedCredential of(String owner, String key) {
        return byName.get(new Name(owner, key));
    }

    synchronized void put(DelegatedCredential credential) {
        byName.put(new Name(credential.owner(), credential.key()), credential);
        if (byName.size() > MOST) {
            byName.remove(byName.keySet().iterator().next());
        }
    }

    synchronized void forget(String owner, String key) {
        byName.remove(new Name(owner, key));
    }

    synchronized int size() {
        return byName.size();
    }
}
