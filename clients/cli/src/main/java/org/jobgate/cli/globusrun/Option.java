// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static org.jobgate.cli.globusrun.Option.Support.HERE;

import java.util.List;
import java.util.stream.Stream;
import org.jobgate.cli.command.Described;
import org.jspecify.annotations.Nullable;

/**
 * GT's options (facts/gram4.md section 4.2): one dash, a short and a long name. Written by hand, not with picocli: that
 * costs 60 ms of processor time at each start, even from the start-up cache (docs/user/globusrun-ws.md).
 */
enum Option implements Described {
    SUBMIT("", "Create a job, follow it to its end, remove it", HERE, "-submit"),
    VALIDATE("", "Judge a job description without a service", HERE, "-validate"),
    MONITOR("", "Follow a job submitted earlier", HERE, "-monitor"),
    STATUS("", "Show a job's state", HERE, "-status"),
    KILL("", "End a job and remove it", HERE, "-kill"),
    RELEASE("", "Let a held job go on", HERE, "-release"),
    HELP("", "Show this", HERE, "-help", "--help"),
    USAGE("", "The same; a command may follow", HERE, "-usage"),
    VERSION("", "Show the version", HERE, "-version", "-versions", "--version"),

    FACTORY("CONTACT", "[https://]HOST[:PORT][/SERVICE]; default localhost:8443", HERE, "-F", "-factory"),
    FACTORY_TYPE("TYPE", "The LRM; default Fork, Multi for a multiJob", HERE, "-Ft", "-factory-type"),
    FACTORY_FILE("FILE", "The factory's endpoint reference", HERE, "-Ff", "-factory-epr-file"),
    DESCRIPTION_FILE("FILE", "XML, root job, multiJob, or JobDefinition of JSDL", HERE, "-f", "-job-description-file"),
    COMMAND("PROGRAM [ARGUMENT ...]", "What to run; must come last", HERE, "-c", "-job-command"),
    SUBMISSION_ID("UUID", "The same id again gives the same job and starts nothing", HERE, "-I", "-submission-id"),
    SUBMISSION_ID_FILE("FILE", "The id from a file", HERE, "-If", "-submission-id-file"),
    SUBMISSION_ID_OUTPUT("FILE", "Write the id before the job exists", HERE, "-Io", "-submission-id-output-file"),
    TERMINATION("TIME", "+HH:MM (default +24:00) or \"mm/dd/yyyy HH:MM\" in GMT", HERE, "-term", "-termination"),
    BATCH("", "Do not wait; print the job's endpoint reference", HERE, "-b", "-batch"),
    EPR_OUTPUT("FILE", "Write the job's endpoint reference there", HERE, "-o", "-job-epr-output-file"),
    EPR_FILE("FILE", "The job meant; a job handle will do, too", HERE, "-j", "-job-epr-file"),
    NO_CLEANUP("", "An interrupt does not cancel the job", HERE, "-n", "-no-cleanup"),
    QUIET("", "Only errors", HERE, "-q", "-quiet"),
    DEBUG("", "Show the SOAP messages on stderr", HERE, "-dbg", "-debug"),
    TIMEOUT("MILLISECONDS", "For each step on the network; default 120000", HERE, "-T", "-http-timeout"),
    PROTOCOL("VERSION", "Speak 4.0 or 4.2; default: what the service speaks", HERE, "-protocol"),
    HOST("", "Expect the host named at the other end (the default)", HERE, "-host", "-host-authz"),
    SELF("", "Expect a service that runs as yourself", HERE, "-self", "-self-authz"),
    SUBJECT("DN", "Expect this subject", HERE, "-subject", "-subject-authz"),
    PRIVATE("", "Changes nothing: https is always private", HERE, "-p", "-private"),

    STREAMING("", "Show stdout and stderr while the job runs", HERE, "-s", "-streaming"),
    STDOUT_FILE("FILE", "Append stdout there; -s goes without saying", HERE, "-so", "-stdout-file", "-streaming-out"),
    STDERR_FILE("FILE", "Append stderr there; -s goes without saying", HERE, "-se", "-stderr-file", "-streaming-err"),
    FOLLOWED_FILES(
            "WAY=FILE,...",
            "Append to FILE what the job writes into WAY below its directory, while it runs; -s goes without saying",
            HERE,
            "-sf",
            "-stream-files"),
    LOCAL_FILES(
            "",
            "file: URLs that fileStageIn fetches from and fileStageOut sends to are files of this machine",
            HERE,
            "-local-files"),
    COMPRESS(
            "WHEN",
            "Pack files of this machine on their way (zstd or gzip): never (the default), always, or auto: where the network is slow and it saves"
                    + " something",
            HERE,
            "-compress"),
    IPV6("", "Changes nothing: https uses what the host has", HERE, "-ipv6", "-allow-ipv6"),
    PASSIVE("", "Changes nothing: streaming needs no port on your side", HERE, "-passive"),
    NO_DATA_CHANNEL_AUTHENTICATION("", "Changes nothing: there is no data channel beside https", HERE, "-nodcau"),
    JOB_DELEGATE("", "Delegate a credential to the job, unless its description names one", HERE, "-J", "-job-delegate"),
    STAGING_DELEGATE(
            "",
            "Delegate credentials for staging, where files are staged and none is named",
            HERE,
            "-S",
            "-staging-delegate"),
    JOB_CREDENTIAL(
            "FILE",
            "Endpoint reference of a credential delegated before, for the job",
            HERE,
            "-Jf",
            "-job-credential-file"),
    STAGING_CREDENTIAL("FILE", "The same for staging", HERE, "-Sf", "-staging-credential-file"),
    TRANSFER_CREDENTIAL("FILE", "The same for transfers", HERE, "-Tf", "-transfer-credential-file");

    /** Whether this version can do what the option asks. */
    enum Support {
        HERE("");

        private final String refusal;

        Support(String refusal) {
            this.refusal = refusal;
        }
    }

    private final String argument;
    private final String text;
    private final Support support;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; its type does not say so
    private final List<String> names;

    Option(String argument, String text, Support support, String... names) {
        this.argument = argument;
        this.text = text;
        this.support = support;
        this.names = List.of(names);
    }

    static @Nullable Option named(String name) {
        for (Option option : values()) {
            if (option.names.contains(name)) {
                return option;
            }
        }
        return null;
    }

    /** Every spelling of every option. */
    static List<String> allNames() {
        return Stream.of(values()).flatMap(option -> option.names.stream()).toList();
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public String argument() {
        return argument;
    }

    @Override
    public String text() {
        return text;
    }

    /** The words after {@code -c} are the job's: they are no value. */
    boolean takesValue() {
        return !argument.isEmpty() && this != COMMAND;
    }

    @Override
    public String refusal() {
        return support.refusal;
    }

    boolean isCommand() {
        return compareTo(FACTORY) < 0;
    }

    /** The short name, for messages. */
    String shortName() {
        return names.getFirst();
    }
}
