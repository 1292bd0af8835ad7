// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.job.Fault;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jobgate.store.Writes;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;

/** What the service says of itself, and the switch by which an administrator closes this door to new jobs; it holds over a restart. */
final class ServiceInfo {

    /** The version of the WSDL that is served here. */
    private static final String INTERFACE = "2.1";

    private static final String ADMINISTRATORS = "cream.administrators";

    private static final String SWITCH = "accepts";
    private static final String CLOSED = "An administrator of the site has disabled the submission of new jobs.";

    private static final String DRAINED = "The gateway takes no new jobs at present; those that are there go on.";

    private final Jobs jobs;
    private final DoorRecords records;
    private final CreamSettings settings;
    private final CreamIds ids;
    private final Clock clock;
    private final Instant started;

    ServiceInfo(Jobs jobs, DoorRecords records, CreamSettings settings, CreamIds ids, Clock clock) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.records = requireNonNull(records, "records is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.ids = requireNonNull(ids, "ids is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.started = clock.instant();
    }

    /** Why no new job would be taken; empty where one would. */
    private Optional<String> closed() {
        if (!isOpen()) {
            return Optional.of(CLOSED);
        }
        Optional<String> why = jobs.closed().map(Fault::sentence);
        return why.isPresent() || jobs.isAccepting() ? why : Optional.of(DRAINED);
    }

    /** Whether this door is open; the gateway may take no jobs all the same. */
    private boolean isOpen() {
        return records.findRecord(CreamIds.KIND, SWITCH)
                .map(record -> Boolean.parseBoolean(record.body()))
                .orElse(true);
    }

    /**
     * Refuses new jobs where the door is closed to them.
     *
     * @throws CreamFault JobSubmissionDisabledFault
     */
    void checkAccepts() {
        if (!isOpen()) {
            throw CreamFault.submissionDisabled(CLOSED);
        }
    }

    /** Opens or closes the door to new jobs. */
    void accept(Caller caller, XmlElement request) {
        caller.requireAdministrator(
                ADMINISTRATORS, settings.administrators(), "enable or disable the submission of jobs");
        boolean wanted = switch (request.trimmedText()) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default ->
                throw new CreamFault(
                        FaultKind.GENERIC,
                        Operation.ACCEPT.word(),
                        "'" + CreamNames.shown(request.trimmedText()) + "' is neither true nor false.",
                        "Send one of them.");
        };
        caller.hasAdministered("CREAM acceptNewJobSubmissions " + wanted);
        Writes.await(records.putRecord(
                new DoorRecord(CreamIds.KIND, SWITCH, null, null, Boolean.toString(wanted), clock.instant())));
    }

    /** Answers getServiceInfo. */
    XmlContent answer() {
        Optional<String> closed = closed();
        String database = ids.database();
        return out -> write(out, closed, database);
    }

    private void write(XmlWriter out, Optional<String> closed, String database) {
        out.open(CreamNames.types("ServiceInfoResponse"));
        out.element(CreamNames.types("interfaceVersion"), INTERFACE);
        out.element(CreamNames.types("serviceVersion"), settings.version());
        out.element(CreamNames.types("description"), "CREAM 2, served by Jobgate");
        out.element(CreamNames.types("startupTime"), CreamNames.time(started));
        out.element(CreamNames.types("doesAcceptNewJobSubmissions"), Boolean.toString(closed.isEmpty()));
        JobViews.property(out, "cemon_url", CreamNames.NOT_AVAILABLE);
        JobViews.property(out, "DB_ID", database);
        // our own: a registration that comes again with a UUID as its jobDescriptionId is the same one
        JobViews.property(out, "REPEATABLE_REGISTRATION", "UUID");
        closed.ifPresent(why -> {
            JobViews.property(out, "SUBMISSION_ERROR_MESSAGE", why);
            if (!why.equals(CLOSED)) {
                JobViews.property(out, "SUBMISSION_THRESHOLD_MESSAGE", why);
            }
        });
        JobViews.property(
                out, "MAX_LEASE_TIME", Long.toString(settings.longestLease().toSeconds()));
        out.element(CreamNames.types("status"), "RUNNING");
        out.close();
    }
}
