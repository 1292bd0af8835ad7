// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision with all that led to it.
 *
 * @param decisive the answer that decided; absent if nobody said anything that counts
 */
public record AuthzResult(
        AuthzRequest request, Decision decision, @Nullable Verdict decisive, List<Verdict> verdicts) {

    public AuthzResult {
        verdicts = List.copyOf(verdicts);
    }

    /** As one line for the audit log, in which no text of a client can look like something else. */
    String line() {
        StringBuilder line = new StringBuilder(256);
        switch (decision) {
            case Decision.Permit permit -> line.append("permit accounts=").append(String.join(",", permit.accounts()));
            case Decision.Deny ignored -> line.append("deny");
            case Decision.Indeterminate ignored -> line.append("indeterminate");
        }
        line.append(" action=").append(request.action().word());
        line.append(" subject=").append(quoted(request.identity().subject()));
        line.append(" method=").append(quoted(request.identity().method()));
        if (decisive != null) {
            line.append(" by=").append(quoted(decisive.link().name()));
        }
        line.append(" because=[");
        for (int i = 0; i < verdicts.size(); i++) {
            line.append(i == 0 ? "" : ", ").append(quoted(verdicts.get(i).text()));
        }
        return line.append(']').toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
