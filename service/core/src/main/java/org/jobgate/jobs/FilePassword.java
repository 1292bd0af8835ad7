// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jobs;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;

/**
 * The name and the password with which one file of a job is moved (GFD.135, for a UsernameToken in a DataStaging). It is in no job
 * description: there a copy has the option {@link #OPTION} with the number of its password, and the passwords are kept sealed in a record
 * beside the job ({@link org.jobgate.jobs.JobCredentials#sealed}), until the job is over.
 *
 * @param userName 1 to 256 characters, none of them a control character
 * @param password at most 1024, none of them a control character: they end up in lines of protocols
 */
public record FilePassword(String userName, String password) {

    /** The option of a copy that is moved with a password: which of those of its job, from 1. */
    public static final String OPTION = "sealedPassword";

    /** The kind of the records in which they are kept. */
    public static final String KIND = "delegation.filePasswords";

    /** So many has a job at most. */
    public static final int MAX = 1_000;

    private static final int MAX_NAME = 256;
    private static final int MAX_PASSWORD = 1_024;

    public FilePassword {
        require(userName, 1, MAX_NAME, "the user's name");
        require(password, 0, MAX_PASSWORD, "the password");
    }

    private static void require(String text, int least, int most, String what) {
        if (text.length() < least || text.length() > most) {
            throw new IllegalArgumentException(what + " must have " + least + " to " + most + " characters");
        }
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(what + " must hold no control characters");
        }
    }

    /** Whether a copy of the job is moved with a password. */
    public static boolean areIn(JobDescription description) {
        TransferList files = description.transfers();
        return Stream.of(files.stageInOptions(), files.stageOutOptions(), files.cleanUpOptions())
                        .anyMatch(options -> options.containsKey(OPTION))
                || Stream.concat(files.stageIn().stream(), files.stageOut().stream())
                        .anyMatch(copy -> copy.options().containsKey(OPTION));
    }

    /** The same description for others to see or to repeat: its copies name no passwords. */
    public static JobDescription without(JobDescription description) {
        if (!areIn(description)) {
            return description;
        }
        TransferList files = description.transfers();
        return description.toBuilder()
                .transfers(new TransferList(
                        without(files.stageIn()),
                        without(files.stageOut()),
                        files.cleanUp(),
                        without(files.stageInOptions()),
                        without(files.stageOutOptions()),
                        without(files.cleanUpOptions())))
                .build();
    }

    private static List<Transfer> without(List<Transfer> copies) {
        return copies.stream()
                .map(copy -> new Transfer(copy.source(), copy.destination(), without(copy.options())))
                .toList();
    }

    private static Map<String, String> without(Map<String, String> options) {
        return options.entrySet().stream()
                .filter(option -> !option.getKey().equals(OPTION))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Without anything secret. */
    @Override
    public String toString() {
        return "a name and a password for a file";
    }
}
