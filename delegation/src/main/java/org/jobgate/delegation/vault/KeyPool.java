// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * RSA key pairs made ahead, for making one takes longer than everything else in a delegation.
 *
 * <ul>
 *   <li>At most {@code size} wait; one thread makes new ones in the place of those taken.
 *   <li>While pairs are wanted, and for a minute after, it makes them as fast as it can; else it rests so long between two that it takes a
 *       twentieth of one core: a gateway to which nobody delegates has better things to do.
 *   <li>Each pair is handed out once.
 *   <li>When the pool is empty a caller does not wait: the caller's own thread makes a pair.
 * </ul>
 */
public final class KeyPool implements AutoCloseable {

    /** What grid software of every age can use. */
    public static final int BITS = 2048;

    /** While no pair is wanted, the maker rests before the next one this many times as long as it took to make one. */
    private static final int REST = 19;

    private static final Duration WANTED_FOR = Duration.ofMinutes(1);

    /** How long the maker waits for somebody to want a pair before it makes the first: the processors are for the start of the service. */
    private static final Duration FIRST_REST = Duration.ofSeconds(5);

    private final BlockingQueue<KeyPair> ready;
    private final Supplier<KeyPair> source;
    private final Duration wantedFor;
    private final Duration firstRest;
    private final Semaphore wanted = new Semaphore(0);
    private final AtomicLong madeByCallers = new AtomicLong();
    private volatile long lastWanted;
    private final Thread maker;

    /** A pool that begins to fill when a pair is taken, or in some seconds. */
    public KeyPool(int size, SecureRandom random) {
        this(size, generator(random), WANTED_FOR, FIRST_REST);
    }

    private static Supplier<KeyPair> generator(SecureRandom random) {
        requireNonNull(random, "random is null");
        return () -> make(random);
    }

    KeyPool(int size, Supplier<KeyPair> source, Duration wantedFor, Duration firstRest) {
        this.ready = new ArrayBlockingQueue<>(size);
        this.source = source;
        this.wantedFor = wantedFor;
        this.firstRest = firstRest;
        this.lastWanted = System.nanoTime() - wantedFor.toNanos();
        this.maker = Thread.ofPlatform().name("key-pool").daemon().start(this::fill);
    }

    private void fill() {
        try {
            var unusedFirst = wanted.tryAcquire(firstRest.toNanos(), TimeUnit.NANOSECONDS);
            while (true) {
                long begin = System.nanoTime();
                KeyPair pair = source.get();
                long rest = REST * (System.nanoTime() - begin);
                ready.put(pair);
                wanted.drainPermits();
                if (System.nanoTime() - lastWanted >= wantedFor.toNanos()) {
                    var unused = wanted.tryAcquire(rest, TimeUnit.NANOSECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static KeyPair make(SecureRandom random) {
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
        lastWanted = System.nanoTime();
        wanted.release();
        KeyPair pair = ready.poll();
        if (pair != null) {
            return pair;
        }
        madeByCallers.incrementAndGet();
        return source.get();
    }

    /** A pair for what is made once: it is no sign that more will be wanted. */
    KeyPair makeOne() {
        return source.get();
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
