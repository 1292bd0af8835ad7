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

    @Option(
            names = "--bulk",
            split = ",",
            paramLabel = "N",
            defaultValue = "500",
            description =
                    "also so many jobs by one JobRegister, with the most jobs and threads; 1 for none; at cream2 only"
                            + " (default: ${DEFAULT-VALUE})")
    List<Integer> bulks = new ArrayList<>();

    /** Jobs of 2000 that CREAM's own command line lost, by threads (facts/cream.md section 11). */
    private static final Map<Integer, Integer> LOST_OF_2000 = Map.of(1, 22, 2, 26, 5, 24, 10, 19);

    private record Figures(Row id, Row lrm, Row service, Row all, Row lost) {
        static Figures of(Shape shape) {
            Figures figures = new Figures(shape.name());
            Integer lost = shape.bulk() == 1 ? LOST_OF_2000.get(shape.threads()) : null;
            if (lost != null) {
                figures.lost().published("CREAM, of 2000", lost / 20.0, SLIDES);
            }
            return figures;
        }

        private Figures(String name) {
            this(
                    new Row(name + ": median time to the id", "ms", Row.Better.LOWER),
                    new Row(name + ": median time to the LRM", "ms", Row.Better.LOWER),
                    perMinute(name + ": to the service"),
                    perMinute(name + ": to the LRM"),
                    new Row(name + ": lost", "%", Row.Better.LOWER));
        }

        void add(Shape shape, Run run) {
            lost.ours(100.0 * run.lost() / shape.jobs());
            id.ours(run.idMs());
            lrm.ours(run.lrmMs());
            service.ours(run.toService());
            all.ours(run.toLrm());
        }
    }

    /** With default options. */
    public Cream() {
        super("cream");
    }

    @Override
    void checkOptions() {
        super.checkOptions();
        require(door != SubmitDoor.CONDOR_G, "--door condor-g is for ice");
        require(jobs.stream().allMatch(number -> number > 0), "--jobs wants numbers of at least 1");
        require(threads.stream().allMatch(number -> number > 0), "--threads wants numbers of at least 1");
        require(bulks.stream().allMatch(number -> number > 0), "--bulk wants numbers of at least 1");
    }

    @Override
    void measure(Lab lab, Gateway gateway, Report report, Sandbox sandbox)
            throws IOException, InterruptedException, GeneralSecurityException {
        Submission submission = door == SubmitDoor.CREAM2
                ? CreamSubmission.sharing(lab, lrm().name(), sandbox)
                : GramSubmission.sharing(lab, sandbox);
        Work work = new Work(Work.Delegation.SHARED, true, true);
        run(lab, gateway, 5, 1, submission, "warm-up");
        warmUpPeers(work);
        Map<String, Long> lost = new LinkedHashMap<>();
        Map<String, Figures> figures = new LinkedHashMap<>();
        List<Shape> shapes = shapes();
        // all of them each time: what the machine does meanwhile shows in each one's spread
        for (int i = 1; i <= repeat; i++) {
            for (Shape shape : shapes) {
                String name = shape.name();
                Run run = run(lab, gateway, shape.jobs(), shape.threads(), shape.bulk(), submission, name);
                progress(name + ": id after " + Spread.show(run.idMs()) + " ms, " + Spread.show(run.toService())
                        + " jobs/min to the service, " + Spread.show(run.toLrm()) + " to the LRM, " + run.lost()
                        + " lost");
                figures.computeIfAbsent(name, unused -> Figures.of(shape)).add(shape, run);
                lost.merge(name, run.lost(), Long::sum);
            }
        }
        figures.values()
                .forEach(each -> report.row(each.id())
                        .row(each.lrm())
                        .row(each.service())
                        .row(each.all())
                        .row(each.lost()));
        for (int several : sorted(threads)) {
            besidePeers(lab, gateway, report, submission, work, peerJobs, several, repeat);
        }
        report.put("lost_by_run", lost)
                .note("CREAM lost 22, 26, 24 and 19 of 2000 jobs submitted by 1, 2, 5 and 10 threads (" + SLIDES
                        + ").");
    }

    /**
     * How jobs are submitted.
     *
     * @param bulk jobs of one request
     */
    private record Shape(int jobs, int threads, int bulk) {
        String name() {
            return jobs + " jobs, " + threads + " threads" + (bulk == 1 ? "" : ", " + bulk + " in a request");
        }
    }

    private List<Shape> shapes() {
        List<Shape> shapes = new ArrayList<>();
        for (int number : sorted(jobs)) {
            for (int several : sorted(threads)) {
                shapes.add(new Shape(number, several, 1));
            }
        }
        if (door == SubmitDoor.CREAM2) {
            for (int bulk : sorted(bulks)) {
                if (bulk > 1) {
                    shapes.add(new Shape(sorted(jobs).getLast(), sorted(threads).getLast(), bulk));
                }
            }
        }
        return shapes;
    }
}
