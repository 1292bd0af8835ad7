// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.access.Access;
import org.jobgate.access.OwnedKind;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.PropertySet;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.query.Queries;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** The resource properties of a factory (facts/gram4.md section 1.5). */
final class FactoryProperties implements Operation {

    private static final String METADATA = "http://mds.globus.org/metadata/2005/02";

    private final Addresses addresses;
    private final Generation generation;
    private final Access access;
    private final Factories factories;
    private final FactoryFacts facts;
    private final LifetimeRules lifetimes;
    private final Queries queries;
    private final Instant started;
    private final PropertySet<String> properties;

    FactoryProperties(
            Access access,
            Gt4Context gt4,
            Factories factories,
            ServiceSettings settings,
            Queries queries,
            Instant started) {
        this.addresses = gt4.addresses();
        this.generation = gt4.generation();
        this.access = access;
        this.factories = factories;
        this.facts = settings.facts();
        this.lifetimes = settings.lifetimes(generation);
        this.queries = queries;
        this.started = started;
        this.properties = properties(new PropertySet<>(generation, gt4.wsrf(), generation.types("state")));
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
                    (out, lrm) -> EndpointReference.of(addresses.delegationFactory())
                            .write(out, generation, generation.job(name)));
        }
        text(set, "condorArchitecture", lrm -> isCondor(lrm) ? condorArchitecture(facts.cpuType()) : null);
        text(set, "condorOS", lrm -> isCondor(lrm) ? upperCase(facts.osName()) : null);
        set.with(GlueView.NAME, (out, lrm) -> glue(lrm).write(out));
        set.with(GlueView.SUMMARY, (out, lrm) -> glue(lrm).writeSummary(out));
        set.with(new QName(METADATA, "ServiceMetaDataInfo", "metric"), (out, lrm) -> writeMetadata(out));
        return set;
    }

    private GlueView glue(String lrm) {
        return new GlueView(
                lrm, String.valueOf(URI.create(addresses.baseUrl()).getHost()), factories.capabilities(lrm));
    }

    private boolean isCondor(String lrm) {
        return factories.capabilities(lrm).kind().equals("condor");
    }

    /** Condor matches a job with machines of the kind that it is submitted from, where the job does not say otherwise. */
    private static @Nullable String condorArchitecture(@Nullable String cpuType) {
        return "amd64".equals(cpuType) ? "X86_64" : upperCase(cpuType);
    }

    private static @Nullable String upperCase(@Nullable String text) {
        return text == null ? null : text.toUpperCase(Locale.ROOT);
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
        text(set, "maxJobLifetime", lrm -> seconds(lifetimes.longest()));
    }

    /** As the original has it, -1 is for ever. */
    private static String seconds(@Nullable Duration time) {
        return time == null ? "-1" : Long.toString(time.toSeconds());
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
        access.caller(call.identity()).query(OwnedKind.JOBS);
        String lrm = factories.named(call);
        return properties.reply(call.body(), properties.requested(call.body()), lrm);
    }

    /** {@code QueryResourceProperties}: over all of them. */
    Reply query(SoapCall call) {
        access.caller(call.identity()).query(OwnedKind.JOBS);
        String lrm = factories.named(call);
        QName root = generation.job("managedJobFactoryResourceProperties");
        return queries.answer(call.body(), root, out -> properties.writeAll(out, lrm));
    }
}
