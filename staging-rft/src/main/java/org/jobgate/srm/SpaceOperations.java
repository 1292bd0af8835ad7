// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.jobgate.files.ExportedTree;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;

/** Spaces: each tree is one, with a token that never changes, its name; in it clients reserve spaces of their own. */
final class SpaceOperations {

    private static final QName STATUS = new QName("status");
    private static final QName POLICY = new QName("retentionPolicyInfo");
    private static final String FOR_EVER = "-1";
    private static final String LATENCY = "accessLatency";

    private final Trees trees;
    private final SrmSettings settings;
    private final Spaces spaces;

    SpaceOperations(Trees trees, SrmSettings settings, Spaces spaces) {
        this.trees = requireNonNull(trees, "trees is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.spaces = requireNonNull(spaces, "spaces is null");
    }

    XmlContent tokens(Call call) {
        String account = call.account();
        String owner = call.owner();
        String wanted = call.ask().text("userSpaceTokenDescription").orElse("");
        List<String> tokens = Stream.concat(
                        trees.of(account).stream()
                                .map(ExportedTree::name)
                                .filter(name -> wanted.isEmpty() || name.equals(wanted)),
                        spaces.of(owner).stream()
                                .filter(space ->
                                        wanted.isEmpty() || space.description().equals(Surl.shown(wanted)))
                                .map(StoredSpace::token))
                .toList();
        if (tokens.isEmpty()) {
            throw SrmException.invalid("There is no space that is described as '" + Surl.shown(wanted)
                    + "'; a tree is described by its name, and a space of yours by your words for it.");
        }
        return Answer.of(
                Status.SUCCESS,
                Answer.array("arrayOfSpaceTokens", "stringArray", tokens, (out, token) -> out.text(token)));
    }

    /** The answer about one space. */
    private record Told(String token, Status status, Optional<StoredSpace> space) {}

    XmlContent details(Call call) {
        String account = call.account();
        String owner = call.owner();
        List<Told> all = new ArrayList<>();
        for (String token : call.ask().texts("arrayOfSpaceTokens", "stringArray", settings.paths())) {
            boolean isTree =
                    trees.of(account).stream().anyMatch(tree -> tree.name().equals(token));
            Optional<StoredSpace> own = spaces.find(owner, token);
            all.add(
                    isTree || own.isPresent()
                            ? new Told(token, Status.SUCCESS, own)
                            : new Told(
                                    Surl.shown(token),
                                    new Status(
                                            Code.SRM_INVALID_REQUEST,
                                            "There is no space with that token; srmGetSpaceTokens lists those there are."),
                                    own));
        }
        if (all.isEmpty()) {
            throw SrmException.invalid("The request names no space token.");
        }
        Status status = Status.overall(all.stream().map(Told::status).toList(), Set.of(Code.SRM_SUCCESS), "spaces");
        return Answer.of(status, Answer.array("arrayOfSpaceDetails", "spaceDataArray", all, (out, one) -> {
            Answer.put(out, "spaceToken", one.token());
            one.status().write(out, STATUS);
            if (one.status().code() == Code.SRM_SUCCESS) {
                policy(out);
                one.space().ifPresentOrElse(space -> own(out, space), () -> tree(out, account, one.token()));
            }
        }));
    }

    private static void policy(XmlWriter out) {
        out.open(POLICY);
        Answer.put(out, "retentionPolicy", "REPLICA");
        Answer.put(out, LATENCY, "ONLINE");
        out.close();
    }

    private void tree(XmlWriter out, String account, String tree) {
        settings.disks().size(account, tree).ifPresent(size -> {
            Answer.put(out, "totalSize", size.total());
            Answer.put(out, "unusedSize", Math.max(0, size.free() - spaces.reserved(tree)));
        });
        Answer.put(out, "lifetimeAssigned", FOR_EVER);
        Answer.put(out, "lifetimeLeft", FOR_EVER);
    }

    private void own(XmlWriter out, StoredSpace space) {
        Answer.put(out, "owner", space.owner());
        Answer.put(out, "totalSize", space.size());
        Answer.put(out, "guaranteedSize", space.size());
        Answer.put(out, "unusedSize", space.unused());
        Answer.put(out, "lifetimeAssigned", space.until() - space.created());
        Answer.put(out, "lifetimeLeft", Math.max(0, space.until() - spaces.now()));
    }

    XmlContent reserve(Call call) {
        Ask ask = call.ask();
        String account = call.account();
        String owner = call.owner();
        ask.part(POLICY.getLocalPart()).ifPresent(SpaceOperations::requirePolicy);
        long guaranteed = ask.bytes("desiredSizeOfGuaranteedSpace")
                .orElseThrow(() -> SrmException.invalid("The request has no desiredSizeOfGuaranteedSpace."));
        if (guaranteed == 0) {
            throw SrmException.invalid("desiredSizeOfGuaranteedSpace is 0; reserve a byte at least.");
        }
        long wanted = Math.max(guaranteed, ask.bytes("desiredSizeOfTotalSpace").orElse(0));
        String words = Surl.shown(ask.text("userSpaceTokenDescription").orElse(""));
        StoredSpace space = spaces.reserve(
                owner,
                account,
                place(account, words).name(),
                words,
                wanted,
                until(ask.seconds("desiredLifetimeOfReservedSpace")));
        boolean isLess = space.size() < guaranteed;
        Status status = isLess
                ? new Status(
                        Code.SRM_LOWER_SPACE_GRANTED,
                        space.size() + " bytes were reserved of " + guaranteed
                                + ": no more is free, or yours within srm.maxReservedPerOwner.")
                : Status.SUCCESS;
        return Answer.of(status, out -> {
            policy(out);
            Answer.put(out, "sizeOfTotalReservedSpace", space.size());
            Answer.put(out, "sizeOfGuaranteedReservedSpace", space.size());
            Answer.put(out, "lifetimeOfReservedSpace", space.until() - space.created());
            Answer.put(out, "spaceToken", space.token());
        });
    }

    private static void requirePolicy(Ask policy) {
        boolean isOther = policy.text("retentionPolicy")
                        .filter(word -> !word.equals("REPLICA"))
                        .isPresent()
                || policy.text(LATENCY).filter(word -> !word.equals("ONLINE")).isPresent();
        if (isOther) {
            throw new SrmException(
                    Code.SRM_NOT_SUPPORTED, "Space here is of the retention policy REPLICA and the latency ONLINE.");
        }
    }

    private long until(OptionalInt seconds) {
        long longest = settings.spaces().longest().toSeconds();
        return spaces.now() + Math.min(longest, seconds.isPresent() ? seconds.getAsInt() : longest);
    }

    /** The tree that the description begins with, or the only one that can be written to. */
    private ExportedTree place(String account, String words) {
        List<ExportedTree> writable =
                trees.of(account).stream().filter(ExportedTree::isWritable).toList();
        String first = words.replaceFirst(":.*", "");
        return writable.stream()
                .filter(tree -> tree.name().equals(first))
                .findFirst()
                .or(() -> writable.size() == 1 ? Optional.of(writable.getFirst()) : Optional.empty())
                .orElseThrow(() -> SrmException.invalid(
                        "In which tree is not said: begin userSpaceTokenDescription with the name of one, as in"
                                + " TREE:words. There is "
                                + (writable.isEmpty()
                                        ? "none that can be written to"
                                        : String.join(
                                                ", ",
                                                writable.stream()
                                                        .map(ExportedTree::name)
                                                        .toList()))
                                + "."));
    }

    XmlContent update(Call call) {
        Ask ask = call.ask();
        OptionalLong guaranteed = ask.bytes("newSizeOfGuaranteedSpaceDesired");
        OptionalLong bytes = guaranteed.isPresent() ? guaranteed : ask.bytes("newSizeOfTotalSpaceDesired");
        OptionalInt seconds = ask.seconds("newLifeTime");
        StoredSpace space = spaces.update(
                call.owner(),
                call.account(),
                ask.needed("spaceToken"),
                bytes,
                seconds.isPresent() ? OptionalLong.of(until(seconds)) : OptionalLong.empty());
        boolean isLess = bytes.isPresent() && space.size() < bytes.getAsLong();
        return Answer.of(
                isLess ? new Status(Code.SRM_LOWER_SPACE_GRANTED, "No more is free, or yours.") : Status.SUCCESS,
                out -> {
                    Answer.put(out, "sizeOfTotalSpace", space.size());
                    Answer.put(out, "sizeOfGuaranteedSpace", space.size());
                    Answer.put(out, "lifetimeGranted", Math.max(0, space.until() - spaces.now()));
                });
    }

    /** Files that were put there stay. */
    XmlContent release(Call call) {
        String token = call.ask().needed("spaceToken");
        if (trees.of(call.account()).stream().anyMatch(tree -> tree.name().equals(token))) {
            throw new SrmException(
                    Code.SRM_AUTHORIZATION_FAILURE, "The space of a tree is the site's, and is not released.");
        }
        spaces.release(call.owner(), token);
        return Answer.of(Status.SUCCESS);
    }

    /** No request for space is ever queued, so every token is unknown. */
    XmlContent status(Call call) {
        call.account();
        throw SrmException.invalid("There is no request for space with the token '"
                + Surl.shown(call.ask().needed("requestToken")) + "': requests for space are answered at once.");
    }
}
