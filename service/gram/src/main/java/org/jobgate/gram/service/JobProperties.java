// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gram.fault.WsrfFaults;
import org.jobgate.gram.jdd.JddRenderer;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.wsrf.Times;
import org.jobgate.gram.xml.XmlWriter;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.lifecycle.Jobs;

/** The resource properties of a job (facts/gram4.md section 1.7). */
final class JobProperties implements Operation {

    /** A job as its properties are written from. */
    private record View(Job job, Optional<JobDescription> description) {}

    private final boolean multi;
    private final Addresses addresses;
    private final Generation generation;
    private final Jobs jobs;
    private final Callers callers;
    private final Waiting waiting;
    private final Queries queries;
    private final WsrfFaults wsrfFaults;
    private final GramFaults gramFaults;
    private final JddRenderer renderer;
    private final Clock clock;
    private final QName serviceLevelAgreement;
    private final PropertySet<View> properties;

    /** @param multi whether of multi-jobs */
    JobProperties(Site site, Speech speech, Waiting waiting, Queries queries, boolean multi) {
        this.multi = multi;
        this.addresses = speech.addresses();
        this.generation = speech.generation();
        this.jobs = site.jobs();
        this.callers = new Callers(generation);
        this.waiting = waiting;
        this.queries = queries;
        this.wsrfFaults = speech.wsrf();
        this.gramFaults = speech.gram();
        this.renderer = new JddRenderer(generation, addresses.of(Addresses.FACTORY));
        this.clock = site.clock();
        this.serviceLevelAgreement = generation.description("serviceLevelAgreement");
        this.properties = properties();
    }

    private PropertySet<View> properties() {
        PropertySet<View> set = new PropertySet<>(generation, wsrfFaults);
        ofJob(set);
        ofResource(set);
        if (generation == Generation.GT40) {
            ofProducer(set);
        } else {
            set.with(
                    generation.properties("QueryExpressionDialect"),
                    (out, view) -> out.element(generation.properties("QueryExpressionDialect"), Queries.XPATH));
        }
        if (multi) {
            set.with(generation.multi("subJobEndpoint"), this::writeSubJobs);
            return set;
        }
        if (generation == Generation.GT42) {
            set.with(generation.exec("localJobId"), this::writeLocalIds);
        }
        // declared by the port type, without a value until files can be fetched and credentials be placed
        for (String name : List.of("stdoutURL", "stderrURL", "credentialPath")) {
            set.with(generation.exec(name), (out, view) -> {});
        }
        return set;
    }

    private void ofJob(PropertySet<View> set) {
        set.with(
                generation.types("state"),
                (out, view) -> out.element(generation.types("state"), StateNames.of(view.job(), generation)));
        set.with(
                generation.types("holding"),
                (out, view) -> out.element(
                        generation.types("holding"), Boolean.toString(view.job().holding())));
        set.with(generation.faults("fault"), (out, view) -> gramFaults.writeProperty(out, view.job()));
        set.with(generation.types("exitCode"), this::writeExitCode);
        set.with(
                generation.types("localUserId"),
                (out, view) -> out.element(
                        generation.types("localUserId"), view.job().owner().account()));
        set.with(
                generation.types("userSubject"),
                (out, view) -> out.element(
                        generation.types("userSubject"), view.job().owner().subject()));
        set.with(serviceLevelAgreement, this::writeAgreement);
    }

    private void ofResource(PropertySet<View> set) {
        set.with(
                generation.lifetime("CurrentTime"),
                (out, view) -> out.element(generation.lifetime("CurrentTime"), Times.format(clock.instant())));
        set.with(
                generation.lifetime("TerminationTime"),
                (out, view) -> out.nillable(
                        generation.lifetime("TerminationTime"),
                        Times.formatNullable(view.job().terminationTime())));
    }

    /** The topics, which GT 4.2 has no properties for. */
    private void ofProducer(PropertySet<View> set) {
        set.with(
                generation.notification("TopicExpressionDialects"),
                (out, view) ->
                        out.element(generation.notification("TopicExpressionDialects"), generation.simpleTopics()));
        set.with(generation.notification("Topic"), (out, view) -> writeTopic(out));
        set.with(
                generation.notification("FixedTopicSet"),
                (out, view) -> out.element(generation.notification("FixedTopicSet"), "true"));
    }

    private void writeTopic(XmlWriter out) {
        out.open(generation.notification("Topic")).attribute("Dialect", generation.simpleTopics());
        out.text(out.qualified(generation.stateTopic())).close();
    }

    private void writeSubJobs(XmlWriter out, View view) {
        view.job()
                .localIds()
                .forEach(id -> addresses.job(id).write(out, generation, generation.multi("subJobEndpoint")));
    }

    private void writeLocalIds(XmlWriter out, View view) {
        if (!view.job().localIds().isEmpty()) {
            out.element(
                    generation.exec("localJobId"), String.join(",", view.job().localIds()));
        }
    }

    private void writeExitCode(XmlWriter out, View view) {
        view.job()
                .settledEnding()
                .map(ending -> ending.exitCode())
                .ifPresent(code -> out.element(generation.types("exitCode"), Integer.toString(code)));
    }

    private void writeAgreement(XmlWriter out, View view) {
        view.description().ifPresent(description -> {
            out.open(serviceLevelAgreement);
            renderer.write(out, description, view.job().owner().account());
            out.close();
        });
    }

    @Override
    public Reply answer(SoapCall call) {
        Callers.NamedJob named = callers.job(call, wsrfFaults::unknownToProperties);
        List<QName> names = properties.requested(call.body());
        Job job = waiting.job(call, named)
                .filter(found -> !multi || found.lrm().equals(Jobs.MULTI))
                .orElseThrow(() -> wsrfFaults.unknownToProperties("job " + named.id()));
        Optional<JobDescription> description = names.contains(serviceLevelAgreement)
                ? jobs.description(named.subject(), named.id())
                : Optional.empty();
        return properties.reply(call.body(), names, new View(job, description));
    }

    /** {@code QueryResourceProperties}: over all of them. */
    Reply query(SoapCall call) {
        Callers.NamedJob named = callers.job(call, wsrfFaults::unknownToProperties);
        Job job = jobs.find(named.subject(), named.id())
                .filter(found -> !multi || found.lrm().equals(Jobs.MULTI))
                .orElseThrow(() -> wsrfFaults.unknownToProperties("job " + named.id()));
        View view = new View(job, jobs.description(named.subject(), named.id()));
        QName root = multi
                ? generation.multi("managedMultiJobResourceProperties")
                : generation.exec("managedExecutableJobResourceProperties");
        return queries.answer(call.body(), root, out -> properties.writeAll(out, view));
    }
}
