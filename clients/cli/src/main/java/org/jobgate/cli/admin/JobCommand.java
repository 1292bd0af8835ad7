// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.verbs.Verbs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code jobgate job}: look at jobs, explain one, cancel one. */
@Command(
        name = "job",
        mixinStandardHelpOptions = true,
        description = "Look at jobs of everybody; explain, cancel, trace one.")
final class JobCommand {
    private static final String ID =
            "The job's id, or at least four digits that it begins or ends with and no other job's does.";

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "List jobs, those that were created last first.")
    int list(
            @Mixin Context context,
            @Option(names = "--subject", description = "Only of this owner (/O=.../CN=...).") @Nullable String subject,
            @Option(names = "--account", description = "Only of this local account.") @Nullable String account,
            @Option(names = "--state", description = "Only in this state, e.g. Active.") @Nullable String state,
            @Option(names = "--finished", description = "Also jobs that have ended.") boolean isFinished,
            @Option(
                            names = "--after",
                            description = "Go on with those created before this job, the last one of a page.")
                    @Nullable
                    String after,
            @Option(names = "--limit", defaultValue = "100", description = "How many; default ${DEFAULT-VALUE}.")
                    int limit)
            throws AdminException {
        String query = "/jobs?limit=" + limit + parameter("subject", subject) + parameter("account", account)
                + parameter("state", state) + parameter("after", after) + (isFinished ? "&finished=true" : "");
        JsonNode answer = ask(context, query);
        if (context.isJson) {
            context.showJson(answer);
            return 0;
        }
        Table table = new Table("JOB", "STATE", "ACCOUNT", "LRM", "LOCAL ID", "CREATED", "EXIT", "FAULT");
        for (JsonNode job : answer.path("jobs")) {
            table.row(
                    text(job, "id"),
                    text(job, "state") + (job.path("holding").asBoolean(false) ? " (held)" : ""),
                    text(job, "account"),
                    text(job, "lrm"),
                    text(job, "localIds"),
                    text(job, "created"),
                    text(job, "exitCode"),
                    text(job.path("fault"), "code"));
        }
        table.print(context.out());
        return 0;
    }

    private static String parameter(String name, @Nullable String value) {
        return value == null ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static String text(JsonNode object, String name) {
        return Table.text(object.path(name));
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Show all that is known of a job.")
    int show(@Mixin Context context, @Parameters(paramLabel = "JOB", description = ID) String id)
            throws AdminException {
        JsonNode job = ask(context, path(id));
        if (context.isJson) {
            context.showJson(job);
        } else {
            Table.pairs(context.out(), job);
        }
        return 0;
    }

    @Command(name = "explain", mixinStandardHelpOptions = true, description = "Tell a job's life in sentences.")
    int explain(@Mixin Context context, @Parameters(paramLabel = "JOB", description = ID) String id)
            throws AdminException {
        JsonNode job = ask(context, path(id));
        if (context.isJson) {
            context.showJson(job);
        } else {
            Explanation.sentences(job).forEach(context.out()::println);
        }
        return 0;
    }

    @Command(name = "cancel", mixinStandardHelpOptions = true, description = "Cancel a job, whoever owns it.")
    int cancel(@Mixin Context context, @Parameters(paramLabel = "JOB", description = ID) String id)
            throws AdminException {
        try {
            JsonNode job = context.client().get(path(id));
            // a part of the id may mean another job in a moment: what was found now is meant
            String whole = text(job, "id").isEmpty() ? id : text(job, "id");
            if (Explanation.isOver(text(job, "state"))) {
                return alreadyOver(context, job, whole);
            }
            JsonNode answer = context.client().post(path(whole) + "/cancel");
            if (context.isJson) {
                context.showJson(answer);
            } else {
                context.out().println("Job " + whole + " is being cancelled.");
            }
            return 0;
        } catch (AdminClient.NotRunningException e) {
            throw notRunning(e);
        }
    }

    @Command(
            name = "trace",
            mixinStandardHelpOptions = true,
            description =
                    "Look whether the server and its batch systems are well, then go the way of a job as jobgate trace does,"
                            + " with your own credential; say which step fails and what to run next.")
    int trace(
            @Mixin Context context,
            @Option(names = "--lrm", paramLabel = "NAME", description = "The batch system; default: the first.")
                    @Nullable
                    String lrm)
            throws AdminException {
        String url = new AdminTrace(context.client(), context.out()).run(lrm);
        if (url == null) {
            return 1;
        }
        List<String> words = new ArrayList<>(List.of("trace", "--url", url));
        if (lrm != null) {
            words.addAll(List.of("--lrm", lrm));
        }
        return Verbs.called(words.toArray(String[]::new));
    }

    private static int alreadyOver(Context context, JsonNode job, String id) {
        if (context.isJson) {
            context.showJson(job);
        } else {
            context.out()
                    .println("Job " + id + " has ended already (" + text(job, "state")
                            + "); there is nothing to cancel.");
        }
        return 0;
    }

    private static String path(String id) throws AdminException {
        String bare = id.startsWith("uuid:") ? id.substring("uuid:".length()) : id;
        if (bare.isEmpty() || !bare.matches("[A-Za-z0-9._-]+")) {
            throw new AdminException("\"" + id + "\" is not a job's id.");
        }
        return "/jobs/" + bare;
    }

    private static JsonNode ask(Context context, String path) throws AdminException {
        try {
            return context.client().get(path);
        } catch (AdminClient.NotRunningException e) {
            throw notRunning(e);
        }
    }

    private static AdminException notRunning(AdminClient.NotRunningException cause) {
        return new AdminException("Jobgate is not running. Start it with: jobgate start", cause);
    }
}
