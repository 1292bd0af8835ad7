// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

/** Says which jobs may begin now. Called under the lock of the {@link WorkQueue}: it must not wait for anything. */
interface WorkGate {

    WorkGate OPEN = new WorkGate() {};

    /** How many jobs a batch that begins with this one may have; 0 if it must not begin now. */
    default int room(WorkQueue.Item first, int owners) {
        return Integer.MAX_VALUE;
    }

    /** Whether the job may begin; if so it has. */
    default boolean enter(WorkQueue.Item item) {
        return true;
    }

    /** A batch begins. */
    default void begun(String group) {}

    /** A batch is over. */
    default void done(String group) {}
}
