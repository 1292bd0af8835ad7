// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jobgate.access.Jobs;
import org.jobgate.access.OwnedKind;
import org.jobgate.authz.Decision;
import org.jobgate.identity.Identity;
import org.jobgate.language.JobLanguages;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.limits.Places;
import org.jobgate.lrm.LrmCapabilities;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** What the service says of itself, of its LRMs and of the caller. */
final class ServiceOperations {

    private final Jobs jobs;
    private final ApiSettings settings;
    private final JobLanguages languages;
    private final Places waiting;
    private final Places followers;
    private final Clock clock;

    /**
     * The operations.
     *
     * @param languages in which jobs can be described beside JSON
     * @param waiting places of requests that wait
     * @param followers places of streams of events
     */
    ServiceOperations(
            Jobs jobs, ApiSettings settings, JobLanguages languages, Places waiting, Places followers, Clock clock) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.languages = requireNonNull(languages, "languages is null");
        this.waiting = requireNonNull(waiting, "waiting is null");
        this.followers = requireNonNull(followers, "followers is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    List<Route> routes() {
        return List.of(
                Route.open("GET", "/openapi.json", OpenApi::answer),
                Route.open("GET", "/info", this::info),
                Route.of("GET", "/whoami", this::whoami),
                Route.of("GET", "/limits", this::limits),
                Route.of("GET", "/lrms", this::lrms),
                Route.of("GET", "/lrms/{lrm}", this::lrm));
    }

    private void info(ApiCall call) throws IOException, Problem {
        call.query();
        call.json(200, out -> {
            out.writeStartObject();
            out.writeStringProperty("service", "Jobgate");
            out.writeStringProperty("api", "v1");
            if (!call.caller().isAnonymous()) {
                out.writeStringProperty("version", settings.version());
            }
            out.writeStringProperty("time", clock.instant().toString());
            out.writeObjectPropertyStart("languages");
            texts(out, "json", List.of(ApiReply.JSON_TYPE));
            languages.all().forEach(language -> texts(out, language.name(), language.mediaTypes()));
            out.writeEndObject();
            out.writeObjectPropertyStart("links");
            for (String name : List.of("openapi.json", "jobs", "lrms", "whoami")) {
                out.writeStringProperty(name.replace(".json", ""), ApiServlet.PATH + "/" + name);
            }
            out.writeEndObject();
            out.writeEndObject();
        });
    }

    private void whoami(ApiCall call) throws IOException, Problem {
        call.query();
        Identity who = call.caller().identity();
        Decision decision = call.caller().decision();
        call.json(200, out -> {
            out.writeStartObject();
            out.writeStringProperty("subject", who.subject());
            out.writeStringProperty("method", who.method());
            out.writeBooleanProperty("limited", who.limited());
            out.writeBooleanProperty("administrator", call.caller().isAdministrator());
            texts(out, "attributes", who.fqans());
            texts(out, "scopes", who.scopes());
            out.writeBooleanProperty("maySubmit", decision instanceof Decision.Permit);
            switch (decision) {
                case Decision.Permit permit -> texts(out, "accounts", permit.accounts());
                case Decision.Deny deny -> refused(out, deny.reason());
                case Decision.Indeterminate unclear -> refused(out, unclear.reason());
            }
            out.writeEndObject();
        });
    }

    private static void refused(JsonGenerator out, String reason) {
        texts(out, "accounts", List.of());
        out.writeStringProperty("reason", reason);
    }

    private static void texts(JsonGenerator out, String name, List<String> texts) {
        out.writeArrayPropertyStart(name);
        texts.forEach(out::writeString);
        out.writeEndArray();
    }

    private void limits(ApiCall call) throws IOException, Problem {
        call.query();
        String subject = call.caller().subject();
        long live = jobs.live(call.caller());
        long arrays = jobs.groups().live(call.caller());
        JobLimits limits = settings.jobs();
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("limits");
            limit(out, limits.liveJobsPerOwner(), live, "jobs of yours that are not over");
            limit(
                    out,
                    settings.waitingPerOwner(),
                    waiting.takenBy(subject),
                    "requests of yours that wait for a change");
            limit(out, settings.followersPerOwner(), followers.takenBy(subject), "streams of events of yours");
            limit(out, limits.jobsAtOnce(), null, "jobs of one request for many");
            limit(out, settings.listedJobs(), null, "jobs of one page of a list");
            limit(out, limits.arguments(), null, "arguments of one job");
            limit(out, limits.environment(), null, "environment variables of one job");
            limit(out, limits.textBytes(), null, "bytes of one text of a job, in UTF-8");
            limit(out, limits.descriptionBytes(), null, "bytes of all texts of a job, in UTF-8");
            limit(out, limits.count(), null, "processes of one job");
            limit(out, limits.subJobs(), null, "jobs of one multi-job");
            limit(out, limits.groupsPerOwner(), arrays, "arrays of yours that are not over");
            limit(out, limits.groupElements(), null, "elements of one array");
            limit(out, limits.groupBytes(), null, "bytes of all values of one array, in UTF-8");
            limit(out, limits.groupRunning(), null, "elements of one array that are jobs at once");
            out.writeEndArray();
            out.writeEndObject();
        });
    }

    private static void limit(JsonGenerator out, Limit limit, @Nullable Long use, String what) {
        out.writeStartObject();
        out.writeStringProperty("name", limit.name());
        out.writeNumberProperty("value", limit.value());
        number(out, "use", use);
        out.writeStringProperty("what", what);
        out.writeEndObject();
    }

    private void lrms(ApiCall call) throws IOException, Problem {
        call.query();
        call.caller().query(OwnedKind.JOBS);
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("lrms");
            jobs.lrms().forEach(name -> write(out, name));
            out.writeEndArray();
            out.writeEndObject();
        });
    }

    private void lrm(ApiCall call) throws IOException, Problem {
        call.query();
        call.caller().query(OwnedKind.JOBS);
        String name = call.parameter("lrm");
        if (!jobs.lrms().contains(name)) {
            throw new Problem(
                    404,
                    "UNKNOWN_LRM",
                    "There is no LRM " + Problem.told(name) + " here.",
                    "There are: " + String.join(", ", jobs.lrms()) + ".");
        }
        call.json(200, out -> write(out, name));
    }

    private void write(JsonGenerator out, String name) {
        LrmCapabilities capabilities = jobs.capabilities(name);
        out.writeStartObject();
        out.writeStringProperty("name", name);
        out.writeBooleanProperty("default", jobs.lrms().iterator().next().equals(name));
        if (!capabilities.kind().isEmpty()) {
            out.writeStringProperty("kind", capabilities.kind());
        }
        out.writeArrayPropertyStart("queues");
        capabilities.queues().forEach(queue -> write(out, queue));
        out.writeEndArray();
        if (!capabilities.jobTypes().isEmpty()) {
            texts(
                    out,
                    "jobTypes",
                    capabilities.jobTypes().stream()
                            .map(type -> type.name().toLowerCase(Locale.ROOT))
                            .sorted()
                            .toList());
        }
        if (capabilities.suspends() != null) {
            texts(
                    out,
                    "suspends",
                    capabilities.suspends().stream().sorted().map(StateWord::of).toList());
        }
        if (capabilities.resources() != null) {
            texts(
                    out,
                    "resources",
                    capabilities.resources().stream()
                            .sorted()
                            .map(ResourcesForm::name)
                            .toList());
        }
        Optional.ofNullable(capabilities.freshUntil())
                .ifPresent(time -> out.writeStringProperty("freshUntil", time.toString()));
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, LrmCapabilities.Queue queue) {
        out.writeStartObject();
        out.writeStringProperty("name", queue.name());
        out.writeBooleanProperty("whole", queue.isWhole());
        out.writeBooleanProperty("default", queue.isDefault());
        number(out, "processors", queue.processors());
        number(out, "freeProcessors", queue.freeProcessors());
        number(out, "runningJobs", queue.runningJobs());
        number(out, "waitingJobs", queue.waitingJobs());
        number(out, "maxRunningJobs", queue.maxRunningJobs());
        number(out, "maxWallTimeSeconds", seconds(queue.maxWallTime()));
        number(out, "maxProcessors", queue.maxProcessors());
        text(out, "state", queue.state());
        text(out, "architecture", queue.architecture());
        number(out, "memoryMiB", queue.memoryMiB());
        out.writeEndObject();
    }

    private static @Nullable Long seconds(@Nullable Duration time) {
        return time == null ? null : time.toSeconds();
    }

    private static void number(JsonGenerator out, String name, @Nullable Long value) {
        if (value != null) {
            out.writeNumberProperty(name, value);
        }
    }

    private static void text(JsonGenerator out, String name, @Nullable String value) {
        if (value != null) {
            out.writeStringProperty(name, value);
        }
    }
}
