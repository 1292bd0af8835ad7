// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code jobgate lrm}: the batch systems behind the gateway, and how much of them it uses. */
@Command(
        name = "lrm",
        mixinStandardHelpOptions = true,
        description = "Look at the batch systems; change how much of them is used.")
final class LrmCommand {

    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}";
    private static final List<String> LIMITS =
            List.of("submitsAtOnce", "batchLimit", "maxJobs", "maxJobsPerOwner", "maxJobsPerQueue", "pollInterval");
    private static final List<String> QUEUE = List.of(
            "name",
            "default",
            "state",
            "processors",
            "free",
            "running",
            "waiting",
            "maxWallTime",
            "maxProcessors",
            "architecture",
            "memoryMiB");
    private static final List<String> BACK_OFF = List.of("account", "since", "times", "until", "because");
    private static final String CHANGE = "[A-Za-z]{1,32}=[A-Za-z0-9]{1,16}";

    @Command(name = "list", mixinStandardHelpOptions = true, description = "List the LRMs.")
    int list(@Mixin Context context) throws AdminException {
        try {
            JsonNode answer = context.client().get("/lrms");
            if (context.isJson) {
                context.showJson(answer);
            } else {
                print(context, answer.path("lrms"));
            }
            return 0;
        } catch (AdminClient.NotRunningException e) {
            throw notRunning(e);
        }
    }

    private static void print(Context context, JsonNode lrms) {
        Table table = new Table("LRM", "KIND", "WELL", "JOBS", "MAX", "LAG MS", "BACK-OFFS", "WHY");
        lrms.forEach(lrm -> table.row(
                Table.text(lrm.path("name")),
                Table.text(lrm.path("kind")),
                lrm.path("well").asBoolean(false) ? "yes" : "no",
                Table.text(lrm.path("jobs")),
                unlessZero(lrm.path("throttle").path("maxJobs")),
                Table.text(lrm.path("lagMs")),
                Integer.toString(lrm.path("backOffs").size()),
                Table.text(lrm.path("why"))));
        table.print(context.out());
    }

    private static String unlessZero(JsonNode limit) {
        return limit.asInt(0) == 0 ? "" : Table.text(limit);
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Show all that is known of an LRM: limits, queues, and the accounts that it keeps waiting.")
    int show(@Mixin Context context, @Parameters(index = "0", paramLabel = "LRM") String name) throws AdminException {
        try {
            JsonNode lrm = context.client().get("/lrms/" + checked(name));
            if (context.isJson) {
                context.showJson(lrm);
            } else {
                show(context, (ObjectNode) lrm);
            }
            return 0;
        } catch (AdminClient.NotRunningException e) {
            throw notRunning(e);
        }
    }

    /** The lists as tables behind the rest. */
    private static void show(Context context, ObjectNode lrm) {
        JsonNode queues = lrm.remove("queues");
        JsonNode backOffs = lrm.remove("backOffs");
        Table.pairs(context.out(), lrm);
        table(context, "queue", QUEUE, queues);
        table(context, "waits", BACK_OFF, backOffs);
    }

    private static void table(Context context, String title, List<String> names, @Nullable JsonNode rows) {
        if (rows == null || rows.isEmpty()) {
            return;
        }
        context.out().println();
        Table table = new Table(names.stream()
                .map(name -> name.equals("name") ? title.toUpperCase(Locale.ROOT) : words(name))
                .toArray(String[]::new));
        rows.forEach(row ->
                table.row(names.stream().map(name -> Table.text(row.path(name))).toArray(String[]::new)));
        table.print(context.out());
    }

    /** {@code maxWallTime} as {@code MAX WALL TIME}. */
    private static String words(String name) {
        return name.replace("MiB", "_mib")
                .replaceAll("([A-Z])", "_$1")
                .replace('_', ' ')
                .toUpperCase(Locale.ROOT);
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description =
                    "Change limits of an LRM, at once and until the next start: submitsAtOnce, batchLimit, maxJobs,"
                            + " maxJobsPerOwner, maxJobsPerQueue, pollInterval.")
    int set(
            @Mixin Context context,
            @Parameters(index = "0", paramLabel = "LRM") String name,
            @Parameters(index = "1..*", arity = "1..*", paramLabel = "NAME=VALUE") List<String> changes)
            throws AdminException {
        for (String change : changes) {
            if (!change.matches(CHANGE) || !LIMITS.contains(change.substring(0, change.indexOf('=')))) {
                throw new AdminException(
                        "This is no change of a limit: " + change + ". It is written as NAME=VALUE, e.g."
                                + " maxJobs=500; the names are " + String.join(", ", LIMITS) + ".");
            }
        }
        try {
            String query = changes.stream().collect(Collectors.joining("&"));
            JsonNode lrm = context.client().post("/lrms/" + checked(name) + "?" + query);
            if (context.isJson) {
                context.showJson(lrm);
            } else {
                context.out().println("The limits of " + name + " are now:");
                Table.pairs(context.out(), lrm.path("throttle"));
            }
            return 0;
        } catch (AdminClient.NotRunningException e) {
            throw notRunning(e);
        }
    }

    private static String checked(String name) throws AdminException {
        if (!name.matches(NAME)) {
            throw new AdminException("This is not the name of an LRM: " + name);
        }
        return name;
    }

    private static AdminException notRunning(AdminClient.NotRunningException cause) {
        return new AdminException("Jobgate is not running. Start it with: jobgate start", cause);
    }
}
