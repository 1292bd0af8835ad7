// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.List;
import java.util.Map;

/** A source of attributes of a caller beside those of the caller's credential; asked before the decision points. Safe for many threads. */
@FunctionalInterface
public interface InformationPoint {

    /**
     * What is known, by name.
     *
     * @throws UnknownException if it should be known and cannot be found out
     */
    Map<String, List<String>> attributes(AuthzRequest request) throws UnknownException;

    /** That something cannot be found out, and why. */
    final class UnknownException extends Exception {
        private static final long serialVersionUID = 1L;

        public UnknownException(String reason) {
            super(reason);
        }
    }
}
