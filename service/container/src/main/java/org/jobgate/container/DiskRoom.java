// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jobgate.files.AccountTrees;
import org.jobgate.files.ExportedTree;
import org.jobgate.srm.Disks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much room there is on the disks of exported trees. A disk that hangs keeps one thread, and is not asked again until that is back; what
 * was found out is good for a while.
 */
final class DiskRoom {

    private static final Logger LOG = LoggerFactory.getLogger(DiskRoom.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration GOOD_FOR = Duration.ofSeconds(10);
    private static final int KNOWN = 1000;

    private record Asked(CompletableFuture<Optional<Disks.Size>> answer, long nanos) {
        boolean isGood() {
            return !answer.isDone() || System.nanoTime() - nanos < GOOD_FOR.toNanos();
        }
    }

    private final AccountTrees trees;
    private final Function<String, Optional<String>> homes;
    private final Map<Path, Asked> asked = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, Asked> eldest) {
            return size() > KNOWN;
        }
    };

    /** @param homes of accounts */
    DiskRoom(AccountTrees trees, Function<String, Optional<String>> homes) {
        this.trees = requireNonNull(trees, "trees is null");
        this.homes = requireNonNull(homes, "homes is null");
    }

    /** As {@link Disks#size}. */
    Optional<Disks.Size> size(String account, String tree) {
        return trees.of(account).stream()
                .filter(one -> one.name().equals(tree))
                .findFirst()
                .flatMap(one -> path(account, one))
                .flatMap(this::size);
    }

    private Optional<Path> path(String account, ExportedTree tree) {
        String directory = tree.directory(account);
        return directory.startsWith("/")
                ? Optional.of(Path.of(directory))
                : homes.apply(account).map(home -> Path.of(home).resolve(directory));
    }

    private Optional<Disks.Size> size(Path path) {
        CompletableFuture<Optional<Disks.Size>> answer;
        synchronized (asked) {
            Asked known = asked.get(path);
            if (known == null || !known.isGood()) {
                known = new Asked(ask(path), System.nanoTime());
                asked.put(path, known);
            }
            answer = known.answer();
        }
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.debug("The file system of {} does not say how large it is", path);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the file system of " + path + " could not be asked", e);
        }
    }

    /** A call to a file system may never come back, and would keep a carrier of virtual threads with it. */
    private static CompletableFuture<Optional<Disks.Size>> ask(Path path) {
        CompletableFuture<Optional<Disks.Size>> answer = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("disk-room").start(() -> answer.complete(look(path)));
        return answer;
    }

    private static Optional<Disks.Size> look(Path path) {
        try {
            FileStore store = Files.getFileStore(path);
            return Optional.of(new Disks.Size(store.getTotalSpace(), store.getUsableSpace()));
        } catch (IOException e) {
            LOG.debug("The size of the file system of {} is not known: {}", path, e.getMessage());
            return Optional.empty();
        }
    }
}
