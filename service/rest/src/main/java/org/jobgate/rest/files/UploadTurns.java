// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;

/**
 * Lets one request at a time write a file: the newest. A client whose connection broke goes on at once, while the request before it still
 * waits for bytes that will never come; that one writes nothing from then on.
 */
final class UploadTurns {

    private final ConcurrentHashMap<String, Turn> turns = new ConcurrentHashMap<>();

    /** What is done to a file in a turn. */
    @FunctionalInterface
    interface Work {
        void run() throws FileRefusedException, FilesUnavailableException;
    }

    /** The right to write a file, until another takes it or it is closed. */
    final class Turn implements AutoCloseable {
        private final String file;
        private final ReentrantLock lock = new ReentrantLock();
        private boolean isLost;

        private Turn(String file) {
            this.file = file;
        }

        /**
         * Does something to the file; nobody else does meanwhile.
         *
         * @throws FileRefusal the turn is another's now
         */
        void run(Work work) throws FileRefusal, FileRefusedException, FilesUnavailableException {
            lock.lock();
            try {
                if (isLost) {
                    throw FileRefusal.superseded();
                }
                work.run();
            } finally {
                lock.unlock();
            }
        }

        private void lose() {
            lock.lock();
            try {
                isLost = true;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            turns.remove(file, this);
        }
    }

    Turn take(String file) {
        Turn turn = new Turn(file);
        Turn before = turns.put(file, turn);
        if (before != null) {
            before.lose();
        }
        return turn;
    }

    int size() {
        return turns.size();
    }
}
