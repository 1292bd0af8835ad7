// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jobgate.job.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that looks again and again at files that say whom to trust. Whatever a look throws, the next one comes; should the thread
 * end all the same, or hang, {@link #trouble} says so, for from then on no revocation is noticed.
 */
final class TrustReload implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TrustReload.class);

    /** When something looked as if it were being replaced, it is looked at again after this time. */
    private static final Duration SOON = Duration.ofSeconds(1);

    /** What a look may take, over what its interval allows, before it counts as hanging. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Duration interval;
    private final List<BooleanSupplier> looks;
    private final Thread thread;

    private volatile long endedAt = System.nanoTime();
    private volatile String failure = "";
    private volatile boolean closed;

    /**
     * Prepares the thread; {@link #start} starts it.
     *
     * @param looks answer whether nothing needs to be looked at again soon
     */
    TrustReload(Duration interval, List<BooleanSupplier> looks) {
        this.interval = requireNonNull(interval, "interval is null");
        this.looks = List.copyOf(looks);
        this.thread = Thread.ofPlatform().name("trust-reload").daemon().unstarted(this::run);
    }

    TrustReload start() {
        thread.start();
        return this;
    }

    private void run() {
        Duration pause = interval;
        try {
            while (!closed) {
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
                pause = look() || interval.compareTo(SOON) < 0 ? interval : SOON;
            }
        } catch (InterruptedException e) {
            if (!closed) {
                LOG.error("The thread that reads the trust directory again was interrupted and has stopped.", e);
            }
        }
    }

    private boolean look() {
        boolean settled = true;
        List<String> failures = new ArrayList<>();
        for (BooleanSupplier each : looks) {
            try {
                settled &= each.getAsBoolean();
            } catch (RuntimeException | Error e) {
                // an Error too, e.g. no memory for one large file: without this thread trust would freeze as it is
                LOG.error("A look at the files that say whom to trust failed; what was read before holds.", e);
                failures.add(Reason.of(e));
            }
        }
        failure = String.join("; ", failures);
        endedAt = System.nanoTime();
        return settled;
    }

    /** How long ago the last look ended. */
    Duration age() {
        return Duration.ofNanos(System.nanoTime() - endedAt);
    }

    /** Why the files are not followed any more, if so. */
    Optional<String> trouble() {
        if (!thread.isAlive()) {
            return Optional.of(
                    "The thread that reads the trust directory again has stopped: revocations are not noticed any more. The log says why; restart the service.");
        }
        if (age().compareTo(interval.multipliedBy(2).plus(PATIENCE)) > 0) {
            return Optional.of(
                    "The trust directory was read last " + age().toSeconds()
                            + " seconds ago: its file system does not answer. Mend it; revocations are not noticed until then.");
        }
        return failure.isEmpty()
                ? Optional.empty()
                : Optional.of("The last look at the trust directory failed: " + failure
                        + ". What was read before holds; the log says more.");
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
