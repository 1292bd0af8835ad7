// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.EprFile;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.delegation.DelegationService;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.SoapFaultException;
import org.jspecify.annotations.Nullable;

/** The options -J, -S, -Jf, -Sf and -Tf: delegates what the description lacks, and takes it back after the job. */
final class JobDelegation {
    private static final Duration LIFETIME = Duration.ofHours(24);

    private final CommandLine line;
    private final Console console;
    private final Session session;
    private final Clock clock;
    private @Nullable DelegationService made;
    private final List<Epr> delegated = new ArrayList<>();

    JobDelegation(CommandLine line, Session session, Console console, Clock clock) {
        this.line = requireNonNull(line, "line is null");
        this.console = requireNonNull(console, "console is null");
        this.session = requireNonNull(session, "session is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** The submission with the credentials named that the options ask for. */
    Submission prepare(Submission submission) throws CommandException {
        String description = submission.description();
        CredentialedDescription credentialed = new CredentialedDescription(description);
        Epr forJob = given(Option.JOB_CREDENTIAL);
        Epr forStaging = given(Option.STAGING_CREDENTIAL);
        Epr forTransfers = given(Option.TRANSFER_CREDENTIAL);
        boolean lacksJob = forJob == null && line.has(Option.JOB_DELEGATE) && !credentialed.namesJobCredential();
        boolean lacksStaging =
                line.has(Option.STAGING_DELEGATE) && credentialed.isStaging() && !credentialed.namesStagingCredential();
        if (lacksJob || lacksStaging) {
            console.begin("Delegating user credentials...");
            forJob = lacksJob ? delegate(submission.factory(), "delegationFactoryEndpoint") : forJob;
            if (lacksStaging && (forStaging == null || forTransfers == null)) {
                Epr one = delegate(submission.factory(), "stagingDelegationFactoryEndpoint");
                forStaging = forStaging == null ? one : forStaging;
                forTransfers = forTransfers == null ? one : forTransfers;
            }
            console.finish("Done.");
        }
        return submission.withDescription(credentialed.with(forJob, forStaging, forTransfers));
    }

    private @Nullable Epr given(Option option) throws CommandException {
        String file = line.value(option);
        return file == null ? null : EprFile.read(Path.of(file));
    }

    /** Most jobs delegate nothing, and then a certificate is not needed. */
    private DelegationService service() throws CommandException {
        if (made == null) {
            made = new DelegationService(
                    session.soap(), session.certificate("A credential is delegated from"), clock, new SecureRandom());
        }
        return made;
    }

    private Epr delegate(Epr factory, String property) throws CommandException {
        DelegationService service = service();
        try {
            Epr one = service.delegate(service.factoryOf(factory, property), LIFETIME, false);
            delegated.add(one);
            return one;
        } catch (SoapFaultException e) {
            console.finish("Failed.");
            throw new CommandException(ExitStatus.REFUSED, "Error delegating credentials: " + e.getMessage(), e);
        } catch (IOException e) {
            console.finish("Failed.");
            throw CommandException.ofContact("Error delegating credentials: ", e);
        }
    }

    /** Destroys what was delegated; what cannot be destroyed ends with its proxy. */
    void cleanUp() {
        DelegationService service = made;
        if (service == null || delegated.isEmpty()) {
            return;
        }
        console.begin("Cleaning up any delegated credentials...");
        List<String> failures = new ArrayList<>();
        for (Epr one : delegated) {
            try {
                service.destroy(one);
            } catch (IOException | SoapFaultException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        delegated.clear();
        console.finish(failures.isEmpty() ? "Done." : "Failed.");
        failures.forEach(
                why -> console.error("Error destroying a delegated credential: " + why + " It ends with its proxy."));
    }
}
