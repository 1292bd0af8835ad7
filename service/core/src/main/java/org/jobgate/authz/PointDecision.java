// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jobgate.job.Later;
import org.jspecify.annotations.Nullable;

/**
 * What one decision point answers. {@link Indeterminate} says that the point should know and does not (its file or its service is
 * broken); {@link Abstain} that the question is none of its own.
 */
public sealed interface PointDecision {

    /** Why, as a sentence without its full stop. */
    String reason();

    /** As it is written in the log, e.g. {@code deny}. */
    String word();

    /**
     * Allowed.
     *
     * @param accounts the local accounts that the caller may use, the default first; empty if the point knows of none
     */
    record Permit(List<String> accounts, String reason) implements PointDecision {
        public Permit {
            accounts = List.copyOf(accounts);
            requireNonNull(reason, "reason is null");
        }

        @Override
        public String word() {
            return "permit";
        }
    }

    /**
     * Not allowed.
     *
     * @param later that it may be allowed later, whoever asks; absent where the point denies it for who asks
     */
    record Deny(String reason, @Nullable Later later) implements PointDecision {
        public Deny {
            requireNonNull(reason, "reason is null");
        }

        /** Not allowed, now or later. */
        public Deny(String reason) {
            this(reason, null);
        }

        @Override
        public String word() {
            return "deny";
        }
    }

    /** It cannot be said. */
    record Indeterminate(String reason) implements PointDecision {
        public Indeterminate {
            requireNonNull(reason, "reason is null");
        }

        @Override
        public String word() {
            return "indeterminate";
        }
    }

    /** Not for this point to say. */
    record Abstain(String reason) implements PointDecision {
        public Abstain {
            requireNonNull(reason, "reason is null");
        }

        @Override
        public String word() {
            return "abstain";
        }
    }
}
