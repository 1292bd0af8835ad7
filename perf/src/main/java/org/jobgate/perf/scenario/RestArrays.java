// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.HttpReply;
import org.jobgate.perf.wire.HttpsConnection;
import tools.jackson.databind.json.JsonMapper;

/** Arrays at the REST door: how long 10,000 elements take to be stored, and the array's status to be told. Two elements run at a time, and are held. */
final class RestArrays {

    private static final String ARRAYS = "/api/v1/arrays";
    private static final int ELEMENTS = 10_000;
    private static final int LOOKS = 20;
    private static final String BODY =
            "{\"job\": {\"executable\": \"/bin/true\", \"arguments\": [\"{index}\"], \"holdAt\": \"Pending\"}, \"indices\": \"1-"
                    + ELEMENTS + "\", \"maxRunning\": 2}";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private RestArrays() {}

    static void measure(Lab lab, Report report, SSLContext user, int repeat, Map<String, Long> failures)
            throws IOException {
        List<Double> made = new ArrayList<>();
        List<Double> told = new ArrayList<>();
        try (HttpsConnection connection = lab.connection(user)) {
            for (int i = -1; i < repeat; i++) {
                long begin = System.nanoTime();
                HttpReply reply = connection.send("POST", ARRAYS, "application/json", BODY);
                double taken = (System.nanoTime() - begin) / 1e6;
                if (reply.status() != 201) {
                    failures.merge("of an array, HTTP status " + reply.status(), 1L, Long::sum);
                    continue;
                }
                String id = JSON.readTree(reply.body()).path("id").asString("");
                List<Double> looks = new ArrayList<>();
                for (int look = 0; look < LOOKS; look++) {
                    looks.add(RestRequests.taken(connection, ARRAYS + "/" + id));
                }
                if (i >= 0) {
                    made.add(taken);
                    told.addAll(looks);
                }
                var unused = connection.send("POST", ARRAYS + "/" + id + "/cancel", "application/json", "{}");
            }
        }
        if (!made.isEmpty()) {
            report.spread(
                            "array_ms",
                            Spread.of(made),
                            "array of " + ELEMENTS + " elements made, ms",
                            Budget.atMost(1_000))
                    .spread("array_status_ms", Spread.of(told), "  its status, ms", Budget.atMost(20));
        }
    }
}
