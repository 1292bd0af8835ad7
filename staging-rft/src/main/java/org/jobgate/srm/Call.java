// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.jobgate.access.Caller;

/** One request: who asks, and for what. */
record Call(Caller caller, Ask ask) {

    Call {
        requireNonNull(caller, "caller is null");
        requireNonNull(ask, "ask is null");
    }

    /**
     * The local account as which the caller uses files.
     *
     * @throws org.jobgate.job.FaultException where the caller may not
     */
    String account() {
        return caller.filesAccount(Optional.empty());
    }

    /** The caller's name, by which requests are known. */
    String owner() {
        return caller.subject();
    }
}
