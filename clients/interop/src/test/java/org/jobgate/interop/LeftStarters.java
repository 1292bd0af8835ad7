// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The processes that look after jobs. They outlive a gateway, as they should, and would idle for ten minutes; each names its gateway's spool. */
final class LeftStarters {

    private LeftStarters() {}

    /** Ends those that were started with this spool. */
    static void end(String spool, Duration patience) throws IOException {
        for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
            Path commandLine = Path.of("/proc", Long.toString(process.pid()), "cmdline");
            if (Files.isReadable(commandLine) && read(commandLine).contains(spool)) {
                process.descendants()
                        .forEach(ProcessHandle::destroyForcibly); // jobs that a test has left when it failed
                process.destroy();
                awaitEnd(process, patience); // at its end it removes its socket: nothing else may be removing it then
            }
        }
    }

    private static void awaitEnd(ProcessHandle process, Duration patience) throws IOException {
        try {
            var unused = process.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the process " + process.pid() + " does not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the process " + process.pid() + " ended", e);
        }
    }

    /** What the file of a process says; nothing if the process has ended by now. */
    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }
}
