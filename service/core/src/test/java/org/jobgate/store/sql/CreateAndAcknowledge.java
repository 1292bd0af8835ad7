// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.concurrent.Semaphore;
import org.jobgate.store.CreateResult;
import org.jobgate.store.JobStore;

/**
 * A process that creates jobs and writes down each one that was acknowledged, in one system call each, as {@code ACK <job id> <key>}.
 * For tests that watch it or kill it.
 *
 * <p>Arguments: the store's URL, the file for the acknowledgements, the seed of ids, the prefix of the keys (a number of seven digits
 * follows), how many jobs to create, how many may be on their way at once.
 */
public final class CreateAndAcknowledge {

    private CreateAndAcknowledge() {}

    /** Runs until all is acknowledged, or until it is killed. */
    public static void main(String[] arguments) throws Exception {
        String prefix = arguments[3];
        int count = Integer.parseInt(arguments[4]);
        int onTheWay = Integer.parseInt(arguments[5]);
        SampleJobs samples = new SampleJobs(Long.parseLong(arguments[2]));
        Semaphore places = new Semaphore(onTheWay);
        try (JobStore store = JobStores.open(StoreSettings.of(arguments[0]), Clock.systemUTC());
                FileChannel acknowledgements = FileChannel.open(
                        Path.of(arguments[1]),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND)) {
            for (int i = 0; i < count; i++) {
                String key = String.format("%s%07d", prefix, i);
                places.acquire();
                var unused = store.create(samples.newJob(SampleJobs.ALICE, key)).whenComplete((result, failure) -> {
                    acknowledge(acknowledgements, result, failure);
                    places.release();
                });
            }
            places.acquire(onTheWay);
        }
    }

    private static void acknowledge(FileChannel to, CreateResult result, Throwable failure) {
        try {
            String line = failure == null
                    ? "ACK " + result.job().id() + " " + result.job().key().clientId()
                    : "FAILED " + failure;
            to.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
