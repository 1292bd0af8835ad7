// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import static java.util.Objects.requireNonNull;

import java.security.SecureRandom;
import java.time.Clock;
import org.jobgate.access.Access;
import org.jobgate.access.Delegations;
import org.jobgate.access.Jobs;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.AccountTrees;
import org.jobgate.files.JobDirectories;
import org.jobgate.limits.Limit;
import org.jobgate.notify.CallbackPolicy;
import org.jobgate.notify.Deliveries;
import org.jobgate.notify.JobChanges;
import org.jobgate.store.DoorRecords;
import org.jspecify.annotations.Nullable;

/**
 * What a front door is given of the rest. A door cannot reach a job past {@link #access} and {@link #jobs}, nor what other doors keep.
 * What only some doors need (the transfer engine) is given to those when they are made.
 *
 * @param url by which clients reach this door: scheme, public name and port, e.g. {@code https://gate.example.org:8443}, without a path
 * @param addresses where the other doors are
 * @param bodyBytes of one request to this door, by the name under which the site can change it
 * @param access makes a caller of who sends a request
 * @param jobs what can be done with jobs
 * @param records what this door keeps over a restart: only of the kinds that are its own
 * @param changes of jobs, for a door that tells those who subscribed
 * @param deliveries of messages to the programs of clients; started and closed by their owner
 * @param callbacks which addresses clients may name for messages
 * @param files reads and removes files as a local account
 * @param directories writes and lists files as a local account
 * @param trees the directories that the site exports to users
 * @param delegations by which callers delegate credentials for their jobs; absent where credentials cannot be delegated
 */
public record DoorContext(
        String url,
        DoorAddresses addresses,
        Limit bodyBytes,
        Access access,
        Jobs jobs,
        DoorRecords records,
        JobChanges changes,
        Deliveries deliveries,
        CallbackPolicy callbacks,
        AccountFiles files,
        JobDirectories directories,
        AccountTrees trees,
        @Nullable Delegations delegations,
        Clock clock,
        SecureRandom random) {

    public DoorContext {
        requireNonNull(url, "url is null");
        requireNonNull(addresses, "addresses is null");
        requireNonNull(bodyBytes, "bodyBytes is null");
        requireNonNull(access, "access is null");
        requireNonNull(jobs, "jobs is null");
        requireNonNull(records, "records is null");
        requireNonNull(changes, "changes is null");
        requireNonNull(deliveries, "deliveries is null");
        requireNonNull(callbacks, "callbacks is null");
        requireNonNull(files, "files is null");
        requireNonNull(directories, "directories is null");
        requireNonNull(trees, "trees is null");
        requireNonNull(clock, "clock is null");
        requireNonNull(random, "random is null");
        if (url.endsWith("/")) {
            throw new IllegalArgumentException("url ends with a slash: " + url);
        }
    }
}
