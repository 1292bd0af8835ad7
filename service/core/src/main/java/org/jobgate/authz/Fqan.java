// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

/** The names of VOMS attributes: {@code /group/subgroup/Role=role}. */
final class Fqan {

    private static final String NO_ROLE = "/Role=NULL";
    private static final String CAPABILITY = "/Capability=";

    private Fqan() {}

    /** Without the parts that have no meaning: the capability, which VOMS no longer uses, and the role NULL. */
    static String shortForm(String fqan) {
        int capability = fqan.indexOf(CAPABILITY);
        String text = capability < 0 ? fqan : fqan.substring(0, capability);
        return text.endsWith(NO_ROLE) ? text.substring(0, text.length() - NO_ROLE.length()) : text;
    }

    /** Whether a pattern means the FQAN: it is the same, or ends in {@code /*} and the FQAN is its group or below it. */
    static boolean matches(String pattern, String fqan) {
        if (pattern.endsWith("/*")) {
            String group = pattern.substring(0, pattern.length() - 2);
            return fqan.equals(group) || fqan.startsWith(group + "/");
        }
        return pattern.equals(fqan);
    }
}
