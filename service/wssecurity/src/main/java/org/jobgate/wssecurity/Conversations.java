// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jobgate.soap.SoapFaultException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The security contexts that clients have opened: in memory only, bounded in number and in time. */
final class Conversations {

    private static final Logger LOG = LoggerFactory.getLogger(Conversations.class);

    /** A credential is looked at again this long after it was last: a context does not outlive its revocation by more. */
    static final Duration RECHECK = Duration.ofMinutes(1);

    /** So long it is known of a context that it has expired, if there is room. */
    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    private final ConversationSettings settings;
    private final Clock clock;
    private final Map<String, Conversation> byId = new HashMap<>();
    private final Map<String, Map<String, Conversation>> byOwner = new HashMap<>();
    private Instant nextSweep = Instant.MIN;

    Conversations(ConversationSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * One context. Its keys are on no account written anywhere, so it is no record.
     *
     * @see Key
     */
    private static final class Conversation {
        private final String id;
        private final Dialect dialect;
        private final Bootstrap bootstrap;
        /** The present key last; after a renewal also the one before it, for messages on their way. */
        private List<Key> keys = List.of();

        private Identity identity;
        private Instant checked;

        Conversation(String id, Dialect dialect, Bootstrap bootstrap, Instant now) {
            this.id = id;
            this.dialect = dialect;
            this.bootstrap = bootstrap;
            this.identity = bootstrap.identity();
            this.checked = now;
        }

        Instant expires() {
            return keys.getLast().expires;
        }
    }

    /** A key of a context: the first, or that of a renewal. */
    static final class Key {
        private final Conversation conversation;
        private final String instance;
        private final byte[] secret;
        private final Instant created;
        private final Instant expires;

        private Key(Conversation conversation, String instance, byte[] secret, Instant created, Instant expires) {
            this.conversation = conversation;
            this.instance = instance;
            this.secret = secret.clone();
            this.created = created;
            this.expires = expires;
        }

        /** The context's identifier, a URI. */
        String id() {
            return conversation.id;
        }

        Dialect dialect() {
            return conversation.dialect;
        }

        /** Which of the context's keys; empty for the first. */
        String instance() {
            return instance;
        }

        byte[] secret() {
            return secret.clone();
        }

        Instant created() {
            return created;
        }

        Instant expires() {
            return expires;
        }
    }

    /**
     * Opens a context.
     *
     * @param end when the client wants it to end; it ends sooner where the settings or the credential say so
     */
    synchronized Key open(Bootstrap bootstrap, Dialect dialect, byte[] secret, Instant end) {
        Instant now = clock.instant();
        String owner = bootstrap.identity().subject();
        makeRoom(owner, now);
        Conversation conversation = new Conversation("urn:uuid:" + UUID.randomUUID(), dialect, bootstrap, now);
        Key key = new Key(conversation, "", secret, now, end(bootstrap, now, end));
        conversation.keys = List.of(key);
        byId.put(conversation.id, conversation);
        byOwner.computeIfAbsent(owner, any -> new HashMap<>()).put(conversation.id, conversation);
        LOG.debug("{} has opened a security context until {}", owner, key.expires);
        return key;
    }

    /** When a context that is opened now ends at the latest, if it is not renewed. */
    Instant longestEnd() {
        return clock.instant().plus(settings.lifetime());
    }

    private Instant end(Bootstrap bootstrap, Instant now, Instant wanted) {
        Instant longest = now.plus(settings.lifetime());
        Instant end = wanted.isBefore(longest) ? wanted : longest;
        return bootstrap.until().isBefore(end) ? bootstrap.until() : end;
    }

    private void makeRoom(String owner, Instant now) {
        if (!now.isBefore(nextSweep)) {
            forget(byId.values(), now.minus(REMEMBERED));
            nextSweep = now.plusSeconds(1);
            if (byId.size() >= settings.total().value()) {
                forget(byId.values(), now);
            }
        }
        Map<String, Conversation> own = byOwner.getOrDefault(owner, Map.of());
        if (own.size() >= settings.ofOne().value()) {
            forget(own.values(), now);
        }
        settings.ofOne().check(byOwner.getOrDefault(owner, Map.of()).size() + 1L, "Security contexts of " + owner);
        settings.total().check(byId.size() + 1L, "Security contexts of everybody");
    }

    /** Those that ended before that time. */
    private void forget(Collection<Conversation> some, Instant time) {
        some.stream()
                .filter(conversation -> !conversation.expires().isAfter(time))
                .toList()
                .forEach(this::remove);
    }

    private void remove(Conversation conversation) {
        byId.remove(conversation.id);
        String owner = conversation.bootstrap.identity().subject();
        Map<String, Conversation> own = byOwner.get(owner);
        if (own != null) {
            own.remove(conversation.id);
            if (own.isEmpty()) {
                byOwner.remove(owner);
            }
        }
    }

    /**
     * The key that a message is protected with.
     *
     * @param instance empty where the message names none
     * @throws SoapFaultException where there is none, or it has expired
     */
    synchronized Key find(Dialect dialect, String id, String instance) {
        Conversation conversation = byId.get(id);
        if (conversation == null || conversation.dialect != dialect) {
            throw Refusals.conversation(
                    dialect,
                    "BadContextToken",
                    "There is no security context " + Refusals.shown(id)
                            + ": it was cancelled, has expired, or the service was started since. Open a new one.");
        }
        Key key = conversation.keys.stream()
                .filter(candidate -> candidate.instance.equals(instance))
                .findFirst()
                .orElseThrow(() -> Refusals.conversation(
                        dialect,
                        "BadContextToken",
                        "The security context " + Refusals.shown(id) + " has no instance '" + Refusals.shown(instance)
                                + "' now. Use that of the last renewal."));
        if (!key.expires.isAfter(clock.instant())) {
            throw Refusals.conversation(
                    dialect,
                    "RenewNeeded",
                    "The security context expired at " + key.expires
                            + ". Open a new one; renew the next one before its end.");
        }
        return key;
    }

    /**
     * Whose a context is. Now and then its owner's credential is looked at again.
     *
     * @throws SoapFaultException where that is good no more; the context is gone then
     */
    Identity owner(Key key) {
        Conversation conversation = key.conversation;
        Instant now = clock.instant();
        synchronized (this) {
            if (now.isBefore(conversation.checked.plus(RECHECK))) {
                return conversation.identity;
            }
        }
        Identity identity;
        try {
            identity = conversation.bootstrap.proof().again();
        } catch (SoapFaultException e) {
            cancel(key);
            throw e;
        }
        synchronized (this) {
            conversation.identity = identity;
            conversation.checked = now;
        }
        return identity;
    }

    /**
     * A further key for the context of this one.
     *
     * @throws SoapFaultException where the context cannot last longer than it does
     */
    synchronized Key renew(Key key, byte[] secret, Instant end) {
        Instant now = clock.instant();
        Conversation conversation = key.conversation;
        if (!byId.containsKey(conversation.id) || conversation.keys.getLast() != key) {
            throw Refusals.conversation(
                    key.dialect(),
                    "UnableToRenew",
                    "The security context was renewed or cancelled by another message. Renew the key of the last renewal.");
        }
        if (!conversation.bootstrap.until().isAfter(key.expires)) {
            throw Refusals.conversation(
                    key.dialect(),
                    "UnableToRenew",
                    "The security context cannot last longer: the credential that opened it ends at "
                            + conversation.bootstrap.until() + ". Open a new one with a new credential.");
        }
        Key next = new Key(
                conversation, "urn:uuid:" + UUID.randomUUID(), secret, now, end(conversation.bootstrap, now, end));
        conversation.keys = List.of(key, next);
        return next;
    }

    /** Ends a context; further messages of it are refused. */
    synchronized void cancel(Key key) {
        remove(key.conversation);
    }

    /** A refusal for its number, as WS-Trust has refusals. */
    Key opened(Bootstrap bootstrap, Dialect dialect, byte[] secret, Instant end) {
        try {
            return open(bootstrap, dialect, secret, end);
        } catch (FaultException e) {
            throw Refusals.trust(dialect, "RequestFailed", String.valueOf(e.getMessage()));
        }
    }
}
