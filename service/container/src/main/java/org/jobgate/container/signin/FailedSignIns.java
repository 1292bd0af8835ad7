// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.signin;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * How often sign-ins from an address have failed at the issuer lately. Whoever has begun a sign-in can bring codes that nobody gave them as often as
 * they like, and the gateway would ask the issuer for each with its own secret: the issuer may shut out a client that brings wrong codes all
 * the time, and with it all users of the site. So an address from which {@value #MOST} failed within a minute waits until that minute is over.
 *
 * <p>An IPv6 host picks its own addresses in its network, which counts as one. At most {@value #REMEMBERED} addresses are remembered: of more, those are forgotten first whose minute began
 * first. Safe for many threads.
 */
final class FailedSignIns {

    static final int MOST = 10;
    static final Duration WITHIN = Duration.ofMinutes(1);
    private static final int REMEMBERED = 1_024;
    private static final int NETWORK_BYTES = 8;

    private final Clock clock;

    /** In the order in which their minutes began. */
    private final SequencedMap<String, Failures> failed = new LinkedHashMap<>();

    private record Failures(Instant since, int count) {

        boolean isOver(Instant now) {
            return !now.isBefore(since.plus(WITHIN));
        }
    }

    FailedSignIns(Clock clock) {
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Refuses an address that has to wait.
     *
     * @throws SignInException of status 429
     */
    synchronized void check(String address) throws SignInException {
        Failures known = failed.get(network(address));
        Instant now = clock.instant();
        if (known != null && known.count() >= MOST && !known.isOver(now)) {
            long seconds = Duration.between(now, known.since().plus(WITHIN))
                    .plusMillis(999)
                    .toSeconds();
            throw new SignInException(
                    429,
                    "SIGNIN_FAILED_OFTEN",
                    "The issuer did not take " + MOST + " sign-ins from your address within the last minute.",
                    "Sign in again in " + seconds + " s.");
        }
    }

    /** One from this address has failed. */
    synchronized void add(String address) {
        String network = network(address);
        Instant now = clock.instant();
        Failures known = failed.get(network);
        if (known != null && !known.isOver(now)) {
            failed.replace(network, new Failures(known.since(), known.count() + 1));
            return;
        }
        failed.values().removeIf(one -> one.isOver(now));
        failed.putLast(network, new Failures(now, 1));
        if (failed.size() > REMEMBERED) {
            failed.pollFirstEntry();
        }
    }

    /** How many addresses are remembered. */
    synchronized int remembered() {
        return failed.size();
    }

    private static String network(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            // what has a colon is never looked up by name
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return HexFormat.of().formatHex(bytes, 0, Math.min(NETWORK_BYTES, bytes.length));
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
