// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a {@link GridFtpPool} that nobody uses, by what they are for. Not for several threads: the lock of {@link LeaseQueue}
 * guards it.
 */
final class IdleSessions {

    private final int most;
    private final Map<SessionKey, Deque<Idle>> sessions = new HashMap<>();
    private int total;

    /** @param since when it came back */
    record Idle(SessionKey key, GridFtpSession session, GsiSecurity security, Instant since) {}

    /** @param most how many are kept in total; the oldest goes */
    IdleSessions(int most) {
        this.most = most;
    }

    void add(Idle idle) {
        requireNonNull(idle, "idle is null");
        sessions.computeIfAbsent(idle.key(), none -> new ArrayDeque<>()).addLast(idle);
        total++;
    }

    /** Takes the newest of the best ones, or else of those whose data connections lead nowhere, or else of all; null: there is none. */
    @Nullable
    Idle take(SessionKey key, Predicate<GridFtpSession> best) {
        Deque<Idle> some = sessions.get(key);
        if (some == null) {
            return null;
        }
        Idle taken = newest(some, best)
                .or(() -> newest(
                        some,
                        session -> session.kept() == null && !session.ownData().isLeft()))
                .orElseGet(some::getLast);
        remove(taken, some);
        return taken;
    }

    /** Whether there is such a one. */
    boolean has(SessionKey key, Predicate<GridFtpSession> which) {
        Deque<Idle> some = sessions.get(key);
        return some != null && newest(some, which).isPresent();
    }

    private static Optional<Idle> newest(Deque<Idle> some, Predicate<GridFtpSession> which) {
        return some.reversed().stream()
                .filter(each -> which.test(each.session()))
                .findFirst();
    }

    private void remove(Idle idle, Deque<Idle> some) {
        some.remove(idle);
        total--;
        if (some.isEmpty()) {
            sessions.remove(idle.key());
        }
    }

    /** Takes these out; the caller closes them, without the lock. */
    List<GridFtpSession> takeOut(Predicate<Idle> which) {
        List<GridFtpSession> out = new ArrayList<>();
        for (Iterator<Deque<Idle>> each = sessions.values().iterator(); each.hasNext(); ) {
            Deque<Idle> some = each.next();
            some.removeIf(one -> {
                boolean isOut = which.test(one);
                if (isOut) {
                    out.add(one.session());
                }
                return isOut;
            });
            if (some.isEmpty()) {
                each.remove();
            }
        }
        total -= out.size();
        return out;
    }

    /** Takes out what came back before a time, and the oldest of what is too much; the caller closes them, without the lock. */
    List<GridFtpSession> takeOutOld(Instant oldest) {
        List<GridFtpSession> out = takeOut(each -> each.since().isBefore(oldest));
        while (total > most) {
            Deque<Idle> some = sessions.values().stream()
                    .min(Comparator.comparing(each -> each.getFirst().since()))
                    .orElseThrow();
            Idle first = some.getFirst();
            remove(first, some);
            out.add(first.session());
        }
        return out;
    }
}
