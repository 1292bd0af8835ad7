// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.rft;

import java.util.List;
import org.jobgate.cli.command.CommandPage;

/** What the commands say of themselves. */
public final class RftPages {
    static final String RFT = "rft";
    static final String DELETE = "rft-delete";
    static final String CRFT = "globus-crft";

    private static final String CREDENTIAL =
            "Your credential is delegated to the gateway for the lifetime, which uses it at the file servers.";
    private static final String STATUS =
            "Exit status: 0 all is done, 3 something was cancelled and nothing failed, 4 something failed.";
    private static final String FILE_OF_URLS =
            "FILE holds URLs, of a source and its destination in turn, one or two in a line. RFT's own form is read as well, with"
                    + " eleven lines before the URLs: binary, blockSize, tcpBufferSize, notpt, parallelStreams, dcau,"
                    + " concurrency, source subject, destination subject, allOrNone, maxAttempts. Lines that begin with # are left out.";

    private RftPages() {}

    /** All names, as the commands are called. */
    public static List<String> names() {
        return List.of(RFT, DELETE, CRFT);
    }

    public static CommandPage page(String name) {
        return switch (name) {
            case RFT ->
                new CommandPage(
                        name,
                        "Have files moved by a gateway",
                        List.of("[OPTION ...] {-f FILE | FILE}"),
                        List.of(FILE_OF_URLS, CREDENTIAL, STATUS),
                        RftOption.described(false),
                        List.of("rft -h gate.example.org -file request.epr transfers"));
            case DELETE ->
                new CommandPage(
                        name,
                        "Have files deleted by a gateway",
                        List.of("[OPTION ...] {-f FILE | FILE}"),
                        List.of(
                                "FILE holds the URLs of files, one in a line; before them there may be the servers' subject or null,"
                                        + " the concurrency and the attempts. A file that is not there is good.",
                                CREDENTIAL,
                                STATUS),
                        RftOption.described(false),
                        List.of("rft-delete -h gate.example.org files"));
            case CRFT ->
                new CommandPage(
                        name,
                        "Work with requests to move files",
                        List.of(
                                "-submit [-delete] [OPTION ...] -f FILE",
                                "{-monitor | -done | -status | -cancel | -destroy} [OPTION ...] -e EPR-FILE"),
                        List.of(
                                FILE_OF_URLS,
                                CREDENTIAL,
                                "-done says how the request stands: exit status 0 Done, 1 Active, 2 Pending, 3 Cancelled, 4 Failed."
                                        + " -status shows of each transfer its number, status, attempts, URLs and what went wrong."),
                        RftOption.described(true),
                        List.of(
                                "globus-crft -submit -b -h gate.example.org -f transfers -o request.epr",
                                "globus-crft -monitor -e request.epr"));
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }
}
