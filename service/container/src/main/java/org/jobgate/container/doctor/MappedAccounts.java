// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jobgate.container.config.DecisionPointConfig;
import org.jobgate.container.config.DecisionPointConfig.Kind;
import org.jobgate.container.config.JobgateConfig;

/** The local accounts that the files of the configuration can map somebody to. */
public final class MappedAccounts {

    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");

    /** What sudoers would take for the name of an alias, or for everybody. */
    private static final Pattern ALIAS = Pattern.compile("[A-Z][A-Z0-9_]*");

    private MappedAccounts() {}

    /** Whether this can stand in the rules of sudo as the name of one account. */
    static boolean isAccount(String name) {
        return ACCOUNT.matcher(name).matches() && !ALIAS.matcher(name).matches();
    }

    /**
     * All of them, without those that no job may run as; what a callout or a command may name is not among them.
     *
     * @throws IOException if a file cannot be read
     */
    public static NavigableSet<String> of(JobgateConfig config) throws IOException {
        NavigableSet<String> accounts = new TreeSet<>();
        for (DecisionPointConfig point : config.decisionPoints()) {
            Path file = point.file();
            if (point.kind() == Kind.GRID_MAPFILE) {
                add(accounts, file == null ? config.authorization().gridMapfile() : file);
            } else if (point.kind() == Kind.FQAN_MAP && file != null) {
                add(accounts, file);
                addPool(accounts, point.poolDirectory());
            }
        }
        accounts.removeAll(config.authorization().deniedAccounts());
        return accounts;
    }

    /** The last word of a line that is no comment: accounts, with commas between. A pool begins with a dot and is none. */
    private static void add(NavigableSet<String> accounts, Path file) throws IOException {
        for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
            String text = line.strip().replaceFirst("\\s#.*$", "").strip();
            int quote = text.startsWith("\"") ? text.lastIndexOf('"') : text.indexOf(' ');
            if (text.startsWith("#") || quote < 1) {
                continue;
            }
            for (String word : List.of(text.substring(quote + 1).split(",", -1))) {
                String account = word.strip();
                if (isAccount(account)) {
                    accounts.add(account);
                }
            }
        }
    }

    private static void addPool(NavigableSet<String> accounts, @org.jspecify.annotations.Nullable Path directory)
            throws IOException {
        if (directory == null) {
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            files.map(file -> file.getFileName().toString())
                    .filter(MappedAccounts::isAccount)
                    .forEach(accounts::add);
        }
    }
}
