// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.Supplier;
import javax.xml.namespace.QName;
import org.jobgate.access.Access;
import org.jobgate.delegation.vault.ServiceKey;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.XmlWriter;

/** Where credentials are delegated: shows the service's key, takes proxies that were signed over it, and tokens. */
public final class DelegationFactory implements SoapService {

    private final Intake intake;
    private final ServiceKey serviceKey;
    private final Access access;
    private final DelegationFaults faults;
    private final Supplier<String> keys;
    private final String serviceAddress;
    private final QueryLimits queryLimits;

    /**
     * @param intake takes what is delegated
     * @param access only those who may submit may delegate
     * @param keys makes the keys of new credentials
     * @param serviceAddress of the service that credentials are behind
     * @param queryLimits what a query of the properties may cost
     */
    public DelegationFactory(
            Intake intake,
            ServiceKey serviceKey,
            Access access,
            DelegationFaults faults,
            Supplier<String> keys,
            String serviceAddress,
            QueryLimits queryLimits) {
        this.intake = requireNonNull(intake, "intake is null");
        this.serviceKey = requireNonNull(serviceKey, "serviceKey is null");
        this.access = requireNonNull(access, "access is null");
        this.faults = requireNonNull(faults, "faults is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.serviceAddress = requireNonNull(serviceAddress, "serviceAddress is null");
        this.queryLimits = requireNonNull(queryLimits, "queryLimits is null");
    }

    @Override
    public String name() {
        return Gt4Names.FACTORY_SERVICE;
    }

    @Override
    public Reply answer(SoapCall call) {
        Generation generation = Generation.ofShared(call);
        QName operation = call.body().name();
        if (operation.equals(Gt4Names.REQUEST)) {
            return delegate(call);
        }
        if (operation.equals(generation.properties("GetResourceProperty"))
                || operation.equals(generation.properties("GetMultipleResourceProperties"))) {
            return property(call);
        }
        if (operation.equals(generation.properties("QueryResourceProperties"))) {
            return Requests.query(
                    call,
                    "RPSet",
                    faults,
                    queryLimits,
                    namespace -> out -> writeChain(out, Gt4Names.certificateChain(namespace)));
        }
        throw Requests.noOperation(
                name(),
                call,
                "RequestSecurityToken, GetResourceProperty, GetMultipleResourceProperties, QueryResourceProperties");
    }

    /** Anybody may see it: the key is public (capture 61 is of an anonymous client). */
    private Reply property(SoapCall call) {
        Generation generation = Generation.ofShared(call);
        List<QName> names = Requests.properties(call);
        if (names.isEmpty() || !names.stream().allMatch(Gt4Names::isCertificateChain)) {
            throw faults.in(generation)
                    .invalidProperty(
                            "There is no resource property " + Requests.shown(names.toString()) + " here; there is: "
                                    + Gt4Names.certificateChain(Gt4Names.NAMESPACE) + ", also in the namespace "
                                    + Gt4Names.NAMESPACE_42 + ".");
        }
        String operation = call.body().localName();
        return new Reply(Actions.properties(generation, operation), out -> {
            out.open(generation.properties(operation + "Response"));
            names.forEach(name -> writeChain(out, Gt4Names.certificateChain(name.getNamespaceURI())));
            out.close();
        });
    }

    private void writeChain(XmlWriter out, QName name) {
        out.open(name);
        SecurityToken.write(out, List.of(serviceKey.certificate()));
        out.close();
    }

    private Reply delegate(SoapCall call) {
        String owner = access.caller(call.identity()).delegate();
        String key = intake.take(owner, keys.get(), call.body()).key();
        Generation generation = Generation.ofShared(call);
        // the endpoint reference must be the first child, bare: clients take whatever stands there for it
        // (facts/gt4-wire.md
        // section 4)
        String action = Gt4Names.action(Gt4Names.asked(call), "DelegationFactoryPortType/RequestSecurityTokenResponse");
        return new Reply(action, out -> {
            out.open(Gt4Names.RESPONSE);
            EndpointReference.of(serviceAddress, Gt4Names.KEY, key)
                    .write(out, generation, generation.addressing("EndpointReference"));
            out.close();
        });
    }
}
