// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.util.Optional;

/** What the variables of a job description stand for, for one account (facts/gram4.md section 2.2). */
@FunctionalInterface
public interface Variables {

    /** The variable's value; empty where there is no such variable. */
    Optional<String> value(String name);

    /** A text that the site says for the variable, in which other variables are to be replaced; asked for where it has no value. */
    default Optional<String> definition(String name) {
        return Optional.empty();
    }
}
