// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.concurrent.CompletionStage;
import org.jobgate.limits.Interlude;

/** A request that waits for a change, or for its write to be on disk, lets others work meanwhile: they have its place among {@code limits.maxWorking}. */
public final class WaitingRequest implements Interlude {

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
