// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;

/** The file that holds the database's password, and nobody but its owner may read. */
final class PasswordFile {

    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private PasswordFile() {}

    /**
     * The file's first line.
     *
     * @throws FaultException of code {@code STORE_UNAVAILABLE} where it cannot be read or others may read it
     */
    static String read(Path file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!OWNER_ONLY.containsAll(permissions)) {
                throw new FaultException(Fault.of(
                        FaultCode.STORE_UNAVAILABLE,
                        "The password file " + file + " has the mode " + PosixFilePermissions.toString(permissions)
                                + ": others may use it.",
                        "Run: chmod 600 " + file));
            }
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new FaultException(
                    Fault.of(
                            FaultCode.STORE_UNAVAILABLE,
                            "The password file " + file + " cannot be read: " + Reason.of(e) + ".",
                            "Correct passwordFile in the configuration, or make it readable for the service's account."),
                    e);
        }
    }
}
