// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Which groups (LRM and account) the workers of a stage wait for. At most one waits for one group, and those for groups that took long
 * lately never have all workers: an account whose process was stopped keeps nobody else's jobs waiting. Not for several threads at once.
 */
final class GroupsAtWork {

    /** A group that kept a worker for longer is slow. */
    static final Duration SLOW = Duration.ofSeconds(10);

    /** For how long it is remembered that a group was slow. */
    static final Duration REMEMBERED = Duration.ofMinutes(10);

    /** @param batch whose work it is */
    private record Hold(Object batch, long sinceNanos) {}

    private final Map<String, Hold> holds = new HashMap<>();
    private final Map<String, Long> slowUntilNanos = new HashMap<>();

    boolean mayBegin(String group, int workers, long nowNanos) {
        if (holds.containsKey(group)) {
            return false;
        }
        slowUntilNanos.values().removeIf(until -> until - nowNanos <= 0);
        if (!slowUntilNanos.containsKey(group)) {
            return true;
        }
        long slow = holds.keySet().stream().filter(slowUntilNanos::containsKey).count();
        return slow < Math.max(1, workers - 1);
    }

    boolean isHeld(String group) {
        return holds.containsKey(group);
    }

    void begin(String group, Object batch, long nowNanos) {
        holds.put(group, new Hold(batch, nowNanos));
    }

    /** Nobody waits for the group any more, whatever else its batch still does. */
    void free(String group, long nowNanos) {
        Hold hold = holds.remove(group);
        if (hold != null && nowNanos - hold.sinceNanos >= SLOW.toNanos()) {
            slowUntilNanos.put(group, nowNanos + REMEMBERED.toNanos());
        }
    }

    /** The batch is done; another may have begun since the group was freed. */
    void done(String group, Object batch, long nowNanos) {
        Hold hold = holds.get(group);
        if (hold != null && hold.batch == batch) {
            free(group, nowNanos);
        }
    }
}
