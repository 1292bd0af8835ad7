// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classic map of subjects to local accounts, one line each: see {@link GridMapfileLine}.
 *
 * <ul>
 *   <li>A broken line is reported with its number and left out ({@link #leftOut}); the others hold: it admits nobody whom it should not.
 *   <li>While the file cannot be read, what it said last holds. If it never could be, nobody is mapped: the answer is {@code
 *       Indeterminate}.
 *   <li>An account of the denied list is never answered.
 * </ul>
 */
public final class GridMapfile implements DecisionPoint, Watched {

    /** How many broken lines of one reading are reported one by one. */
    static final int MAX_REPORTED_LINES = 20;

    private static final Logger LOG = LoggerFactory.getLogger(GridMapfile.class);

    private final Path file;
    private final Set<String> deniedAccounts;
    private final WatchedFile<Accounts> accounts;

    /**
     * What the file says.
     *
     * @param bySubject in the form of {@link SubjectForm#canonical}
     * @param broken how many lines are left out
     * @param firstBroken which is the first of them and why; empty if none is
     */
    private record Accounts(Map<String, List<String>> bySubject, int broken, String firstBroken) {}

    /**
     * Reads the file.
     *
     * @param deniedAccounts accounts that no job may ever run as
     */
    public GridMapfile(Path file, Set<String> deniedAccounts, WatchedFile.Watch watch) {
        this.file = requireNonNull(file, "file is null");
        this.deniedAccounts = Set.copyOf(deniedAccounts);
        this.accounts = new WatchedFile<>(file, this::read, watch);
    }

    @Override
    public PointDecision judge(AuthzRequest request) {
        Optional<Map<String, List<String>>> known = accounts.content().map(Accounts::bySubject);
        if (known.isEmpty()) {
            return new PointDecision.Indeterminate(accounts.missing());
        }
        String subject = request.identity().subject();
        List<String> mapped = known.get().get(SubjectForm.canonical(subject));
        if (mapped == null) {
            return new PointDecision.Abstain("The subject " + subject + " is not in the grid-mapfile");
        }
        List<String> allowed = mapped.stream()
                .filter(account -> !deniedAccounts.contains(account))
                .toList();
        if (allowed.isEmpty()) {
            return new PointDecision.Deny("The subject " + subject
                    + " is mapped only to accounts that no job may run as: " + String.join(", ", mapped));
        }
        return new PointDecision.Permit(allowed, "the grid-mapfile maps it to " + String.join(",", allowed));
    }

    @Override
    public String nearest(AuthzRequest request) {
        return accounts.content()
                .flatMap(known -> Nearest.of(
                        SubjectForm.canonical(request.identity().subject()),
                        known.bySubject().keySet()))
                .map(nearest -> "the nearest line is of \"" + nearest + "\"")
                .orElse("");
    }

    @Override
    public Optional<String> trouble() {
        return accounts.trouble();
    }

    @Override
    public Optional<String> leftOut() {
        return accounts.content()
                .filter(known -> known.broken() > 0)
                .map(known -> file + ": " + known.broken() + " broken lines are left out, the first is "
                        + known.firstBroken() + ". Mend them.");
    }

    /** How many subjects are mapped now. */
    public int size() {
        return accounts.content().map(known -> known.bySubject().size()).orElse(0);
    }

    private Accounts read(List<String> lines) {
        Map<String, LinkedHashSet<String>> found = new HashMap<>();
        int number = 0;
        int broken = 0;
        String firstBroken = "";
        for (String line : lines) {
            number++;
            try {
                GridMapfileLine.parse(WatchedFile.requireText(line))
                        .ifPresent(entry -> found.computeIfAbsent(entry.subject(), s -> new LinkedHashSet<>())
                                .addAll(entry.accounts()));
            } catch (IllegalArgumentException e) {
                if (broken++ == 0) {
                    firstBroken = "line " + number + ": " + e.getMessage();
                }
                if (broken <= MAX_REPORTED_LINES) {
                    LOG.warn("{} line {} is left out: {}.", file, number, e.getMessage());
                }
            }
        }
        LOG.info("{}: {} subjects, {} broken lines left out.", file, found.size(), broken);
        Map<String, List<String>> result = HashMap.newHashMap(found.size());
        found.forEach((subject, names) -> result.put(subject, List.copyOf(names)));
        return new Accounts(result, broken, firstBroken);
    }
}
