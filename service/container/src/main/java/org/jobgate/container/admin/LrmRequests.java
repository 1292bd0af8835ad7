// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jobgate.container.config.DurationText;
import org.jobgate.engine.JobEngine;
import org.jobgate.lrm.LrmCapabilities.Queue;
import org.jobgate.lrm.LrmStatus;
import org.jobgate.lrm.LrmThrottle;
import org.jspecify.annotations.Nullable;

/** What the administrator sees of the LRMs, and may change: how much of them the gateway uses. The names are those of the configuration. */
final class LrmRequests {

    private final JobEngine engine;

    LrmRequests(JobEngine engine) {
        this.engine = requireNonNull(engine, "engine is null");
    }

    Object all() {
        return Map.of(
                "lrms",
                engine.lrmAdministration().status().stream()
                        .map(LrmRequests::view)
                        .toList());
    }

    Object show(String name) {
        return view(existing(name));
    }

    /** Changes the limits that are given; they hold at once, and until the next start. */
    Object change(String name, Function<String, @Nullable String> parameter) {
        LrmThrottle now = existing(name).throttle();
        String interval = parameter.apply("pollInterval");
        LrmThrottle changed;
        try {
            changed = new LrmThrottle(
                    number("submitsAtOnce", parameter, now.submitsAtOnce()),
                    number("batchLimit", parameter, now.batchLimit()),
                    number("maxJobs", parameter, now.maxJobs()),
                    number("maxJobsPerOwner", parameter, now.maxJobsPerOwner()),
                    number("maxJobsPerQueue", parameter, now.maxJobsPerQueue()),
                    interval == null ? now.pollInterval() : duration(interval));
        } catch (IllegalArgumentException e) {
            throw AdminFault.badRequest(e.getMessage() + ".", "Change it; 0 jobs is no limit.");
        }
        if (changed.equals(now)) {
            throw AdminFault.badRequest(
                    "Nothing would change.",
                    "Give submitsAtOnce, batchLimit, maxJobs, maxJobsPerOwner, maxJobsPerQueue or pollInterval another value.");
        }
        engine.lrmAdministration().throttle(name, changed);
        return show(name);
    }

    private LrmStatus existing(String name) {
        return engine.lrmAdministration()
                .status(name)
                .orElseThrow(() -> new AdminFault(
                        404,
                        "NOT_FOUND",
                        "There is no LRM " + name + ".",
                        "There are " + String.join(", ", engine.lrms()) + "."));
    }

    private static int number(String name, Function<String, @Nullable String> parameter, int now) {
        String text = parameter.apply(name);
        if (text == null) {
            return now;
        }
        if (!text.matches("\\d{1,9}")) {
            throw new IllegalArgumentException(name + " is " + text + "; it must be a whole number");
        }
        return Integer.parseInt(text);
    }

    private static Duration duration(String text) {
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("pollInterval is " + text + "; it " + e.getMessage(), e);
        }
    }

    private static Map<String, Object> view(LrmStatus status) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("name", status.name());
        view.put("kind", status.capabilities().kind());
        view.put("well", status.health().well());
        view.put("why", status.health().why());
        view.put("lagMs", status.health().lag().toMillis());
        Duration pollAge = status.health().pollAge();
        put(view, "pollAgeMs", pollAge == null ? null : pollAge.toMillis());
        put(view, "jobs", status.jobs());
        view.put("throttle", view(status.throttle()));
        view.put("backOffs", status.backOffs().stream().map(LrmRequests::view).toList());
        view.put(
                "jobTypes",
                status.capabilities().jobTypes().stream()
                        .map(Enum::name)
                        .sorted()
                        .toList());
        List<Map<String, Object>> queues =
                status.capabilities().queues().stream().map(LrmRequests::view).toList();
        view.put("queues", queues);
        return view;
    }

    private static Map<String, Object> view(LrmThrottle throttle) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("submitsAtOnce", throttle.submitsAtOnce());
        view.put("batchLimit", throttle.batchLimit());
        view.put("maxJobs", throttle.maxJobs());
        view.put("maxJobsPerOwner", throttle.maxJobsPerOwner());
        view.put("maxJobsPerQueue", throttle.maxJobsPerQueue());
        view.put("pollInterval", DurationText.format(throttle.pollInterval()));
        return view;
    }

    private static Map<String, Object> view(LrmStatus.BackOff backOff) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("account", backOff.account());
        view.put("since", backOff.since().toString());
        view.put("times", backOff.times());
        view.put("until", backOff.until().toString());
        view.put("because", backOff.because());
        return view;
    }

    private static Map<String, Object> view(Queue queue) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("name", queue.name());
        view.put("default", queue.isDefault());
        put(view, "state", queue.state());
        put(view, "processors", queue.processors());
        put(view, "free", queue.freeProcessors());
        put(view, "running", queue.runningJobs());
        put(view, "waiting", queue.waitingJobs());
        put(view, "maxRunning", queue.maxRunningJobs());
        Duration wall = queue.maxWallTime();
        put(view, "maxWallTime", wall == null ? null : DurationText.format(wall));
        put(view, "maxProcessors", queue.maxProcessors());
        put(view, "architecture", queue.architecture());
        put(view, "memoryMiB", queue.memoryMiB());
        return view;
    }

    private static void put(Map<String, Object> view, String name, @Nullable Object value) {
        if (value != null) {
            view.put(name, value);
        }
    }
}
