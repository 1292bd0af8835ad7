// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import java.io.IOException;
import java.net.URI;

/** The consumers of messages that clients run. */
public interface Consumers {

    /**
     * Whether messages may be sent there.
     *
     * @throws IllegalArgumentException saying why not
     */
    URI check(String address);

    /**
     * Posts one SOAP message and waits for the answer, no longer than a bounded time.
     *
     * @throws IOException saying why the consumer did not take it, or may not be called
     * @throws InterruptedException if the caller is stopped meanwhile
     */
    void send(URI address, byte[] envelope) throws IOException, InterruptedException;
}
