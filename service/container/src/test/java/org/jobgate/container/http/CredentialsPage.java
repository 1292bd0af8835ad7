// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.Arrays;
import java.util.List;
import org.jobgate.delegation.token.TokenProblem;

/** The generated part of docs/reference/credentials.md. */
final class CredentialsPage {

    private static final String BEGIN = "<!-- what is refused: written by NegativeCredentialsTest -->\n";

    private CredentialsPage() {}

    static String table(List<WrongCertificates.Row> certificates, List<WrongTokens.Row> tokens) {
        StringBuilder text = new StringBuilder(BEGIN);
        text.append("\n### Certificates and proxies\n\n| what | the log says, among other words |\n|---|---|\n");
        certificates.forEach(row -> text.append("| ")
                .append(row.what())
                .append(" | ")
                .append(row.reason())
                .append(" |\n"));
        text.append("\n### Tokens\n\n| what | problem |\n|---|---|\n");
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
        return text.toString();
    }

    /** The page with its generated part, which is its end, written anew. */
    static String with(String page, String table) {
        int at = page.indexOf(BEGIN);
        return (at < 0 ? page : page.substring(0, at)) + table;
    }
}
