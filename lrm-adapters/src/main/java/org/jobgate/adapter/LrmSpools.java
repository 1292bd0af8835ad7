// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each LRM of a gateway a spool of its own. Of two LRMs that are watched in the same way and share one, each would take the other's
 * jobs for its own. The first LRM of each {@link Kind} has the gateway's directory itself, where every LRM was once; the others have one
 * below it. The store remembers the spool of each LRM, so that another order in the configuration changes none.
 */
public final class LrmSpools {

    /** Records of the store that say where an LRM is; their id is its name. */
    static final String RECORDS = "lrm.spool";

    private static final Logger log = LoggerFactory.getLogger(LrmSpools.class);

    /** How the jobs of an LRM are watched: LRMs of different kinds have no file in common that either takes for its own. */
    private enum Kind {
        FORK,
        HTCONDOR,
        POLLED;

        static Kind of(String adapter) {
            return switch (adapter) {
                case "fork" -> FORK;
                case "condor" -> HTCONDOR;
                default -> POLLED;
            };
        }
    }

    /** The gateway's directory; one below it; the same for an LRM that had live jobs when it left the gateway's. */
    private enum Place {
        BASE,
        OWN,
        MOVED
    }

    /**
     * An LRM that needs a spool.
     *
     * @param name as clients name it
     * @param adapter the Perl module below {@code Jobgate::Adapter} in lower case
     * @param spool what the site's configuration says; absent where it says nothing
     */
    public record Wanted(
            String name, String adapter, @Nullable String spool) {
        public Wanted {
            requireNonNull(name, "name is null");
            requireNonNull(adapter, "adapter is null");
        }
    }

    private final String base;
    private final JobStore store;
    private final Clock clock;

    /** @param base the gateway's directory in each account's home */
    public LrmSpools(String base, JobStore store, Clock clock) {
        this.base = requireNonNull(base, "base is null");
        this.store = requireNonNull(store, "store is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * The spool of each LRM, by its name. To be called before any of them works.
     *
     * @throws IllegalArgumentException if the configuration gives two LRMs of one kind the same directory
     */
    public Map<String, LrmSpool> assign(List<Wanted> lrms) {
        Map<String, LrmSpool> assigned = new HashMap<>();
        Map<Kind, Map<String, String>> users = new HashMap<>();
        List<Wanted> unknown = new ArrayList<>();
        for (Wanted lrm : lrms) {
            LrmSpool known = lrm.spool() == null ? recorded(lrm) : LrmSpool.of(lrm.spool());
            if (known == null) {
                unknown.add(lrm);
            } else {
                take(users, lrm, known);
                assigned.put(lrm.name(), known);
            }
        }
        for (Wanted lrm : unknown) {
            LrmSpool found = find(lrm, usersOf(users, lrm).get(base));
            usersOf(users, lrm).putIfAbsent(found.path(), lrm.name());
            assigned.put(lrm.name(), found);
        }
        return Map.copyOf(assigned);
    }

    private static Map<String, String> usersOf(Map<Kind, Map<String, String>> users, Wanted lrm) {
        return users.computeIfAbsent(Kind.of(lrm.adapter()), kind -> new HashMap<>());
    }

    private static void take(Map<Kind, Map<String, String>> users, Wanted lrm, LrmSpool spool) {
        String other = usersOf(users, lrm).putIfAbsent(spool.path(), lrm.name());
        if (other != null) {
            throw new IllegalArgumentException("The LRMs " + other + " and " + lrm.name() + " both have the spool "
                    + spool.path() + ". Each would take the other's jobs for its own: give one of them another spool");
        }
    }

    private @Nullable LrmSpool recorded(Wanted lrm) {
        return store.findRecord(RECORDS, lrm.name())
                .map(record -> spool(lrm, Place.valueOf(record.body())))
                .orElse(null);
    }

    private LrmSpool spool(Wanted lrm, Place place) {
        String own = base + "/lrms/" + lrm.name();
        return switch (place) {
            case BASE -> LrmSpool.of(base);
            case OWN -> LrmSpool.of(own);
            case MOVED -> new LrmSpool(own, base);
        };
    }

    /** @param user the LRM of the same kind that has the gateway's directory */
    private LrmSpool find(Wanted lrm, @Nullable String user) {
        if (user == null) {
            return record(lrm, Place.BASE);
        }
        if (store.accountsWithLiveJobs(lrm.name()).isEmpty()) {
            // what it remembers of a log of the old directory says nothing of one in the new
            Checkpoints.forget(store, lrm.name());
            return record(lrm, Place.OWN);
        }
        if (Kind.of(lrm.adapter()) == Kind.POLLED) {
            log.info(
                    "The LRM {} has shared the spool {} with {}; from now on it has its own, and its jobs go on",
                    lrm.name(),
                    base,
                    user);
            return record(lrm, Place.MOVED);
        }
        log.warn(
                "The LRM {} shares the spool {} with {}, and has live jobs there: it gets a spool of its own at the first start without live"
                        + " jobs. Until then the limits of either, such as maxRunning, may be applied to both",
                lrm.name(),
                base,
                user);
        return spool(lrm, Place.BASE);
    }

    private LrmSpool record(Wanted lrm, Place place) {
        // nothing may run there before it is on disk where that is
        store.putRecord(new DoorRecord(RECORDS, lrm.name(), null, null, place.name(), clock.instant()))
                .join();
        return spool(lrm, place);
    }
}
