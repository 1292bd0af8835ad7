// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Set;
import org.jobgate.access.AuditRecords;
import org.jobgate.access.Transfers;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.door.DoorGauge;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.door.ServletMount;
import org.jobgate.language.JobLanguages;
import org.jspecify.annotations.Nullable;

/** The door of the REST API. */
public final class ApiDoor implements FrontDoor {

    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

    private final ApiServlet servlet;

    /**
     * The door.
     *
     * @param transfers requests to move files; absent where no files are moved
     * @param languages in which jobs can be described beside JSON
     * @param records what is on record of jobs
     * @param administration what administrators see and change
     */
    public ApiDoor(
            ApiSettings settings,
            DoorContext door,
            @Nullable Transfers transfers,
            JobLanguages languages,
            AuditRecords records,
            Administration administration) {
        requireNonNull(door, "door is null");
        this.servlet = new ApiServlet(
                door.access(),
                door.jobs(),
                door.trees(),
                door.delegations(),
                transfers,
                languages,
                records,
                administration,
                settings,
                door.clock());
    }

    @Override
    public String name() {
        return DoorAddresses.REST;
    }

    /** Files that are put into trees are passed on to their account as they come. */
    @Override
    public List<Mount> mounts() {
        return List.of(new ServletMount(ApiServlet.PATH, "the REST API", servlet, METHODS, Set.of("PUT")));
    }

    @Override
    public List<DoorGauge> metrics() {
        return List.of(
                new DoorGauge("followers", "Streams of events that are open", servlet::followers),
                new DoorGauge("waiting", "Requests that wait for a change", servlet::waiting));
    }
}
