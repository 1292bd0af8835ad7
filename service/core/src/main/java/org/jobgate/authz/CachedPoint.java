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

    private record Kept(PointDecision decision, long until) {}

    public CachedPoint(DecisionPoint slow, Duration kept, LongSupplier nanoTime) {
        this.slow = requireNonNull(slow, "slow is null");
        this.keptNanos = kept.toNanos();
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    @Override
    public PointDecision judge(AuthzRequest request) {
        Key key = new Key(
                request.identity().subject(),
                request.identity().method(),
                request.identity().limited(),
                request.action(),
                request.identity().fqans(),
                request.identity().scopes(),
                request.attributes());
        Kept kept = recall(key);
        if (kept != null && nanoTime.getAsLong() - kept.until() < 0) {
            return kept.decision();
        }
        PointDecision decision = slow.judge(request);
        if (!request.isRehearsal() && !(decision instanceof PointDecision.Indeterminate)) {
            remember(key, new Kept(decision, nanoTime.getAsLong() + keptNanos));
        }
        return decision;
    }

    @Override
    public String nearest(AuthzRequest request) {
        return slow.nearest(request);
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
