// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import org.jobgate.limits.Interlude;

/** A request that waits for a change, or for its write to be on disk, lets others work meanwhile: they have its place among {@code limits.maxWorking}. */
public final class WaitingRequest implements Interlude {

    private volatile IntSupplier working = () -> 0;

    /** From now on the requests of this server are those that {@link #working} tells of. */
    public void of(HttpService server) {
        working = server::workingRequests;
    }

    @Override
    public int working() {
        return working.getAsInt();
    }

    @Override
    public void begins() {
        TurnGate.pause();
    }

    @Override
    public void ends() {
        try {
            TurnGate.resume();
        } catch (InterruptedException e) {
            // the service stops: what is left of the answer is given without a place
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void untilDone(CompletionStage<?> awaited) {
        try {
            TurnGate.pauseUntil(awaited);
        } catch (InterruptedException e) {
            // as above
            Thread.currentThread().interrupt();
        }
    }
}
