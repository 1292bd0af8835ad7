// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static java.util.Objects.requireNonNull;

import java.io.PrintWriter;
import tools.jackson.databind.JsonNode;

/**
 * What is wrong with batch systems as a running server sees them. Only it can know some of this, such as the process ids of workers that it
 * has given up and may not end.
 */
final class LrmTroubles {

    private final AdminClient client;

    LrmTroubles(AdminClient client) {
        this.client = requireNonNull(client, "client is null");
    }

    /**
     * Prints what is wrong, in the form of the other findings of {@code doctor}. Prints nothing where no server runs.
     *
     * @return whether something is bad
     */
    boolean print(PrintWriter out) throws AdminException {
        boolean isBad = false;
        try {
            for (JsonNode lrm : client.get("/lrms").path("lrms")) {
                String area = "LRM " + Table.text(lrm.path("name")) + ", as the running server sees it: ";
                if (!lrm.path("well").asBoolean(false)) {
                    out.println("BAD     " + area + sentence(Table.text(lrm.path("why"))));
                    isBad = true;
                }
                for (JsonNode wait : lrm.path("backOffs")) {
                    out.println("WARNING " + area + "the jobs of the account " + Table.text(wait.path("account"))
                            + " wait until " + Table.text(wait.path("until")) + ", because "
                            + sentence(Table.text(wait.path("because"))));
                }
            }
        } catch (AdminClient.NotRunningException e) {
            return false;
        } finally {
            out.flush();
        }
        return isBad;
    }

    private static String sentence(String words) {
        return words.isEmpty() || words.endsWith(".") ? words : words + ".";
    }
}
