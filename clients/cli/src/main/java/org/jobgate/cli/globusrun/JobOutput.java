// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * Where a job of globus-job-submit-ws wrote its output: files that bear the submission's id (facts/gram4.md section 4.4 has
 * the form of the names). At a service without access to files they are read as files, which works on its host and where the home
 * directory is shared. Only such names are read or removed here, whatever a service says: the file of that path is then the job's own.
 */
record JobOutput(
        String host, @Nullable String stdout, @Nullable String stderr) {
    private static final Pattern OURS =
            Pattern.compile("/(?:.*/)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\.std(?:out|err)");

    /** The names to put into a description; the service knows the home directory. */
    static String name(String id, String stream) {
        return "${GLOBUS_USER_HOME}/" + id.substring("uuid:".length()) + "." + stream;
    }

    /** @param description what the service says the job is: desc:job */
    static JobOutput of(Epr job, XmlElement description) {
        return new JobOutput(
                String.valueOf(URI.create(job.address()).getHost()),
                description.childText(Names.DESCRIPTION, "stdout"),
                description.childText(Names.DESCRIPTION, "stderr"));
    }

    /** Whether the file was named by us, not by the user. */
    static boolean isOurs(@Nullable String file) {
        return file != null && OURS.matcher(file).matches();
    }

    /**
     * Copies one of the files.
     *
     * @throws CommandException saying where the file is and why it cannot be shown
     */
    static void copy(String host, @Nullable String file, PrintStream to) throws CommandException {
        if (file == null) {
            throw new CommandException(ExitStatus.CONTACT, "The job keeps no output: its description names no file.");
        }
        String where = "The output is in file " + file + " at " + host;
        if (!isOurs(file)) {
            throw new CommandException(ExitStatus.CONTACT, where + ", as the job's description says. Read it there.");
        }
        Path path = Path.of(file);
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || !Files.isReadable(path)) {
            throw new CommandException(
                    ExitStatus.CONTACT,
                    where + ", which cannot be read from here (it can on that host, and where the home directory"
                            + " is shared). Copy it, e.g. with scp.");
        }
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            in.transferTo(to);
            to.flush();
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.CONTACT, where + ", and reading it failed: " + Sentence.reason(e) + ".", e);
        }
    }

    /** Removes those files that we named and that lie here. */
    void remove() throws IOException {
        for (String file : new String[] {stdout, stderr}) {
            if (isOurs(file) && file != null) {
                Path path = Path.of(file);
                if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    Files.delete(path);
                }
            }
        }
    }
}
