// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rules by which sudo lets the gateway's account start workers as others: one program with one argument whose form is fixed, so that
 * nothing of a client can be in it.
 *
 * @param own the account of the gateway
 * @param perl the interpreter
 * @param worker the worker, whole path
 * @param hasExpressions whether this sudo knows regular expressions (1.9.10 and later)
 */
record Sudoers(String own, Path perl, Path worker, boolean hasExpressions) {

    private static final int ACCOUNTS_OF_A_LINE = 8;
    private static final Pattern VERSION = Pattern.compile("Sudo version (\\d+)\\.(\\d+)(?:\\.(\\d+))?");

    Sudoers {
        requireNonNull(own, "own is null");
        requireNonNull(perl, "perl is null");
        requireNonNull(worker, "worker is null");
    }

    /** By what {@code sudo -V} says. */
    static boolean hasExpressions(String said) {
        Matcher matcher = VERSION.matcher(said);
        if (!matcher.find()) {
            return false;
        }
        int patch = matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3));
        int number = Integer.parseInt(matcher.group(1)) * 1_000_000 + Integer.parseInt(matcher.group(2)) * 1000 + patch;
        return number >= 1_009_010;
    }

    /** The content of a file for {@code /etc/sudoers.d}. */
    String text(NavigableSet<String> accounts) {
        NavigableSet<String> others = new TreeSet<>(accounts);
        others.remove(own);
        StringBuilder text = new StringBuilder()
                .append(
                        "# Made by: jobgate doctor --sudoers. Make it again when accounts or the installation change.\n")
                .append("# It lets ")
                .append(own)
                .append(" start one program as the accounts of jobs, with one argument of hexadecimal digits.\n")
                .append("Cmnd_Alias JOBGATE_WORKER = ")
                .append(command())
                .append('\n');
        if (others.isEmpty()) {
            return text.append("# No file that maps people to accounts names another account than ")
                    .append(own)
                    .append(": nothing is allowed.\n")
                    .toString();
        }
        text.append("Runas_Alias JOBGATE_ACCOUNTS = ").append(joined(others)).append('\n');
        text.append("Defaults!JOBGATE_WORKER env_reset, !requiretty, !lecture, umask=0077, umask_override\n");
        return text.append(own)
                .append(" ALL=(JOBGATE_ACCOUNTS) NOPASSWD: JOBGATE_WORKER\n")
                .toString();
    }

    /** The command with its argument, as sudoers has it. */
    private String command() {
        return hasExpressions
                ? perl + " ^" + worker.toString().replaceAll("[.+*?()\\[\\]{}|^$\\\\]", "\\\\$0") + " [0-9a-f]{32}$"
                : perl + " " + worker + " [0-9a-f]*";
    }

    private static String joined(NavigableSet<String> accounts) {
        List<String> lines = new ArrayList<>();
        List<String> all = List.copyOf(accounts);
        for (int i = 0; i < all.size(); i += ACCOUNTS_OF_A_LINE) {
            lines.add(String.join(", ", all.subList(i, Math.min(i + ACCOUNTS_OF_A_LINE, all.size()))));
        }
        return String.join(", \\\n    ", lines);
    }
}
