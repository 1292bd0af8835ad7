// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jobgate.soap.SoapFaultException;
import org.w3c.dom.Element;

/** Whether a message is of now, and comes for the first time. */
final class Freshness {

    private final SecuritySettings settings;
    private final ReplayCache seen;
    private final Clock clock;
    private final Instant started;

    Freshness(SecuritySettings settings, Clock clock) {
        this.settings = settings;
        this.seen = new ReplayCache(settings.remembered());
        this.clock = clock;
        this.started = clock.instant();
    }

    /** Checks the message's timestamp, and that nothing with this mark came before. */
    void check(Element timestamp, String mark) {
        Instant created = time(timestamp, "Created");
        Instant expires = time(timestamp, "Expires");
        if (!expires.isAfter(created)) {
            throw Refusals.invalid("The message's Timestamp expires before it is created. Correct it.");
        }
        if (expires.isAfter(created.plus(settings.maxAge()))) {
            throw Refusals.invalid("The message's Timestamp lasts longer than messageSecurity.maxAge = "
                    + settings.maxAge().toSeconds() + " s. Let it expire sooner.");
        }
        Instant now = clock.instant();
        if (expires.isBefore(now)) {
            throw Refusals.expired(
                    "The message expired at " + expires + "; it is " + now + ". Send it anew; set your clock.");
        }
        checkCreated(created, now);
        requireNew(mark, now, expires);
    }

    /** Checks the time and the nonce of a user's name with a digest. */
    void checkNonce(Instant created, String nonce) {
        Instant now = clock.instant();
        Instant until = created.plus(settings.maxAge());
        if (until.isBefore(now)) {
            throw Refusals.expired("The UsernameToken was created at " + created + ", longer ago than"
                    + " messageSecurity.maxAge. Send it anew; set your clock.");
        }
        checkCreated(created, now);
        requireNew("nonce " + nonce, now, until);
    }

    private void checkCreated(Instant created, Instant now) {
        if (created.isAfter(now.plus(settings.skew()))) {
            throw Refusals.invalid("The message says that it was created at " + created
                    + ", which is still to come: it is " + now + ". Set your clock.");
        }
        // what came before the service's start is remembered no more
        Duration precision = Duration.ofSeconds(1);
        if (created.plus(precision).isBefore(started)) {
            throw Refusals.expired("The message was created before this service started at " + started
                    + ", so that it cannot be told from a replay. Send it anew.");
        }
    }

    private void requireNew(String mark, Instant now, Instant until) {
        if (!seen.isNew(mark, now, until.plus(settings.skew()))) {
            throw Refusals.invalid("The message has come before: it is a replay. Sign a new one for each request.");
        }
    }

    private static Instant time(Element timestamp, String name) {
        List<Element> found = Envelope.children(timestamp, Names.WSU, name);
        if (found.size() != 1) {
            throw Refusals.invalid("The message's Timestamp has " + found.size() + " elements " + name
                    + ". It must have one Created and one Expires.");
        }
        return parse(found.getFirst().getTextContent());
    }

    /** @throws SoapFaultException for a text that is no time with its zone */
    static Instant parse(String text) {
        try {
            return OffsetDateTime.parse(text.strip()).toInstant();
        } catch (DateTimeParseException e) {
            throw Refusals.invalid("'" + Refusals.shown(text) + "' is no time. Send one such as 2026-11-22T12:00:00Z.");
        }
    }
}
