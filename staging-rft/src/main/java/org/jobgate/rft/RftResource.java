// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jobgate.authz.Action;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.WsrfFaults.About;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.soap.SoapService;
import org.jobgate.transfer.TransferRecord;
import org.jobgate.transfer.TransferState;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;

/** One request to move files: started, watched, cancelled, ended; by its owner only. */
final class RftResource implements SoapService {

    private static final int MOST_STATUSES = 10_000;

    private final RftRequests requests;
    private final StatusWaits waits;
    private final RftSubscribing subscribing;
    private final RftCallers callers;
    private final QueryLimits limits;
    private final Clock clock;
    private final Map<Generation, RftFaults> faults;
    private final Map<Generation, RftProperties<RftRequests.Present>> properties = new EnumMap<>(Generation.class);

    RftResource(
            RftRequests requests,
            StatusWaits waits,
            RftSubscribing subscribing,
            RftCallers callers,
            QueryLimits limits,
            Map<Generation, RftFaults> faults,
            Clock clock) {
        this.requests = requireNonNull(requests, "requests is null");
        this.waits = requireNonNull(waits, "waits is null");
        this.subscribing = requireNonNull(subscribing, "subscribing is null");
        this.callers = requireNonNull(callers, "callers is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.faults = faults;
        faults.forEach(
                (generation, own) -> properties.put(generation, RftProperties.ofRequests(generation, own, clock)));
    }

    @Override
    public String name() {
        return RftNames.SERVICE;
    }

    @Override
    public Reply answer(SoapCall call) {
        try {
            return answerOf(call);
        } catch (GoneRequestException e) {
            throw unknown(call, About.PROPERTIES);
        }
    }

    private Reply answerOf(SoapCall call) {
        return switch (call.body().localName()) {
            case "start" -> start(call);
            case "getStatus" -> status(call);
            case "getStatusSet" -> statuses(call);
            case "cancel" -> cancel(call);
            case "Destroy" -> destroy(call);
            case "SetTerminationTime" -> setTerminationTime(call);
            case "GetResourceProperty", "GetMultipleResourceProperties" ->
                properties(call).answer(call, awaited(call));
            case "QueryResourceProperties" ->
                properties(call).query(call, present(call, Action.QUERY, About.PROPERTIES), limits);
            case "Subscribe" -> subscribing.subscribe(call, present(call, Action.QUERY, About.NOTIFICATION));
            case "GetCurrentMessage" ->
                subscribing.currentMessage(call, present(call, Action.QUERY, About.NOTIFICATION));
            default ->
                throw SoapFaultException.client(name()
                        + " has no such operation. It has: start, getStatus, getStatusSet, cancel, Destroy, SetTerminationTime,"
                        + " GetResourceProperty, GetMultipleResourceProperties, QueryResourceProperties, Subscribe,"
                        + " GetCurrentMessage.");
        };
    }

    private RftProperties<RftRequests.Present> properties(SoapCall call) {
        return requireNonNull(properties.get(Generation.of(call)));
    }

    private RftFaults faults(SoapCall call) {
        return requireNonNull(faults.get(Generation.of(call)));
    }

    private RftRequests.Present present(SoapCall call, Action action, About about) {
        return find(call, callers.owner(call, action), about);
    }

    private RftRequests.Present find(SoapCall call, String owner, About about) {
        return requests.find(owner, RftCallers.key(call, Generation.of(call))).orElseThrow(() -> unknown(call, about));
    }

    /** When it is no longer as the caller saw it, where the caller says that. */
    private RftRequests.Present awaited(SoapCall call) {
        String owner = callers.owner(call, Action.QUERY);
        return waits.await(call, () -> find(call, owner, About.PROPERTIES));
    }

    private SoapFaultException unknown(SoapCall call, About about) {
        return faults(call).unknownResource(about, "request to move files");
    }

    private Reply start(SoapCall call) {
        RftRequests.Present present = present(call, Action.MANAGE, About.PROPERTIES);
        var unused = callers.of(call).transferAccount(); // who may no longer submit starts nothing
        if (!requests.begin(present)) {
            throw faults(call).startedAgain();
        }
        return done(call, "startResponse");
    }

    private static Reply done(SoapCall call, String response) {
        Generation generation = Generation.of(call);
        return new Reply(RftNames.action(generation, response), out -> out.empty(generation.transfer(response)));
    }

    /** By the source, or the file to be deleted; the first of several. */
    private Reply status(SoapCall call) {
        RftRequests.Present present = present(call, Action.QUERY, About.PROPERTIES);
        Generation generation = Generation.of(call);
        String wanted = call.body()
                .child("sourceUrl")
                .map(XmlElement::trimmedText)
                .orElseGet(() -> call.body().trimmedText());
        StoredRequest request = present.request();
        List<StoredRequest.File> files = request.files();
        int place = IntStream.range(0, files.size())
                .filter(each -> wanted.equals(shown(files.get(each))))
                .findFirst()
                .orElseThrow(() -> SoapFaultException.client(
                        "No transfer of the request has this source URL. Name one as the request does."));
        TransferRecord record = requests.standing(request).get(place);
        return new Reply(RftNames.action(generation, "getStatusResponse"), out -> {
            out.open(generation.transfer("getStatusResponse"));
            write(out, call, place, files.get(place), record);
            out.close();
        });
    }

    private static String shown(StoredRequest.File file) {
        String source = file.source();
        return source == null ? file.destination() : source;
    }

    /** So many ({@code offset}) from the one that {@code from} says, counted from 1. */
    private Reply statuses(SoapCall call) {
        RftRequests.Present present = present(call, Action.QUERY, About.PROPERTIES);
        Generation generation = Generation.of(call);
        StoredRequest request = present.request();
        List<StoredRequest.File> files = request.files();
        int first = number(call, "from", 1, 1) - 1;
        int end = Math.min(files.size(), first + number(call, "offset", MOST_STATUSES, 0));
        List<TransferRecord> records = requests.standing(request);
        return new Reply(RftNames.action(generation, "getStatusSetResponse"), out -> {
            out.open(generation.transfer("getStatusSetResponse"));
            for (int place = first; place < end; place++) {
                write(out, call, place, files.get(place), records.get(place));
            }
            out.close();
        });
    }

    private static int number(SoapCall call, String name, int byDefault, int least) {
        String text = call.body().child(name).map(XmlElement::trimmedText).orElse("");
        if (text.isEmpty()) {
            return byDefault;
        }
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < least) {
            throw SoapFaultException.client(name + " must be a whole number, at least " + least + ".");
        }
        return Math.min(Integer.parseInt(text), MOST_STATUSES * 10);
    }

    private void write(XmlWriter out, SoapCall call, int place, StoredRequest.File file, TransferRecord record) {
        Generation generation = Generation.of(call);
        out.open(generation.transfer("transferStatus"));
        out.element(generation.transfer("transferId"), Integer.toString(place + 1));
        out.element(generation.transfer("sourceUrl"), shown(file));
        out.element(generation.transfer("destinationUrl"), file.destination());
        out.element(generation.transfer("attempts"), Integer.toString(record.attempts()));
        out.element(generation.transfer("status"), word(record.state()));
        String error = record.error();
        if (error != null) {
            String remedy = record.remedy();
            faults(call)
                    .write(
                            out,
                            remedy == null || remedy.isEmpty() ? error : error + ". " + remedy,
                            record.state() == TransferState.FAILED,
                            null);
        }
        out.close();
    }

    /** TransferStatusTypeEnumeration (facts/gram4.md section 6.2). */
    private static String word(TransferState state) {
        return switch (state) {
            case PENDING -> "Pending";
            case ACTIVE -> "Active";
            case RETRYING -> "Retrying";
            case FINISHED -> "Finished";
            case FAILED -> "Failed";
            case CANCELLED -> "Cancelled";
        };
    }

    /** From the one that {@code fromId} says to that of {@code toId}, counted from 1, both included; without them all. */
    private Reply cancel(SoapCall call) {
        RftRequests.Present present = present(call, Action.MANAGE, About.PROPERTIES);
        int all = present.request().files().size();
        int from = number(call, "fromId", 1, 1);
        int to = Math.min(all, number(call, "toId", all, 1));
        if (from > to) {
            throw SoapFaultException.client("The request has " + all + " transfers; none are from " + from + " to " + to
                    + ". Name them by their place, from 1.");
        }
        requests.cancel(present, IntStream.range(from - 1, to).boxed().collect(Collectors.toSet()));
        return done(call, "cancelResponse");
    }

    private Reply destroy(SoapCall call) {
        Generation generation = Generation.of(call);
        requests.destroy(present(call, Action.MANAGE, About.LIFETIME).key());
        return new Reply(Actions.destroyed(generation), out -> out.empty(generation.lifetime("DestroyResponse")));
    }

    private Reply setTerminationTime(SoapCall call) {
        Generation generation = Generation.of(call);
        RftRequests.Present present = present(call, Action.MANAGE, About.LIFETIME);
        XmlElement asked = call.body()
                .child("RequestedTerminationTime")
                .or(() -> call.body().child("RequestedLifetimeDuration"))
                .orElseThrow(
                        () -> SoapFaultException.client(
                                "SetTerminationTime must hold RequestedTerminationTime, with xsi:nil=\"true\" for as late as can be."));
        Instant set = endAt(call, present, asked);
        return new Reply(Actions.terminationTimeSet(generation), out -> {
            out.open(generation.lifetime("SetTerminationTimeResponse"));
            out.element(generation.lifetime("NewTerminationTime"), Times.format(set));
            out.element(generation.lifetime("CurrentTime"), Times.format(clock.instant()));
            out.close();
        });
    }

    private Instant endAt(SoapCall call, RftRequests.Present present, XmlElement asked) {
        try {
            return requests.endAt(
                    present, asked.isNil() ? requests.latest() : Times.parse(asked.text(), clock.instant()));
        } catch (IllegalArgumentException e) {
            throw SoapFaultException.client(asked.localName() + " is " + e.getMessage() + ".");
        } catch (FaultException e) {
            if (e.fault().code() == FaultCode.INVALID_TERMINATION_TIME) {
                throw faults(call)
                        .terminationTimeRefused(
                                e.fault().sentence() + " " + e.fault().remedy());
            }
            throw e;
        }
    }
}
