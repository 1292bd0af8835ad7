// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import org.jobgate.access.Caller;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.XmlElement;

/** Where requests to move files are made (captures 30 and 35). */
final class RftFactory implements SoapService {

    private final RftSettings settings;
    private final RftRequests requests;
    private final RequestRules rules;
    private final RftCallers callers;
    private final String baseUrl;
    private final Clock clock;
    private final SecureRandom random;
    private final Map<Generation, RftFaults> faults;
    private final Map<Generation, RftProperties<RftRequests.Figures>> properties = new EnumMap<>(Generation.class);

    RftFactory(
            RftSettings settings,
            RftRequests requests,
            RequestRules rules,
            RftCallers callers,
            String baseUrl,
            Map<Generation, RftFaults> faults,
            Clock clock,
            SecureRandom random) {
        this.settings = requireNonNull(settings, "settings is null");
        this.requests = requireNonNull(requests, "requests is null");
        this.rules = requireNonNull(rules, "rules is null");
        this.callers = requireNonNull(callers, "callers is null");
        this.baseUrl = requireNonNull(baseUrl, "baseUrl is null");
        this.faults = faults;
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
        faults.forEach((generation, own) -> properties.put(
                generation,
                RftProperties.ofFactory(generation, own, clock.instant(), baseUrl + "/DelegationFactoryService")));
    }

    @Override
    public String name() {
        return RftNames.FACTORY;
    }

    @Override
    public Reply answer(SoapCall call) {
        return switch (call.body().localName()) {
            case "createReliableFileTransferRequest" -> create(call);
            case "GetResourceProperty", "GetMultipleResourceProperties" ->
                requireNonNull(properties.get(Generation.of(call))).answer(call, requests.figures());
            case "QueryResourceProperties" ->
                requireNonNull(properties.get(Generation.of(call))).query(call, requests.figures(), settings.queries());
            default ->
                throw SoapFaultException.client(name()
                        + " has no such operation. It has: createReliableFileTransferRequest, GetResourceProperty,"
                        + " GetMultipleResourceProperties, QueryResourceProperties.");
        };
    }

    private Reply create(SoapCall call) {
        Generation generation = Generation.of(call);
        Caller caller = callers.of(call);
        String account = caller.transferAccount();
        StoredRequest request = new RequestReading(settings.files())
                .read(call.body(), JobId.create(clock, random).toString(), caller.subject(), account);
        rules.check(request).ifPresent(missing -> {
            throw requireNonNull(faults.get(generation)).noCredential(missing);
        });
        Instant terminates = requests.create(request, terminates(call)).terminates();
        return new Reply(RftNames.factoryAction(generation, "createReliableFileTransferResponse"), out -> {
            out.open(generation.transfer("createReliableFileTransferResponse"));
            out.element(generation.transfer("NewTerminationTime"), Times.format(terminates));
            out.element(generation.transfer("CurrentTime"), Times.format(clock.instant()));
            EndpointReference.of(baseUrl + "/" + RftNames.SERVICE, generation.transfer(RftNames.KEY), request.key())
                    .write(out, generation, generation.transfer("reliableTransferEPR"));
            out.close();
        });
    }

    private Instant terminates(SoapCall call) {
        XmlElement asked = call.body().child("InitialTerminationTime").orElse(null);
        if (asked == null || asked.isNil()) {
            return requests.latest();
        }
        try {
            return requests.allowed(Times.parse(asked.text(), clock.instant()));
        } catch (IllegalArgumentException e) {
            throw SoapFaultException.client("InitialTerminationTime is " + e.getMessage() + ".");
        } catch (FaultException e) {
            throw requireNonNull(faults.get(Generation.of(call)))
                    .terminationTimeRefused(
                            e.fault().sentence() + " " + e.fault().remedy());
        }
    }
}
