// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Maps VOMS attributes to local accounts: lines {@code "/atlas/Role=production" atlasprd} or {@code "/atlas/*" .atlas}, where a leading
 * dot means a pool of accounts, from which each caller gets an own account. Of each FQAN of the caller, the primary one first, the first
 * line that matches counts; the first account found is the default.
 *
 * <p>A line that cannot be read breaks the whole file: the lines behind it could then mean more than they should.
 */
public final class FqanMap implements DecisionPoint, Watched {

    private static final Pattern ACCOUNT = Pattern.compile("[.]?[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}");
    private static final int MAX_LINES = 10_000;

    private final WatchedFile<List<Line>> lines;
    private final Set<String> deniedAccounts;
    private final @Nullable PoolAccounts pool;

    private record Line(String pattern, List<String> accounts) {}

    /** @param pool absent where the map has no pools */
    public FqanMap(Path file, Set<String> deniedAccounts, @Nullable PoolAccounts pool, WatchedFile.Watch watch) {
        this.deniedAccounts = Set.copyOf(deniedAccounts);
        this.pool = pool;
        this.lines = new WatchedFile<>(requireNonNull(file, "file is null"), this::read, watch);
    }

    @Override
    public PointDecision judge(AuthzRequest request) {
        Optional<List<Line>> known = lines.content();
        if (known.isEmpty()) {
            return new PointDecision.Indeterminate(lines.missing());
        }
        List<String> fqans = request.fqans();
        if (fqans.isEmpty()) {
            return new PointDecision.Abstain("the credential carries no VOMS attributes");
        }
        List<Line> matching = fqans.stream()
                .flatMap(fqan -> known.get().stream()
                        .filter(line -> Fqan.matches(line.pattern(), fqan))
                        .limit(1))
                .distinct()
                .toList();
        if (matching.isEmpty()) {
            return new PointDecision.Abstain("no line of the FQAN map matches " + String.join(", ", fqans));
        }
        return mapped(request, matching);
    }

    private PointDecision mapped(AuthzRequest request, List<Line> matching) {
        Set<String> accounts = new LinkedHashSet<>();
        List<String> reasons = new ArrayList<>();
        for (Line line : matching) {
            for (String account : line.accounts()) {
                if (account.startsWith(".")) {
                    leased(request, account.substring(1), accounts.isEmpty(), reasons)
                            .ifPresent(accounts::add);
                } else {
                    accounts.add(account);
                }
            }
            reasons.add("the line of " + line.pattern());
        }
        accounts.removeAll(deniedAccounts);
        String why = String.join(", ", reasons);
        return accounts.isEmpty()
                ? new PointDecision.Deny("No account is left for you by the FQAN map (" + why + ")")
                : new PointDecision.Permit(List.copyOf(accounts), why);
    }

    /** A lease is made only where it would be the default, and only for one who comes to submit. */
    private Optional<String> leased(AuthzRequest request, String name, boolean isDefault, List<String> reasons) {
        PoolAccounts leases = requireNonNull(pool, "a map with pools was read without a pool directory");
        String subject = SubjectForm.canonical(request.identity().subject());
        // one that was made when the attribute had no name here, and the subject held its number
        Optional<String> held =
                leases.find(name, subject).or(() -> leases.find(name, AttributeNames.withNumbers(subject)));
        if (held.isPresent() || !isDefault) {
            return held;
        }
        if (request.isRehearsal() || request.action() != Action.SUBMIT) {
            reasons.add(leases.outlook(name));
            return request.action() == Action.FILES ? Optional.empty() : leases.next(name);
        }
        Optional<String> account = leases.lease(name, subject);
        if (account.isEmpty()) {
            reasons.add(leases.outlook(name));
        }
        return account;
    }

    @Override
    public String nearest(AuthzRequest request) {
        List<String> patterns =
                lines.content().orElse(List.of()).stream().map(Line::pattern).toList();
        return request.fqans().stream()
                .flatMap(fqan -> Nearest.of(fqan, patterns).stream())
                .findFirst()
                .map(nearest -> "the nearest line is of " + nearest)
                .orElse("");
    }

    @Override
    public Optional<String> trouble() {
        return lines.trouble().or(() -> pool == null ? Optional.empty() : pool.trouble());
    }

    private List<Line> read(List<String> text) throws IOException {
        List<Line> read = new ArrayList<>();
        for (int i = 0; i < text.size(); i++) {
            try {
                Words words = Words.of(WatchedFile.requireText(text.get(i)));
                if (!words.values().isEmpty()) {
                    read.add(line(words.values()));
                }
            } catch (IllegalArgumentException e) {
                throw new IOException("line " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        if (read.size() > MAX_LINES) {
            throw new IOException("it has " + read.size() + " lines; at most " + MAX_LINES + " are taken");
        }
        return read;
    }

    private Line line(List<String> words) {
        String pattern = Fqan.shortForm(words.getFirst());
        if (!pattern.startsWith("/") || words.size() != 2) {
            throw new IllegalArgumentException("it must hold an FQAN as /group/Role=role, and accounts");
        }
        List<String> accounts = List.of(words.get(1).split(",", -1));
        for (String account : accounts) {
            if (!ACCOUNT.matcher(account).matches()) {
                throw new IllegalArgumentException("\"" + account + "\" is not the name of an account or of a pool");
            }
            if (account.startsWith(".") && pool == null) {
                throw new IllegalArgumentException(account + " is a pool, but no pool directory is configured");
            }
        }
        return new Line(pattern, accounts);
    }
}
