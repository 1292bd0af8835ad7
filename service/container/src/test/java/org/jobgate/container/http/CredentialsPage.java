// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.Arrays;
import java.util.List;
import org.jobgate.delegation.token.TokenProblem;

/** One of the generated parts of docs/operate/refusals.md. */
final class CredentialsPage {

    private static final String BEGIN = "<!-- what is refused: written by NegativeCredentialsTest -->\n";
    private static final String END = "<!-- end of what NegativeCredentialsTest writes -->\n";

    private CredentialsPage() {}

    static String table(List<WrongCertificates.Row> certificates, List<WrongTokens.Row> tokens) {
        StringBuilder text = new StringBuilder(BEGIN);
        text.append("\n## Certificates and proxies: " + certificates.size()
                + "\n\n| what | the log says, among other words |\n|---|---|\n");
        certificates.forEach(row -> text.append("| ")
                .append(row.what())
                .append(" | ")
                .append(row.reason())
                .append(" |\n"));
        text.append("\n## Bearer tokens: " + tokens.size() + "\n\n| what | problem |\n|---|---|\n");
        tokens.forEach(row -> text.append("| ")
                .append(row.what())
                .append(" | `")
                .append(row.problem())
                .append("` |\n"));
        text.append("\n### Problems of tokens\n\n| problem | meaning |\n|---|---|\n");
        Arrays.stream(TokenProblem.values())
                .forEach(problem -> text.append("| `")
                        .append(problem)
                        .append("` | ")
                        .append(problem.meaning())
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
