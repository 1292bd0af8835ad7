// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.gt4;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.Supplier;
import javax.xml.namespace.QName;
import org.jobgate.authz.Action;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.delegation.vault.ServiceKey;
import org.jobgate.gram.query.QueryLimits;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.soap.SoapService;
import org.jobgate.gram.wsrf.Actions;
import org.jobgate.gram.wsrf.EndpointReference;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.xml.XmlWriter;
import org.jobgate.identity.Identity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;

/** Where credentials are delegated: shows the service's key, takes proxies that were signed over it, and tokens. */
public final class DelegationFactory implements SoapService {

    private final Intake intake;
    private final ServiceKey serviceKey;
    private final Authorizer authorizer;
    private final Gt4Faults faults;
    private final Supplier<String> keys;
    private final String serviceAddress;
    private final QueryLimits queryLimits;

    /**
     * @param intake takes what is delegated
     * @param authorizer only those who may submit may delegate
     * @param keys makes the keys of new credentials
     * @param serviceAddress of the service that credentials are behind
     * @param queryLimits what a query of the properties may cost
     */
    public DelegationFactory(
            Intake intake,
            ServiceKey serviceKey,
            Authorizer authorizer,
            Gt4Faults faults,
            Supplier<String> keys,
            String serviceAddress,
            QueryLimits queryLimits) {
        this.intake = requireNonNull(intake, "intake is null");
        this.serviceKey = requireNonNull(serviceKey, "serviceKey is null");
        this.authorizer = requireNonNull(authorizer, "authorizer is null");
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
        Generation generation = call.generation();
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
        Generation generation = call.generation();
        List<QName> names = Requests.properties(call);
        if (names.isEmpty() || !names.stream().allMatch(Gt4Names::isCertificateChain)) {
            throw faults.invalidProperty(
                    generation,
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
        Identity caller = Requests.caller(call);
        requireAuthorized(caller);
        String key = intake.take(caller.subject(), keys.get(), call.body()).key();
        Generation generation = call.generation();
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

    private void requireAuthorized(Identity caller) {
        String reason = switch (authorizer.decide(caller, Action.DELEGATE)) {
            case Decision.Permit ignored -> "";
            case Decision.Deny deny -> deny.reason();
            case Decision.Indeterminate unclear -> unclear.reason();
        };
        if (!reason.isEmpty()) {
            throw new FaultException(Fault.of(
                    FaultCode.NOT_AUTHORIZED,
                    caller.subject() + " may not delegate here: " + reason + ".",
                    "Ask the site's administrator to be admitted."));
        }
    }
}
