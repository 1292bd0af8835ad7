// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

/** One who is asked whether somebody may do something. Safe for many threads. */
@FunctionalInterface
public interface DecisionPoint {

    PointDecision judge(AuthzRequest request);

    /** Whether a denial of this point stands whatever the combining rule: it says what the credential itself does not allow. */
    default boolean isFinal() {
        return false;
    }

    /**
     * What came nearest to a rule of this point, for people who wonder why none matched; may be slow.
     *
     * @return empty if there is nothing to tell
     */
    default String nearest(AuthzRequest request) {
        return "";
    }
}
