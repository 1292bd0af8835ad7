// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static java.util.Objects.requireNonNull;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The administrator's part of a trace: is the server there, does it take jobs, do its batch systems answer. It comes before the way that a
 * user's job goes.
 */
final class AdminTrace {

    private final AdminClient client;
    private final PrintWriter out;

    AdminTrace(AdminClient client, PrintWriter out) {
        this.client = requireNonNull(client, "client is null");
        this.out = requireNonNull(out, "out is null");
    }

    /**
     * Looks at each, and stops at the one that is not well.
     *
     * @param lrm the batch system that is meant; absent: all
     * @return the server's address; absent where something is not well, which has been said
     */
    @Nullable
    String run(@Nullable String lrm) throws AdminException {
        try {
            JsonNode status = client.get("/status");
            String state = Table.text(status.path("state"));
            if (!state.equals("running")) {
                String next = state.equals("draining") ? "jobgate resume" : "jobgate status";
                return failed("server", "It is " + state + ", so it takes no new jobs.", next);
            }
            well(
                    "server",
                    "runs as process " + Table.text(status.path("pid")) + " with " + Table.text(status.path("liveJobs"))
                            + " jobs that are not over");
            return isWell(lrm) ? Table.text(status.path("url")) : null;
        } catch (AdminClient.NotRunningException e) {
            return failed("server", "Jobgate is not running.", "jobgate start");
        } finally {
            out.flush();
        }
    }

    private boolean isWell(@Nullable String wanted) throws AdminException, AdminClient.NotRunningException {
        List<String> names = new ArrayList<>();
        for (JsonNode lrm : client.get("/lrms").path("lrms")) {
            String name = Table.text(lrm.path("name"));
            if (wanted != null && !wanted.equals(name)) {
                continue;
            }
            names.add(name);
            if (!lrm.path("well").asBoolean(false)) {
                failed("lrm " + name, Table.text(lrm.path("why")), "jobgate doctor");
                return false;
            }
            for (JsonNode wait : lrm.path("backOffs")) {
                failed(
                        "lrm " + name,
                        "The jobs of the account " + Table.text(wait.path("account")) + " wait, because "
                                + Table.text(wait.path("because")),
                        "jobgate lrm show " + name);
                return false;
            }
        }
        if (names.isEmpty()) {
            failed("lrm", "There is no batch system " + wanted + ".", "jobgate lrm list");
            return false;
        }
        well("lrm", String.join(", ", names) + ": well, as the server sees it");
        return true;
    }

    private void well(String step, String text) {
        out.printf("%-6s %-12s %s%n", "ok", step, text);
    }

    private @Nullable String failed(String step, String why, String next) {
        out.printf("%-6s %-12s %s%n       next:        %s%n", "FAILED", step, why, next);
        return null;
    }
}
