// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

/** The gateway's one switch for new jobs, at all doors. */
public interface Acceptance {

    /** Whether new jobs are taken. */
    boolean isOn();

    /** Takes no new jobs from now on; those that are there go on. */
    void stop();

    /** Takes new jobs again. */
    void start();
}
