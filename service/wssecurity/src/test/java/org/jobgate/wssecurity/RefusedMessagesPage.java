// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.List;

/** One of the generated parts of docs/operate/refusals.md. */
final class RefusedMessagesPage {

    private static final String BEGIN = "<!-- refused messages: written by MessageSecurityNegativeTest -->\n";
    private static final String END = "<!-- end of what MessageSecurityNegativeTest writes -->\n";

    private RefusedMessagesPage() {}

    static String table(List<RefusedMessage> rows) {
        StringBuilder text = new StringBuilder(BEGIN);
        text.append("\n## Messages: ")
                .append(rows.size())
                .append("\n\n| what | fault code | the fault says, among other words |\n|---|---|---|\n");
        rows.forEach(row -> text.append("| ")
                .append(row.name())
                .append(" | `")
                .append(row.code())
                .append("` | ")
                .append(row.reason())
                .append(" |\n"));
        return text.append('\n').append(END).toString();
    }

    /** The page with this part written anew. */
    static String with(String page, String table) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("the page lacks the marks of this part");
        }
        return page.substring(0, begin) + table + page.substring(end + END.length());
    }
}
