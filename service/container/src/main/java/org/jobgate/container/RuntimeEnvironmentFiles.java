// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jobgate.adl.RuntimeEnvironments;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * The runtime environments of a site as files below a directory: a program of the environment's name, which runs before the job where the job runs,
 * and a list of variables beside it. They are looked at for each job, so that a new one needs no restart.
 */
final class RuntimeEnvironmentFiles implements RuntimeEnvironments {

    /** No part begins with a dot, so that nothing outside of the directory has such a name. */
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9_+-][A-Za-z0-9._+-]{0,127}(/[A-Za-z0-9_+-][A-Za-z0-9._+-]{0,127}){0,7}");

    private static final String VARIABLES = ".env";
    private static final long MAX_BYTES = 64 * 1024;

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
