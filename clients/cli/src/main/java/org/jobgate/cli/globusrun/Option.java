// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static org.jobgate.cli.globusrun.Option.Support.HERE;
import static org.jobgate.cli.globusrun.Option.Support.NEEDS_DELEGATION;
import static org.jobgate.cli.globusrun.Option.Support.NEEDS_STREAMING;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * GT's options (facts/gram4.md section 4.2): one dash, a short and a long name. Written by hand, not with picocli: that
 * costs 60 ms of processor time at each start, even from the start-up cache (docs/user/globusrun-ws.md).
 */
enum Option {
    SUBMIT(false, HERE, "-submit"),
    VALIDATE(false, HERE, "-validate"),
    MONITOR(false, HERE, "-monitor"),
    STATUS(false, HERE, "-status"),
    KILL(false, HERE, "-kill"),
    RELEASE(false, HERE, "-release"),
    HELP(false, HERE, "-help", "--help"),
    USAGE(false, HERE, "-usage"),
    VERSION(false, HERE, "-version", "-versions", "--version"),

    QUIET(false, HERE, "-q", "-quiet"),
    DEBUG(false, HERE, "-dbg", "-debug"),
    HOST(false, HERE, "-host", "-host-authz"),
    SELF(false, HERE, "-self", "-self-authz"),
    SUBJECT(true, HERE, "-subject", "-subject-authz"),
    PRIVATE(false, HERE, "-p", "-private"),
    TIMEOUT(true, HERE, "-T", "-http-timeout"),
    NO_CLEANUP(false, HERE, "-n", "-no-cleanup"),
    BATCH(false, HERE, "-b", "-batch"),
    FACTORY_FILE(true, HERE, "-Ff", "-factory-epr-file"),
    FACTORY(true, HERE, "-F", "-factory"),
    FACTORY_TYPE(true, HERE, "-Ft", "-factory-type"),
    DESCRIPTION_FILE(true, HERE, "-f", "-job-description-file"),
    COMMAND(false, HERE, "-c", "-job-command"),
    SUBMISSION_ID(true, HERE, "-I", "-submission-id"),
    SUBMISSION_ID_FILE(true, HERE, "-If", "-submission-id-file"),
    SUBMISSION_ID_OUTPUT(true, HERE, "-Io", "-submission-id-output-file"),
    EPR_OUTPUT(true, HERE, "-o", "-job-epr-output-file"),
    EPR_FILE(true, HERE, "-j", "-job-epr-file"),
    TERMINATION(true, HERE, "-term", "-termination"),

    STREAMING(false, NEEDS_STREAMING, "-s", "-streaming"),
    STDOUT_FILE(true, NEEDS_STREAMING, "-so", "-stdout-file", "-streaming-out"),
    STDERR_FILE(true, NEEDS_STREAMING, "-se", "-stderr-file", "-streaming-err"),
    IPV6(false, NEEDS_STREAMING, "-ipv6", "-allow-ipv6"),
    PASSIVE(false, NEEDS_STREAMING, "-passive"),
    NO_DATA_CHANNEL_AUTHENTICATION(false, NEEDS_STREAMING, "-nodcau"),
    JOB_DELEGATE(false, NEEDS_DELEGATION, "-J", "-job-delegate"),
    STAGING_DELEGATE(false, NEEDS_DELEGATION, "-S", "-staging-delegate"),
    JOB_CREDENTIAL(true, NEEDS_DELEGATION, "-Jf", "-job-credential-file"),
    STAGING_CREDENTIAL(true, NEEDS_DELEGATION, "-Sf", "-staging-credential-file"),
    TRANSFER_CREDENTIAL(true, NEEDS_DELEGATION, "-Tf", "-transfer-credential-file");

    /** Whether this version can do what the option asks. */
    enum Support {
        HERE(""),
        NEEDS_STREAMING("streaming of output is not in this version; have the job write its output to a file"
                + " (stdout in the job description)"),
        NEEDS_DELEGATION("delegation of credentials is not in this version; submit without it");

        private final String refusal;

        Support(String refusal) {
            this.refusal = refusal;
        }
    }

    private final boolean takesValue;
    private final Support support;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; its type does not say so
    private final List<String> names;

    Option(boolean takesValue, Support support, String... names) {
        this.takesValue = takesValue;
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

    boolean takesValue() {
        return takesValue;
    }

    /** The sentence with which it is refused; empty where it works. */
    String refusal() {
        return support.refusal;
    }

    boolean isCommand() {
        return compareTo(QUIET) < 0;
    }

    /** The short name, for messages. */
    String shortName() {
        return names.getFirst();
    }
}
