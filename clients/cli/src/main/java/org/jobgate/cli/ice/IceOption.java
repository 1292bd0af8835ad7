// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import java.util.List;
import org.jobgate.cli.command.CommandOption;

/** Options of the command. */
final class IceOption {
    static final CommandOption QUEUE =
            CommandOption.of("DIRECTORY", "The queue; default: the variable ICE_QUEUE, else ~/.ice", "-q", "--queue");
    static final CommandOption RESOURCE = CommandOption.of(
            "CEID",
            "submit: a queue that the job may go to, HOST[:PORT]/cream-LRMS-QUEUE; several times",
            "-r",
            "--resource");
    static final CommandOption PROXY = CommandOption.of(
            "FILE", "submit: the proxy, where its owner renews it; default: the usual one", "-p", "--proxyfile");
    static final CommandOption MYPROXY = CommandOption.of(
            "[USER@]HOST[:PORT]",
            "submit: a MyProxy server that renews the proxy; USER is by default its subject",
            "-m",
            "--myproxy");
    static final CommandOption OUTPUT =
            CommandOption.of("FILE", "submit: add the ids to this file too", "-o", "--output");
    static final CommandOption ALL = CommandOption.of("", "status: a line for each job of the queue", "-a", "--all");
    static final CommandOption STATES =
            CommandOption.of("STATE:...", "status: only jobs of these states; implies -a", "-s", "--status");
    static final CommandOption INPUT =
            CommandOption.of("FILE", "status, log, cancel: the jobs whose ids are in this file", "-i", "--input");
    static final CommandOption THREADS =
            CommandOption.of("NUMBER", "run: threads that submit; default 10", "-n", "--threads");
    static final CommandOption BULK =
            CommandOption.of("NUMBER", "run: jobs in one request; default 100", "-b", "--bulk");
    static final CommandOption POLL =
            CommandOption.of("SECONDS", "run: between two looks at events; default 10", "--poll");
    static final CommandOption LEASE = CommandOption.of(
            "SECONDS", "run: jobs end when the manager was away for this long; 0 for never; default 18000", "--lease");
    static final CommandOption RENEW = CommandOption.of(
            "SECONDS", "run: how long before its end a proxy is renewed; default 3600", "--renew-before");
    static final CommandOption TIMEOUT =
            CommandOption.of("SECONDS", "run: for each step on the network; default 60", "--timeout");
    static final CommandOption KEEP =
            CommandOption.of("DAYS", "run: how long jobs that are over are remembered; default 30", "--keep");
    static final CommandOption UNTIL_DONE = CommandOption.of("", "run: end when every job is over", "--until-done");
    static final CommandOption HELP = CommandOption.of("", "Show this", "-h", "--help");
    static final CommandOption VERSION = CommandOption.of("", "Show the version", "-v", "--version");

    private IceOption() {}

    static List<CommandOption> table() {
        return List.of(
                QUEUE,
                RESOURCE,
                PROXY,
                MYPROXY,
                OUTPUT,
                ALL,
                STATES,
                INPUT,
                THREADS,
                BULK,
                POLL,
                LEASE,
                RENEW,
                TIMEOUT,
                KEEP,
                UNTIL_DONE,
                HELP,
                VERSION);
    }
}
