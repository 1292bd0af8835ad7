// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Slows guesses of passwords: after a wrong one, the next of the same name from the same address is not looked at for a while, which doubles
 * with each wrong one in a row. It does not matter whether there is such a name. The rightful user from another address is not kept waiting.
 *
 * <p>What is remembered is bounded, and nobody makes it forget others by guessing many names: of one address {@link #NAMES} names are
 * remembered, and all further ones of it are slowed as if they were one name. Where all places are taken, the address that has most gives one up.
 * An address of IPv6 counts by its first 64 bits, for one machine has all the others.
 */
final class PasswordPace {

    static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    /** So many names of one address are remembered for themselves. */
    static final int NAMES = 64;

    /** So long after its last wait has ended a name is forgotten, where another one needs its place. */
    static final Duration REMEMBERED = Duration.ofMinutes(10);

    /** So many pairs of name and address are remembered. */
    static final int PLACES = 50_000;

    private static final int MAX_NAME = 128;
    private static final int MAX_IN_A_ROW = 16;
    private static final int NETWORK_BYTES = 8;

    private record Wrong(int inARow, Instant until) {}

    /** The wrong attempts of one address. */
    private static final class Sender {
        /** The one whose last attempt is longest ago stands first. */
        private final Map<String, Wrong> names = new LinkedHashMap<>(4, 0.75f, true);

        /** The wrong passwords of all names that found no place. */
        private @Nullable Wrong others;
    }

    private final Clock clock;
    private final int placesMax;
    private final Map<String, Sender> senders = new HashMap<>();
    private int places;

    PasswordPace(Clock clock) {
        this(clock, PLACES);
    }

    /** @param placesMax so many pairs of name and address are remembered */
    PasswordPace(Clock clock, int placesMax) {
        this.clock = requireNonNull(clock, "clock is null");
        this.placesMax = placesMax;
    }

    /**
     * Refuses an attempt that comes too soon. After a wrong one, the next counts as wrong until it is known how it went: of many that are sent
     * at the same moment one is looked at.
     */
    synchronized void require(String name, String address) {
        Sender sender = senders.get(network(address));
        Wrong last = sender == null ? null : last(sender, shortened(name));
        if (sender == null || last == null) {
            return;
        }
        Instant now = clock.instant();
        if (now.isBefore(last.until())) {
            long seconds = Math.max(1, Duration.between(now, last.until()).toSeconds());
            throw Refusals.failedAuthentication(
                    "The last attempts with this name from this address did not fit. The next is looked at in "
                            + seconds + " s: wait, then send the right password.");
        }
        put(sender, shortened(name), new Wrong(last.inARow(), now.plus(waitAfter(last.inARow()))));
    }

    /** Notes how an attempt went. */
    synchronized void note(String name, String address, boolean fits) {
        String key = network(address);
        if (fits) {
            forget(key, shortened(name));
            return;
        }
        Sender sender = senders.computeIfAbsent(key, any -> new Sender());
        Wrong last = last(sender, shortened(name));
        int inARow = last == null ? 1 : Math.min(last.inARow() + 1, MAX_IN_A_ROW);
        put(sender, shortened(name), new Wrong(inARow, clock.instant().plus(waitAfter(inARow))));
        while (places > placesMax) {
            giveOneUp();
        }
    }

    /** How many pairs of name and address are remembered. */
    synchronized int size() {
        return places;
    }

    /** How many addresses are remembered. */
    synchronized int addresses() {
        return senders.size();
    }

    private @Nullable Wrong last(Sender sender, String name) {
        Wrong own = sender.names.get(name);
        if (own != null) {
            return own;
        }
        forgetOld(sender);
        return sender.names.size() < NAMES ? null : sender.others;
    }

    private void put(Sender sender, String name, Wrong wrong) {
        if (!sender.names.containsKey(name) && sender.names.size() >= NAMES) {
            sender.others = wrong;
            return;
        }
        if (sender.names.put(name, wrong) == null) {
            places++;
        }
    }

    private void forget(String key, String name) {
        Sender sender = senders.get(key);
        if (sender == null) {
            return;
        }
        if (sender.names.remove(name) != null) {
            places--;
        }
        // its last names may have been forgotten for their age before
        if (sender.names.isEmpty()) {
            senders.remove(key);
        }
    }

    private void forgetOld(Sender sender) {
        Instant old = clock.instant().minus(REMEMBERED);
        int before = sender.names.size();
        sender.names.values().removeIf(wrong -> wrong.until().isBefore(old));
        places -= before - sender.names.size();
        if (sender.names.size() < NAMES) {
            sender.others = null;
        }
    }

    /** The address with most names loses the one that was wrong longest ago. */
    private void giveOneUp() {
        Map.Entry<String, Sender> most = senders.entrySet().stream()
                .max(Comparator.comparingInt(entry -> entry.getValue().names.size()))
                .orElseThrow();
        forget(most.getKey(), most.getValue().names.keySet().iterator().next());
    }

    private static Duration waitAfter(int inARow) {
        Duration wait = FIRST_WAIT.multipliedBy(1L << (inARow - 1));
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }

    private static String shortened(String name) {
        return name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name;
    }

    /** @param address as the connection has it: digits and no name, so that nothing is looked up */
    private static String network(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length > NETWORK_BYTES ? HexFormat.of().formatHex(bytes, 0, NETWORK_BYTES) : address;
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
