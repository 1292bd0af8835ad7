// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.jobgate.cli.text.Sentence;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code jobgate backup|restore}. */
final class BackupCommands {

    /** A large database takes minutes. */
    private static final Duration PATIENCE = Duration.ofHours(2);

    private static final int FAILED = 1;

    private BackupCommands() {}

    /** {@code jobgate backup}. */
    @Command(
            name = "backup",
            mixinStandardHelpOptions = true,
            description = {
                "Copy what a restore needs into a new directory, while the server works: the database of jobs, the audit records, the"
                        + " configuration file."
            })
    static final class Backup implements java.util.concurrent.Callable<Integer> {
        @Mixin
        Context context = new Context();

        @Parameters(
                index = "0",
                paramLabel = "DIRECTORY",
                description = "Made by the server, as its account; must be empty or not there.")
        Path directory = Path.of("");

        @Option(
                names = "--with-key",
                description =
                        "Copy the site key too. Such a backup opens all delegated credentials by itself: keep it as you keep keys.")
        boolean isWithKey;

        @Override
        public Integer call() throws AdminException {
            Path absolute = directory.toAbsolutePath().normalize();
            JsonNode made;
            try {
                made = new AdminClient(context.state().socket(), PATIENCE)
                        .post("/backup?to=" + URLEncoder.encode(absolute.toString(), StandardCharsets.UTF_8) + "&key="
                                + isWithKey);
            } catch (AdminClient.NotRunningException e) {
                throw new AdminException(
                        "Jobgate is not running. Start it with: jobgate start; or copy its state directory as it is.",
                        e);
            }
            copyConfiguration(context.configuration(), absolute);
            if (context.isJson) {
                context.showJson(made);
            } else {
                context.out()
                        .println("Backup of " + made.path("takenAt").asString("?") + " in " + absolute + ", "
                                + made.path("bytes").asLong(0) + " bytes.");
                if (!isWithKey) {
                    context.out()
                            .println(
                                    "The site key is not in it: without the key, kept elsewhere, delegated credentials are lost.");
                }
            }
            return 0;
        }

        /** By this command: the server does not know where it has its configuration from. */
        private static void copyConfiguration(Path configuration, Path directory) throws AdminException {
            Path copy = directory.resolve("jobgate.yaml");
            try {
                byte[] content = Files.readAllBytes(configuration);
                Files.createFile(
                        copy, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.write(copy, content, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            } catch (IOException e) {
                throw new AdminException(
                        "The backup is made, but the configuration was not copied to " + copy + ": "
                                + Sentence.of(Sentence.reason(e)),
                        e);
            }
        }
    }

    /** {@code jobgate restore}. */
    @Command(
            name = "restore",
            mixinStandardHelpOptions = true,
            description = {
                "Put a backup in the place of what the stopped server has; what is there is moved aside. With --report: say what the"
                        + " running server has found out since, of jobs that the batch systems know and the backup does not."
            })
    static final class Restore implements java.util.concurrent.Callable<Integer> {
        @Mixin
        Context context = new Context();

        @Parameters(index = "0", arity = "0..1", paramLabel = "DIRECTORY", description = "Of the backup.")
        @Nullable
        Path directory;

        @Option(names = "--report", description = "Say what is known since the restore.")
        boolean isReport;

        @Override
        public Integer call() throws AdminException, InterruptedException {
            Path from = directory;
            if (isReport == (from != null)) {
                throw new AdminException("Give the directory of a backup, or --report, and not both.");
            }
            if (from == null) {
                return report();
            }
            return ServerCommands.server(context).restore(from.toAbsolutePath().normalize()) == 0 ? 0 : FAILED;
        }

        private int report() throws AdminException {
            JsonNode report;
            try {
                report = context.client().get("/restore");
            } catch (AdminClient.NotRunningException e) {
                throw new AdminException("Jobgate is not running. Start it with: jobgate start", e);
            }
            if (context.isJson) {
                context.showJson(report);
            } else {
                print(context.out(), report);
            }
            return 0;
        }

        private static void print(PrintWriter out, JsonNode report) {
            out.println(report.path("takenUpCount").asLong()
                    + " jobs of the backup are taken up as the batch systems have them.");
            out.println(report.path("notGiven").asLong()
                    + " jobs of the backup were not with a batch system yet, as far as it knows; they are submitted.");
            out.println(report.path("unknownCount").asLong()
                    + " jobs of the backup are unknown to their batch systems: how they ended cannot be known.");
            report.path("unknown").forEach(id -> out.println("  " + Table.text(id)));
            report.path("unasked")
                    .properties()
                    .forEach(entry -> out.println(
                            "No clear answer yet from " + entry.getKey() + ": " + Table.text(entry.getValue())));
            out.println(
                    report.path("leftCount").asLong()
                            + " jobs of the batch systems are not in the backup. Each is taken up when its submission comes again.");
            Table table = new Table("JOB", "LRM", "ACCOUNT", "LAST WORD", "AT");
            report.path("left")
                    .forEach(job -> table.row(
                            Table.text(job.path("id")),
                            Table.text(job.path("lrm")),
                            Table.text(job.path("account")),
                            Table.text(job.path("state")),
                            Table.text(job.path("at"))));
            if (report.path("left").size() > 0) {
                table.print(out);
            }
        }
    }
}
