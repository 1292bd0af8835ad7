// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.training;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jobgate.cli.ca.CaCommand;
import picocli.CommandLine;

/** Certificates that live for a day, for a rehearsal that nobody else takes part in. */
public final class TrialCertificates {

    private TrialCertificates() {}

    /**
     * Makes an authority, a host (hostcert.pem, hostkey.pem), a user and a proxy (proxy.pem) in the folder, and the trust directory
     * below it (certificates/). What is there already stays.
     */
    public static void make(Path folder) throws IOException {
        if (Files.exists(folder.resolve("proxy.pem"))) {
            return;
        }
        String dir = folder.toString();
        ca("init", "--dir", dir, "--days", "1");
        ca("host", "--dir", dir, "--days", "1", "--out", dir);
        ca("user", "--dir", dir, "--days", "1", "--out", dir, "rehearsal");
        ca("proxy", "--cert", dir + "/usercert.pem", "--out", dir + "/proxy.pem");
    }

    private static void ca(String... words) throws IOException {
        CommandLine line = new CommandLine(new CaCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(Writer.nullWriter()));
        if (line.execute(words) != 0) {
            throw new IOException("The rehearsal's certificates cannot be made.");
        }
    }
}
