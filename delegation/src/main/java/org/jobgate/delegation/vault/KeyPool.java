// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * RSA key pairs made ahead, for making one takes longer than everything else in a delegation.
 *
 * <ul>
 *   <li>At most {@code size} wait; one thread of low priority makes new ones in the place of those taken.
 *   <li>Each pair is handed out once.
 *   <li>An empty pool makes no caller wait for another one's pair: he makes his own.
 * </ul>
 */
public final class KeyPool implements AutoCloseable {

    /** What grid software of every age can use. */
    public static final int BITS = 2048;

    private final BlockingQueue<KeyPair> ready;
    private final SecureRandom random;
    private final AtomicLong madeByCallers = new AtomicLong();
    private final Thread maker;

    /** A pool that begins to fill at once. */
    public KeyPool(int size, SecureRandom random) {
        this.ready = new ArrayBlockingQueue<>(size);
        this.random = requireNonNull(random, "random is null");
        this.maker = Thread.ofPlatform()
                .name("key-pool")
                .daemon()
                .priority(Thread.MIN_PRIORITY)
                .start(this::fill);
    }

    private void fill() {
        try {
            while (true) {
                ready.put(make());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private KeyPair make() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(BITS, random);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has RSA", e);
        }
    }

    /** A pair that nobody else has. */
    public KeyPair take() {
        KeyPair pair = ready.poll();
        if (pair != null) {
            return pair;
        }
        madeByCallers.incrementAndGet();
        return make();
    }

    /** How many pairs wait. */
    public int ready() {
        return ready.size();
    }

    /** How many callers found the pool empty. */
    public long madeByCallers() {
        return madeByCallers.get();
    }

    @Override
    public void close() {
        maker.interrupt();
    }
}
