// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code jobgate pool}: how many workers each stage of a job's life has. */
@Command(name = "pool", mixinStandardHelpOptions = true, description = "Look at the worker pools; change their size.")
final class PoolCommand {
    @Command(name = "list", mixinStandardHelpOptions = true, description = "List the pools.")
    int list(@Mixin Context context) throws AdminException {
        try {
            JsonNode pools = context.client().get("/pools");
            if (context.isJson) {
                context.showJson(pools);
            } else {
                print(context, pools.has("pools") ? pools.path("pools") : pools);
            }
            return 0;
        } catch (AdminClient.NotRunningException e) {
            throw notRunning(e);
        }
    }

    /** Either a list of pools with their names inside, or an object from names to pools. */
    private static void print(Context context, JsonNode pools) {
        Table table = new Table("POOL", "WORKERS", "BUSY", "WAITING");
        if (pools.isArray()) {
            pools.forEach(pool -> row(table, Table.text(pool.path("name")), pool));
        } else {
            for (Map.Entry<String, JsonNode> entry : pools.properties()) {
                row(table, entry.getKey(), entry.getValue());
            }
        }
        table.print(context.out());
    }

    private static void row(Table table, String name, JsonNode pool) {
        String workers = pool.isObject() ? Table.text(pool.path("workers")) : Table.text(pool);
        table.row(name, workers, Table.text(pool.path("busy")), Table.text(pool.path("waiting")));
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = "Change a pool's size, at once and until the next start.")
    int set(
            @Mixin Context context,
            @Parameters(index = "0", paramLabel = "POOL") String name,
            @Parameters(index = "1", paramLabel = "WORKERS") int workers)
            throws AdminException {
        if (workers < 1 || !name.matches("[A-Za-z0-9-]+")) {
            throw new AdminException("A pool has a name of letters and digits, and at least 1 worker.");
        }
        try {
            JsonNode answer = context.client().post("/pools/" + name + "?workers=" + workers);
            if (context.isJson) {
                context.showJson(answer);
            } else {
                context.out().println("Pool " + name + " has " + workers + " workers.");
            }
            return 0;
        } catch (AdminClient.NotRunningException e) {
            throw notRunning(e);
        }
    }

    private static AdminException notRunning(AdminClient.NotRunningException cause) {
        return new AdminException("Jobgate is not running. Start it with: jobgate start", cause);
    }
}
