// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Whether the clock can be right: credentials are judged by it. */
final class ClockFindings {

    private static final String AREA = "clock";
    private static final String REMEDY = "run chrony or systemd-timesyncd; credentials are judged by this clock";
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private final Clock clock;

    ClockFindings(Clock clock) {
        this.clock = clock;
    }

    Finding look() {
        Optional<Instant> ahead = installedLater();
        if (ahead.isPresent()) {
            return Finding.bad(
                    AREA,
                    "it says " + clock.instant() + ", but the system was installed or changed later, at " + ahead.get(),
                    "set it right; " + REMEDY);
        }
        if (Programs.find("chronyc").isPresent()) {
            Programs.Result tracking = Programs.run(List.of("chronyc", "-n", "tracking"));
            return tracking.isWell() && !tracking.output().contains("Not synchronised")
                    ? Finding.good(AREA, "chrony keeps it")
                    : Finding.warning(AREA, "chrony does not keep it", REMEDY);
        }
        Programs.Result systemd = Programs.run(List.of("timedatectl", "show", "--property=NTPSynchronized", "--value"));
        if (systemd.isWell()) {
            return systemd.output().equals("yes")
                    ? Finding.good(AREA, "the system keeps it")
                    : Finding.warning(AREA, "nothing keeps it", REMEDY);
        }
        return Finding.warning(AREA, "it cannot be found out whether anything keeps it", REMEDY);
    }

    private Optional<Instant> installedLater() {
        try {
            Instant changed = Files.getLastModifiedTime(Path.of("/etc")).toInstant();
            return changed.isAfter(clock.instant().plus(TOLERANCE)) ? Optional.of(changed) : Optional.empty();
        } catch (IOException e) {
            // without this witness there are the others
            return Optional.empty();
        }
    }
}
