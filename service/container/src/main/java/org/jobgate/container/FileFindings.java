// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.authz.AttributeFile;
import org.jobgate.authz.BanList;
import org.jobgate.authz.DecisionPoint;
import org.jobgate.authz.FqanMap;
import org.jobgate.authz.GridMapfile;
import org.jobgate.authz.PoolAccounts;
import org.jobgate.authz.Watched;
import org.jobgate.authz.WatchedFile;
import org.jobgate.container.config.DecisionPointConfig;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.doctor.Finding;

/** What the files that decide, and those of keys, say of themselves when they are read as the service reads them. */
final class FileFindings {

    private static final String AREA = "authorization";

    private FileFindings() {}

    /** Nothing of a file that is good. */
    static List<Finding> of(JobgateConfig config) {
        WatchedFile.Watch once = new WatchedFile.Watch(Duration.ofDays(1), System::nanoTime, Runnable::run);
        Set<Finding> findings = new LinkedHashSet<>();
        for (DecisionPointConfig point : config.decisionPoints()) {
            watched(config, point, once).ifPresent(file -> {
                file.trouble().ifPresent(what -> findings.add(finding(AREA, what)));
                file.leftOut().ifPresent(what -> findings.add(finding(AREA, what)));
            });
        }
        Tokens.badKeyFiles(config).forEach(what -> findings.add(finding("token issuers", what)));
        return new ArrayList<>(findings);
    }

    /** The files that map users to accounts, in the order in which they are asked. */
    static List<DecisionPoint> maps(JobgateConfig config) {
        WatchedFile.Watch once = new WatchedFile.Watch(Duration.ofDays(1), System::nanoTime, Runnable::run);
        return config.decisionPoints().stream()
                .filter(point -> point.kind() == DecisionPointConfig.Kind.GRID_MAPFILE
                        || point.kind() == DecisionPointConfig.Kind.FQAN_MAP)
                .flatMap(point -> watched(config, point, once).stream())
                .map(DecisionPoint.class::cast)
                .toList();
    }

    private static Finding finding(String area, String sentence) {
        return Finding.bad(area, sentence.replaceFirst("[.]$", ""), "mend it");
    }

    private static Optional<Watched> watched(JobgateConfig config, DecisionPointConfig point, WatchedFile.Watch watch) {
        Set<String> denied = Set.copyOf(config.authorization().deniedAccounts());
        return switch (point.kind()) {
            case GRID_MAPFILE ->
                Optional.of(new GridMapfile(
                        Optional.ofNullable(point.file())
                                .orElse(config.authorization().gridMapfile()),
                        denied,
                        watch));
            case FQAN_MAP -> {
                Path pool = point.poolDirectory();
                yield Optional.of(new FqanMap(
                        requireNonNull(point.file()), denied, pool == null ? null : new PoolAccounts(pool), watch));
            }
            case BAN_LIST -> Optional.of(new BanList(requireNonNull(point.file()), watch));
            case ATTRIBUTE_FILE -> Optional.of(new AttributeFile(requireNonNull(point.file()), watch));
            case TOKEN_SCOPE, TIME_WINDOW, SERVER_LOAD, OWNER_QUOTA, CALLOUT, XACML, COMMAND -> Optional.empty();
        };
    }
}
