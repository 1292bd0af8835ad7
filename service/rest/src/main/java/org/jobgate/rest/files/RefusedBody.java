// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a client still sends of a body that was refused. If the connection were closed under it, the system would reset it, and the client
 * would see a broken connection in the place of the answer that says why (RFC 9112, section 9.6). So the answer goes out, and what comes
 * is read and dropped for a while.
 */
final class RefusedBody {

    /** How long, as long as it sends; after it the connection is closed all the same. Who stops in the middle meets the limits of slow bodies. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final String BEGUN = RefusedBody.class.getName() + ".begun";
    private static final Logger LOG = LoggerFactory.getLogger(RefusedBody.class);

    private RefusedBody() {}

    /** To be said before a body is read: from now on the client sends. */
    static void begin(HttpServletRequest request) {
        request.setAttribute(BEGUN, true);
    }

    /** Sends the answer that was written, and reads what comes. */
    static void drop(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean waits = request.getHeader("Expect") != null && request.getAttribute(BEGUN) == null;
        if (waits || !request.getMethod().equals("PUT")) {
            return; // it sends nothing, or only after an answer
        }
        response.flushBuffer();
        long until = System.nanoTime() + LINGER.toNanos();
        byte[] dropped = new byte[JobFilesServlet.CHUNK];
        try {
            InputStream body = request.getInputStream();
            while (System.nanoTime() - until < 0 && body.read(dropped) >= 0) {
                // nobody wants it
            }
        } catch (IOException e) {
            LOG.debug("the client of a refused body is gone", e);
        }
    }
}
