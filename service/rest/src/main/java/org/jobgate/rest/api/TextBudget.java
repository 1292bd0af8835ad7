// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import org.jobgate.job.FaultException;
import org.jobgate.limits.JobLimits;

/** What the texts of one description may have in bytes, each and together. */
final class TextBudget {

    private final JobLimits limits;
    private long total;

    TextBudget(JobLimits limits) {
        this.limits = requireNonNull(limits, "limits is null");
    }

    /**
     * Counts a text.
     *
     * @throws Problem where it is too long, holds NUL or half a character, or is one too many
     */
    String count(String path, String text) throws Problem {
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == 0) {
                throw Fields.wrong(path, "it holds a NUL character", "Leave it out: no program can be given one.");
            }
            if (Character.isSurrogate(letter)) {
                boolean isPair = Character.isHighSurrogate(letter)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!isPair) {
                    throw Fields.wrong(path, "it holds half of a surrogate pair", "Send whole Unicode characters.");
                }
                i++;
            }
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        total += bytes;
        try {
            limits.textBytes().check(bytes, "UTF-8 bytes of " + path);
            limits.descriptionBytes().check(total, "UTF-8 bytes of the texts of one job");
        } catch (FaultException e) {
            throw FaultProblems.of(e.fault());
        }
        return text;
    }
}
