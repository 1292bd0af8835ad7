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
                        "-monitor -j EPRFILE [-n] [-s]",
                        "-kill -j EPRFILE",
                        "-release -j EPRFILE",
                        "-validate -f FILE",
                        "-help | -version"),
                List.of(
                        "Speaks the protocols of GT 4.0 and GT 4.2 over https with a proxy or user certificate, and prints GT's lines."
                                + " The exit status is the job's own.",
                        "Job ID is the id with which the job was submitted (-I again with it finds the job); Job resource"
                                + " is the service's own id for it, under which a site's administrator knows it.",
                        "With -s the job's output is read through the service's own port while it runs, and this command's"
                                + " lines go to stderr. Files that the description does not name are removed when they were"
                                + " shown. -monitor -s does the same for a job submitted with -b -s.",
                        "On a terminal, a job that takes long without news has a line on stderr that says since when."),
                List.of(Option.values()),
                List.of(
                        "globusrun-ws -submit -F ce.example.org -c /bin/hostname",
                        "globusrun-ws -submit -s -F ce.example.org -c /bin/sh -c 'echo begun; sleep 9; echo done'",
                        "globusrun-ws -submit -b -o job.epr -F ce.example.org -Ft PBS -f job.xml",
                        "globusrun-ws -monitor -j job.epr"));
    }
}
