// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.IOException;
import java.net.URI;
import org.jobgate.gram.notification.CallbackPolicy;
import org.jobgate.gram.notification.ConsumerClient;
import org.jobgate.rft.Consumers;

/** Consumers of requests to move files, called as those of jobs are. */
record RftConsumers(CallbackPolicy policy, ConsumerClient client) implements Consumers {

    @Override
    public URI check(String address) {
        return policy.requireAddress(address);
    }

    @Override
    public void send(URI address, byte[] envelope) throws IOException, InterruptedException {
        try {
            policy.requireHost(address);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        client.send(address, envelope);
    }
}
