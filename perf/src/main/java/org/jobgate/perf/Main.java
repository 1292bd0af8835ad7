// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf;

import java.io.IOException;
import java.security.GeneralSecurityException;
import org.jobgate.perf.peer.EchoServer;
import org.jobgate.perf.scenario.Active;
import org.jobgate.perf.scenario.All;
import org.jobgate.perf.scenario.Arft;
import org.jobgate.perf.scenario.Bes;
import org.jobgate.perf.scenario.Bestman;
import org.jobgate.perf.scenario.Bulk;
import org.jobgate.perf.scenario.ClientLoop;
import org.jobgate.perf.scenario.Concurrent;
import org.jobgate.perf.scenario.Crash;
import org.jobgate.perf.scenario.Cream;
import org.jobgate.perf.scenario.Delegate;
import org.jobgate.perf.scenario.Handshake;
import org.jobgate.perf.scenario.Hostile;
import org.jobgate.perf.scenario.Ice;
import org.jobgate.perf.scenario.Notice;
import org.jobgate.perf.scenario.Publish;
import org.jobgate.perf.scenario.Rest;
import org.jobgate.perf.scenario.Restart;
import org.jobgate.perf.scenario.Selection;
import org.jobgate.perf.scenario.Sequential;
import org.jobgate.perf.scenario.SkeletonKey;
import org.jobgate.perf.scenario.Smoke;
import org.jobgate.perf.scenario.Status;
import org.jobgate.perf.scenario.SubmitRate;
import org.jobgate.perf.scenario.Table2;
import org.jobgate.perf.scenario.Table3;
import org.jobgate.perf.scenario.Throughput;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code perf/run}: one scenario per call. */
@Command(
        name = "perf/run",
        description = {
            "Measures Jobgate. Each scenario starts a gateway of its own on the loopback interface and removes it after.",
            "perf/run jmh (JMH's own options: perf/run jmh -h) measures single inner parts, without any gateway.",
            "Exit status: 0 = it ran and found nothing wrong, 1 = it found something wrong or could not run, 2 = wrong options."
        },
        subcommands = {
            SubmitRate.class,
            Status.class,
            Sequential.class,
            Concurrent.class,
            Table2.class,
            Table3.class,
            Throughput.class,
            Arft.class,
            Bes.class,
            Bestman.class,
            Cream.class,
            Ice.class,
            Bulk.class,
            Rest.class,
            SkeletonKey.class,
            Restart.class,
            Active.class,
            Notice.class,
            Crash.class,
            Hostile.class,
            Handshake.class,
            Delegate.class,
            Selection.class,
            Smoke.class,
            ClientLoop.class,
            EchoServer.class,
            All.class,
            Publish.class
        })
public final class Main {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this; perf/run NAME --help shows what a scenario can be told")
    boolean help;

    private Main() {}

    /** Runs the scenario that is named first. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** All scenarios with their options. */
    public static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((trouble, commandLine, parsed) -> explain(trouble, commandLine));
    }

    /** What can go wrong outside the harness is told in a sentence; what is a fault of its own is told with all there is. */
    private static int explain(Exception trouble, CommandLine commandLine) throws Exception {
        boolean expected = trouble instanceof IOException
                || trouble instanceof GeneralSecurityException
                || trouble instanceof IllegalArgumentException;
        if (!expected) {
            throw trouble;
        }
        for (Throwable cause = trouble; cause != null; cause = cause.getCause()) {
            commandLine.getErr().println("perf: " + (cause == trouble ? "" : "because ") + cause.getMessage());
        }
        return commandLine.getCommandSpec().exitCodeOnExecutionException();
    }
}
