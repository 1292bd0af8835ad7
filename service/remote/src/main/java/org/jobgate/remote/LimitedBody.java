// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes an answer's body up to a limit; a longer one is an error. */
final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {

    private final HttpResponse.BodySubscriber<byte[]> kept = HttpResponse.BodySubscribers.ofByteArray();
    private final int limit;
    private int length;
    private Flow.@Nullable Subscription source;

    LimitedBody(int limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return kept.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        source = subscription;
        kept.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            length += Math.min(part.remaining(), limit + 1 - length);
        }
        if (length <= limit) {
            kept.onNext(parts);
        } else if (source != null) {
            source.cancel();
            kept.onError(new IOException("the answer has more than " + limit + " bytes"));
        }
    }

    @Override
    public void onError(Throwable cause) {
        kept.onError(cause);
    }

    @Override
    public void onComplete() {
        kept.onComplete();
    }
}
