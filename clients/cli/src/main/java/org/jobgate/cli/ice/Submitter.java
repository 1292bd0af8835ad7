// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;
import static org.jobgate.cli.cream.CreamClient.TYPES;

import java.net.ProtocolException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jobgate.cli.cream.CreamClient;
import org.jobgate.cli.cream.CreamException;
import org.jobgate.cli.cream.CreamFaults;
import org.jobgate.cli.cream.LocalJdl;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * Registers jobs and starts them, many by one request. For one thread.
 *
 * <p>A computing element that knows repeated registrations (Jobgate says so in getServiceInfo) gets those of which no answer came once more
 * with the same key, and answers the same jobs. At another one every job is registered first and started by a second request: a registration
 * that is repeated there leaves a job that is never started, and that CREAM removes after two days.
 */
final class Submitter {

    private static final long IDENTITY_PAUSE_MS = 30_000;
    private static final long FAULT_PAUSE_MS = 10_000;
    private static final String REPEATABLE = "REPEATABLE_REGISTRATION";

    /** CREAM's sentence while it takes no jobs. */
    private static final String TAKES_NONE = "The CREAM service cannot accept jobs at the moment";

    private final JobChanges changes;
    private final Outages outages;
    private final Users users;
    private final GrantKeeper grants;
    private final Contacts contacts;
    private final Clock clock;
    private final Consumer<String> log;
    private final Refusals refusals;

    /** Jobs in the last request to register some; 0 where none was sent since they were taken. */
    private int sent;

    /** Why it takes no more jobs of this owner at present; null where it does, as far as is known. */
    private @Nullable String closed;

    Submitter(
            JobChanges changes,
            Outages outages,
            Users users,
            GrantKeeper grants,
            Contacts contacts,
            Clock clock,
            Consumer<String> log) {
        this.changes = requireNonNull(changes, "changes is null");
        this.outages = requireNonNull(outages, "outages is null");
        this.users = requireNonNull(users, "users is null");
        this.grants = requireNonNull(grants, "grants is null");
        this.contacts = requireNonNull(contacts, "contacts is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.log = requireNonNull(log, "log is null");
        this.refusals = new Refusals(changes, outages, clock);
    }

    /** Brings jobs further that are of one owner and for one computing element. */
    void work(List<QueuedJob> jobs) {
        QueuedJob first = jobs.getFirst();
        List<QueuedJob> left = new ArrayList<>(jobs);
        sent = 0;
        closed = null;
        try {
            Contacts.Contact contact = contacts.to(first.endpoint(), users.best(first.owner()));
            if (first.remote() != null) {
                resume(contact, left);
                if (!left.isEmpty()) {
                    changes.later(left, clock.millis() + FAULT_PAUSE_MS, "JobStatus did not say how it is", false);
                }
            } else {
                Optional<Boolean> isRepeatable = prepared(contact, left);
                if (isRepeatable.isEmpty()) {
                    return;
                }
                while (!left.isEmpty() && closed == null) {
                    register(contact, left, isRepeatable.get());
                }
                if (closed != null) {
                    elsewhere(left, closed);
                    return;
                }
            }
            outages.answered(first.endpoint(), first.owner());
        } catch (CredentialException e) {
            log.accept(e.getMessage() + " The jobs of " + first.owner() + " wait.");
            changes.later(left, clock.millis() + IDENTITY_PAUSE_MS, String.valueOf(e.getMessage()), true);
        } catch (CreamException e) {
            failed(left, e);
        }
    }

    /**
     * Does at the computing element what registrations need. Where that fails none was sent: the jobs are free to go elsewhere.
     *
     * @return whether a registration may be repeated there; empty where the jobs went back to the queue
     */
    private Optional<Boolean> prepared(Contacts.Contact contact, List<QueuedJob> jobs) {
        QueuedJob first = jobs.getFirst();
        try {
            Grants.Grant unused = grants.keep(contact);
            return Optional.of(outages.isRepeatable(first.endpoint(), () -> saysRepeatable(contact)));
        } catch (CreamException e) {
            long unused = Trouble.of(e).isOfElement()
                    ? outages.failed(first.endpoint())
                    : outages.failed(first.endpoint(), first.owner());
            log.accept(first.endpoint() + ": " + e.getMessage());
            elsewhere(jobs, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private void failed(List<QueuedJob> jobs, CreamException e) {
        String endpoint = jobs.getFirst().endpoint();
        String owner = jobs.getFirst().owner();
        String reason = String.valueOf(e.getMessage());
        Trouble trouble = Trouble.of(e);
        log.accept(endpoint + ": " + reason);
        switch (trouble) {
            case NOT_SENT -> {
                long unused = outages.failed(endpoint);
                elsewhere(jobs, reason);
            }
            case NO_ANSWER -> changes.later(jobs, outages.failed(endpoint), reason, false);
            case CLOSED -> {
                long unused = outages.failed(endpoint, owner);
                elsewhere(jobs, reason);
            }
            case NOT_LET_IN -> refusals.unclear(jobs, sent, reason, true);
            case UNCLEAR -> refusals.unclear(jobs, sent, reason, false);
            case IDENTITY -> {
                outages.answered(endpoint);
                changes.later(jobs, clock.millis() + IDENTITY_PAUSE_MS, reason, true);
            }
            case REFUSED, OURS -> {
                outages.answered(endpoint);
                refusals.whole(jobs, sent, reason);
            }
        }
    }

    /** Jobs that were surely not registered there now: to another queue of theirs at once. Where none can be asked, they wait until one can. */
    private void elsewhere(List<QueuedJob> jobs, String reason) {
        changes.later(jobs, clock.millis(), reason, true);
    }

    private static boolean saysRepeatable(Contacts.Contact contact) throws CreamException {
        return contact.cream().serviceInfo(contact.endpoint(), 1).children().stream()
                .anyMatch(child -> child.is(TYPES, "property") && REPEATABLE.equals(child.childText(TYPES, "name")));
    }

    /** A job with the JDL that is sent for it. */
    private record Ready(QueuedJob job, String jdl, List<Path> files) {}

    /** Registers as many of the jobs as one request may have, and takes them out of the list. */
    private void register(Contacts.Contact contact, List<QueuedJob> left, boolean isRepeatable) throws CreamException {
        String owner = left.getFirst().owner();
        int most = Math.min(left.size(), outages.most(left.getFirst().endpoint(), owner));
        Map<String, Ready> ready = new LinkedHashMap<>();
        for (QueuedJob job : List.copyOf(left.subList(0, most))) {
            try {
                LocalJdl jdl = LocalJdl.of(job.jdl(), Map.of());
                ready.put(job.key(), new Ready(job, jdl.at(Places.queue(job.place())), jdl.files()));
            } catch (CreamException e) {
                left.remove(job);
                changes.refused(job, String.valueOf(e.getMessage()), clock.millis());
            }
        }
        if (ready.isEmpty()) {
            return;
        }
        String grant = grants.id(owner);
        long asked = clock.millis();
        sent = ready.size();
        List<XmlElement> results = contact.cream()
                .register(
                        contact.endpoint(),
                        ready.values().stream()
                                .map(each -> new CreamClient.Description(
                                        each.job().key(),
                                        each.jdl(),
                                        grant,
                                        grants.hasLeases() ? grant : null,
                                        isRepeatable && each.files().isEmpty()))
                                .toList());
        List<JobChanges.Registered> registered = new ArrayList<>();
        for (XmlElement result : results) {
            Ready each = ready.get(String.valueOf(result.attribute("", "jobDescriptionId")));
            if (each != null) {
                XmlElement id = result.child(TYPES, "jobId");
                if (id == null) {
                    refused(each.job(), CreamFaults.in(result));
                } else {
                    registered.add(new JobChanges.Registered(
                            each.job(),
                            String.valueOf(id.childText(TYPES, "id")),
                            property(id, "CREAMInputSandboxURI"),
                            isRepeatable && each.files().isEmpty(),
                            asked));
                }
                ready.remove(each.job().key());
                left.remove(each.job());
            }
        }
        outages.grown(contact.endpoint().toString(), owner, sent);
        changes.registered(registered, clock.millis());
        if (closed != null) {
            if (!registered.isEmpty()) {
                // it goes on taking some: the pauses begin anew
                outages.answered(contact.endpoint().toString(), owner);
            }
            long unused = outages.failed(contact.endpoint().toString(), owner);
        }
        start(contact, registered);
        if (!ready.isEmpty()) {
            // those without a result may be there: they are asked for again at the same place
            String lacks = contact.endpoint() + " answered JobRegister without a result for each job.";
            throw new CreamException(lacks, new ProtocolException(lacks));
        }
    }

    private void refused(QueuedJob job, @Nullable XmlElement fault) {
        String reason = fault == null ? "the service gave no job and no reason" : CreamFaults.text(fault);
        long now = clock.millis();
        if (fault != null && isForLater(fault)) {
            closed = reason;
            elsewhere(List.of(job), reason);
            return;
        }
        String name = fault == null ? "" : fault.name();
        switch (name) {
            case "DelegationIdMismatchFault", "DelegationProxyFault" -> {
                grants.forgetDelegation(job.owner(), job.endpoint());
                changes.later(List.of(job), now + FAULT_PAUSE_MS, reason, true);
            }
            case "LeaseIdMismatchFault" -> {
                grants.forgetLease(job.owner(), job.endpoint());
                changes.later(List.of(job), now + FAULT_PAUSE_MS, reason, true);
            }
            default -> changes.refused(job, reason, now);
        }
    }

    /** Whether it takes no jobs at present: that is no fault of this one. A result of one job has no fault of its own for it. */
    private static boolean isForLater(XmlElement fault) {
        return fault.name().equals("JobSubmissionDisabledFault")
                || (fault.name().equals("GenericFault") && TAKES_NONE.equals(fault.childText(TYPES, "Description")));
    }

    private static @Nullable String property(XmlElement id, String name) {
        for (XmlElement child : id.children()) {
            if (child.is(TYPES, "property") && name.equals(child.childText(TYPES, "name"))) {
                return child.childText(TYPES, "value");
            }
        }
        return null;
    }

    private void start(Contacts.Contact contact, List<JobChanges.Registered> registered) {
        List<QueuedJob> jobs = new ArrayList<>();
        for (JobChanges.Registered each : registered) {
            if (!each.isStarted()) {
                QueuedJob job = each.job();
                jobs.add(new QueuedJob(
                        job.id(),
                        job.owner(),
                        job.proxy(),
                        job.place(),
                        job.endpoint(),
                        job.key(),
                        true,
                        each.remote(),
                        each.sandbox(),
                        job.jdl(),
                        job.attempt()));
            }
        }
        if (!jobs.isEmpty()) {
            try {
                start(contact, jobs, new ArrayList<>());
            } catch (CreamException e) {
                failed(jobs, e);
            }
        }
    }

    /** Jobs that are registered, and of which it is not known whether they were started. */
    private void resume(Contacts.Contact contact, List<QueuedJob> jobs) throws CreamException {
        Map<String, QueuedJob> waiting = new LinkedHashMap<>();
        jobs.forEach(job -> waiting.put(String.valueOf(job.remote()), job));
        List<JobChanges.Told> told = new ArrayList<>();
        List<QueuedJob> startable = new ArrayList<>();
        for (XmlElement result : contact.cream()
                .jobs(contact.endpoint(), "JobStatus", CreamClient.Filter.of(List.copyOf(waiting.keySet())))) {
            JobChanges.Told state = Statuses.of(result, clock.millis());
            QueuedJob job = state == null ? null : waiting.get(state.remote());
            if (state != null && job != null) {
                if (state.state() == IceState.REGISTERED) {
                    startable.add(job);
                } else {
                    told.add(state);
                    jobs.remove(job);
                }
            }
        }
        changes.told(contact.endpoint().toString(), told, null, clock.millis());
        if (!startable.isEmpty()) {
            start(contact, startable, jobs);
        }
    }

    /** Brings the files of jobs and starts them; takes those that were started out of the list. */
    private void start(Contacts.Contact contact, List<QueuedJob> jobs, List<QueuedJob> left) throws CreamException {
        List<QueuedJob> startable = new ArrayList<>();
        for (QueuedJob job : jobs) {
            try {
                bring(contact, job);
                startable.add(job);
            } catch (CreamException e) {
                if (Trouble.of(e) != Trouble.OURS) {
                    throw e;
                }
                // the others need not wait for a file of this one
                String reason = String.valueOf(e.getMessage());
                log.accept(contact.endpoint() + ": " + reason);
                changes.later(List.of(job), clock.millis() + FAULT_PAUSE_MS, reason, false);
                left.remove(job);
            }
        }
        if (startable.isEmpty()) {
            return;
        }
        Map<String, QueuedJob> asked = new LinkedHashMap<>();
        startable.forEach(job -> asked.put(String.valueOf(job.remote()), job));
        List<XmlElement> results = contact.cream()
                .jobs(contact.endpoint(), "JobStart", CreamClient.Filter.of(List.copyOf(asked.keySet())));
        List<QueuedJob> refused = new ArrayList<>();
        for (XmlElement result : results) {
            if (CreamFaults.in(result) != null) {
                QueuedJob job = asked.remove(Statuses.id(result));
                if (job != null) {
                    refused.add(job);
                }
            }
        }
        changes.started(asked.values(), clock.millis());
        left.removeAll(startable);
        if (!refused.isEmpty()) {
            // it was started before, or is over: its state says which
            changes.later(refused, clock.millis() + FAULT_PAUSE_MS, "JobStart was refused", false);
        }
    }

    private static void bring(Contacts.Contact contact, QueuedJob job) throws CreamException {
        for (Path file : LocalJdl.of(job.jdl(), Map.of()).files()) {
            String sandbox = job.sandbox();
            if (sandbox == null) {
                throw new CreamException(contact.endpoint() + " does not say where files are to be brought.");
            }
            contact.files().bring(file, sandbox, contact.endpoint());
        }
    }
}
