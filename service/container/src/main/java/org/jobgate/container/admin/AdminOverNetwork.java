// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jobgate.container.metrics.FigureHistory;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobState;
import org.jobgate.limits.JobLimits;
import org.jobgate.store.JobStore;
import org.jobgate.store.OwnerLoad;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The administrator's requests as a front door brings them: the same that the admin socket takes, with what only a page needs. */
public final class AdminOverNetwork {

    private static final Logger LOG = LoggerFactory.getLogger(AdminOverNetwork.class);
    private static final List<String> PARTS_OF_SQLITE = List.of("", "-wal", "-shm");

    private static final int USUAL_OWNERS = 100;
    private static final int MOST_OWNERS = 1_000;

    private final Supplier<AdminService> service;
    private final JobStore store;
    private final FigureHistory figures;
    private final JobLimits limits;
    private final Optional<Path> sqlite;

    /**
     * The requests, of which none is answered before the service is made.
     *
     * @param sqlite the file of the store, where it is one
     */
    public AdminOverNetwork(
            Supplier<AdminService> service,
            JobStore store,
            FigureHistory figures,
            JobLimits limits,
            Optional<Path> sqlite) {
        this.service = requireNonNull(service, "service is null");
        this.store = requireNonNull(store, "store is null");
        this.figures = requireNonNull(figures, "figures is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.sqlite = requireNonNull(sqlite, "sqlite is null");
    }

    /**
     * Looks at something.
     *
     * @param path what, as the admin socket names it
     * @throws AdminFault where that cannot be done
     */
    public Object look(String path, Map<String, String> parameters) {
        return switch (path) {
            case "/figures" ->
                Map.of(
                        "everySeconds",
                        FigureHistory.EVERY.toSeconds(),
                        "figures",
                        figures.points().stream().map(AdminOverNetwork::view).toList());
            case "/owners" -> owners(AdminRequests.number("limit", parameters.get("limit"), USUAL_OWNERS, MOST_OWNERS));
            default -> ask("GET", path, parameters);
        };
    }

    private Map<String, Object> owners(int limit) {
        List<Map<String, Object>> owners = new ArrayList<>();
        for (OwnerLoad owner : store.busiestOwners(limit)) {
            Map<String, Object> view = new LinkedHashMap<>();
            view.put("subject", owner.subject());
            view.put("jobs", owner.jobs());
            view.put("active", owner.active());
            view.put("arrays", store.groups().countLive(owner.subject()));
            owners.add(view);
        }
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("jobs", store.countLive());
        view.put("maxJobs", limits.liveJobs().value());
        view.put("maxJobsPerOwner", limits.liveJobsPerOwner().value());
        view.put("maxArraysPerOwner", limits.groupsPerOwner().value());
        view.put("owners", owners);
        return view;
    }

    /**
     * Changes something, and answers how it is then.
     *
     * @param who the administrator's name, for the log
     * @param path what, as the admin socket names it
     * @throws AdminFault where that cannot be done
     */
    public Object change(String who, String path, Map<String, String> parameters) {
        Object answer = ask("POST", path, parameters);
        LOG.info("Administrator {}: {} {}", who, path, parameters);
        return answer;
    }

    private Object ask(String method, String path, Map<String, String> parameters) {
        try {
            Object answer = service.get().requests().answer(method, path, parameters::get, "");
            return answer instanceof ServiceControl.Status status ? view(status) : answer;
        } catch (FaultException e) {
            throw AdminFault.of(e.fault());
        }
    }

    private Map<String, Object> view(ServiceControl.Status status) {
        Map<String, Object> view = AdminService.view(status);
        Map<String, Long> jobs = new LinkedHashMap<>();
        Map<JobState, Long> counted = store.countByState();
        for (JobState state : JobState.values()) {
            if (!state.isTerminal()) {
                jobs.put(StateWord.of(state), counted.getOrDefault(state, 0L));
            }
        }
        view.put("jobs", jobs);
        sqlite.ifPresent(file -> view.put("storeBytes", bytes(file)));
        return view;
    }

    private static long bytes(Path file) {
        // SQLite may remove one of the parts at any moment; of what is not there the length is 0
        return PARTS_OF_SQLITE.stream()
                .mapToLong(part ->
                        file.resolveSibling(file.getFileName() + part).toFile().length())
                .sum();
    }

    private static Map<String, Object> view(FigureHistory.Point point) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("at", point.at().toString());
        view.put("live", point.live());
        view.put("active", point.active());
        view.put("accepted", rounded(point.accepted()));
        view.put("ended", rounded(point.ended()));
        view.put("requests", rounded(point.requests()));
        view.put("requestMs", rounded(point.requestMs()));
        view.put("commitMs", rounded(point.commitMs()));
        return view;
    }

    private static double rounded(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }
}
