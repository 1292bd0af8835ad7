// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The worker processes of a gateway that it has done with and that are still there: stopped by a job of their account, or stuck in a file
 * system. One that runs as another account is not ours to kill. From {@link #MOST} of one account on no further is started for it, of
 * whatever LRM, so that nobody fills the process table with them.
 */
public final class LeftWorkers {

    /** Workers of one account that may be left behind before no other is started for it. */
    static final int MOST = 3;

    /** How long a worker that was told to end, or killed, may take to end. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final int MOST_TOLD = 20;

    private record Left(long since, List<ProcessHandle> processes) {
        Left {
            processes = List.copyOf(processes);
        }

        boolean isThere() {
            return processes.stream().anyMatch(ProcessHandle::isAlive);
        }
    }

    private final Consumer<ProcessHandle> kill;
    private final LongSupplier nanos;
    private final Map<String, List<Left>> byAccount = new HashMap<>();

    /** None is left behind yet. */
    public LeftWorkers() {
        this(ProcessHandle::destroyForcibly, System::nanoTime);
    }

    /** @param kill ends a process as far as we may */
    LeftWorkers(Consumer<ProcessHandle> kill, LongSupplier nanos) {
        this.kill = requireNonNull(kill, "kill is null");
        this.nanos = requireNonNull(nanos, "nanos is null");
    }

    /** We have done with a worker, which ends by itself if all is well. */
    void letGo(String account, ProcessHandle worker, String mark) {
        if (worker.isAlive()) {
            remember(account, processes(worker, mark));
        }
    }

    /** Ends a worker by force, as far as we may. */
    void end(String account, ProcessHandle worker, String mark) {
        if (worker.isAlive()) {
            List<ProcessHandle> processes = processes(worker, mark);
            processes.forEach(kill);
            remember(account, processes);
        }
    }

    /** Itself, and where sudo runs it what it runs: those that have the worker's mark on their command lines. */
    private static List<ProcessHandle> processes(ProcessHandle worker, String mark) {
        return Stream.concat(
                        Stream.of(worker),
                        worker.descendants()
                                .filter(process ->
                                        process.info().commandLine().orElse("").contains(mark)))
                .toList();
    }

    private synchronized void remember(String account, List<ProcessHandle> processes) {
        List<Left> known = byAccount.computeIfAbsent(account, name -> new ArrayList<>());
        if (known.stream().noneMatch(left -> left.processes().contains(processes.getFirst()))) {
            known.add(new Left(nanos.getAsLong(), processes));
        }
    }

    /** Why no worker may be started for the account now; empty where one may. */
    synchronized Optional<String> refusal(String account) {
        List<Left> known = byAccount.getOrDefault(account, new ArrayList<>());
        known.removeIf(left -> !left.isThere());
        if (known.isEmpty()) {
            byAccount.remove(account);
        }
        long now = nanos.getAsLong();
        List<Left> stuck = known.stream()
                .filter(left -> now - left.since() > PATIENCE.toNanos())
                .toList();
        if (stuck.size() < MOST) {
            return Optional.empty();
        }
        String ids = stuck.stream()
                .flatMap(left -> left.processes().stream())
                .filter(ProcessHandle::isAlive)
                .limit(MOST_TOLD)
                .map(process -> Long.toString(process.pid()))
                .collect(Collectors.joining(" "));
        return Optional.of(stuck.size() + " worker processes of the account " + account
                + " that the gateway has given up are still there, because it may not end them or because they are stuck; no other is"
                + " started for the account until one of them has gone. An administrator ends them with: kill -9 "
                + ids);
    }
}
