// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;

/**
 * The work that the sweeps of one document ask for, counted while it is done, and bounded: a short document could otherwise keep a processor
 * busy for hours. One unit is about one node that is looked at, exchanged or read.
 */
final class SweepWork {

    /** A few seconds: 100,000 points of a document of 200 nodes. */
    static final long MAX = 20_000_000;

    private long done;

    /**
     * Counts what is about to be done.
     *
     * @param node that asks for it
     * @throws FaultException of code {@code LIMIT_EXCEEDED}
     */
    void count(Node node, long units) {
        done += units;
        if (done > MAX) {
            throw new FaultException(Fault.of(
                            FaultCode.LIMIT_EXCEEDED,
                            "The sweeps of the document ask for too much work: their points together have more than "
                                    + MAX + " nodes to be read.",
                            "Send fewer points in one document, or make the document shorter.")
                    .about(node.path(), null));
        }
    }
}
