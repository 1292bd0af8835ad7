// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jobgate.adl.ActivityRules;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.door.DoorGauge;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.door.ServletMount;
import org.jobgate.rest.files.JobFileAccess;

/** The door of ARC's REST interface. */
public final class ArcDoor implements FrontDoor {

    /** The kinds of records that it keeps. */
    public static final Set<String> RECORDS =
            Set.of(SessionRecords.OF_JOB, SessionRecords.DIRECTORY, CleanedJobs.RECORDS, JobFileAccess.RECORDS);

    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PROPFIND");

    private final ArcServlet servlet;
    private final SessionSweeper sweeper;
    private final CleanedJobs cleaned;
    private final JobFileAccess files;
    private final Uploads uploads;

    /** @param homes the home directory of an account: absolute, without a slash at its end */
    public ArcDoor(ArcSettings settings, ActivityRules rules, UnaryOperator<String> homes, DoorContext door) {
        requireNonNull(settings, "settings is null");
        String host = requireNonNull(URI.create(door.url()).getHost(), "the URL of the door has no host");
        Shares shares = new Shares(door.jobs());
        SessionRecords records = new SessionRecords(door.records(), door.clock());
        this.files = new JobFileAccess(door, settings.files(), System::nanoTime);
        this.uploads = new Uploads(door.jobs(), files);
        StartTimes starts = new StartTimes(door.access(), door.jobs(), records, door.clock());
        this.cleaned = new CleanedJobs(
                door.access(),
                door.jobs(),
                door.records(),
                settings.keepCleaned(),
                settings.jobsAtOnce(),
                door.clock());
        this.sweeper = new SessionSweeper(
                door.access(),
                door.jobs(),
                door.directories(),
                records,
                cleaned,
                uploads,
                starts,
                settings.inputWait(),
                door.clock());
        Restarts restarts = new Restarts(door.jobs(), records, uploads, starts, settings.inputWait(), door.clock());
        ActivityInfo info = new ActivityInfo(host, shares, door.clock());
        OwnJobs own = new OwnJobs(door.jobs(), records, restarts);
        this.servlet = new ArcServlet(
                door.access(),
                new ServiceInfo(
                        door.url(),
                        host,
                        settings.version(),
                        door.jobs(),
                        shares,
                        rules.runtimeEnvironments(),
                        door.clock()),
                new NewJobs(
                        door.jobs(),
                        new Descriptions(rules),
                        shares,
                        records,
                        door.directories(),
                        homes,
                        settings,
                        door.bodyBytes(),
                        door.clock(),
                        starts,
                        cleaned),
                new JobOperations(door.jobs(), records, info, sweeper, cleaned, restarts, settings),
                new DelegationOperations(door.delegations(), door.bodyBytes()),
                new SessionOperations(door.jobs(), own, files, door.directories(), uploads, door.url()),
                new Diagnoses(door.jobs(), own, info, uploads));
    }

    @Override
    public String name() {
        return DoorAddresses.ARC;
    }

    /** Files are passed on to their account as they come; lists of jobs are read as they come, within a bound of their own. */
    @Override
    public List<Mount> mounts() {
        return List.of(new ServletMount(
                ArcServlet.PATH,
                "ARC's REST interface",
                servlet,
                METHODS,
                Set.of("PUT", "POST", "PROPFIND"),
                // HTCondor finds the id of a delegation in no other header
                Set.of("location")));
    }

    @Override
    public void start() {
        cleaned.load();
        sweeper.start();
    }

    @Override
    public List<DoorGauge> metrics() {
        return List.of(
                new DoorGauge("readers", "Requests for files that are answered", files::readers),
                new DoorGauge("awaiting", "Jobs of which some files have come and others not", uploads::remembered),
                new DoorGauge("cleaned", "Jobs that were cleaned and stay for a while", cleaned::count));
    }

    @Override
    public void close() {
        sweeper.close();
    }
}
