// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import java.util.List;
import java.util.Set;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.door.DoorGauge;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.door.ServletMount;

/** The door to the files of jobs. */
public final class FilesDoor implements FrontDoor {

    /** The kinds of records that it keeps. */
    public static final Set<String> RECORDS = Set.of(UploadRecords.KIND);

    private final JobFilesServlet servlet;

    public FilesDoor(FileDoorSettings settings, DoorContext door) {
        this.servlet = new JobFilesServlet(door, settings, System::nanoTime);
    }

    @Override
    public String name() {
        return DoorAddresses.FILES;
    }

    /** Files are passed on to their account as they come. */
    @Override
    public List<Mount> mounts() {
        return List.of(new ServletMount(
                "/jobs", "the files of jobs", servlet, List.of("GET", "HEAD", "PUT", "DELETE"), Set.of("PUT")));
    }

    @Override
    public List<DoorGauge> metrics() {
        return List.of(
                new DoorGauge("readers", "Requests for files that are answered or wait for more", servlet::readers));
    }
}
