// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.wsrf.EndpointReference;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.wsrf.Times;
import org.jobgate.gram.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** The resource properties of a factory (facts/gram4.md section 1.5). */
final class FactoryProperties implements Operation {

    private static final String METADATA = "http://mds.globus.org/metadata/2005/02";

    private final Addresses addresses;
    private final Generation generation;
    private final Callers callers;
    private final Factories factories;
    private final FactoryFacts facts;
    private final LifetimeRules lifetimes;
    private final Queries queries;
    private final Instant started;
    private final PropertySet<String> properties;

    FactoryProperties(Speech speech, Factories factories, ServiceSettings settings, Queries queries, Instant started) {
        this.addresses = speech.addresses();
        this.generation = speech.generation();
        this.callers = new Callers(generation);
        this.factories = factories;
        this.facts = settings.facts();
        this.lifetimes = settings.lifetimes();
        this.queries = queries;
        this.started = started;
        this.properties = properties(new PropertySet<>(generation, speech.wsrf()));
    }

    private PropertySet<String> properties(PropertySet<String> set) {
        text(set, "localResourceManager", lrm -> lrm);
        if (generation == Generation.GT42) {
            ofNewer(set);
        }
        text(set, "globusLocation", lrm -> facts.installation());
        text(set, "hostCPUType", lrm -> facts.cpuType());
        text(set, "hostManufacturer", lrm -> facts.manufacturer());
        text(set, "hostOSName", lrm -> facts.osName());
        text(set, "hostOSVersion", lrm -> facts.osVersion());
        text(set, "scratchBaseDirectory", lrm -> StandardVariables.scratchBase(facts));
        // the address where the delegation service will be: the schema wants one, and clients read it before they
        // submit
        for (String name : List.of("delegationFactoryEndpoint", "stagingDelegationFactoryEndpoint")) {
            set.with(
                    generation.job(name),
                    (out, lrm) -> EndpointReference.of(addresses.of(Addresses.DELEGATION_FACTORY))
                            .write(out, generation, generation.job(name)));
        }
        text(set, "condorArchitecture", lrm -> null);
        text(set, "condorOS", lrm -> null);
        set.with(GlueView.NAME, (out, lrm) -> GlueView.write(out, lrm, factories.capabilities(lrm)));
        set.with(new QName(METADATA, "ServiceMetaDataInfo", "metric"), (out, lrm) -> writeMetadata(out));
        return set;
    }

    /** What GT 4.2 adds. */
    private void ofNewer(PropertySet<String> set) {
        QName all = generation.job("availableLocalResourceManagers");
        set.with(all, (out, lrm) -> {
            out.open(all);
            factories.all().forEach(name -> out.element(generation.job("localResourceManager"), name));
            out.close();
        });
        text(set, "jobTTLAfterProcessing", lrm -> seconds(lifetimes.keptAfterProcessing()));
        text(set, "maxJobLifetime", lrm -> lifetimes.longest() == null ? "-1" : seconds(lifetimes.longest()));
    }

    private static String seconds(Duration time) {
        return Long.toString(time.toSeconds());
    }

    private void text(PropertySet<String> set, String name, Function<String, @Nullable String> value) {
        set.with(generation.job(name), (out, lrm) -> {
            String text = value.apply(lrm);
            if (text != null) {
                out.element(generation.job(name), text);
            }
        });
    }

    private void writeMetadata(XmlWriter out) {
        out.open(new QName(METADATA, "ServiceMetaDataInfo", "metric"));
        out.element(new QName(METADATA, "startTime", "metric"), Times.format(started));
        out.element(new QName(METADATA, "version", "metric"), facts.version());
        out.element(new QName(METADATA, "serviceTypeName", "metric"), Addresses.FACTORY);
        out.close();
    }

    @Override
    public Reply answer(SoapCall call) {
        callers.identity(call);
        String lrm = factories.named(call);
        return properties.reply(call.body(), properties.requested(call.body()), lrm);
    }

    /** {@code QueryResourceProperties}: over all of them. */
    Reply query(SoapCall call) {
        callers.identity(call);
        String lrm = factories.named(call);
        QName root = generation.job("managedJobFactoryResourceProperties");
        return queries.answer(call.body(), root, out -> properties.writeAll(out, lrm));
    }
}
