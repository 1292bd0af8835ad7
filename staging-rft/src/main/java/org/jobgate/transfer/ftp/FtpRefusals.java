// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.ftp;

import java.io.IOException;
import org.jobgate.address.ForbiddenAddressException;
import org.jobgate.job.Reason;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.UrlPolicy;

/** What a failure at an FTP server means for a transfer (RFC 959 section 4.2: 4yz may pass, 5yz does not). */
final class FtpRefusals {

    private FtpRefusals() {}

    /**
     * The failure for the engine.
     *
     * @throws InterruptedException if it is the interrupt of this thread that broke the connection
     */
    static TransferException of(IOException e, String what) throws InterruptedException {
        if (Thread.interrupted()) {
            InterruptedException interrupted = new InterruptedException("the transfer was ended");
            interrupted.initCause(e);
            throw interrupted;
        }
        return told(e, what);
    }

    static TransferException told(IOException e, String what) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof TransferException known) {
                return known;
            }
            if (cause instanceof ForbiddenAddressException forbidden) {
                return UrlPolicy.refused(forbidden);
            }
            if (cause instanceof FtpRefusedException refused) {
                return refused(refused, what);
            }
        }
        return new TransferException(
                Kind.TRANSIENT,
                what + " broke off: " + Reason.of(e),
                "Try again later; ask the server's administrator.",
                e);
    }

    private static TransferException refused(FtpRefusedException e, String what) {
        String sentence = "the FTP server refused " + what + ": it answered " + e.getMessage();
        return switch (e.code()) {
            case 421 ->
                new TransferException(Kind.SERVER, sentence, "Try again later; ask the server's administrator.", e);
            case 452, 552 ->
                new TransferException(Kind.TRANSIENT, sentence, "Make room at the server, or ask for more quota.", e);
            case 530, 532 ->
                new TransferException(
                        Kind.PERMANENT,
                        sentence,
                        "The server does not let this user in, or not to this; give a name and a password, or use sftp or https.",
                        e);
            case 550, 553 ->
                new TransferException(
                        Kind.PERMANENT,
                        sentence,
                        "Correct the file's name in the job; use files and directories that this user may use.",
                        e);
            default ->
                (e.code() >= 400 && e.code() < 500) || e.isBreakdown()
                        ? new TransferException(Kind.TRANSIENT, sentence, "Try again later.", e)
                        : new TransferException(Kind.PERMANENT, sentence, "Ask the server's administrator.", e);
        };
    }
}
