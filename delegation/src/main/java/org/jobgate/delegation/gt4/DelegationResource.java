// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.delegation.vault.DelegatedCredential;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.gram.query.QueryLimits;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.soap.SoapService;
import org.jobgate.gram.wsrf.Actions;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.wsrf.Times;
import org.jobgate.gram.xml.XmlElement;
import org.jobgate.gram.xml.XmlWriter;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/** One delegated credential: renewed, asked for its end, given another one, destroyed; by its owner only. */
public final class DelegationResource implements SoapService {

    private final Vault vault;
    private final Intake intake;
    private final Gt4Faults faults;
    private final QueryLimits queryLimits;
    private final Clock clock;

    /** @param queryLimits what a query of the properties may cost */
    public DelegationResource(Vault vault, Intake intake, Gt4Faults faults, QueryLimits queryLimits, Clock clock) {
        this.vault = requireNonNull(vault, "vault is null");
        this.intake = requireNonNull(intake, "intake is null");
        this.faults = requireNonNull(faults, "faults is null");
        this.queryLimits = requireNonNull(queryLimits, "queryLimits is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    @Override
    public String name() {
        return Gt4Names.SERVICE;
    }

    @Override
    public Reply answer(SoapCall call) {
        Generation generation = call.generation();
        QName operation = call.body().name();
        if (Gt4Names.isRefresh(operation)) {
            return refresh(call);
        }
        if (operation.equals(generation.lifetime("Destroy"))) {
            return destroy(call);
        }
        if (operation.equals(generation.lifetime("SetTerminationTime"))) {
            return setTerminationTime(call);
        }
        if (operation.equals(generation.properties("GetResourceProperty"))
                || operation.equals(generation.properties("GetMultipleResourceProperties"))) {
            return properties(call);
        }
        if (operation.equals(generation.properties("QueryResourceProperties"))) {
            return query(call);
        }
        throw Requests.noOperation(
                name(),
                call,
                "refreshRequest, Destroy, SetTerminationTime, GetResourceProperty, GetMultipleResourceProperties,"
                        + " QueryResourceProperties");
    }

    private Reply refresh(SoapCall call) {
        String caller = Requests.caller(call).subject();
        String key = Requests.key(call);
        if (vault.terminates(caller, key).isEmpty()) {
            throw faults.unknown(call.generation(), false);
        }
        intake.take(caller, key, call.body());
        String namespace = call.body().name().getNamespaceURI();
        return new Reply(
                Gt4Names.action(namespace, "DelegationPortType/refreshResponse"),
                out -> out.empty(Gt4Names.deleg(namespace, "voidElemType")));
    }

    private Reply destroy(SoapCall call) {
        Generation generation = call.generation();
        if (!vault.destroy(Requests.caller(call).subject(), Requests.key(call))) {
            throw faults.unknown(generation, true);
        }
        return new Reply(Actions.destroyed(generation), out -> out.empty(generation.lifetime("DestroyResponse")));
    }

    private Reply setTerminationTime(SoapCall call) {
        Generation generation = call.generation();
        Optional<DelegatedCredential> changed;
        try {
            changed = vault.endAt(Requests.caller(call).subject(), Requests.key(call), requestedTime(call.body()));
        } catch (FaultException e) {
            if (e.fault().code() == FaultCode.INVALID_TERMINATION_TIME) {
                throw faults.terminationTimeRefused(
                        generation, e.fault().sentence() + " " + e.fault().remedy());
            }
            throw e;
        }
        DelegatedCredential credential = changed.orElseThrow(() -> faults.unknown(generation, true));
        return new Reply(Actions.terminationTimeSet(generation), out -> {
            out.open(generation.lifetime("SetTerminationTimeResponse"));
            out.element(generation.lifetime("NewTerminationTime"), Times.format(credential.terminates()));
            out.element(generation.lifetime("CurrentTime"), Times.format(clock.instant()));
            out.close();
        });
    }

    /** Absent for infinity: then it is kept as long as it can be. */
    private @Nullable Instant requestedTime(XmlElement body) {
        XmlElement requested = body.child("RequestedTerminationTime")
                .or(() -> body.child("RequestedLifetimeDuration"))
                .orElseThrow(() -> SoapFaultException.client(
                        "SetTerminationTime must hold RequestedTerminationTime, with xsi:nil=\"true\" for never."));
        if (requested.isNil()) {
            return null;
        }
        try {
            return Times.parse(requested.text(), clock.instant());
        } catch (IllegalArgumentException e) {
            throw SoapFaultException.client(requested.localName() + " is " + e.getMessage() + ".");
        }
    }

    private Reply properties(SoapCall call) {
        Generation generation = call.generation();
        Instant terminates = terminates(call);
        List<QName> names = Requests.properties(call);
        List<QName> known = known(generation);
        if (names.isEmpty() || !known.containsAll(names)) {
            throw faults.invalidProperty(
                    generation,
                    "There is no resource property " + Requests.shown(names.toString()) + " here; there are: " + known
                            + ".");
        }
        String operation = call.body().localName();
        return new Reply(Actions.properties(generation, operation), out -> {
            out.open(generation.properties(operation + "Response"));
            names.forEach(name -> write(out, name, terminates));
            out.close();
        });
    }

    private static List<QName> known(Generation generation) {
        return List.of(generation.lifetime("CurrentTime"), generation.lifetime("TerminationTime"));
    }

    private Instant terminates(SoapCall call) {
        return vault.terminates(Requests.caller(call).subject(), Requests.key(call))
                .orElseThrow(() -> faults.unknown(call.generation(), false));
    }

    private Reply query(SoapCall call) {
        Instant terminates = terminates(call);
        return Requests.query(
                call,
                "DelegationPortTypeGTWSDLResourceProperties",
                faults,
                queryLimits,
                namespace -> out -> known(call.generation()).forEach(name -> write(out, name, terminates)));
    }

    private void write(XmlWriter out, QName name, Instant terminates) {
        out.element(name, Times.format(name.getLocalPart().equals("CurrentTime") ? clock.instant() : terminates));
    }
}
