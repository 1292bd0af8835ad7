// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jobgate.access.Caller;
import org.jobgate.access.OwnedKind;
import org.jobgate.door.DoorContext;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/** The service CREAM2: finds out which operation is asked for, and answers it. */
final class CreamService implements SoapService {

    /** Descriptions in one answer of JobInfo: one of them may be as long as a whole request. */
    private static final long JDL_LETTERS = 32L << 20;

    private static final QName ICE = new QName(CreamNames.TYPES, "iceId");

    /** The WSDL has two answers with an empty Body. */
    private static final XmlContent NOTHING = out -> {
        // there is nothing to write
    };

    /** The parts of the door. */
    record Parts(
            Selection selection,
            JobBook book,
            Registration registration,
            JobOrders orders,
            JobViews views,
            Events events,
            Leases leases,
            ServiceInfo info) {}

    private final DoorContext door;
    private final CreamSettings settings;
    private final Parts parts;

    CreamService(DoorContext door, CreamSettings settings, Parts parts) {
        this.door = requireNonNull(door, "door is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.parts = requireNonNull(parts, "parts is null");
    }

    @Override
    public String name() {
        return CreamNames.SERVICE;
    }

    /** The command line of CREAM sends JobList with nothing in the Body. */
    @Override
    public Optional<QName> operationOf(String soapAction) {
        return Operation.ofAction(soapAction).map(operation -> CreamNames.types(operation.element()));
    }

    @Override
    public Set<QName> understoodHeaders() {
        return Set.of(ICE);
    }

    @Override
    public Reply answer(SoapCall call) {
        Operation operation = Operation.ofElement(call.body().localName())
                .orElseThrow(() -> SoapFaultException.client(CreamNames.SERVICE + " has no operation "
                        + CreamNames.shown(call.body().localName()) + "."));
        if (!call.body().name().getNamespaceURI().equals(CreamNames.TYPES)) {
            throw SoapFaultException.client(CreamNames.SERVICE + " speaks the namespace " + CreamNames.TYPES + ".");
        }
        Caller caller = door.access().caller(call.identity());
        try {
            return new Reply(CreamNames.CREAM + "/" + operation.word() + "Response", answered(operation, caller, call));
        } catch (CreamFault e) {
            throw e.soap(door.clock().instant());
        }
    }

    /** All is done and asked for here: what is answered only writes it. */
    private XmlContent answered(Operation operation, Caller caller, SoapCall call) {
        XmlElement body = call.body();
        return switch (operation) {
            case SERVICE_INFO -> {
                caller.subject();
                yield parts.info().answer();
            }
            case ACCEPT -> {
                parts.info().accept(caller, body);
                yield NOTHING;
            }
            case REGISTER -> {
                caller.subject();
                parts.info().checkAccepts();
                yield parts.registration().answer(caller, body, call.header(ICE).isPresent());
            }
            case START, CANCEL, PURGE, SUSPEND, RESUME, SET_LEASE_ID ->
                parts.orders().answer(operation, caller, body);
            case INFO, STATUS -> look(operation, caller, body);
            case LIST -> list(caller);
            case QUERY_EVENT -> parts.events().answer(caller, body);
            case SET_LEASE -> setLease(caller, body);
            case GET_LEASE -> getLease(caller, body);
            case LEASE_LIST -> leases(caller);
            case DELETE_LEASE -> deleteLease(caller, body);
        };
    }

    /** JobInfo and JobStatus: each job has an answer of its own, by the whole URL of its id, which clients use as a key. */
    private XmlContent look(Operation operation, Caller caller, XmlElement body) {
        JobFilter filter =
                JobFilter.read(operation.word(), body, settings.jobs().jobsAtOnce());
        List<XmlContent> results = new ArrayList<>();
        long letters = 0;
        for (Selection.Found found : parts.selection().find(caller, filter)) {
            String jdl = found.fault() == null && operation == Operation.INFO
                    ? parts.book().jdl(found.theKept())
                    : null;
            letters += jdl == null ? 0 : jdl.length();
            if (letters > JDL_LETTERS) {
                throw CreamFault.invalid(
                        operation.word(),
                        "The answer would hold more than " + JDL_LETTERS + " characters of descriptions.",
                        "Ask for fewer jobs at once; JobStatus tells the states of all.");
            }
            results.add(result(found, jdl, caller));
        }
        return out -> {
            out.open(CreamNames.types(operation.word() + "Response"));
            results.forEach(result -> result.write(out));
            out.close();
        };
    }

    /** @param jdl null where only the state is asked for */
    private XmlContent result(Selection.Found found, @Nullable String jdl, Caller caller) {
        CreamFault fault = found.fault();
        XmlContent content = fault != null
                ? out -> fault.write(out, door.clock().instant())
                : jdl != null
                        ? parts.views().info(caller, found.theJob(), found.theKept(), jdl)
                        : parts.views().status("jobStatus", caller, found.theJob(), found.theKept());
        return out -> {
            out.open(CreamNames.types("result"));
            out.attribute("jobDescriptionId", parts.views().fullId(found.id()));
            content.write(out);
            out.close();
        };
    }

    private XmlContent list(Caller caller) {
        List<CreamJob> all = parts.selection().all(caller).stream()
                .map(job -> parts.book().of(job.id()))
                .flatMap(Optional::stream)
                .toList();
        return out -> {
            out.open(CreamNames.types("JobListResponse"));
            all.forEach(job -> parts.views().jobId(out, "result", job.id()));
            out.close();
        };
    }

    private XmlContent setLease(Caller caller, XmlElement body) {
        String name = JobFilter.text(body, "leaseId").orElse("");
        String time = JobFilter.text(body, "leaseTime").orElse("");
        Instant wanted = CreamNames.time("setLease", "leaseTime", time);
        Instant granted = parts.leases().set(caller.manage(OwnedKind.JOBS), name, wanted);
        return out -> Leases.write(out, "setLeaseResponse", name, granted);
    }

    private XmlContent getLease(Caller caller, XmlElement body) {
        String name = body.trimmedText();
        Instant time =
                parts.leases().find(caller.query(OwnedKind.JOBS), name).orElseThrow(() -> noLease("getLease", name));
        return out -> Leases.write(out, "getLeaseResponse", name, time);
    }

    private XmlContent leases(Caller caller) {
        Map<String, Instant> all = parts.leases().list(caller.query(OwnedKind.JOBS));
        return out -> {
            out.open(CreamNames.types("getLeaseListResponse"));
            all.forEach((name, time) -> Leases.write(out, "result", name, time));
            out.close();
        };
    }

    /** The jobs of the lease go on without it. */
    private XmlContent deleteLease(Caller caller, XmlElement body) {
        String name = body.trimmedText();
        String owner = caller.manage(OwnedKind.JOBS);
        if (parts.leases().find(owner, name).isEmpty()) {
            throw noLease("deleteLease", name);
        }
        parts.orders().detach(caller, name);
        parts.leases().delete(owner, name);
        return NOTHING;
    }

    private static CreamFault noLease(String operation, String name) {
        return CreamFault.invalid(
                operation,
                "lease \"" + CreamNames.shown(name) + "\" not found!",
                "None of yours has this id. It may be past.");
    }
}
