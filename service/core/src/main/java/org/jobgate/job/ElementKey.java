// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which attempt at which element of which group a job is. It is in the job's key, so that an attempt is made once only, and so that a program that
 * has the job knows its group.
 *
 * @param place the element's place in the group
 * @param attempt from 1
 */
public record ElementKey(JobId group, int place, int attempt) {

    /** How the keys of elements begin; no client's own id may begin so. */
    public static final String PREFIX = "group/";

    private static final Pattern FORM = Pattern.compile(PREFIX + "([0-9a-f-]{36})/(\\d{1,9})/(\\d{1,9})");

    /** What the job's key says; empty for a job that is no element of a group. */
    public static Optional<ElementKey> of(Job job) {
        String text = job.key().clientId();
        if (!text.startsWith(PREFIX)) {
            return Optional.empty();
        }
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(new ElementKey(
                        JobId.parse(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3))))
                : Optional.empty();
    }

    /** The key of its job, for the group's owner and door. */
    public SubmissionKey submissionKey(SubmissionKey ofGroup) {
        return new SubmissionKey(ofGroup.subject(), ofGroup.door(), PREFIX + group + "/" + place + "/" + attempt);
    }
}
