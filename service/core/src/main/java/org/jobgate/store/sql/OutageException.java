// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.SQLException;
import org.jobgate.job.Fault;

/** The store cannot work at present, for a reason that no SQL error code gives. */
final class OutageException extends SQLException {

    private final transient Fault fault;

    OutageException(Fault fault) {
        super(fault.sentence());
        this.fault = fault;
    }

    Fault fault() {
        return fault;
    }
}
