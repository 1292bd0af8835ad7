// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jobgate.container.config.DataSize;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.jobgate.lrm.LrmHealth;
import org.jobgate.store.JobStore;

/** The checks that every installation has. */
public final class HealthChecks {

    /** How many bad files a report names; the log and {@code jobgate doctor} name all. */
    private static final int MAX_NAMED = 10;

    private HealthChecks() {}

    /** Whether the store can be written and read, by doing both. */
    public static HealthCheck store(JobStore store) {
        return () -> {
            long begin = System.nanoTime();
            try {
                store.probe();
            } catch (FaultException e) {
                return HealthCheck.Finding.unwell(
                        e.fault().sentence() + " " + e.fault().remedy());
            }
            return HealthCheck.Finding.well(Map.of(
                    "probeMs", Duration.ofNanos(System.nanoTime() - begin).toMillis()));
        };
    }

    /** Whether the disk of the directory has room. */
    public static HealthCheck disk(Path directory, DataSize least) {
        return () -> {
            try {
                long free = Files.getFileStore(directory).getUsableSpace();
                if (free < least.bytes()) {
                    return HealthCheck.Finding.unwell("The disk of " + directory + " has " + free
                            + " bytes of room left; state.minFreeSpace is " + least + ". Make room.");
                }
                return HealthCheck.Finding.well(Map.of("freeBytes", free));
            } catch (IOException e) {
                return HealthCheck.Finding.unwell(
                        "The state directory " + directory + " cannot be looked at: " + Reason.of(e) + ".");
            }
        };
    }

    /** Whether the files that say whom to trust are followed. A bad file among them is named, and the others hold. */
    public static HealthCheck trust(Supplier<ChainValidator.Trust> trust) {
        return () -> {
            ChainValidator.Trust found = trust.get();
            List<String> why = new ArrayList<>(found.stopped().stream().toList());
            why.addAll(found.leftOut().subList(0, Math.min(found.leftOut().size(), MAX_NAMED)));
            return new HealthCheck.Finding(
                    found.stopped().isEmpty(),
                    String.join(" ", why),
                    Map.of(
                            "authorities",
                            found.authorities(),
                            "badFiles",
                            found.leftOut().size(),
                            "ageMs",
                            found.age().toMillis()));
        };
    }

    /** Whether the files of keys of token issuers can be used. */
    public static HealthCheck tokenKeys(Supplier<List<String>> troubles) {
        return () -> {
            List<String> found = troubles.get();
            return new HealthCheck.Finding(
                    true,
                    String.join(" ", found.subList(0, Math.min(found.size(), MAX_NAMED))),
                    Map.of("badFiles", found.size()));
        };
    }

    /** How an LRM and the watch on it are. */
    public static HealthCheck lrm(Supplier<LrmHealth> health) {
        return () -> {
            LrmHealth found = health.get();
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("lagMs", found.lag().toMillis());
            if (found.pollAge() != null) {
                figures.put("pollAgeMs", found.pollAge().toMillis());
            }
            return new HealthCheck.Finding(found.well(), found.why(), figures);
        };
    }
}
