// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that goes on by a millisecond whenever it is read. */
final class RisingClock extends Clock {

    private final Instant start;
    private final AtomicLong reads = new AtomicLong();

    RisingClock(Instant start) {
        this.start = start;
    }

    @Override
    public Instant instant() {
        return start.plusMillis(reads.getAndIncrement());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("only UTC");
    }
}
