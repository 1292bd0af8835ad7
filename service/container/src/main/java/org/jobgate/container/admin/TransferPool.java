// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

/** How many files are moved at once, as an administrator sees and changes it. */
public interface TransferPool {

    /** For a service that moves no files. */
    TransferPool NONE = new TransferPool() {
        @Override
        public boolean isThere() {
            return false;
        }

        @Override
        public Figures figures() {
            return new Figures(0, 0, 0);
        }

        @Override
        public void resize(int most) {
            throw new UnsupportedOperationException("no files are moved");
        }
    };

    /**
     * Figures of this moment.
     *
     * @param most transfers that may be on their way at once
     */
    record Figures(long most, int active, int waiting) {}

    default boolean isThere() {
        return true;
    }

    Figures figures();

    /** From now on so many at once; those on their way stay. */
    void resize(int most);
}
