// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.RefusedException;

/**
 * A time without answers in which the same is asked again and again. The person at the terminal is told when it lasts longer than a
 * moment, and when it is over. Not for several threads.
 */
public final class Outage {
    /** A shorter outage, as when a kept connection was closed, is not reported. */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final Console console;
    private final Duration longest;
    private boolean isOn;
    private boolean isTold;
    private long since;

    /** @param longest after which a failure is final */
    public Outage(Console console, Duration longest) {
        this.console = requireNonNull(console, "console is null");
        this.longest = requireNonNull(longest, "longest is null");
    }

    /** Whether the last attempt had no answer. */
    public boolean isOn() {
        return isOn;
    }

    /**
     * There was no answer. Returns where the same may be asked again.
     *
     * @throws IOException the same: it lasts for too long, or the server refused, which asking again does not change
     */
    public void failed(IOException e) throws IOException {
        if (e instanceof RefusedException) {
            throw e;
        }
        long now = System.nanoTime();
        if (!isOn) {
            isOn = true;
            since = now;
        }
        long lasted = now - since;
        if (lasted > longest.toNanos()) {
            throw e;
        }
        if (!isTold && (lasted >= MOMENT.toNanos() || e.getCause() instanceof SocketTimeoutException)) {
            isTold = true;
            console.error(Sentence.of(e.getMessage()) + " It is tried again, for up to " + longest.toSeconds() + " s.");
        }
    }

    /** There was an answer. */
    public void over() {
        if (isTold) {
            console.error("The service answers again.");
        }
        isOn = false;
        isTold = false;
    }
}
