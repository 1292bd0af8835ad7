// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import org.jobgate.job.FaultException;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;

/** What the texts of one description, or the values of one array, may have in bytes, each and together. */
final class TextBudget {

    private final Limit ofOne;
    private final Limit ofAll;
    private final String what;
    private long total;

    TextBudget(JobLimits limits) {
        this(limits.textBytes(), limits.descriptionBytes(), "UTF-8 bytes of the texts of one job");
    }

    private TextBudget(Limit ofOne, Limit ofAll, String what) {
        this.ofOne = requireNonNull(ofOne, "ofOne is null");
        this.ofAll = requireNonNull(ofAll, "ofAll is null");
        this.what = requireNonNull(what, "what is null");
    }

    /** For the values of one array. */
    static TextBudget ofValues(JobLimits limits) {
        return new TextBudget(limits.textBytes(), limits.groupBytes(), "UTF-8 bytes of the values of one array");
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
            ofOne.check(bytes, "UTF-8 bytes of " + path);
            ofAll.check(total, what);
        } catch (FaultException e) {
            throw FaultProblems.of(e.fault());
        }
        return text;
    }
}
