// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import java.time.Instant;

/** Is called when credentials change, on the thread that made the change, after it is on disk: must return soon. */
public interface VaultListener {

    /** There is a new proxy under the same key. */
    void renewed(DelegatedCredential credential);

    /** Its end is near; told once for each end, and once more after a start of the service. */
    default void endsSoon(String owner, String key, Instant end) {}

    /** It is no more: its owner destroyed it, or its time is over. */
    default void gone(String owner, String key) {}
}
