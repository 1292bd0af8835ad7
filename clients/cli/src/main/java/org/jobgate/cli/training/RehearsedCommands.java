// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.training;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.Streams;
import org.jobgate.cli.companion.Companions;
import org.jobgate.cli.globusrun.GlobusrunWs;
import org.jobgate.cli.verbs.Verbs;

/** What the rehearsal runs, so that the cache serves every quick command: globusrun-ws as it is used most, then companions. */
public final class RehearsedCommands {

    /** Names of files in the rehearsal's folder: a job's description, and a request of rft. */
    static final String JOB = "job.xml";

    static final String TRANSFERS = "transfers";

    private RehearsedCommands() {}

    /** Arguments: the rehearsal service's contact, and the rehearsal's folder. */
    public static void main(String[] words) {
        String contact = words[0];
        String port = contact.substring(contact.indexOf(':') + 1);
        Path folder = Path.of(words[1]);
        Map<String, String> environment = System.getenv();
        PrintStream out = Streams.out();
        PrintStream errors = Streams.errors();
        int status = new GlobusrunWs(environment, Clock.systemUTC(), out, errors)
                .run("-submit", "-F", contact, "-c", "/bin/echo", "a rehearsal");
        status = Math.max(
                status,
                new GlobusrunWs(environment, Clock.systemUTC(), out, errors)
                        .run(
                                "-submit",
                                "-F",
                                contact,
                                "-S",
                                "-f",
                                folder.resolve(JOB).toString()));
        Companions companions = new Companions(environment, System.in, out, errors);
        String handle = "https://" + contact + "/wsrf/services/ManagedExecutableJobService?rehearsal";
        for (List<String> companion : List.of(
                List.of("globus-job-submit-ws", contact, "/bin/echo", "a rehearsal"),
                List.of("wsrf-get-property", "-e", handle, "types:state"),
                List.of("wsrf-set-termination-time", "-e", handle, "60"),
                List.of(
                        "rft",
                        "-q",
                        "-h",
                        "localhost",
                        "-r",
                        port,
                        "-f",
                        folder.resolve(TRANSFERS).toString()),
                List.of("wsrf-destroy", "-e", handle))) {
            String[] rest = companion.subList(1, companion.size()).toArray(String[]::new);
            status = Math.max(status, companions.run(companion.getFirst(), rest));
        }
        Verbs verbs = new Verbs(environment, out, errors);
        status = Math.max(status, verbs.run("submit", "--wait", "--url", contact, "-c", "/bin/echo", "a rehearsal"));
        status = Math.max(status, verbs.run("ls", "--url", contact));
        out.flush();
        errors.flush();
        System.exit(status);
    }
}
