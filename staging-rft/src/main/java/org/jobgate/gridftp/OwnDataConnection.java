// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data connection between a session's server and this machine that the last transfer has left open, for the next one that can use it.
 * There is at most one. Not for two threads at once.
 */
final class OwnDataConnection {

    private static final Logger LOG = LoggerFactory.getLogger(OwnDataConnection.class);

    /** Which way a file goes over it. */
    enum Direction {
        FETCH,
        SEND
    }

    private record Left(
            DataSocket socket, Direction way, DataAuthentication authentication, Protection protection, int tcpBuffer) {

        boolean serves(TransferOptions options, Direction wanted) {
            return way == wanted
                    && authentication.equals(options.authentication())
                    && protection == options.protection()
                    && tcpBuffer == options.tcpBuffer();
        }
    }

    private @Nullable Left left;

    /** Keeps the connection of a transfer that is over, for the next one. The one before has been taken or closed. */
    void leave(DataSocket socket, TransferOptions options, Direction way) {
        left = new Left(socket, way, options.authentication(), options.protection(), options.tcpBuffer());
    }

    /** Whether one is left. */
    boolean isLeft() {
        return left != null;
    }

    /** Whether one is left over which a file went this way. */
    boolean isLeft(Direction way) {
        Left known = left;
        return known != null && known.way() == way;
    }

    /**
     * Takes the connection that was left. One that does not serve for this transfer is closed.
     *
     * @return what the caller has to close from now on; null where none serves or the server has closed it
     */
    @Nullable
    DataSocket take(TransferOptions options, Direction way) {
        Left known = left;
        left = null;
        if (known == null) {
            return null;
        }
        if (known.serves(options, way) && known.socket().isQuiet()) {
            return known.socket();
        }
        close(known.socket());
        return null;
    }

    /** Closes the connection, if one is left. */
    void close() {
        Left known = left;
        left = null;
        if (known != null) {
            close(known.socket());
        }
    }

    private static void close(DataSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("a data connection did not close well", e);
        }
    }
}
