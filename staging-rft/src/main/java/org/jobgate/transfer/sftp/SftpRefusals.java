// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.sshd.sftp.common.SftpConstants;
import org.apache.sshd.sftp.common.SftpException;
import org.jobgate.job.Reason;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/** What a failure at an SFTP server means for a transfer. Status codes: draft-ietf-secsh-filexfer-02 section 7, and -13 section 9.1. */
final class SftpRefusals {

    private SftpRefusals() {}

    /**
     * The failure for the engine.
     *
     * @param what was being done, e.g. {@code "writing /x at host:22"}
     * @throws InterruptedException if it is the interrupt of this thread that broke it off
     */
    static TransferException of(IOException e, String what) throws InterruptedException {
        if (Thread.interrupted() || e instanceof InterruptedIOException) {
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
            if (cause instanceof SftpException refused) {
                return refused(refused, what);
            }
        }
        return new TransferException(
                Kind.TRANSIENT,
                what + " broke off: " + Reason.of(e),
                "Try again later; ask the server's administrator.",
                e);
    }

    static boolean isMissing(SftpException e) {
        return e.getStatus() == SftpConstants.SSH_FX_NO_SUCH_FILE || e.getStatus() == SftpConstants.SSH_FX_NO_SUCH_PATH;
    }

    private static TransferException refused(SftpException e, String what) {
        String sentence = "the SFTP server refused " + what + ": " + SftpConstants.getStatusName(e.getStatus()) + ", "
                + e.getMessage();
        return switch (e.getStatus()) {
            case SftpConstants.SSH_FX_NO_SUCH_FILE, SftpConstants.SSH_FX_NO_SUCH_PATH ->
                new TransferException(
                        Kind.PERMANENT, sentence + " (no such file)", "Correct the file's name in the job.", e);
            case SftpConstants.SSH_FX_PERMISSION_DENIED, SftpConstants.SSH_FX_WRITE_PROTECT ->
                new TransferException(
                        Kind.PERMANENT,
                        sentence + " (not permitted)",
                        "Use files and directories that the account at the server may use.",
                        e);
            case SftpConstants.SSH_FX_NO_SPACE_ON_FILESYSTEM, SftpConstants.SSH_FX_QUOTA_EXCEEDED ->
                new TransferException(Kind.TRANSIENT, sentence, "Make room at the server, or ask for more quota.", e);
            case SftpConstants.SSH_FX_NOT_A_DIRECTORY,
                    SftpConstants.SSH_FX_FILE_IS_A_DIRECTORY,
                    SftpConstants.SSH_FX_INVALID_FILENAME,
                    SftpConstants.SSH_FX_LINK_LOOP,
                    SftpConstants.SSH_FX_FILE_ALREADY_EXISTS,
                    SftpConstants.SSH_FX_OP_UNSUPPORTED ->
                new TransferException(Kind.PERMANENT, sentence, "Name another file in the job.", e);
            // a full disk, a directory of that name: OpenSSH answers both with this one code
            default ->
                new TransferException(
                        Kind.TRANSIENT,
                        sentence,
                        "Look at the free space at the server, and whether a directory has the file's name.",
                        e);
        };
    }
}
