// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jobgate.files.TreeEntry;
import org.jobgate.xml.XmlContent;

/** Operations that change names: directories made and removed, files removed and moved. */
final class NameOperations {

    private final Trees trees;
    private final SrmSettings settings;

    NameOperations(Trees trees, SrmSettings settings) {
        this.trees = requireNonNull(trees, "trees is null");
        this.settings = requireNonNull(settings, "settings is null");
    }

    /** Makes one directory; that above it must be there. */
    XmlContent makeDirectory(Call call) {
        Trees.Spot spot = trees.spot(call.account(), call.ask().needed("SURL"));
        boolean isNew = !spot.way().isEmpty() && Trees.of(() -> spot.tree().makeDirectory(spot.way(), false));
        if (!isNew) {
            throw new SrmException(Code.SRM_DUPLICATION_ERROR, "The directory " + spot.shown() + " is there already.");
        }
        return Answer.of(Status.SUCCESS);
    }

    /** Removes a directory, with what is in it only if that is asked for. */
    XmlContent removeDirectory(Call call) {
        Trees.Spot spot = trees.changeable(call.account(), call.ask().needed("SURL"));
        boolean isRecursive = call.ask().truth("recursive", false);
        if (kind(spot) != TreeEntry.Kind.DIRECTORY) {
            throw SrmException.path(spot.shown() + " is no directory; srmRm removes files.");
        }
        remove(spot, isRecursive);
        return Answer.of(Status.SUCCESS);
    }

    private static TreeEntry.Kind kind(Trees.Spot spot) {
        return Trees.of(() -> spot.tree().stat(spot.way())).kind();
    }

    private static void remove(Trees.Spot spot, boolean isRecursive) {
        boolean was = Trees.of(() -> spot.tree().remove(spot.way(), isRecursive));
        if (!was) {
            throw SrmException.path("There is no " + spot.shown() + ".");
        }
    }

    /** Removes files, each by itself. */
    XmlContent removeFiles(Call call) {
        String account = call.account();
        return each(call.ask().surls(settings.paths()), "files", surl -> {
            Trees.Spot spot = trees.changeable(account, surl);
            if (kind(spot) == TreeEntry.Kind.DIRECTORY) {
                throw SrmException.path(spot.shown() + " is a directory; srmRmdir removes directories.");
            }
            remove(spot, false);
        });
    }

    /** Does the same with each SURL, and tells what came of each. */
    static XmlContent each(List<String> surls, String what, Consumer<String> work) {
        List<Answer.OfSurl> answers = new ArrayList<>();
        for (String surl : surls) {
            try {
                work.accept(surl);
                answers.add(new Answer.OfSurl(surl, Status.SUCCESS));
            } catch (SrmException e) {
                answers.add(new Answer.OfSurl(Surl.echo(surl), e.status()));
            }
        }
        List<Status> statuses = answers.stream().map(Answer.OfSurl::status).toList();
        return Answer.ofSurls(Status.overall(statuses, Set.of(Code.SRM_SUCCESS), what), answers);
    }

    /** Gives a file or directory another name in the same tree. */
    XmlContent move(Call call) {
        String account = call.account();
        Trees.Spot from = trees.changeable(account, call.ask().needed("fromSURL"));
        Trees.Spot to = trees.changeable(account, call.ask().needed("toSURL"));
        String tree = from.tree().tree().name();
        if (!tree.equals(to.tree().tree().name())) {
            throw new SrmException(
                    Code.SRM_NOT_SUPPORTED,
                    "srmMv works in one tree: /" + tree + " and /"
                            + to.tree().tree().name() + " are two. Copy the file, and remove it then.");
        }
        if (from.way().equals(to.way())) {
            kind(from);
            return Answer.of(Status.SUCCESS);
        }
        Trees.does(() -> from.tree().rename(from.way(), to.way(), false));
        return Answer.of(Status.SUCCESS);
    }
}
