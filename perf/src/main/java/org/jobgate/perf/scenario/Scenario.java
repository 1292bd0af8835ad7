// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.report.Conditions;
import org.jobgate.perf.report.Report;
import picocli.CommandLine.Mixin;

/**
 * One scenario against a gateway of its own, made for it and removed after it. Exit status: 0 if it ran and found nothing wrong, 1 if
 * it found something wrong, 2 for wrong options. A budget that is missed is shown and is not an error: it depends on the machine.
 */
abstract class Scenario implements Callable<Integer> {

    private static final PrintStream TABLE = System.out;
    private static final PrintStream PROGRESS = System.err;

    @Mixin
    final CommonOptions common = new CommonOptions();

    private final String name;

    Scenario(String name) {
        this.name = name;
    }

    /**
     * Measures.
     *
     * @param gateway not started yet
     * @return whether all was well
     */
    abstract boolean measure(Lab lab, Gateway gateway, Report report) throws Exception;

    /** What the gateway gives its jobs to. */
    LrmChoice lrm() throws IOException {
        return LrmChoice.fork();
    }

    @Override
    public Integer call() throws Exception {
        progress("certificates and configuration ...");
        try (Lab lab = Lab.create(common.checkout(), common.directory(), common.keep, lrm())) {
            boolean good = false;
            try (Gateway gateway = new Gateway(lab, common.environment())) {
                Runtime.getRuntime().addShutdownHook(killer(gateway));
                good = measureAndPublish(lab, gateway);
            } finally {
                keepAfterTrouble(lab, good);
            }
            return good ? 0 : 1;
        }
    }

    private boolean measureAndPublish(Lab lab, Gateway gateway) throws Exception {
        Conditions conditions = Conditions.now(Clock.systemUTC(), lab.checkout().directory(), lab.state(), Lab.STORE);
        Report report = new Report(name);
        boolean good = measure(lab, gateway, report);
        if (common.recordings != null) {
            gateway.dumpRecording(common.recordings.toAbsolutePath().resolve(name + ".jfr"));
        }
        report.put("conditions", conditions).put("load_after", Conditions.loadAverage());
        publish(report);
        return good;
    }

    /** Who ends the harness early must not leave a gateway behind; after an orderly end there is none any more. */
    private static Thread killer(Gateway gateway) {
        return new Thread(() -> {
            try {
                gateway.kill();
            } catch (IOException e) {
                progress("the gateway may still run: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void keepAfterTrouble(Lab lab, boolean good) {
        if (!good) {
            lab.keep();
            progress("something went wrong: the gateway's files stay in " + lab.directory());
        }
    }

    private void publish(Report report) throws IOException {
        report.print(TABLE);
        if (common.out != null) {
            report.writeTo(common.out);
        }
    }

    static void progress(String text) {
        PROGRESS.println("perf: " + text);
    }
}
