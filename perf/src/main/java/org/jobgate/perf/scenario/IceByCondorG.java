// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Locale;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.scenario.CondorGRuns.Kind;
import org.jobgate.perf.scenario.CondorGRuns.Route;
import org.jobgate.perf.scenario.CondorGRuns.Turn;

/**
 * ICE's test with a stock HTCondor in the place of ICE: what the slides call JC+Condor+LM, whose jobs a JobController gave to Condor-G while a
 * LogMonitor read its log. Here the harness does the work of both.
 */
final class IceByCondorG {

    /** Jobs per minute of JC+Condor+LM, and the least and the most of its jobs that succeeded (facts/cream.md section 11). */
    private static final double PUBLISHED = 2.4;

    private static final double[] PUBLISHED_SUCCESS = {93.9, 96.0};
    private static final String WHAT = "JC+Condor+LM and CREAM";
    private static final double MINUTE = 60;
    private static final int WARM_UP = 20;

    private IceByCondorG() {}

    /** Measures with the gateway running; answers how many jobs did not come to their end. */
    static long measure(Lab lab, Gateway gateway, Report report, int jobs, int repeat, boolean isStock)
            throws IOException, InterruptedException, GeneralSecurityException {
        LabGrid grid = LabGrid.require();
        long lost = 0;
        try (DirectLrm.Direct as = DirectLrm.Direct.of(grid.account().name());
                CondorClient client = new CondorClient(as, grid, lab, !isStock, jobs)) {
            CondorGRuns runs =
                    new CondorGRuns(as, client, lab, gateway, grid.account().home());
            for (Route route : List.of(Route.BATCH, Route.ARC)) {
                runs.turn(Kind.NONE, route, "", Math.min(jobs, WARM_UP), "warm-up");
                Row service = row(route, "to the service");
                Row end = row(route, "until HTCondor knew that all were over");
                long ended = 0;
                for (int i = 1; i <= repeat; i++) {
                    Turn turn = runs.turn(Kind.NONE, route, "", jobs, "turn " + i);
                    service.ours(perMinute(jobs, turn.sent()));
                    end.ours(perMinute(turn.done(), turn.over()));
                    ended += turn.done();
                    Scenario.progress(route.label() + ": " + Spread.show(perMinute(jobs, turn.sent()))
                            + " jobs/min to the service, " + Spread.show(perMinute(turn.done(), turn.over()))
                            + " ended, " + turn.done() + " of " + jobs);
                }
                long all = (long) jobs * repeat;
                lost += all - ended;
                report.row(service)
                        .row(end)
                        .number(
                                "success_percent_" + route.name().toLowerCase(Locale.ROOT),
                                100.0 * ended / all,
                                route.label() + ": % of the jobs that came to their end (" + WHAT + ": "
                                        + PUBLISHED_SUCCESS[0] + " to " + PUBLISHED_SUCCESS[1] + ")",
                                Budget.NONE);
            }
            report.put("jobs", jobs).note(runs.version() + ". " + CondorClient.settings(isStock));
            runs.tell(report);
        }
        return lost;
    }

    /** 0 where it was not reached. */
    private static double perMinute(long jobs, double seconds) {
        return seconds > 0 ? MINUTE * jobs / seconds : 0;
    }

    private static Row row(Route route, String what) {
        Row row = new Row("Condor-G, " + route.label() + ": " + what, "jobs/min", Row.Better.HIGHER);
        row.published(WHAT, PUBLISHED, Submitters.SLIDES);
        return row;
    }
}
