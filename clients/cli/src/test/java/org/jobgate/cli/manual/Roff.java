// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.manual;

import java.util.List;
import java.util.Locale;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Described;
import org.jobgate.cli.command.ExitStatus;

/** Writes a page in the macros of man(7). */
final class Roff {
    private static final String HEAD = """
            .\\" SPDX-FileCopyrightText: 2026 The Jobgate authors
            .\\" SPDX-License-Identifier: Apache-2.0
            .\\" Made from the option tables by ManualTest; changes here are lost.
            """;

    private final StringBuilder out = new StringBuilder(HEAD);

    private Roff() {}

    /** A command of the quick ones, with their common exit statuses, files and variables. */
    static String quick(CommandPage page) {
        Roff roff = new Roff();
        roff.title(page);
        roff.synopsis(page);
        roff.section("DESCRIPTION");
        page.description().forEach(roff::paragraph);
        roff.section("OPTIONS");
        page.options().forEach(roff::option);
        roff.section("EXIT STATUS");
        roff.paragraph(
                page.hasOwnStatus()
                        ? "0 done, 1 for everything else."
                        : "0, or the job's own exit status. Of the command itself:");
        for (ExitStatus status : ExitStatus.values()) {
            if (status != ExitStatus.OK && !page.hasOwnStatus()) {
                roff.term(String.valueOf(status.code()), status.meaning() + ".");
            }
        }
        roff.section("ENVIRONMENT");
        roff.term("X509_USER_PROXY", "The credential; else /tmp/x509up_u<uid>, else X509_USER_CERT and X509_USER_KEY.");
        roff.term(
                "X509_CERT_DIR",
                "Trusted authorities; else ~/.globus/certificates, else /etc/grid-security/certificates.");
        roff.term("JAVA_HOME, JOBGATE_CACHE, JOBGATE_NO_PREPARE", "See docs/user/globusrun-ws.md, The start-up cache.");
        roff.examples(page);
        roff.section("SEE ALSO");
        roff.paragraph("The pages for users in docs/user, and jobgate(1).");
        return roff.out.toString();
    }

    /** A command of several commands, each with its options. */
    static String withParts(CommandPage page, List<CommandPage> parts) {
        Roff roff = new Roff();
        roff.title(page);
        roff.synopsis(page);
        roff.section("DESCRIPTION");
        page.description().forEach(roff::paragraph);
        roff.section("COMMANDS");
        for (CommandPage part : parts) {
            roff.out
                    .append(".SS ")
                    .append(escaped(part.name() + " " + String.join(" ", part.synopsis())))
                    .append('\n');
            roff.paragraph(part.summary() + ".");
            part.options().stream()
                    .filter(option -> !option.names().contains("--help")
                            && !option.names().contains("--version"))
                    .forEach(roff::option);
        }
        roff.section("EXIT STATUS");
        roff.paragraph("Of users' commands: see above. Of the others: 0 done, 1 failed, 2 wrong words.");
        roff.examples(page);
        return roff.out.toString();
    }

    private void title(CommandPage page) {
        out.append(".TH ").append(escaped(page.name().toUpperCase(Locale.ROOT))).append(" 1 \"\" Jobgate\n");
        section("NAME");
        line(escaped(page.name()) + " \\- " + escaped(page.summary()));
    }

    private void synopsis(CommandPage page) {
        section("SYNOPSIS");
        boolean isFirst = true;
        for (String words : page.synopsis()) {
            if (!isFirst) {
                out.append(".br\n");
            }
            isFirst = false;
            line("\\fB" + escaped(page.name()) + "\\fR " + escaped(words));
        }
    }

    private void option(Described option) {
        String names = "\\fB" + escaped(String.join(", ", option.names())) + "\\fR";
        out.append(".TP\n");
        line(option.argument().isEmpty() ? names : names + " \\fI" + escaped(option.argument()) + "\\fR");
        String refusal = option.refusal();
        line(escaped(option.text() + "." + (refusal.isEmpty() ? "" : " Refused: " + refusal + ".")));
    }

    private void term(String term, String text) {
        out.append(".TP\n");
        line("\\fB" + escaped(term) + "\\fR");
        line(escaped(text));
    }

    private void examples(CommandPage page) {
        section("EXAMPLES");
        out.append(".nf\n");
        page.examples().forEach(example -> line(escaped(example)));
        out.append(".fi\n");
    }

    private void section(String name) {
        out.append(".SH ").append(name).append('\n');
    }

    private void paragraph(String text) {
        out.append(".PP\n");
        line(escaped(text));
    }

    private void line(String text) {
        out.append(text.startsWith(".") || text.startsWith("'") ? "\\&" : "")
                .append(text)
                .append('\n');
    }

    /** Hyphens as they are typed; a backslash shown as one. */
    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-");
    }
}
