// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import java.util.Optional;

/** How much room there is on the disks of the exported trees. */
@FunctionalInterface
public interface Disks {

    /** The size of a disk, in bytes. */
    record Size(long total, long free) {}

    /**
     * That of the disk of a tree. Answers soon, whatever the disk does.
     *
     * @param account as which the tree is used
     * @param tree by its name
     * @return empty where it is not known
     */
    Optional<Size> size(String account, String tree);
}
