// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.EprFile;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Outage;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.RefusedException;
import org.jobgate.cli.tls.UnreachableException;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.XmlElement;

/**
 * What is submitted, where to, and under which id.
 *
 * @param id {@code uuid:...}; the service starts one job per id, however often it is sent
 */
record Submission(Epr factory, String id, Lifetime lifetime, String description) {
    /** How long an unclear outcome is cleared up by asking again with the same id. */
    private static final Duration UNCLEAR_MAX = Duration.ofSeconds(60);

    /** Our extension of JSDL, by which a document can name the LRM. */
    private static final String JSDL_EXTENSION = "https://jobgate.org/ns/2026/jsdl";

    private static final String FAILURE = "Error submitting job: ";
    private static final long PAUSE_MS_MIN = 250;
    private static final long PAUSE_MS_MAX = 4_000;

    Submission {
        requireNonNull(factory, "factory is null");
        requireNonNull(id, "id is null");
        requireNonNull(lifetime, "lifetime is null");
        requireNonNull(description, "description is null");
    }

    /** @throws CommandException what the command line names cannot be used */
    static Submission of(CommandLine line, Clock clock) throws CommandException {
        String file = line.value(Option.DESCRIPTION_FILE);
        String description =
                file == null ? JobDescriptionFile.ofCommand(line.program()) : JobDescriptionFile.read(Path.of(file));
        String termination = line.value(Option.TERMINATION);
        String id = id(line);
        description = Streaming.isAskedFor(line) ? StreamedDescription.of(description, id) : description;
        return new Submission(factory(line, description), id, Lifetime.of(termination, clock), description);
    }

    /** The same with another description. */
    Submission withDescription(String changed) {
        return new Submission(factory, id, lifetime, changed);
    }

    /** GT's order: the EPR file, then contact and type, then what the description says, then the local Fork. */
    private static Epr factory(CommandLine line, String description) throws CommandException {
        String file = line.value(Option.FACTORY_FILE);
        if (file != null) {
            return EprFile.read(Path.of(file));
        }
        try {
            String type = line.value(Option.FACTORY_TYPE);
            String contact = line.value(Option.FACTORY);
            // a look at the text first: the common description names no factory and need not be parsed again
            if (contact == null && type == null && description.contains("factoryEndpoint")) {
                XmlElement job = JobDescriptionFile.parsed(description);
                XmlElement endpoint = job.child(Names.DESCRIPTION, "factoryEndpoint");
                if (endpoint != null) {
                    return Epr.of(endpoint);
                }
            }
            String address = contact == null ? FactoryContact.DEFAULT : FactoryContact.address(contact);
            return Epr.factory(address, type != null ? type : defaultType(description));
        } catch (XMLStreamException e) {
            throw new CommandException(
                    ExitStatus.USAGE,
                    "The description's factoryEndpoint cannot be used: " + Sentence.of(e.getMessage()),
                    e);
        }
    }

    private static String defaultType(String description) throws XMLStreamException {
        // most documents of JSDL have no words of ours either
        if (description.contains(JSDL_EXTENSION)) {
            XmlElement jsdl = JobDescriptionFile.jsdl(JobDescriptionFile.parsed(description));
            String lrm = jsdl == null ? null : jsdl.childText(JSDL_EXTENSION, "Lrm");
            if (lrm != null && !lrm.isBlank()) {
                return lrm.strip();
            }
        }
        int nameEnd = description.indexOf(' ');
        return description.substring(0, nameEnd).endsWith("multiJob") ? "Multi" : "Fork";
    }

    private static String id(CommandLine line) throws CommandException {
        String given = line.value(Option.SUBMISSION_ID);
        String file = line.value(Option.SUBMISSION_ID_FILE);
        try {
            if (file != null) {
                given = Files.readString(Path.of(file)).strip();
            }
            String bare = given == null ? UUID.randomUUID().toString() : given.replaceFirst("^(urn:)?uuid:", "");
            if (given != null && UUID.fromString(bare).toString().length() != bare.length()) {
                throw new IllegalArgumentException(bare);
            }
            return "uuid:" + bare;
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitStatus.USAGE, "Submission id " + given + " is not a UUID.", e);
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "File " + file + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    /**
     * Sends it, and again with the same id where the answer was lost: the service starts nothing twice.
     *
     * @param console told while it is tried again
     * @throws CommandException it could not be sent, or was refused, or no answer came; the message says what is known of the job
     */
    JobService.Created send(JobService service, Console console)
            throws CommandException, SoapFaultException, InterruptedException {
        Outage outage = new Outage(console, UNCLEAR_MAX);
        for (long pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2)) {
            try {
                JobService.Created created = service.create(factory, id, lifetime, description);
                outage.over();
                return created;
            } catch (IOException e) {
                boolean isNothingDone = e instanceof UnreachableException || e instanceof RefusedException;
                if (isNothingDone && !outage.isOn()) {
                    throw new CommandException(
                            ExitStatus.of(e), FAILURE + Sentence.of(e.getMessage()) + " Nothing was created.", e);
                }
                try {
                    outage.failed(e);
                } catch (IOException last) {
                    throw new CommandException(ExitStatus.of(last), FAILURE + unclear(last), last);
                }
            }
            Thread.sleep(pauseMs);
        }
    }

    private String unclear(IOException last) {
        return Sentence.of(last.getMessage())
                + " Whether the job was created is not known. To find out, submit the same"
                + " again with -submission-id " + id + ": it starts nothing twice.";
    }
}
