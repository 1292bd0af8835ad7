// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.command.CommandOption;

/** Options of the commands, with the spellings of CREAM's own (facts/cream.md, section 9). */
final class CreamOption {
    static final CommandOption RESOURCE =
            CommandOption.of("CEID", "The queue: HOST[:PORT]/cream-LRMS-QUEUE", "-r", "--resource");
    static final CommandOption AUTOMATIC =
            CommandOption.of("", "Delegate a proxy for this submission", "-a", "--autm-delegation");
    static final CommandOption DELEGATION = CommandOption.of(
            "ID", "Use the proxy that was delegated under this id", "-D", "--delegationId", "--delegationid");
    static final CommandOption LEASE = CommandOption.of("ID", "The job gets this lease", "-L", "--leaseId");
    static final CommandOption OUTPUT = CommandOption.of("FILE", "Write the ids of the jobs there", "-o", "--output");
    static final CommandOption FAKE =
            CommandOption.of("", "Show the JDL as it would be sent, and ask no service", "-F", "--fake");
    static final CommandOption VO =
            CommandOption.of("NAME", "Read the settings of this organisation (/etc/NAME)", "-V", "--vo");
    static final CommandOption STREAMS =
            CommandOption.of("NUMBER", "Connections of gsiftp for one file; default 4", "-s", "--ftp-streams");
    static final CommandOption JDL = CommandOption.of("FILE", "A JDL, as an operand is", "-J", "--jdl-file");
    static final CommandOption NO_QUESTIONS =
            CommandOption.of("", "Ask nothing: yes to every question", "-N", "--noint");
    static final CommandOption QUIET = CommandOption.of("", "Show errors and results only", "-n", "--nomsg");
    static final CommandOption ENDPOINT = CommandOption.of(
            "HOST:PORT", "The computing element; default: as the ids of the jobs say", "-e", "--endpoint");
    static final CommandOption INPUT = CommandOption.of("FILE", "The jobs whose ids are in this file", "-i", "--input");
    static final CommandOption ALL = CommandOption.of("", "All jobs of yours; needs -e", "-a", "--all");
    static final CommandOption STATES =
            CommandOption.of("STATE:...", "Only jobs, or events, of these states", "-s", "--status");
    static final CommandOption FROM = CommandOption.of(
            "TIME", "Only jobs that were submitted after 'YYYY-MM-DD HH:mm:ss'", "-f", "--fromDate", "--from");
    static final CommandOption TO =
            CommandOption.of("TIME", "Only jobs that were submitted before", "-t", "--toDate", "--to");
    static final CommandOption LEVEL = CommandOption.of(
            "LEVEL", "0 the state, 1 its history and the commands, 2 all that is known", "-L", "--level");
    static final CommandOption JOB = CommandOption.of("ID", "A job, as an operand is", "-j", "--jobid");
    static final CommandOption DIRECTORY =
            CommandOption.of("DIRECTORY", "Where a directory for each job is made; default: here", "-D", "--dir");
    static final CommandOption NUM_STREAMS =
            CommandOption.of("NUMBER", "Connections of gsiftp for one file; default 1", "-s", "--num-streams");
    static final CommandOption SECONDS =
            CommandOption.of("SECONDS", "How long the lease is to hold; default 3600", "-T", "--leaseTime");
    static final CommandOption LEASE_ID = CommandOption.of("ID", "The lease, as an operand is", "-D", "--leaseId");
    static final CommandOption DELEGATED =
            CommandOption.of("ID", "The delegation, as an operand is", "-D", "--delegation-id", "--delegationId");
    static final CommandOption VERBOSITY =
            CommandOption.of("LEVEL", "How much is asked for: 0, 1 or 2", "-L", "--level");
    static final CommandOption EVENTS =
            CommandOption.of("NUMBER", "At most so many events; default 100", "-N", "--nevents");
    static final CommandOption EVENT_IDS =
            CommandOption.of("FROM-TO", "The events, as an operand is", "-E", "--event-id");
    static final CommandOption TIMEOUT =
            CommandOption.of("SECONDS", "For each step on the network; default 30", "-t", "--timeout");
    static final CommandOption TIMEOUT_LONG =
            CommandOption.of("SECONDS", "For each step on the network; default 30", "--timeout");
    static final CommandOption TIMEOUT_CAPITAL =
            CommandOption.of("SECONDS", "For each step on the network; default 30", "-T", "--timeout");
    static final CommandOption PROXY =
            CommandOption.of("FILE", "Your proxy; default: the usual one", "-p", "--proxyfile");
    static final CommandOption CONFIGURATION =
            CommandOption.of("FILE", "Settings, in place of your own file's", "-c", "--conf");
    static final CommandOption LOG = CommandOption.of("FILE", "Add errors to this file too", "-l", "--logfile");
    static final CommandOption NO_ATTRIBUTES =
            CommandOption.of("", "Nothing: attributes of VOMS are not checked here", "-A", "--donot-verify-ac-sign");
    static final CommandOption DEBUG = CommandOption.of("", "Show the SOAP messages on stderr", "-d", "--debug");
    static final CommandOption HELP = CommandOption.of("", "Show this", "-h", "--help");
    static final CommandOption VERSION = CommandOption.of("", "Show the version", "-v", "--version");

    private static final List<CommandOption> COMMON =
            List.of(PROXY, CONFIGURATION, LOG, QUIET, NO_ATTRIBUTES, DEBUG, HELP, VERSION);

    private CreamOption() {}

    static List<CommandOption> table(String command) {
        List<CommandOption> own = switch (command) {
            case CreamPages.SUBMIT ->
                List.of(RESOURCE, AUTOMATIC, DELEGATION, LEASE, OUTPUT, FAKE, VO, STREAMS, JDL, NO_QUESTIONS, TIMEOUT);
            case CreamPages.STATUS -> List.of(ENDPOINT, INPUT, ALL, STATES, FROM, TO, LEVEL, JOB, TIMEOUT_LONG);
            case CreamPages.LIST -> List.of(OUTPUT, NO_QUESTIONS, TIMEOUT);
            case CreamPages.OUTPUT -> List.of(INPUT, DIRECTORY, NUM_STREAMS, NO_QUESTIONS, TIMEOUT_CAPITAL);
            case CreamPages.LEASE -> List.of(ENDPOINT, SECONDS, LEASE_ID, TIMEOUT);
            case CreamPages.DELEGATE, CreamPages.RENEW -> List.of(ENDPOINT, DELEGATED, TIMEOUT);
            case CreamPages.INFO -> List.of(VERBOSITY, TIMEOUT);
            case CreamPages.EVENTS -> List.of(ENDPOINT, STATES, EVENTS, EVENT_IDS, TIMEOUT);
            case CreamPages.ENABLE, CreamPages.DISABLE, CreamPages.ALLOWED -> List.of(TIMEOUT);
            default -> List.of(ENDPOINT, INPUT, ALL, JOB, NO_QUESTIONS, TIMEOUT);
        };
        List<CommandOption> table = new ArrayList<>(own);
        table.addAll(COMMON);
        return table;
    }

    /** The words with values taken off the options that they are written to: {@code -L2}, {@code --level=2}. */
    static String[] separated(List<CommandOption> table, String... words) {
        List<String> separated = new ArrayList<>();
        for (String word : words) {
            int sign = word.indexOf('=');
            if (word.startsWith("--") && sign > 0) {
                separated.add(word.substring(0, sign));
                separated.add(word.substring(sign + 1));
            } else if (word.length() > 2 && word.charAt(0) == '-' && word.charAt(1) != '-' && takesValue(table, word)) {
                separated.add(word.substring(0, 2));
                separated.add(word.substring(2));
            } else {
                separated.add(word);
            }
        }
        return separated.toArray(String[]::new);
    }

    private static boolean takesValue(List<CommandOption> table, String word) {
        return table.stream()
                .anyMatch(
                        option -> !option.argument().isEmpty() && option.names().contains(word.substring(0, 2)));
    }
}
