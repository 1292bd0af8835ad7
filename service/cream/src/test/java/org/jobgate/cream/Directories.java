// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.access.Delegations;
import org.jobgate.door.DoorContext;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jspecify.annotations.Nullable;

/** Directories of accounts that are only remembered, for tests in which no account has any. */
final class Directories {

    private final Set<String> made = new ConcurrentSkipListSet<>();

    /** The name of a directory whose removal fails in a way that nobody has thought of; empty for none. */
    final AtomicReference<String> broken = new AtomicReference<>("");

    /** The account whose files cannot be reached; empty for none. */
    final AtomicReference<String> away = new AtomicReference<>("");

    /** What was tried in vain because the account's files could not be reached. */
    final AtomicInteger triesInVain = new AtomicInteger();

    /** Those that are there, each as {@code account:path}. */
    Set<String> made() {
        return made;
    }

    private JobDirectories port() {
        return (JobDirectories) Proxy.newProxyInstance(
                JobDirectories.class.getClassLoader(),
                new Class<?>[] {JobDirectories.class},
                (proxy, method, given) -> {
                    switch (method.getName()) {
                        case "makeDirectory" -> {
                            made.add(given[0] + ":" + given[1]);
                            return null;
                        }
                        case "delete" -> {
                            FilePlace.Below place = (FilePlace.Below) given[1];
                            String path = given[0] + ":" + place.directory() + "/" + String.join("/", place.names());
                            if (given[0].equals(away.get())) {
                                triesInVain.incrementAndGet();
                                throw new FilesUnavailableException("its home hangs");
                            }
                            if (place.names().contains(broken.get())) {
                                throw new IllegalStateException("broken by the test");
                            }
                            return made.removeIf(entry -> entry.startsWith(path));
                        }
                        default -> throw new IllegalStateException("not expected: " + method);
                    }
                });
    }

    /** The same context with these directories and delegations. */
    DoorContext in(DoorContext door, @Nullable Delegations delegations) {
        return new DoorContext(
                door.url(),
                door.addresses(),
                door.bodyBytes(),
                door.access(),
                door.jobs(),
                door.records(),
                door.changes(),
                door.deliveries(),
                door.callbacks(),
                door.files(),
                port(),
                door.trees(),
                delegations,
                door.clock(),
                door.random());
    }
}
