// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
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
 * @param state the state directory: no two gateways have the same
 * @param hasExpressions whether this sudo knows regular expressions (1.9.10 and later)
 */
record Sudoers(String own, Path perl, Path worker, Path state, boolean hasExpressions) {

    /** Digits of the mark; two gateways of one machine have the same one once in four billion machines. */
    private static final int MARK_DIGITS = 8;

    private static final int ACCOUNTS_OF_A_LINE = 8;
    private static final Pattern VERSION = Pattern.compile("Sudo version (\\d+)\\.(\\d+)(?:\\.(\\d+))?");

    Sudoers {
        requireNonNull(own, "own is null");
        requireNonNull(perl, "perl is null");
        requireNonNull(worker, "worker is null");
        requireNonNull(state, "state is null");
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

    /**
     * What the names of this gateway's aliases end with. All files of {@code /etc/sudoers.d} are read as one, and a name that is there twice spoils it.
     */
    String mark() {
        String path = state.toAbsolutePath().normalize().toString();
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().withUpperCase().formatHex(hash).substring(0, MARK_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The name of the file below {@code /etc/sudoers.d}: sudo reads none with a dot in its name. */
    String fileName() {
        return "jobgate-" + mark().toLowerCase(Locale.ROOT);
    }

    /** The content of a file for {@code /etc/sudoers.d}. */
    String text(NavigableSet<String> accounts) {
        NavigableSet<String> others = new TreeSet<>(accounts);
        others.remove(own);
        String workerAlias = "JOBGATE_WORKER_" + mark();
        String accountsAlias = "JOBGATE_ACCOUNTS_" + mark();
        StringBuilder text = new StringBuilder()
                .append(
                        "# Made by: jobgate doctor --sudoers. Make it again when accounts or the installation change.\n")
                .append("# It lets ")
                .append(own)
                .append(" start one program as the accounts of jobs, with one argument of hexadecimal digits.\n")
                .append("# The gateway is the one whose state directory is ")
                .append(state.toAbsolutePath().normalize().toString().replaceAll("\\p{Cntrl}", "?"))
                .append(".\n")
                .append("Cmnd_Alias ")
                .append(workerAlias)
                .append(" = ")
                .append(command())
                .append('\n');
        if (others.isEmpty()) {
            return text.append("# No file that maps people to accounts names another account than ")
                    .append(own)
                    .append(": nothing is allowed.\n")
                    .toString();
        }
        text.append("Runas_Alias ")
                .append(accountsAlias)
                .append(" = ")
                .append(joined(others))
                .append('\n');
        text.append("Defaults!")
                .append(workerAlias)
                .append(" env_reset, !requiretty, !lecture, umask=0077, umask_override\n");
        return text.append(own)
                .append(" ALL=(")
                .append(accountsAlias)
                .append(") NOPASSWD: ")
                .append(workerAlias)
                .append('\n')
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
