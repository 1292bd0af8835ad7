// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.fault.ResourceFaults;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gram.jdd.JddRenderer;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.PropertySet;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.query.Queries;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.PendingReason;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** The resource properties of a job (facts/gram4.md section 1.7). */
final class JobProperties implements Operation {

    /** Our own property: why the job does not go on. It is there while there is a reason. */
    static final QName REASON = new QName("https://jobgate.org/ns/2026/job", "reason", "job");

    /** A job as its properties are written from. */
    private record View(Job job, Optional<JobDescription> description, Caller caller) {}

    private final boolean multi;
    private final Addresses addresses;
    private final Generation generation;
    private final Jobs jobs;
    private final JobCalls calls;
    private final Waiting waiting;
    private final Queries queries;
    private final ResourceFaults wsrfFaults;
    private final GramFaults gramFaults;
    private final JddRenderer renderer;
    private final Clock clock;
    private final QName serviceLevelAgreement;
    private final QName capacity;
    private final RendezvousOperations rendezvous;

    /** The properties that need the job's description. */
    private final Set<QName> ofDescription;

    private final PropertySet<View> properties;

    /** @param multi whether of multi-jobs */
    JobProperties(
            GramContext context,
            Gt4Context gt4,
            Waiting waiting,
            Queries queries,
            RendezvousOperations rendezvous,
            boolean multi) {
        this.multi = multi;
        this.addresses = gt4.addresses();
        this.generation = gt4.generation();
        this.jobs = context.jobs();
        this.calls = new JobCalls(generation, context.access());
        this.waiting = waiting;
        this.queries = queries;
        this.wsrfFaults = gt4.wsrf();
        this.gramFaults = gt4.gram();
        this.renderer = new JddRenderer(generation, addresses.of(Addresses.FACTORY));
        this.clock = context.clock();
        this.serviceLevelAgreement = generation.description("serviceLevelAgreement");
        this.capacity = generation.rendezvous("Capacity");
        this.rendezvous = rendezvous;
        this.ofDescription =
                Set.of(serviceLevelAgreement, capacity, generation.exec("stdoutURL"), generation.exec("stderrURL"));
        this.properties = properties();
    }

    private PropertySet<View> properties() {
        PropertySet<View> set = new PropertySet<>(generation, wsrfFaults, generation.types("state"));
        ofJob(set);
        ofResource(set);
        ofRendezvous(set);
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
        set.with(generation.exec("stdoutURL"), (out, view) -> writeUrl(out, view, "stdout", JobDescription::stdout));
        set.with(generation.exec("stderrURL"), (out, view) -> writeUrl(out, view, "stderr", JobDescription::stderr));
        set.with(generation.exec("credentialPath"), this::writeCredentialPath);
        return set;
    }

    private void ofJob(PropertySet<View> set) {
        set.with(
                generation.types("state"),
                (out, view) -> out.element(generation.types("state"), StateNames.of(view.job(), generation)));
        set.with(
                generation.types("holding"),
                (out, view) -> out.element(
                        generation.types("holding"), Boolean.toString(view.job().isHeld())));
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
        set.with(REASON, JobProperties::writeReason);
    }

    private static void writeReason(XmlWriter out, View view) {
        PendingReason reason = view.job().pendingReason();
        if (reason != null) {
            out.open(REASON)
                    .attribute("since", Times.format(reason.since()))
                    .text(reason.because())
                    .close();
        }
    }

    private void ofRendezvous(PropertySet<View> set) {
        set.with(capacity, (out, view) -> rendezvous.writeCapacity(out, view.description()));
        set.with(generation.rendezvous("RegistrantData"), (out, view) -> rendezvous.writeData(out, view.job()));
        set.with(
                generation.rendezvous("RendezvousCompleted"),
                (out, view) -> rendezvous.writeCompleted(out, view.job()));
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
        set.with(generation.notification("Topic"), (out, view) -> writeTopics(out));
        set.with(
                generation.notification("FixedTopicSet"),
                (out, view) -> out.element(generation.notification("FixedTopicSet"), "true"));
    }

    private void writeTopics(XmlWriter out) {
        for (QName topic : List.of(generation.stateTopic(), generation.rendezvousTopic())) {
            out.open(generation.notification("Topic")).attribute("Dialect", generation.simpleTopics());
            out.text(out.qualified(topic)).close();
        }
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

    /** Where the file can be read over https (docs/reference/files.md); from the start of the job on, for an older file may lie there before. */
    private void writeUrl(XmlWriter out, View view, String name, Function<JobDescription, @Nullable String> file) {
        Job job = view.job();
        boolean hasBegun = job.started() != null || job.state().isTerminal();
        if (hasBegun
                && view.description()
                        .map(file)
                        .filter(path -> !path.equals("/dev/null"))
                        .isPresent()) {
            addresses.file(job.id().toString(), name).ifPresent(url -> out.element(generation.exec(name + "URL"), url));
        }
    }

    private void writeCredentialPath(XmlWriter out, View view) {
        jobs.credentialPath(view.caller(), view.job().id())
                .ifPresent(path -> out.element(generation.exec("credentialPath"), path));
    }

    private void writeExitCode(XmlWriter out, View view) {
        view.job()
                .settledOutcome()
                .map(outcome -> outcome.exitCode())
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
        JobCalls.NamedJob named = calls.job(call, wsrfFaults::unknownToProperties);
        List<QName> names = properties.requested(call.body());
        Job job = waiting.job(call, named)
                .filter(found -> !multi || found.lrm().equals(Jobs.MULTI))
                .orElseThrow(() -> wsrfFaults.unknownToProperties("job " + named.id()));
        Optional<JobDescription> description = names.stream().anyMatch(ofDescription::contains)
                ? jobs.description(named.caller(), named.id())
                : Optional.empty();
        return properties.reply(call.body(), names, new View(job, description, named.caller()));
    }

    /** {@code QueryResourceProperties}: over all of them. */
    Reply query(SoapCall call) {
        JobCalls.NamedJob named = calls.job(call, wsrfFaults::unknownToProperties);
        Job job = jobs.find(named.caller(), named.id())
                .filter(found -> !multi || found.lrm().equals(Jobs.MULTI))
                .orElseThrow(() -> wsrfFaults.unknownToProperties("job " + named.id()));
        View view = new View(job, jobs.description(named.caller(), named.id()), named.caller());
        QName root = multi
                ? generation.multi("managedMultiJobResourceProperties")
                : generation.exec("managedExecutableJobResourceProperties");
        return queries.answer(call.body(), root, out -> properties.writeAll(out, view));
    }
}
