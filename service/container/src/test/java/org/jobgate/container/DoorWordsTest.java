// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What stands behind the front doors has no word of GRAM: a client of another door would read of elements and commands that it does not
 * have. Faults name a {@code DescriptionPart}, and each door says its own name for it.
 */
class DoorWordsTest {

    private static final Path ROOT = Path.of(System.getProperty("jobgate.root"));

    /** What no door owns. */
    private static final List<String> BEHIND_THE_DOORS = List.of(
            "service/core/src/main",
            "staging-rft/src/main/java/org/jobgate/transfer",
            "staging-rft/src/main/java/org/jobgate/gridftp",
            "delegation/src/main/java/org/jobgate/delegation/job",
            "delegation/src/main/java/org/jobgate/delegation/vault",
            "lrm-adapters/src/main/java");

    /** The elements of GRAM's job description language that are nobody else's, its other names, and the commands of its clients. */
    private static final Pattern WORDS =
            Pattern.compile("\\b(factoryType|factoryEndpoint|holdState|fileStageIn|fileStageOut"
                    + "|fileCleanUp|\\w+CredentialEndpoint|localUserId|managedJob\\w*|ManagedJob\\w*|ManagedExecutable\\w*|JobID|RSL|GRAM\\w*"
                    + "|GLOBUS_GRAM\\w*|globusrun\\S*|globus-(job|credential|url)\\S*|\\w*DelegationFactory\\w*|endpoint references?)\\b"
                    + "|[\"']gram[\"'.]");

    /** Where a word has to stand, and why. */
    private static final Map<String, String> EXCEPTIONS = Map.of(
            "service/core/src/main/resources/db/migration/store/V3__door_of_jobs.sql",
            "says of rows that are older than other doors that they came by GRAM",
            "service/core/src/main/java/org/jobgate/store/sql/TypedOptionsMigration.java",
            "reads what was stored as extensions of GRAM's language",
            "service/core/src/main/java/org/jobgate/store/sql/NamedCredentialsMigration.java",
            "reads what was stored under the names of GRAM's elements");

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String directory : BEHIND_THE_DOORS) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
                files.filter(file -> file.toString().matches(".*\\.(java|sql)")).forEach(sources::add);
            }
        }
        return sources;
    }

    @Test
    void nothingBehindTheDoorsSpeaksOfGram() throws IOException {
        List<String> found = new ArrayList<>();
        Set<String> needed = new HashSet<>();
        for (Path source : sources()) {
            String name = ROOT.relativize(source).toString();
            Matcher words = WORDS.matcher(Files.readString(source));
            while (words.find()) {
                if (EXCEPTIONS.containsKey(name)) {
                    needed.add(name);
                } else {
                    found.add(name + ": " + words.group());
                }
            }
        }
        assertThat(found).isEmpty();
        assertThat(needed).as("exceptions that are needed").isEqualTo(EXCEPTIONS.keySet());
        assertThat(sources()).hasSizeGreaterThan(300);
    }
}
