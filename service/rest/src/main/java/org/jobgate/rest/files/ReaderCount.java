// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.limits.Limit;

/** How many requests for files there are now, in all and of each subject. */
final class ReaderCount {

    private final Limit all;
    private final Limit perOwner;
    private final AtomicLong readers = new AtomicLong();
    private final ConcurrentHashMap<String, Long> ofOwner = new ConcurrentHashMap<>();

    ReaderCount(Limit all, Limit perOwner) {
        this.all = requireNonNull(all, "all is null");
        this.perOwner = requireNonNull(perOwner, "perOwner is null");
    }

    /** One of them; closing it makes room. */
    @FunctionalInterface
    interface Reader extends AutoCloseable {
        @Override
        void close();
    }

    Reader enter(String subject) throws FileRefusal {
        long own = ofOwner.merge(subject, 1L, Long::sum);
        long count = readers.incrementAndGet();
        Reader reader = () -> leave(subject);
        if (own > perOwner.value()) {
            reader.close();
            throw busy(own, "requests of yours for files at once", perOwner);
        }
        if (count > all.value()) {
            reader.close();
            throw busy(count, "requests for files at once", all);
        }
        return reader;
    }

    private static FileRefusal busy(long count, String what, Limit limit) {
        return FileRefusal.busy(
                "There are " + count + " " + what + "; the limit is " + limit.name() + " = " + limit.value() + ".");
    }

    private void leave(String subject) {
        readers.decrementAndGet();
        ofOwner.computeIfPresent(subject, (key, count) -> count > 1 ? count - 1 : null);
    }

    long readers() {
        return readers.get();
    }

    /** How many subjects are remembered: none that has no request. */
    int subjects() {
        return ofOwner.size();
    }
}
