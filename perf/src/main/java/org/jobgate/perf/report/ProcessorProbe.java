// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.report;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * How long the machine takes now for the same work on all its processors at once. On a virtual one that is up to its neighbours, and two
 * runs can be compared only where it is the same.
 */
final class ProcessorProbe {

    private static final int ROUNDS = 5;
    private static final int WARM_UP_ROUNDS = 3;
    private static final int NUMBERS = 200_000;
    private static final int DIGESTED_BYTES = 1 << 20;
    private static final int DIGESTS = 10;

    private ProcessorProbe() {}

    /** The median of five rounds, in milliseconds: in each every processor digests 10 MiB and sorts 200,000 numbers. */
    static double millis() {
        List<Double> millis = new ArrayList<>();
        for (int i = -WARM_UP_ROUNDS; i < ROUNDS; i++) {
            double taken = round();
            if (i >= 0) {
                millis.add(taken);
            }
        }
        return Spread.of(millis).median();
    }

    private static double round() {
        List<Thread> threads = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            threads.add(Thread.ofPlatform().start(ProcessorProbe::work));
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return (System.nanoTime() - begin) / 1e6;
    }

    private static void work() {
        int[] numbers = new Random(NUMBERS).ints(NUMBERS).toArray();
        Arrays.sort(numbers);
        byte[] bytes = new byte[DIGESTED_BYTES];
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (int i = 0; i < DIGESTS; i++) {
                digest.update(bytes);
            }
            if (digest.digest()[0] == 0 && numbers[0] > numbers[1]) {
                throw new IllegalStateException("the numbers are not sorted");
            }
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
