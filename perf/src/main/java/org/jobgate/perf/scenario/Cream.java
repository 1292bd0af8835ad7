// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.peer.Work;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Row;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.JobRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** CREAM's own test: up to 2000 jobs by 1 to 10 threads with one credential, delegated before, and a sandbox that is staged in and out. */
@Command(
        name = "cream",
        description =
                "100 to 2000 jobs by 1 to 10 threads, one delegated credential, 10 KB in and out: time to the id, to the LRM; failures")
public final class Cream extends Submitters {

    @Option(
            names = "--jobs",
            split = ",",
            defaultValue = "100,250,500,1000,2000",
            description = "how many, one after another (default: ${DEFAULT-VALUE})")
    List<Integer> jobs = new ArrayList<>();

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "1,2,5,10",
            description = "how many, one after another (default: ${DEFAULT-VALUE})")
    List<Integer> threads = new ArrayList<>();

    private record Figures(Row id, Row lrm, Row all) {
        Figures(String name) {
            this(
                    new Row(name + ": median time to the id", "ms", Row.Better.LOWER),
                    new Row(name + ": median time to the LRM", "ms", Row.Better.LOWER),
                    perMinute(name + ": to the LRM"));
        }

        void add(Run run) {
            id.ours(run.idMs());
            lrm.ours(run.lrmMs());
            all.ours(run.toLrm());
        }
    }

    /** With default options. */
    public Cream() {
        super("cream");
    }

    @Override
    void measure(Lab lab, Gateway gateway, Report report, Sandbox sandbox)
            throws IOException, InterruptedException, GeneralSecurityException {
        String credential = delegate(lab);
        Submission submission = (client, signer, load) -> {
            String key = Load.newKey();
            return JobRequest.noOp(key, load.terminationTime())
                    .with(credential)
                    .with(sandbox.inAndOut(credential, key));
        };
        Work work = new Work(Work.Delegation.SHARED, true, true);
        run(lab, gateway, 5, 1, submission, "warm-up");
        warmUpPeers(work);
        Map<String, Long> lost = new LinkedHashMap<>();
        Map<String, Figures> figures = new LinkedHashMap<>();
        // all of them each time: what the machine does meanwhile shows in each one's spread
        for (int i = 1; i <= repeat; i++) {
            for (int number : sorted(jobs)) {
                for (int several : sorted(threads)) {
                    String name = number + " jobs, " + several + " threads";
                    Run run = run(lab, gateway, number, several, submission, name);
                    progress(name + ": id after " + Spread.show(run.idMs()) + " ms, " + run.lost() + " lost");
                    figures.computeIfAbsent(name, Figures::new).add(run);
                    lost.merge(name, run.lost(), Long::sum);
                }
            }
        }
        figures.values().forEach(each -> report.row(each.id()).row(each.lrm()).row(each.all()));
        for (int several : sorted(threads)) {
            besidePeers(lab, gateway, report, submission, work, peerJobs, several, repeat);
        }
        report.put("lost_by_run", lost)
                .note("CREAM lost 22, 26, 24 and 19 of 2000 jobs submitted by 1, 2, 5 and 10 threads (" + SLIDES
                        + ").");
    }
}
