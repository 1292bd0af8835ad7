// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers for a while what a slow decision point has answered. What it could not say is not remembered, nor what it said in a rehearsal:
 * an account that it named there was not leased to the caller.
 */
public final class CachedPoint implements DecisionPoint {

    private static final int MAX_REMEMBERED = 10_000;

    private final DecisionPoint slow;
    private final long keptNanos;
    private final LongSupplier nanoTime;
    private final Map<Key, Kept> answers = new LinkedHashMap<>();

    private record Key(
            String subject,
            String method,
            boolean limited,
            Action action,
            List<String> fqans,
            List<String> scopes,
            Map<String, List<String>> attributes) {}

    private record Kept(PointDecision opinion, long until) {}

    public CachedPoint(DecisionPoint slow, Duration kept, LongSupplier nanoTime) {
        this.slow = requireNonNull(slow, "slow is null");
        this.keptNanos = kept.toNanos();
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    @Override
    public PointDecision judge(AuthzRequest inquiry) {
        Key key = new Key(
                inquiry.identity().subject(),
                inquiry.identity().method(),
                inquiry.identity().limited(),
                inquiry.action(),
                inquiry.identity().fqans(),
                inquiry.identity().scopes(),
                inquiry.attributes());
        Kept kept = recall(key);
        if (kept != null && nanoTime.getAsLong() - kept.until() < 0) {
            return kept.opinion();
        }
        PointDecision opinion = slow.judge(inquiry);
        if (!inquiry.isRehearsal() && !(opinion instanceof PointDecision.Indeterminate)) {
            remember(key, new Kept(opinion, nanoTime.getAsLong() + keptNanos));
        }
        return opinion;
    }

    @Override
    public String nearest(AuthzRequest inquiry) {
        return slow.nearest(inquiry);
    }

    private @Nullable Kept recall(Key key) {
        synchronized (answers) {
            return answers.get(key);
        }
    }

    private void remember(Key key, Kept kept) {
        synchronized (answers) {
            answers.remove(key);
            if (answers.size() >= MAX_REMEMBERED) {
                answers.remove(answers.keySet().iterator().next());
            }
            answers.put(key, kept);
        }
    }
}
