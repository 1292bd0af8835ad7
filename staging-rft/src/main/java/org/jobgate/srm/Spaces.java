// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jobgate.srm.StoredRequest.File;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jobgate.store.Writes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Space that clients have reserved in trees, in the store. It is an account of what this service gives out: the file system knows nothing of
 * it, and who writes past this service takes what is there.
 */
final class Spaces {

    static final String KIND = "srm.space";

    private static final Logger LOG = LoggerFactory.getLogger(Spaces.class);
    private static final int PAGE = 500;

    /** A file whose request is not in the store after so many seconds has none. */
    private static final long BEGINNING = 60;

    private final DoorRecords store;
    private final SrmSettings settings;
    private final Requests requests;
    private final Clock clock;
    private final Map<String, StoredSpace> all = new ConcurrentHashMap<>();

    /** One change at a time: what is free depends on all. */
    private final ReentrantLock lock = new ReentrantLock();

    private final JsonMapper mapper = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    Spaces(DoorRecords store, SrmSettings settings, Requests requests, Clock clock) {
        this.store = requireNonNull(store, "store is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.requests = requireNonNull(requests, "requests is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Reads all that were reserved before. */
    void load() {
        String after = "";
        List<DoorRecord> page = store.listRecords(KIND, after, PAGE);
        while (!page.isEmpty()) {
            for (DoorRecord record : page) {
                try {
                    all.put(record.id(), mapper.readValue(record.body(), StoredSpace.class));
                } catch (JacksonException e) {
                    throw new IllegalStateException("the record " + KIND + " " + record.id() + " is damaged", e);
                }
            }
            after = page.getLast().id();
            page = store.listRecords(KIND, after, PAGE);
        }
    }

    long now() {
        return clock.instant().getEpochSecond();
    }

    private void keep(StoredSpace space) {
        Writes.await(store.putRecord(new DoorRecord(
                KIND, space.token(), null, space.owner(), mapper.writeValueAsString(space), clock.instant())));
        all.put(space.token(), space);
    }

    private void forget(StoredSpace space) {
        Writes.await(store.deleteRecord(KIND, space.token()));
        all.remove(space.token());
    }

    private boolean isLive(StoredSpace space) {
        return space.until() > now();
    }

    /** Those of an owner, the oldest first. */
    List<StoredSpace> of(String owner) {
        return all.values().stream()
                .filter(space -> space.owner().equals(owner) && isLive(space))
                .sorted(java.util.Comparator.comparingLong(StoredSpace::created).thenComparing(StoredSpace::token))
                .toList();
    }

    /** The space of this token, if this owner has it. */
    Optional<StoredSpace> find(String owner, String token) {
        return Optional.ofNullable(all.get(token)).filter(space -> space.owner().equals(owner) && isLive(space));
    }

    /** @throws SrmException where the owner has none of that token */
    StoredSpace needed(String owner, String token) {
        return find(owner, token)
                .orElseThrow(() -> SrmException.invalid("You have no space with the token '" + Surl.shown(token)
                        + "'; srmGetSpaceTokens lists those there are."));
    }

    /** What is reserved in a tree and not used, in bytes. */
    long reserved(String tree) {
        return all.values().stream()
                .filter(space -> space.tree().equals(tree) && isLive(space))
                .mapToLong(StoredSpace::reserved)
                .sum();
    }

    /** What can still be given out of what a disk says, in bytes; none where it does not say. */
    private OptionalLong free(Optional<Disks.Size> disk, String tree) {
        return disk.stream()
                .mapToLong(size -> Math.max(0, size.free() - reserved(tree)))
                .findFirst();
    }

    /** A file that is put without a space must fit beside what others have reserved. */
    void requireFree(String account, String tree, OptionalLong expected) {
        if (expected.isEmpty() || reserved(tree) == 0) {
            return;
        }
        OptionalLong free = free(settings.disks().size(account, tree), tree);
        if (free.isPresent() && free.getAsLong() < expected.getAsLong()) {
            throw new SrmException(
                    Code.SRM_NO_FREE_SPACE,
                    "The tree /" + tree + " has " + free.getAsLong() + " bytes that nobody has reserved; the file has "
                            + expected.getAsLong() + ". Name the token of a space of yours, or put less.");
        }
    }

    /**
     * Reserves as much of the wanted space as is free.
     *
     * @param until in seconds since 1970
     * @throws SrmException where there is none, or the owner has too much
     */
    StoredSpace reserve(String owner, String account, String tree, String description, long bytes, long until) {
        // asked before the lock is taken, so that no owner waits for another's disk
        Optional<Disks.Size> disk = settings.disks().size(account, tree);
        lock.lock();
        try {
            SpaceLimits limits = settings.spaces();
            List<StoredSpace> own = of(owner);
            require(
                    all.size() + 1L <= limits.spaces().value(),
                    "There are too many spaces of everybody",
                    limits.spaces());
            require(
                    own.size() + 1L <= limits.spacesPerOwner().value(),
                    "You have " + own.size() + " spaces",
                    limits.spacesPerOwner());
            long granted = granted(disk, tree, bytes, limitOf(own));
            StoredSpace space =
                    new StoredSpace(Requests.newToken(), owner, tree, description, granted, 0, now(), until, Map.of());
            keep(space);
            return space;
        } finally {
            lock.unlock();
        }
    }

    private long limitOf(List<StoredSpace> own) {
        long has = own.stream().mapToLong(StoredSpace::size).sum();
        long most = settings.spaces().bytesPerOwner().value();
        require(
                has < most,
                "You have reserved " + has + " bytes",
                settings.spaces().bytesPerOwner());
        return most - has;
    }

    private static void require(boolean isWithin, String what, org.jobgate.limits.Limit limit) {
        if (!isWithin) {
            throw new SrmException(
                    Code.SRM_NO_USER_SPACE,
                    what + "; the limit is " + limit.name() + " = " + limit.value() + ". Release a space, or ask the"
                            + " site's administrator for more.");
        }
    }

    private long granted(Optional<Disks.Size> disk, String tree, long wanted, long most) {
        OptionalLong free = free(disk, tree);
        if (free.isEmpty()) {
            throw new SrmException(
                    Code.SRM_INTERNAL_ERROR,
                    "How much is free in the tree /" + tree + " is not known now. Try again in a moment.");
        }
        long granted = Math.min(wanted, Math.min(most, free.getAsLong()));
        if (granted <= 0) {
            throw new SrmException(
                    Code.SRM_NO_FREE_SPACE, "The tree /" + tree + " has no space that nobody has reserved.");
        }
        return granted;
    }

    /** Makes a space larger or smaller, or last longer or shorter; not smaller than what is used of it. */
    StoredSpace update(String owner, String account, String token, OptionalLong bytes, OptionalLong until) {
        Optional<Disks.Size> disk =
                settings.disks().size(account, needed(owner, token).tree());
        lock.lock();
        try {
            StoredSpace space = needed(owner, token);
            long size = space.size();
            if (bytes.isPresent()) {
                long least = space.size() - space.unused();
                long more = bytes.getAsLong() - space.size();
                size = more > 0
                        ? space.size() + granted(disk, space.tree(), more, limitOf(of(owner)))
                        : Math.max(least, bytes.getAsLong());
            }
            StoredSpace after = space.with(size, until.orElse(space.until()));
            keep(after);
            return after;
        } finally {
            lock.unlock();
        }
    }

    void release(String owner, String token) {
        lock.lock();
        try {
            forget(needed(owner, token));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes room for the files of one request: those for which there is room are remembered by one write, however many they are.
     *
     * @param files how many bytes each of them has, by its place in the request; they are taken in this order
     * @return what is said of those for which there is none, by their places
     */
    Map<Integer, Status> hold(StoredSpace wanted, String request, SortedMap<Integer, OptionalLong> files) {
        lock.lock();
        try {
            StoredSpace space = needed(wanted.owner(), wanted.token());
            Map<String, StoredSpace.Held> taken = new HashMap<>();
            Map<Integer, Status> refused = new HashMap<>();
            long left = space.unused();
            for (Map.Entry<Integer, OptionalLong> file : files.entrySet()) {
                long bytes = file.getValue().orElse(0);
                if (left < bytes || left == 0) {
                    refused.put(file.getKey(), tooLittle(space, left, file.getValue()));
                } else if (space.held().size() + taken.size()
                        >= settings.paths().value()) {
                    refused.put(file.getKey(), tooMany(space));
                } else {
                    left -= bytes;
                    taken.put(request + "-" + file.getKey(), new StoredSpace.Held(bytes, now()));
                }
            }
            if (!taken.isEmpty()) {
                keep(space.holding(taken));
            }
            return refused;
        } finally {
            lock.unlock();
        }
    }

    private static Status tooLittle(StoredSpace space, long left, OptionalLong expected) {
        return new Status(
                Code.SRM_NO_USER_SPACE,
                "The space " + space.token() + " has " + left + " bytes left; the file has "
                        + (expected.isPresent() ? expected.getAsLong() : "not said how many") + ".");
    }

    private Status tooMany(StoredSpace space) {
        return new Status(
                Code.SRM_NO_USER_SPACE,
                "The space " + space.token() + " has as many files on their way as the limit "
                        + settings.paths().name() + " = " + settings.paths().value()
                        + " lets it have. Say srmPutDone of those that have come.");
    }

    /** Counts the files whose transfer has ended, and forgets the spaces whose lifetime is over. */
    void settle() {
        List.copyOf(all.values()).forEach(this::settle);
    }

    /** The same of one owner's spaces: nobody else's files are looked at while the owner waits. */
    void settle(String owner) {
        all.values().stream()
                .filter(space -> space.owner().equals(owner))
                .toList()
                .forEach(this::settle);
    }

    private void settle(StoredSpace seen) {
        if (isLive(seen) && seen.held().isEmpty()) {
            return;
        }
        // looked up before the lock is taken, and each request once, however many of its files are on their way
        Map<String, Optional<StoredRequest>> found = new HashMap<>();
        seen.held().keySet().forEach(place -> found.computeIfAbsent(requestOf(place), requests::look));
        lock.lock();
        try {
            StoredSpace space = all.get(seen.token());
            if (space == null) {
                return;
            }
            if (!isLive(space)) {
                forget(space);
                LOG.debug("The SRM space {} is over", space.token());
                return;
            }
            StoredSpace after = settled(space, found);
            if (!after.equals(space)) {
                keep(after);
            }
        } finally {
            lock.unlock();
        }
    }

    private static String requestOf(String place) {
        return place.substring(0, place.lastIndexOf('-'));
    }

    /** @param found requests; files of others are left for the next time */
    private StoredSpace settled(StoredSpace space, Map<String, Optional<StoredRequest>> found) {
        Map<String, Long> over = new HashMap<>();
        for (Map.Entry<String, StoredSpace.Held> one : space.held().entrySet()) {
            String place = one.getKey();
            Optional<StoredRequest> request = found.get(requestOf(place));
            if (request == null) {
                continue;
            }
            int number = Integer.parseInt(place.substring(place.lastIndexOf('-') + 1));
            boolean isBeginning = request.isEmpty() && one.getValue().since() + BEGINNING > now();
            Optional<File> file = request.map(asked -> asked.files().get(number));
            if (!isBeginning && !file.map(File::isOpen).orElse(false)) {
                long bytes = file.filter(ended -> ended.code() == Code.SRM_SUCCESS)
                        .map(ended -> Math.max(0, ended.size()))
                        .orElse(0L);
                over.put(place, bytes);
            }
        }
        return over.isEmpty() ? space : space.settled(over);
    }
}
