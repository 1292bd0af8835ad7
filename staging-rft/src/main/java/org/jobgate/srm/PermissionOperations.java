// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.files.TreeEntry;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** The permissions of files: those of POSIX, in the words of SRM. */
final class PermissionOperations {

    private static final int OWNER_BITS = 6;
    private static final int GROUP_BITS = 3;
    private static final int ALL = 7;
    private static final int READ = 4;
    private static final int WRITE = 2;
    private static final int SEARCH = 1;
    private static final int PERMISSIONS = 0777;

    private final Trees trees;
    private final SrmSettings settings;

    PermissionOperations(Trees trees, SrmSettings settings) {
        this.trees = requireNonNull(trees, "trees is null");
        this.settings = requireNonNull(settings, "settings is null");
    }

    /** What is found out of one SURL. */
    private record Found(
            String surl, Status status, @Nullable TreeEntry entry, int bits) {}

    private List<Found> each(Call call) {
        String account = call.account();
        List<Found> found = new ArrayList<>();
        for (String surl : call.ask().surls(settings.paths())) {
            try {
                Trees.Spot spot = trees.spot(account, surl);
                TreeEntry entry = Trees.of(() -> spot.tree().stat(spot.way()));
                found.add(new Found(surl, Status.SUCCESS, entry, bits(account, spot, entry)));
            } catch (SrmException e) {
                found.add(new Found(Surl.echo(surl), e.status(), null, 0));
            }
        }
        return found;
    }

    private static Status overall(List<Found> found) {
        return Status.overall(found.stream().map(Found::status).toList(), Set.of(Code.SRM_SUCCESS), "paths");
    }

    /**
     * What the account may: its file's own bits where it is the owner, else those of everybody, and reading where it is seen to work. In
     * which groups the account is, is not looked up: what only a group may write is not told.
     */
    private static int bits(String account, Trees.Spot spot, TreeEntry entry) {
        int bits = entry.owner().equals(account) ? entry.mode() >> OWNER_BITS & ALL : entry.mode() & ALL;
        if ((bits & READ) == 0 && canRead(spot, entry)) {
            bits |= entry.kind() == TreeEntry.Kind.DIRECTORY ? READ | SEARCH : READ;
        }
        return spot.tree().tree().isWritable() ? bits : bits & ~WRITE;
    }

    private static boolean canRead(Trees.Spot spot, TreeEntry entry) {
        try {
            if (entry.kind() == TreeEntry.Kind.DIRECTORY) {
                Trees.of(() -> spot.tree().list(spot.way(), null, 1));
            } else {
                Trees.of(() -> spot.tree().read(spot.way(), 0, 0));
            }
            return true;
        } catch (SrmException e) {
            return false;
        }
    }

    XmlContent check(Call call) {
        List<Found> found = each(call);
        return Answer.of(
                overall(found), Answer.array("arrayOfPermissions", "surlPermissionArray", found, (out, one) -> {
                    new Answer.OfSurl(one.surl(), one.status()).write(out);
                    Answer.put(out, "permission", one.entry() == null ? null : Permission.word(one.bits()));
                }));
    }

    XmlContent get(Call call) {
        List<Found> found = each(call);
        return Answer.of(
                overall(found), Answer.array("arrayOfPermissionReturns", "permissionArray", found, (out, one) -> {
                    new Answer.OfSurl(one.surl(), one.status()).write(out);
                    if (one.entry() != null) {
                        write(out, one.entry());
                    }
                }));
    }

    private static void write(XmlWriter out, TreeEntry entry) {
        Answer.put(out, "owner", entry.owner());
        Answer.put(out, "ownerPermission", Permission.word(entry.mode() >> OWNER_BITS));
        Answer.array("arrayOfGroupPermissions", "groupPermissionArray", List.of(entry.group()), (inner, group) -> {
                    Answer.put(inner, "groupID", group);
                    Answer.put(inner, "mode", Permission.word(entry.mode() >> GROUP_BITS));
                })
                .write(out);
        Answer.put(out, "otherPermission", Permission.word(entry.mode()));
    }

    /** How permissions are changed. */
    enum Change {
        ADD,
        REMOVE,
        CHANGE
    }

    /** Sets the permissions of the owner, the file's group and all others; there are no others in POSIX. */
    XmlContent set(Call call) {
        Ask ask = call.ask();
        Trees.Spot spot = trees.changeable(call.account(), ask.needed("SURL"));
        Change change = ask.word("permissionType", Change.class)
                .orElseThrow(() -> SrmException.invalid("The request has no permissionType."));
        if (!ask.items("arrayOfUserPermissions", "userPermissionArray", settings.paths())
                .isEmpty()) {
            throw new SrmException(
                    Code.SRM_NOT_SUPPORTED,
                    "Permissions of single users are not possible; those of the owner, the group and all others are.");
        }
        TreeEntry entry = Trees.of(() -> spot.tree().stat(spot.way()));
        int mode = entry.mode() & PERMISSIONS;
        mode = changed(mode, OWNER_BITS, change, bits(ask, "ownerPermission"));
        mode = changed(mode, GROUP_BITS, change, group(ask, entry));
        mode = changed(mode, 0, change, bits(ask, "otherPermission"));
        int wanted = mode;
        Trees.does(() -> spot.tree().chmod(spot.way(), wanted));
        return Answer.of(Status.SUCCESS);
    }

    private Optional<Integer> group(Ask ask, TreeEntry entry) {
        List<Ask> groups = ask.items("arrayOfGroupPermissions", "groupPermissionArray", settings.paths());
        if (groups.isEmpty()) {
            return Optional.empty();
        }
        String name = groups.getFirst().needed("groupID");
        if (groups.size() > 1 || !name.equals(entry.group())) {
            throw new SrmException(
                    Code.SRM_NOT_SUPPORTED,
                    "Permissions are possible for the file's group, " + entry.group() + ", and for no other.");
        }
        return bits(groups.getFirst(), "mode");
    }

    private static Optional<Integer> bits(Ask ask, String name) {
        return ask.text(name)
                .map(word -> Permission.bits(word)
                        .orElseThrow(() -> SrmException.invalid(name + " is '" + Surl.shown(word)
                                + "', which is none of "
                                + Stream.iterate(0, bits -> bits <= ALL, bits -> bits + 1)
                                        .map(Permission::word)
                                        .collect(Collectors.joining(", "))
                                + ".")));
    }

    private static int changed(int mode, int shift, Change change, Optional<Integer> bits) {
        if (bits.isEmpty()) {
            return mode;
        }
        int wanted = bits.get() << shift;
        return switch (change) {
            case ADD -> mode | wanted;
            case REMOVE -> mode & ~wanted;
            case CHANGE -> (mode & ~(ALL << shift)) | wanted;
        };
    }
}
