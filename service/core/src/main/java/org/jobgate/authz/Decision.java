// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jobgate.job.Later;
import org.jspecify.annotations.Nullable;

/** What a decision point answers. */
public sealed interface Decision {

    /**
     * Allowed, as one of these local accounts, the default first.
     *
     * @param because who has allowed it, and why; empty where that is not said
     */
    record Permit(List<String> accounts, String because) implements Decision {
        public Permit {
            accounts = List.copyOf(accounts);
            requireNonNull(because, "because is null");
            if (accounts.isEmpty()) {
                throw new IllegalArgumentException("a permit needs at least one account");
            }
        }

        /** Allowed, and it is not said why. */
        public Permit(List<String> accounts) {
            this(accounts, "");
        }
    }

    /**
     * Not allowed, for this reason.
     *
     * @param later that it may be allowed later; absent where asking again does not help
     */
    record Deny(String reason, @Nullable Later later) implements Decision {
        public Deny {
            requireNonNull(reason, "reason is null");
        }

        /** Not allowed, and asking again does not help. */
        public Deny(String reason) {
            this(reason, null);
        }
    }

    /** It cannot be said, for this reason; to be treated as not allowed. */
    record Indeterminate(String reason) implements Decision {
        public Indeterminate {
            requireNonNull(reason, "reason is null");
        }
    }
}
