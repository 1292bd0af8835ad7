// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One spelling of subjects in slash form. Tools write the attributes of a mail address and of a user id in several ways
 * ({@code /Email=}, {@code /E=}, {@code /USERID=}), and those that an older tool has no name for by their number ({@code /2.5.4.97=} for
 * {@code /organizationIdentifier=}); to compare subjects, they must be the same. Values are compared exactly.
 */
public final class SubjectForm {

    private static final Pattern VARIANT = Pattern.compile(
            "([/+])(?:(emailAddress|Email|E)|(UID|USERID)|([0-9]+(?:\\.[0-9]+)+))=", Pattern.CASE_INSENSITIVE);

    private SubjectForm() {}

    /** Most subjects have no such attribute, and the search for one would be most of a decision's cost. */
    private static boolean mayHaveVariant(String subject) {
        for (int i = 0; i + 1 < subject.length(); i++) {
            char c = subject.charAt(i);
            if ((c == '/' || c == '+') && "EeUu0123456789".indexOf(subject.charAt(i + 1)) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** The subject with {@code emailAddress} and {@code UID} spelled so, and numbers as {@link AttributeNames} has them; one that is no distinguished name (a token's) as it is. */
    public static String canonical(String subject) {
        if (!subject.startsWith("/") || !mayHaveVariant(subject)) {
            return subject;
        }
        Matcher matcher = VARIANT.matcher(subject);
        return matcher.replaceAll(match -> match.group(1) + name(match) + "=");
    }

    private static String name(MatchResult match) {
        String number = match.group(4);
        if (number != null) {
            return AttributeNames.of(number);
        }
        return match.group(2) != null ? "emailAddress" : "UID";
    }
}
