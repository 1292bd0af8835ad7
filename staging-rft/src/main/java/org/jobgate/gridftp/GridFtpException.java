// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Something failed at a server, with the server, the command, and what it replied. The message says all three. */
public abstract sealed class GridFtpException extends IOException
        permits PermanentGridFtpException, TransientGridFtpException {

    private static final long serialVersionUID = 1L;

    private final Fault fault;
    private final ServerAddress server;
    private final String command;
    private final transient @Nullable Reply reply;

    GridFtpException(Failure failure) {
        super(failure.message(), failure.cause());
        this.fault = failure.fault();
        this.server = failure.server();
        this.command = failure.command();
        this.reply = failure.reply();
    }

    /** What an exception is made from. */
    record Failure(
            Fault fault,
            ServerAddress server,
            String command,
            String what,
            @Nullable Reply reply,
            @Nullable Throwable cause) {

        Failure {
            requireNonNull(fault, "fault is null");
            requireNonNull(server, "server is null");
            requireNonNull(command, "command is null");
        }

        String message() {
            String said = reply == null ? "" : ": " + reply.shown();
            return server + ", " + CommandText.shown(command) + ": " + what + said;
        }
    }

    static GridFtpException of(Failure failure) {
        return failure.fault().isTransient()
                ? new TransientGridFtpException(failure)
                : new PermanentGridFtpException(failure);
    }

    static GridFtpException of(Fault fault, ServerAddress server, String command, String what) {
        return of(new Failure(fault, server, command, what, null, null));
    }

    static GridFtpException of(Fault fault, ServerAddress server, String command, String what, Throwable cause) {
        return of(new Failure(fault, server, command, what + ": " + cause.getMessage(), null, cause));
    }

    /** What went wrong. */
    public Fault fault() {
        return fault;
    }

    /** The server at which it happened. */
    public ServerAddress server() {
        return server;
    }

    /** The command, or what was being done ("connect", "data channel"). */
    public String command() {
        return command;
    }

    /** What the server replied; null if it did not, or after serialization. */
    public @Nullable Reply reply() {
        return reply;
    }
}
