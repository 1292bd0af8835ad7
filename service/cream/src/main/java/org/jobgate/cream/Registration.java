// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.access.JobPermit;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.jdl.Jdl;
import org.jobgate.jdl.JdlReader;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.Owner;
import org.jobgate.jobs.JobsBySubject.BulkAnswer;
import org.jobgate.jobs.Submission;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code JobRegister}: takes jobs, each by itself, and stores those that are good in one transaction. A job that is not to start alone is
 * held before its files are fetched, until {@code JobStart} lets it go.
 */
final class Registration {

    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

    private static final String OPERATION = "JobRegister";
    private static final JobOrigin ORIGIN = new JobOrigin(DoorAddresses.CREAM, "jdl");

    /**
     * A client that wants a repeated request to be the same job gives the job a UUID. CREAM's own clients number the jobs of one request
     * by addresses of their memory, which come again.
     */
    private static final Pattern CLIENT_ID =
            Pattern.compile("(urn:)?(uuid:)?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private final DoorContext door;
    private final CreamSettings settings;
    private final JobBook book;
    private final CreamIds ids;
    private final Leases leases;
    private final Sandboxes sandboxes;
    private final @Nullable Delegations delegations;
    private final Housekeeping housekeeping;
    private final JobViews views;
    private final JdlReader reader;

    Registration(
            DoorContext door,
            CreamSettings settings,
            JobBook book,
            CreamIds ids,
            Leases leases,
            Sandboxes sandboxes,
            Housekeeping housekeeping,
            JobViews views) {
        this.door = requireNonNull(door, "door is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.book = requireNonNull(book, "book is null");
        this.ids = requireNonNull(ids, "ids is null");
        this.leases = requireNonNull(leases, "leases is null");
        this.sandboxes = requireNonNull(sandboxes, "sandboxes is null");
        this.delegations = door.delegations();
        this.housekeeping = requireNonNull(housekeeping, "housekeeping is null");
        this.views = requireNonNull(views, "views is null");
        this.reader = new JdlReader(settings.jobs());
    }

    /** One job of a request and what became of it. */
    private static final class Item {

        private final XmlElement description;
        private final @Nullable String descriptionId;
        private @Nullable CreamJob kept;
        private @Nullable Submission submission;
        private @Nullable CreamFault fault;

        /** The job whose directories were made in this request. */
        private @Nullable CreamJob made;

        Item(XmlElement description) {
            this.description = description;
            this.descriptionId = description.attribute("jobDescriptionId").orElse(null);
        }

        /** What a client names the job by that wants repeated requests to be one; null where it does not. */
        @Nullable
        String clientId() {
            return descriptionId != null && CLIENT_ID.matcher(descriptionId).matches() ? descriptionId : null;
        }

        CreamJob kept() {
            return requireNonNull(kept, "a job that was not prepared");
        }

        String lrm() {
            return submission().lrm();
        }

        Submission submission() {
            return requireNonNull(submission, "a job that was not prepared");
        }
    }

    /** Registers the jobs of the request. */
    XmlContent answer(Caller caller, XmlElement request, boolean isOfIce) {
        List<Item> items = register(caller, request);
        String database = isOfIce ? ids.database() : null;
        return out -> write(out, items, database);
    }

    private void write(XmlWriter out, List<Item> items, @Nullable String database) {
        out.open(CreamNames.types("JobRegisterResponse"));
        for (Item item : items) {
            out.open(CreamNames.types("result"));
            if (item.descriptionId != null) {
                out.attribute("jobDescriptionId", item.descriptionId);
            }
            if (item.fault != null) {
                item.fault.inAnswer().write(out, door.clock().instant());
            } else {
                views.registered(out, item.kept(), item.lrm(), database);
            }
            out.close();
        }
        out.close();
    }

    private List<Item> register(Caller caller, XmlElement request) {
        JobPermit permit = caller.submit();
        List<XmlElement> descriptions = request.children().stream()
                .filter(child -> child.localName().equals("jobDescriptionList"))
                .toList();
        if (descriptions.isEmpty()) {
            throw CreamFault.invalid(OPERATION, "The request holds no jobDescriptionList.", "Send one for each job.");
        }
        settings.jobs().jobsAtOnce().check(descriptions.size(), "jobs of the request");
        List<Item> items = descriptions.stream().map(Item::new).toList();
        List<Item> good = prepared(caller, permit, items);
        submit(permit, good);
        List<Item> late = good.stream()
                .filter(item -> item.fault != null && item.made != null && isThere(permit, item))
                .toList();
        submit(permit, prepared(caller, permit, late));
        if (items.stream().allMatch(item -> item.fault != null && item.fault.kind() == FaultKind.SUBMISSION_DISABLED)) {
            throw requireNonNull(items.getFirst().fault);
        }
        checkLeases(permit.subject(), good);
        return items;
    }

    /** Those that can be stored; the others have a fault. */
    private List<Item> prepared(Caller caller, JobPermit permit, List<Item> items) {
        List<Item> good = new ArrayList<>();
        for (Item item : items) {
            item.fault = null;
            item.made = null;
            try {
                prepare(caller, permit, item);
                good.add(item);
            } catch (CreamFault e) {
                item.fault = e;
            } catch (FaultException e) {
                item.fault = refused(e.fault());
                discard(permit, item);
            }
        }
        return good;
    }

    /** A request that was sent twice can be worked on twice at once: the second is refused as another job, having got an id of its own. */
    private boolean isThere(JobPermit permit, Item item) {
        String clientId = item.clientId();
        return clientId != null
                && door.jobs()
                        .findByClientId(permit, DoorAddresses.CREAM, clientId)
                        .isPresent();
    }

    private void submit(JobPermit permit, List<Item> good) {
        List<BulkAnswer> answers = door.jobs()
                .submitAll(permit, good.stream().map(Item::submission).toList());
        for (int i = 0; i < good.size(); i++) {
            Item item = good.get(i);
            BulkAnswer answer = answers.get(i);
            if (answer.submitted() == null) {
                item.fault = refused(requireNonNull(answer.fault()));
                discard(permit, item);
            } else if (!answer.submitted().isNew()) {
                item.kept = book.of(answer.submitted().job().id()).orElse(item.kept);
                discard(permit, item);
            }
        }
    }

    /** No job has these directories: it was refused, or another request had made the same job already. */
    private void discard(JobPermit permit, Item item) {
        CreamJob made = item.made;
        if (made != null
                && !made.directory().equals(item.fault == null ? item.kept().directory() : "")) {
            try {
                sandboxes.remove(permit.account(Optional.empty()), made);
            } catch (FaultException e) {
                LOG.warn("The sandbox {} of a job that was not taken is left: {}", made.directory(), e.getMessage());
            }
        }
    }

    /** A lease that went away while its jobs were being stored has not ended them. */
    private void checkLeases(String owner, List<Item> good) {
        boolean isLate = good.stream()
                .filter(item -> item.fault == null)
                .map(item -> item.kept().lease())
                .anyMatch(lease -> lease != null && leases.find(owner, lease).isEmpty());
        if (isLate) {
            housekeeping.cancelUnleased(owner);
        }
    }

    private void prepare(Caller caller, JobPermit permit, Item item) {
        XmlElement description = item.description;
        String text = description.child("JDL").map(XmlElement::text).orElse("");
        boolean startsAlone = startsAlone(description);
        String delegation = delegation(caller, description);
        String lease = lease(permit.subject(), description);
        Jdl jdl = reader.read(text);
        String lrm = LrmNames.find(jdl.lrm(), door.jobs().lrms());
        String account = permit.account(Optional.empty());
        String clientId = item.clientId();
        CreamJob before = clientId == null
                ? null
                : door.jobs()
                        .findByClientId(permit, DoorAddresses.CREAM, clientId)
                        .map(Job::id)
                        .flatMap(book::of)
                        .orElse(null);
        String id = before == null ? ids.mint() : before.id();
        String directory = before == null ? sandboxes.directory(account, id) : before.directory();
        JobId job = before == null ? newId(permit, account, clientId) : before.job();
        CreamJob kept = new CreamJob(
                id,
                job,
                permit.subject(),
                delegation,
                lease,
                directory,
                jdl.grid().jobId(),
                startsAlone,
                jdl.grid().maxOutputBytes() != null,
                door.clock().instant());
        List<EnvironmentVariable> names =
                before == null ? JobAdditions.names(views.fullId(id)) : namesOf(caller, before);
        JobDescription wanted = JobAdditions.completed(jdl.description(Sandboxes.places(directory)), kept, names);
        if (before == null) {
            item.made = kept;
            sandboxes.make(account, directory, jdl);
        }
        item.kept = kept;
        item.submission = new Submission(
                before == null ? job : newId(permit, account, clientId),
                ORIGIN,
                new Owner(permit.subject(), account),
                clientId,
                lrm,
                wanted,
                null,
                null,
                book.records(kept, text));
    }

    private JobId newId(JobPermit permit, String account, @Nullable String clientId) {
        return door.jobs().newId(new Owner(permit.subject(), account), DoorAddresses.CREAM, clientId);
    }

    /** What a job that is there is called in its environment: a repeated request is the same one after the service has got another address. */
    private List<EnvironmentVariable> namesOf(Caller caller, CreamJob job) {
        return door.jobs()
                .description(caller, job.job())
                .map(description -> JobAdditions.namesIn(description.environment()))
                .orElseGet(() -> JobAdditions.names(views.fullId(job.id())));
    }

    private static boolean startsAlone(XmlElement description) {
        String text = JobFilter.text(description, "autoStart").orElse("true");
        return switch (text) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default ->
                throw new CreamFault(
                        FaultKind.GENERIC,
                        OPERATION,
                        "The element autoStart says '" + CreamNames.shown(text) + "'.",
                        "Write true or false.");
        };
    }

    private @Nullable String delegation(Caller caller, XmlElement description) {
        Optional<String> id = JobFilter.text(description, "delegationId");
        if (id.isEmpty()) {
            if (settings.requiresDelegation()) {
                throw new CreamFault(
                        FaultKind.DELEGATION_MISMATCH,
                        OPERATION,
                        "delegationId not specified!",
                        "Delegate a credential first and name it.");
            }
            return null;
        }
        String named = id.get();
        Optional<Instant> end = end(caller, description, named);
        if (end.isEmpty()) {
            throw new CreamFault(
                    FaultKind.DELEGATION_MISMATCH,
                    OPERATION,
                    "delegation \"" + CreamNames.shown(named) + "\" not found!",
                    "None of yours has this id. It may have expired or been destroyed: delegate again.");
        }
        if (!end.get().isAfter(door.clock().instant())) {
            throw new CreamFault(
                    FaultKind.DELEGATION_PROXY,
                    OPERATION,
                    "delegation error: the proxy is expired",
                    "It ended at " + CreamNames.time(end.get()) + ". Renew the delegation.");
        }
        return named;
    }

    /** When the credential ends. A proxy in the request itself answers the delegation that the client has begun under this id. */
    private Optional<Instant> end(Caller caller, XmlElement description, String id) {
        Delegations all = delegations;
        if (all == null || !id.matches(Delegations.ID)) {
            return Optional.empty();
        }
        Optional<String> proxy = JobFilter.text(description, "delegationProxy");
        try {
            return proxy.isPresent()
                    ? Optional.of(all.put(caller, id, proxy.get()).expires())
                    : all.find(caller, id).map(Delegations.Delegation::expires);
        } catch (FaultException e) {
            throw CreamFault.of(FaultKind.DELEGATION_PROXY, OPERATION, e.fault());
        }
    }

    private @Nullable String lease(String owner, XmlElement description) {
        Optional<String> id = JobFilter.text(description, "leaseId");
        id.filter(name -> leases.find(owner, name).isEmpty()).ifPresent(name -> {
            throw new CreamFault(
                    FaultKind.LEASE_MISMATCH,
                    OPERATION,
                    "lease \"" + CreamNames.shown(name) + "\" not found!",
                    "None of yours has this id. Make it with setLease.");
        });
        return id.orElse(null);
    }

    /** What the core refuses of one job, by the faults that a result of JobRegister can hold. */
    private static CreamFault refused(Fault fault) {
        if (CreamFault.isForLater(fault)) {
            return CreamFault.disabled(fault);
        }
        FaultKind kind = fault.code() == FaultCode.CREDENTIAL_UNUSABLE ? FaultKind.DELEGATION_PROXY : FaultKind.GENERIC;
        return CreamFault.of(kind, OPERATION, fault);
    }
}
