// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who may do nothing here, one a line: a subject, {@code fqan:PATTERN} or {@code attribute:NAME=VALUE}, quoted where it holds blanks,
 * and behind it, after a {@code #}, why.
 *
 * <p>A line that cannot be read breaks the whole file: one who should be kept out would come in by it. While there is no good file, the
 * answer cannot be said.
 */
public final class BanList implements DecisionPoint, Watched {

    private static final String FQAN = "fqan:";
    private static final String ATTRIBUTE = "attribute:";

    private final WatchedFile<Bans> bans;

    private record Bans(Map<String, String> subjects, Map<String, String> fqans, Map<String, String> attributes) {}

    public BanList(Path file, WatchedFile.Watch watch) {
        this.bans = new WatchedFile<>(requireNonNull(file, "file is null"), BanList::read, watch);
    }

    @Override
    public PointDecision judge(AuthzRequest request) {
        Optional<Bans> known = bans.content();
        if (known.isEmpty()) {
            return new PointDecision.Indeterminate(bans.missing());
        }
        String why = known.get()
                .subjects()
                .get(SubjectForm.canonical(request.identity().subject()));
        if (why != null) {
            return new PointDecision.Deny("You are banned here" + why);
        }
        for (Map.Entry<String, String> ban : known.get().fqans().entrySet()) {
            if (request.fqans().stream().anyMatch(fqan -> Fqan.matches(ban.getKey(), fqan))) {
                return new PointDecision.Deny("Members of " + ban.getKey() + " are banned here" + ban.getValue());
            }
        }
        return ofAttributes(request, known.get().attributes())
                .orElse(new PointDecision.Abstain("the subject is not on the ban list"));
    }

    private static Optional<PointDecision> ofAttributes(AuthzRequest request, Map<String, String> banned) {
        for (Map.Entry<String, String> ban : banned.entrySet()) {
            int equals = ban.getKey().indexOf('=');
            List<String> values = request.attributes().getOrDefault(ban.getKey().substring(0, equals), List.of());
            if (values.contains(ban.getKey().substring(equals + 1))) {
                return Optional.of(
                        new PointDecision.Deny("Whoever has " + ban.getKey() + " is banned here" + ban.getValue()));
            }
        }
        return Optional.empty();
    }

    @Override
    public String nearest(AuthzRequest request) {
        return bans.content()
                .flatMap(known -> Nearest.of(
                        SubjectForm.canonical(request.identity().subject()),
                        known.subjects().keySet()))
                .map(nearest -> "the nearest line bans \"" + nearest + "\"")
                .orElse("");
    }

    @Override
    public Optional<String> trouble() {
        return bans.trouble();
    }

    private static Bans read(List<String> lines) throws IOException {
        Bans bans = new Bans(new HashMap<>(), new HashMap<>(), new HashMap<>());
        List<String> broken = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            try {
                add(bans, lines.get(i));
            } catch (IllegalArgumentException e) {
                broken.add("line " + (i + 1) + ": " + e.getMessage());
            }
        }
        if (!broken.isEmpty()) {
            throw new IOException(broken.size() + " broken lines: "
                    + String.join("; ", broken.subList(0, Math.min(broken.size(), GridMapfile.MAX_REPORTED_LINES))));
        }
        return bans;
    }

    private static void add(Bans bans, String line) {
        Words words = Words.of(WatchedFile.requireText(line));
        if (words.values().isEmpty()) {
            return;
        }
        if (words.values().size() > 1) {
            throw new IllegalArgumentException("one name a line is banned; quote it where it holds blanks");
        }
        String banned = words.values().getFirst();
        String why = words.comment().isEmpty() ? "" : ": " + words.comment();
        if (banned.startsWith(FQAN + "/")) {
            bans.fqans().put(Fqan.shortForm(banned.substring(FQAN.length())), why);
        } else if (banned.startsWith(ATTRIBUTE) && banned.indexOf('=') > ATTRIBUTE.length()) {
            bans.attributes().put(banned.substring(ATTRIBUTE.length()), why);
        } else if (banned.startsWith("/") && banned.indexOf('=') > 0) {
            bans.subjects().put(SubjectForm.canonical(banned), why);
        } else {
            throw new IllegalArgumentException(
                    "neither a subject (/NAME=value/...) nor fqan:/GROUP nor attribute:NAME=VALUE");
        }
    }
}
