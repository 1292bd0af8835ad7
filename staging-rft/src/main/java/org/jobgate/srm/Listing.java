// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jobgate.files.AccountTree;
import org.jobgate.files.ExportedTree;
import org.jobgate.files.TreeEntry;
import org.jobgate.xml.XmlContent;
import org.jspecify.annotations.Nullable;

/** srmLs: lists names and directories. It is answered at once, since its size is bounded. */
final class Listing {

    private static final QName DETAILS = new QName("details");
    private static final Set<Code> WELL = Set.of(Code.SRM_SUCCESS, Code.SRM_FILE_BUSY);
    private static final int CURSORS = 1024;
    private static final int LEVELS_OF_ALL = 64;
    private static final int TOP_MODE = 0555;

    /** So many names one request looks at, shown or not. A directory has at most half as many; an account's word for more is not believed. */
    private static final int MOST_SEEN = 2_000_000;

    private final Trees trees;
    private final SrmSettings settings;
    private final Checksums checksums;

    /** Where pages of directories end: the last name before an offset. A client that goes on there finds it without the pages before. */
    private final Map<String, String> cursors = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > CURSORS;
        }
    };

    private final Unfinished unfinished;

    Listing(Trees trees, SrmSettings settings, Unfinished unfinished) {
        this.trees = requireNonNull(trees, "trees is null");
        this.unfinished = requireNonNull(unfinished, "unfinished is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.checksums = new Checksums(settings);
    }

    /**
     * Finds files that are being put. ARC's client looks at a file that it has put, and compares the checksum, before it says srmPutDone;
     * so the owner, and nobody else, is shown it by its own name.
     */
    @FunctionalInterface
    interface Unfinished {
        /** Where the file's content is meanwhile; empty where this owner does not put it. */
        Optional<Trees.Spot> of(String owner, String account, Trees.Spot spot);
    }

    /** The caller, and its account. */
    private record Asker(String owner, String account) {}

    /** How much of a directory is asked for. */
    private record Window(int offset, int count) {}

    /** One request on its way: how many entries it may still have, and how many names it has looked at. */
    private static final class Budget {
        private int left;
        private int seen;
        private boolean isOver;

        Budget(int left) {
            this.left = left;
        }

        boolean take() {
            if (left == 0) {
                isOver = true;
                return false;
            }
            left--;
            return true;
        }
    }

    XmlContent list(Call call) {
        Ask ask = call.ask();
        boolean isFull = ask.truth("fullDetailedList", false);
        int levels = ask.truth("allLevelRecursive", false)
                ? LEVELS_OF_ALL
                : Math.min(LEVELS_OF_ALL, ask.number("numOfLevels").orElse(1));
        Window window =
                new Window(ask.number("offset").orElse(0), ask.number("count").orElse(Integer.MAX_VALUE));
        boolean isWindow = window.offset() > 0 || window.count() != Integer.MAX_VALUE;
        List<String> surls = ask.surls(settings.paths());
        if (isWindow && (surls.size() != 1 || levels > 1)) {
            throw new SrmException(
                    Code.SRM_NOT_SUPPORTED, "offset and count are possible for one SURL and at most one level.");
        }
        String account = call.account();
        Asker asker = new Asker(call.caller().subject(), account);
        Budget budget = new Budget(Math.toIntExact(settings.entries().value()));
        List<Detail> details = new ArrayList<>();
        for (String surl : surls) {
            details.add(detail(asker, surl, isFull, levels, window, budget));
        }
        Status status = budget.isOver ? tooMany() : overall(details);
        return Answer.of(status, out -> {
            out.open(DETAILS);
            new Detail.Text(isFull).write(out, details);
            out.close();
        });
    }

    /** No listing is ever queued, so there is none whose token could be asked for. */
    XmlContent status(Call call) {
        call.account();
        throw SrmException.invalid("There is no listing with the request token '"
                + Surl.shown(call.ask().needed("requestToken")) + "': srmLs is always answered at once here.");
    }

    private Status tooMany() {
        return new Status(
                Code.SRM_TOO_MANY_RESULTS,
                "There are more entries than the limit " + settings.entries().name() + " = "
                        + settings.entries().value()
                        + " lets one answer have; the first are here. List one directory with offset and count.");
    }

    private static Status overall(List<Detail> details) {
        List<Status> statuses = details.stream().map(Detail::status).toList();
        boolean isOne =
                statuses.size() == 1 && !WELL.contains(statuses.getFirst().code());
        return isOne
                ? new Status(Code.SRM_FAILURE, statuses.getFirst().explanation())
                : Status.overall(statuses, WELL, "paths");
    }

    private Detail detail(Asker asker, String surl, boolean isFull, int levels, Window window, Budget budget) {
        try {
            List<String> names = Surl.names(surl);
            if (names.isEmpty()) {
                return top(asker.account(), levels, budget);
            }
            Trees.Spot spot = trees.spot(asker.account(), names);
            Optional<Detail> busy = unfinished(asker, spot, isFull);
            if (busy.isPresent()) {
                return busy.get();
            }
            if (levels > 0 && window.offset() == 0) {
                AccountTree.View view = Trees.of(() -> spot.tree().view(spot.way(), wanted(window.count(), budget)));
                if (view.inside() != null) {
                    return directory(asker.account(), spot, view.entry(), levels, window, budget, view.inside());
                }
                return alone(asker, spot, spot, view.entry(), Status.SUCCESS, isFull);
            }
            TreeEntry entry = Trees.of(() -> spot.tree().stat(spot.way()));
            if (entry.kind() == TreeEntry.Kind.DIRECTORY && levels > 0) {
                return directory(asker.account(), spot, entry, levels, window, budget, null);
            }
            return alone(asker, spot, spot, entry, Status.SUCCESS, isFull);
        } catch (SrmException e) {
            return Detail.failed(Surl.echo(surl), e.status());
        }
    }

    /** @param content where the file's content is */
    private Detail alone(
            Asker asker, Trees.Spot spot, Trees.Spot content, TreeEntry entry, Status status, boolean isFull) {
        boolean isSummed = isFull && entry.kind() == TreeEntry.Kind.FILE;
        return new Detail(
                Surl.path(spot.names()),
                status,
                entry,
                isSummed ? checksums.of(asker.account(), content, entry) : null,
                null);
    }

    private Optional<Detail> unfinished(Asker asker, Trees.Spot spot, boolean isFull) {
        Optional<Trees.Spot> content = unfinished.of(asker.owner(), asker.account(), spot);
        if (content.isEmpty()) {
            return Optional.empty();
        }
        try {
            TreeEntry entry =
                    Trees.of(() -> content.get().tree().stat(content.get().way()));
            Status busy = new Status(Code.SRM_FILE_BUSY, "You are putting the file; srmPutDone has not come.");
            return Optional.of(alone(asker, spot, content.get(), entry, busy, isFull));
        } catch (SrmException e) {
            if (e.status().code() == Code.SRM_INVALID_PATH) {
                return Optional.empty(); // nothing has arrived yet
            }
            throw e;
        }
    }

    /** What the trees are in. It is no directory of any file system. */
    private Detail top(String account, int levels, Budget budget) {
        List<Detail> inside = new ArrayList<>();
        for (ExportedTree tree : trees.of(account)) {
            if (levels > 0 && budget.take()) {
                inside.add(Detail.of("/" + tree.name(), topEntry(tree.name())));
            }
        }
        return new Detail("/", Status.SUCCESS, topEntry("/"), null, levels > 0 ? inside : null);
    }

    private static TreeEntry topEntry(String name) {
        return new TreeEntry(name, TreeEntry.Kind.DIRECTORY, 0, 0, TOP_MODE, "-", "-", null);
    }

    /** How many entries of a directory are asked for at once: one more than the answer may have tells whether there are more. */
    private static int wanted(int count, Budget budget) {
        return Math.max(1, Math.min(AccountTree.MAX_LISTED, Math.min(count, budget.left + 1)));
    }

    /** @param first its first page, where that was asked for already */
    private Detail directory(
            String account,
            Trees.Spot spot,
            TreeEntry entry,
            int levels,
            Window window,
            Budget budget,
            AccountTree.@Nullable Page first) {
        String path = Surl.path(spot.names());
        String key = account + " " + path + " ";
        List<Detail> inside = new ArrayList<>();
        int passed = 0;
        String after = null;
        // a page's end is no beginning: what comes before names that are not shown would be left out
        String known = window.offset() == 0 ? null : cursor(key + window.offset());
        if (known != null) {
            after = known;
            passed = window.offset();
        }
        boolean isMore = true;
        boolean isBare = false;
        AccountTree.Page given = first;
        while (isMore && inside.size() < window.count() && !budget.isOver) {
            if (budget.seen > MOST_SEEN) {
                throw new SrmException(
                        Code.SRM_FAILURE,
                        "The listing of " + spot.shown() + " does not end: more than " + MOST_SEEN
                                + " names were looked at.");
            }
            String last = after;
            int shown = inside.size();
            int wanted = isBare || passed < window.offset()
                    ? AccountTree.MAX_LISTED
                    : wanted(window.count() - inside.size(), budget);
            AccountTree.Page page =
                    given != null ? given : Trees.of(() -> spot.tree().list(spot.way(), last, wanted));
            given = null;
            for (TreeEntry one : page.entries()) {
                if (one.name().startsWith(Surl.PUT)) {
                    continue;
                }
                if (passed < window.offset()) {
                    passed++;
                } else if (inside.size() < window.count() && budget.take()) {
                    inside.add(inside(account, spot, path, one, levels - 1, budget));
                } else {
                    break;
                }
                after = one.name();
            }
            // a page of hidden names alone: go on behind it
            String end =
                    page.entries().isEmpty() ? null : page.entries().getLast().name();
            after = end != null && end.startsWith(Surl.PUT) && !budget.isOver ? end : after;
            isMore = page.isMore();
            isBare = inside.size() == shown;
            budget.seen += isMore ? wanted : page.entries().size();
        }
        if (after != null) {
            remember(key + (window.offset() + inside.size()), after);
        }
        return new Detail(path, budget.isOver ? tooMany() : Status.SUCCESS, entry, null, inside);
    }

    private Detail inside(String account, Trees.Spot parent, String path, TreeEntry entry, int levels, Budget budget) {
        if (levels == 0 || entry.kind() != TreeEntry.Kind.DIRECTORY) {
            return Detail.of(path + "/" + Surl.text(entry.name()), entry);
        }
        List<String> way = new ArrayList<>(parent.way());
        way.add(entry.name());
        Trees.Spot spot = new Trees.Spot(parent.tree(), way);
        try {
            return directory(account, spot, entry, levels, new Window(0, Integer.MAX_VALUE), budget, null);
        } catch (SrmException e) {
            return new Detail(Surl.path(spot.names()), e.status(), entry, null, null);
        }
    }

    private @Nullable String cursor(String key) {
        synchronized (cursors) {
            return cursors.get(key);
        }
    }

    private void remember(String key, String name) {
        synchronized (cursors) {
            cursors.put(key, name);
        }
    }
}
