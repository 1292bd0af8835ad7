// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Slows guesses of passwords: after a wrong one, the next of the same name from the same address is not looked at for a while, which doubles
 * with each wrong one in a row. It does not matter whether there is such a name. The rightful user from another address is not kept waiting.
 */
final class PasswordPace {

    static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    /** So many pairs of name and address are remembered; the one that was wrong longest ago is forgotten first. */
    private static final int REMEMBERED = 20_000;

    private static final int MAX_NAME = 128;

    private record Sender(String name, String address) {}

    private record Wrong(int inARow, Instant until) {}

    private final Clock clock;
    private final Map<Sender, Wrong> wrong = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Sender, Wrong> eldest) {
            return size() > REMEMBERED;
        }
    };

    PasswordPace(Clock clock) {
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Refuses an attempt that comes too soon. After a wrong one, the next counts as wrong until it is known how it went: of many that are sent
     * at the same moment one is looked at.
     */
    synchronized void require(String name, String address) {
        Wrong last = wrong.get(sender(name, address));
        Instant now = clock.instant();
        if (last != null && now.isBefore(last.until())) {
            long seconds = Math.max(1, Duration.between(now, last.until()).toSeconds());
            throw Refusals.failedAuthentication(
                    "The last attempts with this name from this address did not fit. The next is looked at in "
                            + seconds + " s: wait, then send the right password.");
        }
        if (last != null) {
            wrong.put(sender(name, address), new Wrong(last.inARow(), now.plus(waitAfter(last.inARow()))));
        }
    }

    /** Notes how an attempt went. */
    synchronized void note(String name, String address, boolean fits) {
        Sender sender = sender(name, address);
        Wrong last = wrong.get(sender);
        if (fits) {
            wrong.remove(sender);
            return;
        }
        int inARow = last == null ? 1 : Math.min(last.inARow() + 1, 16);
        wrong.put(sender, new Wrong(inARow, clock.instant().plus(waitAfter(inARow))));
    }

    private static Duration waitAfter(int inARow) {
        Duration wait = FIRST_WAIT.multipliedBy(1L << (inARow - 1));
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }

    private static Sender sender(String name, String address) {
        return new Sender(name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name, address);
    }
}
