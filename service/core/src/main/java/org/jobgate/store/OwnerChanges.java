// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import java.util.List;

/**
 * A page of the changes of one owner's jobs.
 *
 * @param changes in order
 * @param cursor where to go on: the owner's jobs have no further changes up to this number than those that were told
 * @param isCaughtUp whether there was nothing after the cursor when it was read; where there may be more, the page may even be empty
 */
public record OwnerChanges(List<Change> changes, long cursor, boolean isCaughtUp) {

    public OwnerChanges {
        changes = List.copyOf(changes);
    }
}
