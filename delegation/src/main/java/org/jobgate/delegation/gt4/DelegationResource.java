// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.access.Access;
import org.jobgate.access.OwnedKind;
import org.jobgate.delegation.vault.DelegatedCredential;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.WsrfFaults;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** One delegated credential: renewed, asked for its end, given another one, destroyed; by its owner only. */
public final class DelegationResource implements SoapService {

    private final Vault vault;
    private final Intake intake;
    private final Access access;
    private final DelegationFaults faults;
    private final QueryLimits queryLimits;
    private final Clock clock;

    /** @param queryLimits what a query of the properties may cost */
    public DelegationResource(
            Vault vault, Intake intake, Access access, DelegationFaults faults, QueryLimits queryLimits, Clock clock) {
        this.vault = requireNonNull(vault, "vault is null");
        this.intake = requireNonNull(intake, "intake is null");
        this.access = requireNonNull(access, "access is null");
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
        Generation generation = Generation.ofShared(call);
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

    /** The owner of what a request changes; the site's policy may object. */
    private String changer(SoapCall call) {
        return access.caller(call.identity()).manage(OwnedKind.CREDENTIALS);
    }

    private Reply refresh(SoapCall call) {
        String owner = changer(call);
        String key = Requests.key(call);
        if (vault.terminates(owner, key).isEmpty()) {
            throw faults.unknown(Generation.ofShared(call), WsrfFaults.About.PROPERTIES);
        }
        intake.take(owner, key, call.body());
        String namespace = call.body().name().getNamespaceURI();
        return new Reply(
                Gt4Names.action(namespace, "DelegationPortType/refreshResponse"),
                out -> out.empty(Gt4Names.deleg(namespace, "voidElemType")));
    }

    private Reply destroy(SoapCall call) {
        Generation generation = Generation.ofShared(call);
        if (!vault.destroy(changer(call), Requests.key(call))) {
            throw faults.unknown(generation, WsrfFaults.About.LIFETIME);
        }
        return new Reply(Actions.destroyed(generation), out -> out.empty(generation.lifetime("DestroyResponse")));
    }

    private Reply setTerminationTime(SoapCall call) {
        Generation generation = Generation.ofShared(call);
        Optional<DelegatedCredential> changed;
        try {
            changed = vault.endAt(changer(call), Requests.key(call), requestedTime(call.body()));
        } catch (FaultException e) {
            if (e.fault().code() == FaultCode.INVALID_TERMINATION_TIME) {
                throw faults.in(generation)
                        .terminationTimeRefused(
                                e.fault().sentence() + " " + e.fault().remedy());
            }
            throw e;
        }
        DelegatedCredential credential =
                changed.orElseThrow(() -> faults.unknown(generation, WsrfFaults.About.LIFETIME));
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
        Generation generation = Generation.ofShared(call);
        Instant terminates = terminates(call);
        List<QName> names = Requests.properties(call);
        List<QName> known = known(generation);
        if (names.isEmpty() || !known.containsAll(names)) {
            throw faults.in(generation)
                    .invalidProperty("There is no resource property " + Requests.shown(names.toString())
                            + " here; there are: " + known + ".");
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
        return vault.terminates(access.caller(call.identity()).query(OwnedKind.CREDENTIALS), Requests.key(call))
                .orElseThrow(() -> faults.unknown(Generation.ofShared(call), WsrfFaults.About.PROPERTIES));
    }

    private Reply query(SoapCall call) {
        Instant terminates = terminates(call);
        return Requests.query(
                call,
                "DelegationPortTypeGTWSDLResourceProperties",
                faults,
                queryLimits,
                namespace -> out -> known(Generation.ofShared(call)).forEach(name -> write(out, name, terminates)));
    }

    private void write(XmlWriter out, QName name, Instant terminates) {
        out.element(name, Times.format(name.getLocalPart().equals("CurrentTime") ? clock.instant() : terminates));
    }
}
