// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.impl.AbstractSftpClient;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferPassword;

/**
 * A login at a server.
 *
 * @param key who logged in where as whom; another login serves only the same
 */
record SftpConnection(String key, ClientSession session, AbstractSftpClient client) {

    static String key(SftpPlace place, TransferContext context) {
        String password = context.credential() instanceof TransferPassword own ? " " + own.id() : "";
        return context.account() + " " + place.user() + "@" + place.server() + password;
    }

    boolean isUsable() {
        return session.isOpen() && client.isOpen() && !client.isClosing();
    }

    SftpClient files() {
        return client;
    }

    /** At once: nothing that is on its way is waited for. */
    void end() {
        session.close(true);
    }
}
