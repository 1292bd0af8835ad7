// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import java.io.IOException;
import java.net.URI;

/** Sends messages to the consumers that clients run. */
public interface ConsumerClient extends AutoCloseable {

    /**
     * Posts one SOAP message and waits for the answer, no longer than a bounded time.
     *
     * @throws IOException saying why the consumer did not take it
     * @throws InterruptedException if the caller is stopped meanwhile
     */
    void send(URI address, byte[] envelope) throws IOException, InterruptedException;

    @Override
    void close();
}
