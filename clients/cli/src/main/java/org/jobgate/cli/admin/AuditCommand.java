// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code jobgate audit}: what is on record of jobs, long after the service has forgotten them. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = "Look at the audit records of jobs; find out whether they are as they were written.")
final class AuditCommand {

    private static final int TAMPERED = 1;

    @Command(name = "job", mixinStandardHelpOptions = true, description = "Show what is on record of one job.")
    int job(@Mixin Context context, @Parameters(index = "0", paramLabel = "ID") String id) throws AdminException {
        if (!id.matches("[0-9A-Fa-f-]{1,64}")) {
            throw new AdminException("This is no job's id: " + id + ".");
        }
        JsonNode job = get(context, "/audit/jobs/" + id);
        if (context.isJson) {
            context.showJson(job);
            return 0;
        }
        job.properties().stream()
                .filter(field -> !field.getKey().equals("entries"))
                .forEach(field -> context.out()
                        .println(field.getKey() + ": " + Table.text(readable(field.getKey(), field.getValue()))));
        for (JsonNode entry : job.path("entries")) {
            context.out()
                    .println(Table.text(entry.path("at")) + "  " + Table.text(entry.path("kind")) + "  (entry "
                            + Table.text(entry.path("number")) + ")");
        }
        return 0;
    }

    private static JsonNode readable(String name, JsonNode value) {
        boolean isTime = value.isIntegralNumber()
                && (name.equals("created") || name.equals("queued") || name.equals("started") || name.equals("ended"));
        return isTime
                ? tools.jackson.databind.node.StringNode.valueOf(
                        Instant.ofEpochMilli(value.longValue()).toString())
                : value;
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "List the jobs that are on record, in the order of their creation.")
    int list(
            @Mixin Context context,
            @Option(names = "--subject", paramLabel = "DN", description = "Only those of this owner.") @Nullable
                    String subject,
            @Option(
                            names = "--since",
                            paramLabel = "TIME",
                            description = "Only those created since, such as 2026-11-25T00:00:00Z.")
                    @Nullable
                    String since)
            throws AdminException {
        Table table = new Table("JOB", "CREATED", "SUBJECT", "ACCOUNT", "LRM", "OUTCOME");
        each(context, subject, since, job -> {
            if (context.isJson) {
                context.out().println(job);
            } else {
                table.row(
                        Table.text(job.path("job")),
                        Table.text(readable("created", job.path("created"))),
                        Table.text(job.path("subject")),
                        Table.text(job.path("account")),
                        Table.text(job.path("lrm")),
                        Table.text(job.path("outcome")));
            }
        });
        if (!context.isJson) {
            table.print(context.out());
        }
        return 0;
    }

    @Command(
            name = "user",
            mixinStandardHelpOptions = true,
            description = "Show what one owner's jobs used, by LRM and queue, and list the jobs.")
    int user(
            @Mixin Context context,
            @Parameters(index = "0", paramLabel = "DN") String subject,
            @Option(
                            names = "--since",
                            paramLabel = "TIME",
                            description = "Only jobs created since, such as 2026-11-25T00:00:00Z.")
                    @Nullable
                    String since)
            throws AdminException {
        List<String> by = List.of("lrm", "queue");
        Map<String, String> query = new LinkedHashMap<>();
        query.put("by", String.join(",", by));
        query.put("subject", subject);
        if (since != null) {
            query.put("since", since);
        }
        JsonNode rows = UsageCommand.get(context, "/audit/usage", query).path("rows");
        if (context.isJson) {
            context.showJson(rows);
        } else {
            UsageCommand.table(context, rows, by);
            context.out().println();
        }
        return list(context, subject, since);
    }

    @Command(
            name = "acts",
            mixinStandardHelpOptions = true,
            description = "List what administrators have done, newest first: at most 1000.")
    int acts(
            @Mixin Context context,
            @Option(
                            names = "--since",
                            paramLabel = "TIME",
                            description = "Only what was done since, such as 2026-11-25T00:00:00Z.")
                    @Nullable
                    String since)
            throws AdminException {
        Map<String, String> query = new LinkedHashMap<>();
        if (since != null) {
            query.put("since", since);
        }
        JsonNode acts = UsageCommand.get(context, "/audit/acts", query).path("acts");
        if (context.isJson) {
            context.showJson(acts);
            return 0;
        }
        Table table = new Table("AT", "WHO", "WHAT");
        acts.forEach(act ->
                table.row(Table.text(act.path("at")), Table.text(act.path("who")), Table.text(act.path("what"))));
        table.print(context.out());
        return 0;
    }

    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description = "Write all that is on record as lines of JSON, one for each job.")
    int export(
            @Mixin Context context,
            @Option(
                            names = "--since",
                            paramLabel = "TIME",
                            description = "Only jobs created since, such as 2026-11-25T00:00:00Z.")
                    @Nullable
                    String since)
            throws AdminException {
        each(context, null, since, job -> context.out().println(job));
        context.out().flush();
        return 0;
    }

    /** A page at a time, so that neither side holds all of them. */
    private static void each(
            Context context,
            @Nullable String subject,
            @Nullable String since,
            java.util.function.Consumer<JsonNode> consumer)
            throws AdminException {
        String after = "";
        while (true) {
            String query = "?after=" + after
                    + (subject == null ? "" : "&subject=" + URLEncoder.encode(subject, StandardCharsets.UTF_8))
                    + (since == null ? "" : "&since=" + URLEncoder.encode(since, StandardCharsets.UTF_8));
            JsonNode jobs = get(context, "/audit/jobs" + query).path("jobs");
            if (jobs.isEmpty()) {
                return;
            }
            jobs.forEach(consumer);
            after = jobs.get(jobs.size() - 1).path("job").asString();
        }
    }

    @Command(
            name = "verify",
            mixinStandardHelpOptions = true,
            description = {
                "Find out whether the records are as they were written.",
                "Exit status: 0 = they are, 1 = something was changed, taken away or added, or it cannot be said."
            })
    int verify(@Mixin Context context) throws AdminException {
        JsonNode finding = get(context, "/audit/verify");
        if (context.isJson) {
            context.showJson(finding);
            return finding.has("fault") ? TAMPERED : 0;
        }
        if (finding.has("fault")) {
            context.out()
                    .println("The audit records were changed. " + Table.text(finding.path("fault"))
                            + " What stands before it is as it was written.");
            return TAMPERED;
        }
        context.out()
                .println(Table.text(finding.path("jobs")) + " jobs with " + Table.text(finding.path("entries"))
                        + " entries are as they were written.");
        context.out()
                .println("The last entry: " + Table.text(finding.path("end"))
                        + ". Keep this line elsewhere: records that were all written anew do not have it.");
        return 0;
    }

    private static JsonNode get(Context context, String path) throws AdminException {
        try {
            return context.client().get(path);
        } catch (AdminClient.NotRunningException e) {
            throw new AdminException("Jobgate is not running. Start it with: jobgate start", e);
        }
    }
}
