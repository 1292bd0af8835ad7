// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Threads of one task: the first failure closes the task, which ends the others. Of several the first of this side's own is told, or else the first. */
final class Together {

    interface Work {
        void run() throws IOException;
    }

    private final DataTask task;
    private final List<Thread> threads = new ArrayList<>();
    private final List<IOException> failures = new ArrayList<>();
    private boolean isOwn;

    Together(DataTask task) {
        this.task = task;
    }

    void start(Work work) {
        threads.add(Thread.ofVirtual().name("gridftp-data").start(() -> {
            try {
                work.run();
            } catch (IOException e) {
                fail(e, e instanceof LocalDataException);
            } catch (RuntimeException | Error e) {
                fail(new IOException("a data connection failed: " + e.getMessage(), e), true);
            }
        }));
    }

    /** One whose failure is this side's own has closed its connection before: the server and the others may fail first for that alone. */
    private void fail(IOException e, boolean own) {
        synchronized (failures) {
            if (own && !isOwn) {
                failures.addFirst(e);
                isOwn = true;
            } else {
                failures.addLast(e);
            }
        }
        task.close();
    }

    void join() throws IOException {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            task.close();
            throw new IOException("interrupted", e);
        }
        synchronized (failures) {
            if (!failures.isEmpty()) {
                throw failures.getFirst();
            }
        }
    }
}
