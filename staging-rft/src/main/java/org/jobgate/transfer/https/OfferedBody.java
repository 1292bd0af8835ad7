// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import static java.util.Objects.requireNonNull;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow.Subscriber;

/** A body that can be sent once, and knows whether the server wanted it. */
final class OfferedBody implements BodyPublisher {

    private final BodyPublisher body;
    private volatile boolean isTaken;

    OfferedBody(BodyPublisher body) {
        this.body = requireNonNull(body, "body is null");
    }

    /** Whether its sending has begun. */
    boolean isTaken() {
        return isTaken;
    }

    @Override
    public long contentLength() {
        return body.contentLength();
    }

    @Override
    public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
        isTaken = true;
        body.subscribe(subscriber);
    }
}
