// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.util.List;
import org.jobgate.cli.command.CommandPage;

/** What there is to say of globusrun-ws. */
public final class Usage {
    private Usage() {}

    /** Made when asked for: most runs ask for no help. */
    public static CommandPage page() {
        return new CommandPage(
                "globusrun-ws",
                "Submit jobs to a GRAM4 service and follow them to their end",
                List.of(
                        "-submit [-F CONTACT] [-Ft TYPE] [OPTION ...] {-f FILE | -c PROGRAM [ARGUMENT ...]}",
                        "-status -j EPRFILE",
                        "-monitor -j EPRFILE [-n]",
                        "-kill -j EPRFILE",
                        "-release -j EPRFILE",
                        "-validate -f FILE",
                        "-help | -version"),
                List.of(
                        "Speaks the protocol of GT 4.0 over https with a proxy or user certificate, and prints GT's lines."
                                + " The exit status is the job's own.",
                        "Job ID is the id with which the job was submitted (-I again with it finds the job); Job resource"
                                + " is the service's own id for it, under which a site's administrator knows it.",
                        "On a terminal, a job that takes long without news has a line on stderr that says since when."),
                List.of(Option.values()),
                List.of(
                        "globusrun-ws -submit -F ce.example.org -c /bin/hostname",
                        "globusrun-ws -submit -b -o job.epr -F ce.example.org -Ft PBS -f job.xml",
                        "globusrun-ws -monitor -j job.epr"));
    }
}
