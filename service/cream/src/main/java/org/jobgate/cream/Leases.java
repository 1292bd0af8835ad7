// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jobgate.store.Writes;
import org.jobgate.xml.XmlWriter;

/**
 * The leases of all owners: names with a time each, under which jobs may be. A lease belongs to who made it; that of another owner is not
 * there. What is past is not there either.
 */
final class Leases {

    static final String KIND = "cream.lease";

    private static final int LONGEST_NAME = 128;
    private static final int PAGE = 500;

    private final DoorRecords records;
    private final CreamSettings settings;
    private final Clock clock;

    /** By owner and name. The inner maps are changed under their own lock only. */
    private final Map<String, Map<String, Instant>> all = new ConcurrentHashMap<>();

    private volatile Consumer<Instant> changed = time -> {};

    Leases(DoorRecords records, CreamSettings settings, Clock clock) {
        this.records = requireNonNull(records, "records is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Reads what is kept, and names who is told when a lease ends. */
    void load(Consumer<Instant> listener) {
        changed = listener;
        String after = "";
        while (true) {
            List<DoorRecord> page = records.listRecords(KIND, after, PAGE);
            for (DoorRecord record : page) {
                int slash = record.id().indexOf('/');
                of(requireNonNull(record.owner(), "a lease without an owner"))
                        .put(record.id().substring(slash + 1), Instant.parse(record.body()));
            }
            if (page.size() < PAGE) {
                break;
            }
            after = page.getLast().id();
        }
        all.values().forEach(leases -> leases.values().forEach(listener));
    }

    private Map<String, Instant> of(String owner) {
        return all.computeIfAbsent(owner, who -> new TreeMap<>());
    }

    /**
     * Makes a lease, or gives it another time.
     *
     * @return the time that it has now: what was asked for, or as much of it as the site gives
     * @throws CreamFault for a time that is past, and for a name that cannot be
     */
    Instant set(String owner, String name, Instant wanted) {
        checkName("setLease", name);
        Instant now = clock.instant();
        if (!wanted.isAfter(now)) {
            throw CreamFault.invalid(
                    "setLease",
                    "The lease time " + CreamNames.time(wanted) + " is past.",
                    "Ask for a time after " + CreamNames.time(now) + ".");
        }
        Instant longest = now.plus(settings.longestLease());
        Instant granted = wanted.isAfter(longest) ? longest : wanted;
        Map<String, Instant> own = of(owner);
        synchronized (own) {
            if (!own.containsKey(name)) {
                settings.leasesPerOwner().check(own.size() + 1L, "leases of " + owner);
            }
            Writes.await(
                    records.putRecord(new DoorRecord(KIND, id(owner, name), null, owner, granted.toString(), now)));
            own.put(name, granted);
        }
        changed.accept(granted);
        return granted;
    }

    static void checkName(String operation, String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME || !name.matches("[\\x21-\\x7E]+")) {
            throw CreamFault.invalid(
                    operation,
                    "The lease id '" + CreamNames.shown(name) + "' cannot be used.",
                    "Use 1 to " + LONGEST_NAME + " printable characters of ASCII without blanks.");
        }
    }

    /** Until when the owner's lease of this name holds; empty where there is none, or it is past. */
    Optional<Instant> find(String owner, String name) {
        Map<String, Instant> own = all.get(owner);
        if (own == null) {
            return Optional.empty();
        }
        synchronized (own) {
            return Optional.ofNullable(own.get(name)).filter(time -> time.isAfter(clock.instant()));
        }
    }

    /** The owner's leases that hold, by name. */
    Map<String, Instant> list(String owner) {
        Map<String, Instant> own = all.get(owner);
        if (own == null) {
            return Map.of();
        }
        synchronized (own) {
            Map<String, Instant> held = new TreeMap<>(own);
            held.values().removeIf(time -> !time.isAfter(clock.instant()));
            return held;
        }
    }

    /** The owners that have a lease which is past. */
    Set<String> ownersOfPast() {
        Instant now = clock.instant();
        return all.entrySet().stream()
                .filter(entry -> {
                    synchronized (entry.getValue()) {
                        return entry.getValue().values().stream().anyMatch(time -> !time.isAfter(now));
                    }
                })
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** When the next lease ends that still holds; empty where there is none. */
    Optional<Instant> earliest() {
        Instant now = clock.instant();
        return all.values().stream()
                .flatMap(own -> {
                    synchronized (own) {
                        return List.copyOf(own.values()).stream();
                    }
                })
                .filter(time -> time.isAfter(now))
                .min(Instant::compareTo);
    }

    /** Forgets the owner's leases that are past; those of another time now are kept. */
    void forgetPast(String owner) {
        Map<String, Instant> own = of(owner);
        synchronized (own) {
            Instant now = clock.instant();
            own.entrySet().removeIf(entry -> {
                boolean isPast = !entry.getValue().isAfter(now);
                if (isPast) {
                    Writes.await(records.deleteRecord(KIND, id(owner, entry.getKey())));
                }
                return isPast;
            });
        }
    }

    /** Forgets a lease; answers whether the owner had it. */
    boolean delete(String owner, String name) {
        Map<String, Instant> own = of(owner);
        synchronized (own) {
            boolean wasThere = own.remove(name) != null;
            if (wasThere) {
                Writes.await(records.deleteRecord(KIND, id(owner, name)));
            }
            return wasThere;
        }
    }

    /** Owners' names may be long, and hold anything. */
    private static String id(String owner, String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest) + "/" + name;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The type Lease. */
    static void write(XmlWriter out, String element, String name, Instant time) {
        out.open(CreamNames.types(element));
        out.element(CreamNames.types("leaseId"), name);
        out.element(CreamNames.types("leaseTime"), CreamNames.time(time));
        out.close();
    }
}
