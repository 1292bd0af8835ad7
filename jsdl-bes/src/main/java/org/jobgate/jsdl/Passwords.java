// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.jobs.FilePassword;

/**
 * The names and passwords of a document, kept apart from what they are for: a copy has the number of its own. One for all points of a sweep,
 * so that what several points have is kept once, under one number.
 */
final class Passwords {

    private final Map<FilePassword, Integer> numbers = new LinkedHashMap<>();

    /**
     * The number of a password, from 1.
     *
     * @param node that holds it
     * @throws org.jobgate.job.FaultException of code {@code UNSUPPORTED_FEATURE} where there are too many
     */
    int number(Node node, FilePassword password) {
        Integer known = numbers.get(password);
        if (known != null) {
            return known;
        }
        if (numbers.size() >= FilePassword.MAX) {
            throw JsdlFaults.unsupported(
                    node,
                    "a document has at most " + FilePassword.MAX + " names and passwords for its files",
                    "Send several documents.");
        }
        numbers.put(password, numbers.size() + 1);
        return numbers.size();
    }

    /** All of them, in the order of their numbers. */
    List<FilePassword> all() {
        return List.copyOf(numbers.keySet());
    }
}
