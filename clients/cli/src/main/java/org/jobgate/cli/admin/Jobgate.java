// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.io.PrintWriter;
import org.jobgate.cli.ca.CaCommand;
import org.jobgate.cli.proxy.ProxyCommand;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.verbs.Verbs;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The administrator's command. */
@Command(
        name = "jobgate",
        mixinStandardHelpOptions = true,
        versionProvider = Jobgate.Version.class,
        description = "Run jobs at a Jobgate server, or run and look after one.",
        subcommands = {
            JobCommand.class,
            LrmCommand.class,
            PoolCommand.class,
            AuthzCommand.class,
            AuditCommand.class,
            UsageCommand.class,
            ServerCommands.Config.class,
            CaCommand.class,
            ProxyCommand.class,
            PrepareCommand.class
        })
public final class Jobgate extends ServerCommands {
    private static final int FAILED = 1;

    private Jobgate() {}

    /** From the jar's manifest. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Jobgate.class.getPackage().getImplementationVersion();
            return new String[] {"jobgate " + (version == null ? "(not packaged)" : version)};
        }
    }

    public static void main(String[] words) {
        // the launcher starts users' verbs without what the others need; here only where they came another way
        if (Verbs.isVerb(words)) {
            Verbs.main(words);
        }
        System.exit(commandLine().execute(words));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Jobgate());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.getCommandSpec()
                .usageMessage()
                .commandListHeading(
                        "%nFor administrators, over the admin socket on the server's host (ca, proxy and prepare need no server):%n")
                .footer(Verbs.help());
        line.setExecutionExceptionHandler((e, failed, parsed) -> explain(failed.getErr(), e));
        return line;
    }

    private static int explain(PrintWriter errors, Exception e) {
        boolean isForPeople = e instanceof AdminException
                || e instanceof CredentialException
                || e instanceof IllegalArgumentException;
        errors.println("jobgate: " + (isForPeople ? e.getMessage() : "failed: " + Sentence.of(Sentence.reason(e))));
        return FAILED;
    }
}
