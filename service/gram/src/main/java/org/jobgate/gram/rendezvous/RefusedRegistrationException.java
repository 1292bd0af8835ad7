// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.rendezvous;

import static java.util.Objects.requireNonNull;

/** An arrival that has no place. Its message is a sentence for the client. */
public final class RefusedRegistrationException extends RuntimeException {

    /** Why. */
    public enum Reason {
        /** There is no such rank. */
        NO_SUCH_RANK,
        /** Somebody else stands there. */
        RANK_TAKEN,
        /** Every place is taken. */
        ALL_TAKEN
    }

    private final Reason reason;

    RefusedRegistrationException(Reason reason, String sentence) {
        super(requireNonNull(sentence, "sentence is null"));
        this.reason = requireNonNull(reason, "reason is null");
    }

    public Reason reason() {
        return reason;
    }
}
