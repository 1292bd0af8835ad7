// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.List;

/**
 * Mail that the LRM sends about a job.
 *
 * @param addresses 1 to {@value #MAX_ADDRESSES} plain addresses, e.g. {@code someone@example.org}
 * @param events of which it tells, at least one
 */
public record Mail(List<String> addresses, List<Event> events) {

    public static final int MAX_ADDRESSES = 8;

    /** What mail is sent of. */
    public enum Event {
        STARTED,
        ENDED,
        FAILED
    }

    public Mail {
        addresses = List.copyOf(addresses);
        // in one order, whatever was said: two descriptions that ask for the same are the same
        events = events.stream().distinct().sorted().toList();
        if (addresses.isEmpty() || addresses.size() > MAX_ADDRESSES) {
            throw new IllegalArgumentException(
                    "mail has " + addresses.size() + " addresses; it must have 1 to " + MAX_ADDRESSES);
        }
        if (events.isEmpty()) {
            throw new IllegalArgumentException("mail names no event; it must name at least one");
        }
        addresses.forEach(ResourceValues::requireAddress);
    }
}
