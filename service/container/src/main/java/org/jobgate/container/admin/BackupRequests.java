// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import static java.util.Objects.requireNonNull;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jobgate.container.backup.Backup;
import org.jobgate.engine.JobEngine;
import org.jobgate.engine.LeftJob;
import org.jobgate.engine.RestoreReport;
import org.jspecify.annotations.Nullable;

/** What the administrator asks of backups, and of the time after a restore. */
public final class BackupRequests {

    /** The most names in one answer. */
    private static final int MOST_NAMED = 10_000;

    private final Backup backup;
    private final JobEngine engine;

    public BackupRequests(Backup backup, JobEngine engine) {
        this.backup = requireNonNull(backup, "backup is null");
        this.engine = requireNonNull(engine, "engine is null");
    }

    Object make(Function<String, @Nullable String> parameter) {
        String to = parameter.apply("to");
        if (to == null || to.isEmpty()) {
            throw AdminFault.badRequest("The directory of the backup is missing.", "Add ?to=DIRECTORY.");
        }
        try {
            return backup.make(Path.of(to), "true".equals(parameter.apply("key")));
        } catch (InvalidPathException e) {
            throw AdminFault.badRequest("This is no path: " + to + ".", "Give another.");
        }
    }

    /** What is known since a restore. */
    Object report() {
        RestoreReport report = engine.restoration()
                .report()
                .orElseThrow(() -> new AdminFault(
                        404,
                        "NOT_FOUND",
                        "The store of this gateway is no restored one.",
                        "There is nothing to report."));
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("takenUp", named(report.takenUp()));
        view.put("takenUpCount", report.takenUp().size());
        view.put("notGiven", report.notGiven());
        view.put("unknown", named(report.unknown()));
        view.put("unknownCount", report.unknown().size());
        view.put("unasked", report.unasked());
        view.put(
                "left",
                report.left().stream()
                        .limit(MOST_NAMED)
                        .map(BackupRequests::view)
                        .toList());
        view.put("leftCount", report.left().size() + report.moreLeft());
        return view;
    }

    private static List<String> named(List<?> ids) {
        return ids.stream().limit(MOST_NAMED).map(String::valueOf).toList();
    }

    private static Map<String, Object> view(LeftJob job) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", job.event().tag().toString());
        view.put("lrm", job.source().lrm());
        view.put("account", String.valueOf(job.source().account()));
        view.put("localIds", job.event().localIds());
        view.put("state", job.event().kind().name());
        view.put("at", job.event().at().toString());
        return view;
    }
}
