// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import java.io.IOException;
import org.jobgate.address.ForbiddenAddressException;
import org.jobgate.gridftp.Fault;
import org.jobgate.gridftp.GridFtpException;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.UrlPolicy;

/** What a failure at a GridFTP server means for a transfer. */
final class Refusals {

    private Refusals() {}

    /**
     * The failure for the engine.
     *
     * @param e an {@link IOException}, or an {@link IllegalArgumentException} for a name that cannot be sent to a server
     * @throws InterruptedException if it is the interrupt of this thread that broke the connection
     */
    static TransferException of(Exception e) throws InterruptedException {
        if (e instanceof IllegalArgumentException) {
            return new TransferException(
                    Kind.PERMANENT, "the name cannot be used: " + e.getMessage(), "Name another file in the job.", e);
        }
        if (Thread.interrupted()) {
            InterruptedException interrupted = new InterruptedException("the transfer was ended");
            interrupted.initCause(e);
            throw interrupted;
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof ForbiddenAddressException forbidden) {
                return UrlPolicy.refused(forbidden);
            }
        }
        if (e instanceof GridFtpException failure) {
            return new TransferException(kind(failure), sentence(failure), remedy(failure.fault()), failure);
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof TransferException known) {
                return known;
            }
        }
        return new TransferException(
                Kind.TRANSIENT, "the transfer broke off: " + e.getMessage(), "Try again later.", e);
    }

    /** Where not even a session comes about, others would fail as well. */
    private static Kind kind(GridFtpException e) {
        if (!e.fault().isTransient()) {
            return Kind.PERMANENT;
        }
        boolean noSession = e.command().equals("connect") || e.command().equals("AUTH GSSAPI");
        return noSession || e.fault() == Fault.BUSY ? Kind.SERVER : Kind.TRANSIENT;
    }

    private static String sentence(GridFtpException e) {
        return "the GridFTP server " + e.getMessage();
    }

    private static String remedy(Fault fault) {
        return switch (fault) {
            case NOT_FOUND -> "Correct the file's name in the job.";
            case DENIED -> "Use files and directories that the account at the server may use.";
            case EXISTS, REFUSED -> "Read the server's words; name another file, or ask its administrator.";
            case AUTHENTICATION ->
                "See that the delegated credential is valid, that the server maps it to an account, and that the server's certificate is of its host.";
            case UNSUPPORTED -> "Leave the option out that the server does not know.";
            case PROTOCOL -> "Tell the server's administrator.";
            case NO_SPACE -> "Make room at the server, or ask for more quota.";
            case FAILED ->
                "Read the server's words; if they do not say what to do, try again later, or ask its administrator.";
            case BUSY, CONNECTION, TIMEOUT -> "Try again later; ask the server's administrator.";
        };
    }
}
