// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.companion;

import static java.util.Objects.requireNonNull;

import java.io.InputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.bes.BesCommands;
import org.jobgate.cli.bes.BesPages;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Streams;
import org.jobgate.cli.cream.CreamCommands;
import org.jobgate.cli.cream.CreamPages;
import org.jobgate.cli.delegation.CredentialCommands;
import org.jobgate.cli.delegation.CredentialPages;
import org.jobgate.cli.globusrun.BulkCommands;
import org.jobgate.cli.globusrun.BulkPages;
import org.jobgate.cli.globusrun.GlobusJob;
import org.jobgate.cli.globusrun.GlobusJobPages;
import org.jobgate.cli.ice.IceCommands;
import org.jobgate.cli.ice.IcePages;
import org.jobgate.cli.rft.RftCommands;
import org.jobgate.cli.rft.RftPages;
import org.jobgate.cli.srm.SrmCommands;
import org.jobgate.cli.srm.SrmPages;
import org.jobgate.cli.wsrf.WsrfCommands;
import org.jobgate.cli.wsrf.WsrfPages;

/** Runs a command by its name: the first word, which the launcher puts there. */
public final class Companions {
    private final Map<String, String> environment;
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream errors;

    public Companions(Map<String, String> environment, InputStream in, PrintStream out, PrintStream errors) {
        this.environment = Map.copyOf(environment);
        this.in = requireNonNull(in, "in is null");
        this.out = requireNonNull(out, "out is null");
        this.errors = requireNonNull(errors, "errors is null");
    }

    public static void main(String[] words) {
        PrintStream out = Streams.out();
        PrintStream errors = Streams.errors();
        Companions companions = new Companions(System.getenv(), System.in, out, errors);
        int status = companions.run(words[0], Arrays.copyOfRange(words, 1, words.length));
        out.flush();
        errors.flush();
        System.exit(status);
    }

    /** The pages of all commands that this class runs. */
    public static List<CommandPage> pages() {
        List<CommandPage> pages = new ArrayList<>();
        WsrfPages.names().forEach(name -> pages.add(WsrfPages.page(name)));
        GlobusJobPages.names().forEach(name -> pages.add(GlobusJobPages.page(name)));
        BulkPages.names().forEach(name -> pages.add(BulkPages.page(name)));
        CredentialPages.names().forEach(name -> pages.add(CredentialPages.page(name)));
        RftPages.names().forEach(name -> pages.add(RftPages.page(name)));
        BesPages.names().forEach(name -> pages.add(BesPages.page(name)));
        CreamPages.names().forEach(name -> pages.add(CreamPages.page(name)));
        IcePages.names().forEach(name -> pages.add(IcePages.page(name)));
        SrmPages.names().forEach(name -> pages.add(SrmPages.page(name)));
        return pages;
    }

    /** Does what the words say. Returns the status for the process. */
    public int run(String name, String... words) {
        try {
            if (CredentialPages.names().contains(name)) {
                return new CredentialCommands(environment, Clock.systemUTC(), out, errors).call(name, words);
            }
            if (BulkPages.names().contains(name)) {
                return new BulkCommands(environment, Clock.systemUTC(), out, errors).call(name, words);
            }
            if (CreamPages.names().contains(name)) {
                return new CreamCommands(environment, Clock.systemUTC(), in, out, errors).call(name, words);
            }
            if (RftPages.names().contains(name)) {
                return new RftCommands(environment, Clock.systemUTC(), out, errors).call(name, words);
            }
            if (BesPages.names().contains(name)) {
                return new BesCommands(environment, out, errors).call(words);
            }
            if (SrmPages.names().contains(name)) {
                return new SrmCommands(environment, out, errors).call(name, words);
            }
            if (IcePages.names().contains(name)) {
                return new IceCommands(environment, Clock.systemUTC(), out, errors).call(words);
            }
            return name.startsWith("globus-job-")
                    ? new GlobusJob(environment, Clock.systemUTC(), in, out, errors).call(name, words)
                    : new WsrfCommands(environment, Clock.systemUTC(), out, errors).call(name, words);
        } catch (CommandException e) {
            errors.println(name + ": " + e.getMessage());
            return e.status().code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitStatus.JOB_LOST.code();
        }
    }
}
