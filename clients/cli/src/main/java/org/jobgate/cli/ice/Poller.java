// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;
import static org.jobgate.cli.cream.CreamClient.TYPES;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jobgate.cli.cream.CreamClient;
import org.jobgate.cli.cream.CreamException;
import org.jobgate.cli.cream.CreamFaults;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.wire.XmlElement;

/** Learns how the jobs of an owner at a computing element stand: by its events, and by JobStatus where those cannot have told it. */
final class Poller {

    private static final int EVENTS = 500;
    private static final int PAGES_MAX = 200;
    private static final int JOBS = 100;
    private static final int ROUNDS_MAX = 50;
    private static final int REFUSED_MAX = 20;
    private static final long SILENCE_MS = 1_800_000;
    private static final long CANCEL_AGAIN_MS = 60_000;
    private static final long CLOCKS_DIFFER_MS = 600_000;

    private final JobChanges changes;
    private final LiveJobs live;
    private final Outages outages;
    private final Users users;
    private final GrantKeeper grants;
    private final Clock clock;
    private final Consumer<String> log;

    Poller(
            JobChanges changes,
            LiveJobs live,
            Outages outages,
            Users users,
            GrantKeeper grants,
            Clock clock,
            Consumer<String> log) {
        this.changes = requireNonNull(changes, "changes is null");
        this.live = requireNonNull(live, "live is null");
        this.outages = requireNonNull(outages, "outages is null");
        this.users = requireNonNull(users, "users is null");
        this.grants = requireNonNull(grants, "grants is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.log = requireNonNull(log, "log is null");
    }

    /** One round: delegation and lease, cancellations, events, and the jobs of which nothing was heard. */
    void round(LiveJobs.Share share, Contacts contacts) {
        if (outages.opens(share.endpoint()) > 0) {
            return;
        }
        try {
            Contacts.Contact contact = contacts.to(share.endpoint(), users.best(share.owner()));
            boolean unused = did(share, () -> grants.keep(contact))
                    && did(share, () -> cancel(contact, share))
                    && did(share, () -> events(contact, share, grants.known(contact)))
                    && did(share, () -> silent(contact, share));
        } catch (CredentialException e) {
            log.accept(e.getMessage() + " The jobs of " + share.owner() + " at " + share.endpoint()
                    + " are not looked after.");
        } catch (CreamException e) {
            log.accept(share.endpoint() + ": " + e.getMessage());
        }
    }

    /** A part of a round. */
    @FunctionalInterface
    private interface Part {
        void run() throws CreamException;
    }

    /**
     * Does a part of a round. What the computing element refuses to one owner, or for one job, keeps neither the other parts nor other owners
     * waiting.
     *
     * @return whether the next part is worth while
     */
    private boolean did(LiveJobs.Share share, Part part) {
        try {
            part.run();
            outages.answered(share.endpoint());
            return true;
        } catch (CreamException e) {
            log.accept(share.endpoint() + ": " + e.getMessage() + " (" + share.owner() + ")");
            Trouble trouble = Trouble.of(e);
            if (trouble.isOfElement()) {
                long unused = outages.failed(share.endpoint());
                return false;
            }
            outages.answered(share.endpoint());
            return trouble != Trouble.IDENTITY;
        }
    }

    private void cancel(Contacts.Contact contact, LiveJobs.Share share) throws CreamException {
        for (int i = 0; i < ROUNDS_MAX; i++) {
            long now = clock.millis();
            List<String> ids = live.unwanted(share, now - CANCEL_AGAIN_MS, JOBS);
            if (ids.isEmpty()) {
                return;
            }
            List<XmlElement> results = new ArrayList<>();
            int left = ask(contact, "JobCancel", ids, results, REFUSED_MAX);
            // those that were refused, too: the next ones have their turn before them
            live.cancelAsked(share, ids, now);
            if (left <= 0) {
                return;
            }
            for (XmlElement result : results) {
                XmlElement fault = CreamFaults.in(result);
                if (fault != null && !fault.name().equals("JobStatusInvalidFault")) {
                    log.accept(share.endpoint() + ": " + Statuses.id(result) + " cannot be cancelled: "
                            + CreamFaults.text(fault));
                }
            }
        }
    }

    private void events(Contacts.Contact contact, LiveJobs.Share share, Grants.Grant grant) throws CreamException {
        long next = grant.nextEvent();
        String database = grant.database();
        // the first time only what can be about our jobs, however many others the owner has had there
        String since = next == 0
                ? Instant.ofEpochMilli(grant.since() - CLOCKS_DIFFER_MS).toString()
                : null;
        for (int i = 0; i < PAGES_MAX; i++) {
            XmlElement answer = contact.cream()
                    .events(
                            contact.endpoint(),
                            new CreamClient.Events(Long.toString(next), null, since, EVENTS, List.of()));
            String answered = String.valueOf(answer.childText(TYPES, "dbId"));
            if (database != null && !database.equals(answered)) {
                log.accept(share.endpoint() + " has another database than before: each job is asked for.");
                live.forgetHeard(share);
                changes.told(
                        share.endpoint(),
                        List.of(),
                        new Grants.Cursor(share.owner(), share.endpoint(), answered, 0),
                        clock.millis());
                return;
            }
            database = answered;
            List<JobChanges.Told> told = new ArrayList<>();
            long last = next;
            int count = 0;
            for (XmlElement event : answer.children()) {
                if (event.is(TYPES, "event")) {
                    count++;
                    last = Math.max(last, number(event) + 1);
                    JobChanges.Told state = Statuses.ofEvent(event, clock.millis());
                    if (state != null) {
                        told.add(state);
                    }
                }
            }
            next = last;
            changes.told(
                    share.endpoint(),
                    told,
                    new Grants.Cursor(share.owner(), share.endpoint(), database, next),
                    clock.millis());
            if (count < EVENTS) {
                return;
            }
        }
    }

    private static long number(XmlElement event) {
        String text = event.childText(TYPES, "id");
        return text != null && text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    }

    /**
     * Asks for jobs. A request that is refused whole is asked in halves, down to the job that is the reason.
     *
     * @param results to which those that came are added
     * @param most how many requests may be refused
     * @return how many more may be
     * @throws CreamException the computing element does not answer, or not to this owner
     */
    private int ask(Contacts.Contact contact, String operation, List<String> ids, List<XmlElement> results, int most)
            throws CreamException {
        try {
            results.addAll(contact.cream().jobs(contact.endpoint(), operation, CreamClient.Filter.of(ids)));
            return most;
        } catch (CreamException e) {
            Trouble trouble = Trouble.of(e);
            if (trouble.isOfElement() || trouble == Trouble.IDENTITY) {
                throw e;
            }
            if (ids.size() == 1 || most <= 1) {
                log.accept(contact.endpoint() + ": " + operation + " of " + ids.getFirst() + ": " + e.getMessage());
                return most - 1;
            }
            int middle = ids.size() / 2;
            int left = ask(contact, operation, ids.subList(0, middle), results, most - 1);
            return left <= 0 ? left : ask(contact, operation, ids.subList(middle, ids.size()), results, left);
        }
    }

    /**
     * Jobs of which no event has told since they were registered: one may have come between the registration and our writing it down. And
     * those of which nothing was heard for half an hour.
     */
    private void silent(Contacts.Contact contact, LiveJobs.Share share) throws CreamException {
        long began = clock.millis();
        int untold = 0;
        for (int i = 0; i < ROUNDS_MAX; i++) {
            List<String> ids = live.silent(share, began - SILENCE_MS, JOBS, untold);
            if (ids.isEmpty()) {
                return;
            }
            List<JobChanges.Told> told = new ArrayList<>();
            List<XmlElement> results = new ArrayList<>();
            int unused = ask(contact, "JobStatus", ids, results, REFUSED_MAX);
            for (XmlElement result : results) {
                JobChanges.Told state = Statuses.of(result, clock.millis());
                if (state != null) {
                    told.add(state);
                }
            }
            changes.told(share.endpoint(), told, null, clock.millis());
            // the others need not wait for those
            untold += Math.max(0, ids.size() - told.size());
        }
    }
}
