// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.peer.Work;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** ICE's test: one manager with 5 to 30 threads, each job with a credential delegated for it alone. */
@Command(
        name = "ice",
        description =
                "1000 jobs by a manager with 5 to 30 threads, each delegating for each job, or by a stock HTCondor: jobs per minute to the service and the LRM")
public final class Ice extends Submitters {

    /** Jobs per minute to the CE, and to the LRM, by threads (facts/cream.md section 11). */
    private static final Map<Integer, double[]> PUBLISHED = Map.of(
            5, new double[] {16.2, 16.2},
            10, new double[] {21.6, 19.8},
            15, new double[] {22.8, 19.8},
            20, new double[] {24.6, 19.8},
            25, new double[] {25.8, 19.8},
            30, new double[] {29.4, 19.8});

    @Option(names = "--jobs", defaultValue = "1000", description = "of each run (default: ${DEFAULT-VALUE})")
    int jobs;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "5,10,15,20,25,30",
            description = "how many, one after another (default: ${DEFAULT-VALUE})")
    List<Integer> threads = new ArrayList<>();

    @Option(names = "--stock", description = "with --door condor-g: leave HTCondor's settings at their defaults")
    boolean stock;

    /** With default options. */
    public Ice() {
        super("ice");
    }

    @Override
    void checkOptions() {
        super.checkOptions();
        require(jobs > 0, "--jobs wants at least 1, and has " + jobs);
        require(door == SubmitDoor.CONDOR_G || !stock, "--stock is for --door condor-g");
    }

    @Override
    void measure(Lab lab, Gateway gateway, Report report, Sandbox sandbox)
            throws IOException, InterruptedException, GeneralSecurityException {
        if (door == SubmitDoor.CONDOR_G) {
            lost += IceByCondorG.measure(lab, gateway, report, jobs, repeat, stock);
            return;
        }
        Submission submission = door == SubmitDoor.CREAM2
                ? CreamSubmission.delegatingAnew(lrm().name())
                : GramSubmission.delegatingAnew();
        Work work = new Work(Work.Delegation.PER_JOB, false, false);
        run(lab, gateway, 10, 2, submission, "warm-up");
        warmUpPeers(work);
        for (int several : sorted(threads)) {
            Row service = perMinute(several + " threads: to the service");
            Row toLrm = perMinute(several + " threads: to the LRM");
            for (int i = 1; i <= repeat; i++) {
                Run run = run(lab, gateway, jobs, several, submission, several + " threads");
                service.ours(run.toService());
                toLrm.ours(run.toLrm());
                progress(several + " threads: " + Spread.show(run.toService()) + " jobs/min to the service, "
                        + Spread.show(run.toLrm()) + " to the LRM");
            }
            double[] published = PUBLISHED.get(several);
            if (published != null) {
                service.published("ICE and CREAM", published[0], SLIDES);
                toLrm.published("ICE and CREAM", published[1], SLIDES);
            }
            report.row(service).row(toLrm);
            besidePeers(lab, gateway, report, submission, work, jobs, several, repeat);
        }
        report.put("jobs", jobs);
    }
}
