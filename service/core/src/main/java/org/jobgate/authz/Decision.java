// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.util.List;

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

    /** Not allowed, for this reason. */
    record Deny(String reason) implements Decision {
        public Deny {
            requireNonNull(reason, "reason is null");
        }
    }

    /** It cannot be said, for this reason; to be treated as not allowed. */
    record Indeterminate(String reason) implements Decision {
        public Indeterminate {
            requireNonNull(reason, "reason is null");
        }
    }
}
