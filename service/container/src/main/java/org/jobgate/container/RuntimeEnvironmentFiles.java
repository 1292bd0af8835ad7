// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jobgate.adl.RuntimeEnvironments;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runtime environments of a site as files below a directory: a program of the environment's name, which runs before the job where the job runs,
 * and a list of variables beside it. They are looked at for each job, so that a new one needs no restart.
 */
final class RuntimeEnvironmentFiles implements RuntimeEnvironments {

    private static final Logger LOG = LoggerFactory.getLogger(RuntimeEnvironmentFiles.class);

    /** No part begins with a dot, so that nothing outside of the directory has such a name. */
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9_+-][A-Za-z0-9._+-]{0,127}(/[A-Za-z0-9_+-][A-Za-z0-9._+-]{0,127}){0,7}");

    private static final String VARIABLES = ".env";
    private static final long MAX_BYTES = 64 * 1024;

    /** As many parts as a name can have. */
    private static final int MOST_PARTS = 8;

    private static final int MOST_LISTED = 1_000;

    /** Files and directories that are looked at for one list: each client that asks has them read. */
    private static final int MOST_SEEN = 10_000;

    private final Path directory;

    RuntimeEnvironmentFiles(Path directory) {
        this.directory = requireNonNull(directory, "directory is null").toAbsolutePath();
    }

    @Override
    public Optional<Setup> find(String name, @Nullable String version) {
        String whole = version == null ? name : name + "-" + version;
        if (!NAME.matcher(whole).matches() || whole.endsWith(VARIABLES)) {
            return Optional.empty();
        }
        Path program = directory.resolve(whole);
        Path variables = directory.resolve(whole + VARIABLES);
        boolean runs = Files.isRegularFile(program);
        boolean sets = Files.isRegularFile(variables);
        if (!runs && !sets) {
            return Optional.empty();
        }
        return Optional.of(
                new Setup(sets ? read(whole, variables) : List.of(), runs ? List.of(program.toString()) : List.of()));
    }

    /**
     * By what is there now. Of more than {@value #MOST_LISTED} environments, or {@value #MOST_SEEN} files, the others are not told of; who asks for
     * them by name gets them all the same. What lies in a directory whose name no environment can have ({@code .git}) is not looked at.
     */
    @Override
    public List<Offered> offered() {
        SortedMap<String, Boolean> names = new TreeMap<>();
        try {
            Files.walkFileTree(directory, Set.of(FileVisitOption.FOLLOW_LINKS), MOST_PARTS, new Collector(names));
        } catch (IOException e) {
            LOG.warn("The runtime environments below {} cannot be listed: {}", directory, Reason.of(e));
        }
        return names.entrySet().stream()
                .map(entry -> new Offered(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Takes the names of what is there, and for each whether it has a program. */
    private final class Collector extends SimpleFileVisitor<Path> {

        private final SortedMap<String, Boolean> names;
        private int seen;

        Collector(SortedMap<String, Boolean> names) {
            this.names = names;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path file, BasicFileAttributes attributes) {
            if (!file.equals(directory)
                    && !NAME.matcher(directory.relativize(file).toString()).matches()) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            return goesOn();
        }

        private FileVisitResult goesOn() {
            return ++seen > MOST_SEEN || names.size() >= MOST_LISTED
                    ? FileVisitResult.TERMINATE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String path = directory.relativize(file).toString();
            boolean isProgram = !path.endsWith(VARIABLES);
            String name = isProgram ? path : path.substring(0, path.length() - VARIABLES.length());
            if (attributes.isRegularFile() && NAME.matcher(name).matches()) {
                names.merge(name, isProgram, Boolean::logicalOr);
            }
            return goesOn();
        }

        /** A link that leads nowhere or in a circle, or what this account may not see, is no environment. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (file.equals(directory)) {
                throw e;
            }
            return goesOn();
        }

        @Override
        public FileVisitResult postVisitDirectory(Path file, @Nullable IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }

    private static List<EnvironmentVariable> read(String name, Path file) {
        List<EnvironmentVariable> variables = new ArrayList<>();
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException("it is larger than " + MAX_BYTES + " bytes");
            }
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                String text = line.strip();
                int equals = text.indexOf('=');
                if (text.isEmpty() || text.startsWith("#")) {
                    continue;
                }
                if (equals < 1) {
                    // clients read this: it must not hold what the site wrote there
                    throw new IOException("line " + number + " is not NAME=VALUE");
                }
                variables.add(new EnvironmentVariable(text.substring(0, equals), text.substring(equals + 1)));
            }
            return variables;
        } catch (IOException | IllegalArgumentException e) {
            throw new FaultException(Fault.of(
                    FaultCode.INTERNAL,
                    "The runtime environment " + name + " of this site cannot be used: " + file + ": " + e.getMessage()
                            + ".",
                    "Tell the site's administrator."));
        }
    }
}
