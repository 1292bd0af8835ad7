// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jobgate.store.Writes;
import org.jspecify.annotations.Nullable;

/**
 * Makes the ids of jobs. Where a submission has a key, the part of the id that is otherwise random is a keyed hash of it (HMAC-SHA256). The id
 * is the job's tag in its LRM, so the tag says for which submission the job was made, also to a gateway whose store has lost that
 * submission: a submission that comes again gets the id that it had ({@link AfterRestore}). Without the secret, which lies in the store,
 * nobody can tell an id beforehand.
 */
final class JobIds {

    static final String KIND = "job.ids";

    private static final String ID = "secret";
    private static final int SECRET_BYTES = 32;
    private static final int MOST_IDLE = 64;

    private final JobStore store;
    private final AfterRestore afterRestore;
    private final Clock clock;
    private final RandomGenerator random;
    private @Nullable SecretKeySpec secret;

    /** Have the secret, and hash nothing at present. */
    private final Queue<Mac> idle = new ArrayBlockingQueue<>(MOST_IDLE);

    JobIds(JobStore store, AfterRestore afterRestore, Clock clock, RandomGenerator random) {
        this.store = store;
        this.afterRestore = afterRestore;
        this.clock = clock;
        this.random = random;
    }

    /** An id for a submission that has no key. */
    JobId create() {
        return JobId.create(clock, random);
    }

    /** The id of a new submission: that of its key, where the client has named one that can be a key; else one of chance. */
    JobId of(Owner owner, String door, @Nullable String clientId) {
        return clientId == null || clientId.isEmpty() || clientId.length() > SubmissionKey.MAX_CLIENT_ID
                ? create()
                : of(new SubmissionKey(owner.subject(), door, clientId), owner.account());
    }

    /** The id that the job of this submission has in its LRM where a restored store does not know it; else a new one. */
    JobId of(SubmissionKey key, String account) {
        JobId made = JobId.marked(clock, hash(key));
        return afterRestore.idMarkedAs(made, account).orElse(made);
    }

    private byte[] hash(SubmissionKey key) {
        try {
            // to find one and give it the secret costs more than the hash itself
            Mac mac = idle.poll();
            if (mac == null) {
                mac = Mac.getInstance("HmacSHA256");
                mac.init(secret());
            }
            // a door's name has no line feed, and comes first
            String text = key.door() + "\n" + key.subject().length() + "\n" + key.subject() + key.clientId();
            byte[] hash = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            var unused = idle.offer(mac);
            return hash;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA256", e);
        }
    }

    /** Makes sure that there is a secret: a backup that is taken before the first job must have it. */
    void prepare() {
        secret();
    }

    private synchronized SecretKeySpec secret() {
        SecretKeySpec known = secret;
        if (known == null) {
            Optional<String> kept = store.findRecord(KIND, ID).map(DoorRecord::body);
            byte[] bytes = kept.map(HexFormat.of()::parseHex).orElseGet(this::newSecret);
            known = new SecretKeySpec(bytes, "HmacSHA256");
            secret = known;
        }
        return known;
    }

    private byte[] newSecret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        Writes.await(store.putRecord(
                new DoorRecord(KIND, ID, null, null, HexFormat.of().formatHex(bytes), clock.instant())));
        return bytes;
    }
}
