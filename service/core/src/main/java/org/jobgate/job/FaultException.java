// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

/** A request that cannot be done, for the reason that its {@link Fault} gives. */
public final class FaultException extends RuntimeException {

    private final transient Fault fault;

    public FaultException(Fault fault) {
        super(fault.sentence());
        this.fault = fault;
    }

    public FaultException(Fault fault, Throwable cause) {
        super(fault.sentence(), cause);
        this.fault = fault;
    }

    public Fault fault() {
        return fault;
    }
}
