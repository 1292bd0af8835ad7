// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.files.FileAnswer;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.Urls;
import org.jobgate.transfer.protocol.Protocol;
import org.jspecify.annotations.Nullable;

/** The two ends of a copy: a file in an exported tree, or one at a server elsewhere. At least one is here. */
final class CopyEnds {

    private static final String SRM = "srm://";
    private static final Set<String> NOT_SERVERS = Set.of("file", "empty");

    private final Trees trees;
    private final Turls turls;
    private final PutFiles puts;
    private final Protocols protocols;
    private final String host;

    /** @param url of this service: what its host names is here */
    CopyEnds(Trees trees, Turls turls, PutFiles puts, Protocols protocols, String url) {
        this.trees = requireNonNull(trees, "trees is null");
        this.turls = requireNonNull(turls, "turls is null");
        this.puts = requireNonNull(puts, "puts is null");
        this.protocols = requireNonNull(protocols, "protocols is null");
        this.host = requireNonNull(URI.create(url).getHost(), "the URL of the service names no host")
                .toLowerCase(Locale.ROOT);
    }

    /**
     * Both.
     *
     * @param source from where the engine copies, and {@code destination} to where
     * @param to the file's place where it comes here, and {@code part} its hidden name beside it; absent where it goes elsewhere
     * @param size -1 where it is not known
     */
    record Ends(
            URI source,
            URI destination,
            Trees.@Nullable Spot to,
            @Nullable String part,
            long size,
            boolean needsCredential) {}

    /**
     * Looks at both ends of a copy; a target here is then being put.
     *
     * @param isSaid whether the client says what happens to a file that is there
     * @throws SrmException where they cannot be
     */
    Ends of(
            String account,
            String source,
            String target,
            PutOperations.Overwrite overwrite,
            boolean isSaid,
            String token,
            int place) {
        boolean isFromHere = isHere(source);
        boolean isToHere = isHere(target);
        if (!isFromHere && !isToHere) {
            throw SrmException.invalid("Neither the source nor the target is here; one of them must be srm://" + host
                    + "/TREE/PATH. Ask one of the two servers for the copy.");
        }
        long size = -1;
        URI from;
        if (isFromHere) {
            Trees.Spot spot = trees.changeable(account, source);
            FileAnswer.Part part = Trees.of(() -> spot.tree().read(spot.way(), 0, 0));
            size = part.size();
            from = local(account, spot);
        } else {
            from = remote(source);
        }
        boolean needs = (!isFromHere && needs(from));
        if (!isToHere) {
            if (isSaid && overwrite != PutOperations.Overwrite.ALWAYS) {
                throw new SrmException(
                        Code.SRM_NOT_SUPPORTED,
                        "Whether the target is there already only its own server knows, which replaces it: leave"
                                + " overwriteOption out, or say ALWAYS.");
            }
            URI to = remote(target);
            return new Ends(from, to, null, null, size, needs || needs(to));
        }
        Trees.Spot spot = trees.changeable(account, target);
        PutOperations.requireWritable(spot);
        PutOperations.requireRoom(spot, overwrite, size < 0 ? OptionalLong.empty() : OptionalLong.of(size));
        if (isFromHere && trees.changeable(account, source).names().equals(spot.names())) {
            throw SrmException.invalid("The source and the target are the same file.");
        }
        String part = Surl.PUT + token + "-" + place;
        URI to = local(account, spot.beside(part));
        if (!puts.begin(account, spot, token)) {
            throw new SrmException(
                    Code.SRM_FILE_BUSY,
                    spot.shown() + " is being put by another request of your account that is not over.");
        }
        return new Ends(from, to, spot, part, size, needs);
    }

    /** The file is not put any more. */
    void over(String account, Ends ends, String token) {
        if (ends.to() != null) {
            puts.over(account, ends.to(), token);
        }
    }

    private URI local(String account, Trees.Spot spot) {
        return turls.file(account, spot)
                .orElseThrow(() -> new SrmException(
                        Code.SRM_FAILURE,
                        "Where " + spot.shown() + " is on this machine is not known, for the account has no home."));
    }

    private boolean isHere(String surl) {
        if (!surl.regionMatches(true, 0, SRM, 0, SRM.length())) {
            return surl.startsWith("/");
        }
        int end = surl.indexOf('/', SRM.length());
        String authority = surl.substring(SRM.length(), end < 0 ? surl.length() : end);
        String name = authority.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
        if (name.equals(host)) {
            return true;
        }
        throw new SrmException(
                Code.SRM_NOT_SUPPORTED,
                "The storage resource manager of '" + Surl.shown(name) + "' is not asked from here (this one is " + host
                        + "): ask it for the file's transfer URL, and name that.");
    }

    private URI remote(String text) {
        URI url;
        try {
            url = Urls.parse(text);
        } catch (IllegalArgumentException e) {
            throw SrmException.invalid(
                    "'" + Surl.shown(text) + "' cannot be copied from or to: " + e.getMessage() + ".");
        }
        Protocol protocol = protocols.find(url).orElse(null);
        if (protocol == null || NOT_SERVERS.contains(Urls.scheme(url)) || url.getHost() == null) {
            String known = protocols.schemes().stream()
                    .filter(scheme -> !NOT_SERVERS.contains(scheme))
                    .collect(Collectors.joining(", "));
            throw SrmException.invalid("'" + Surl.shown(text)
                    + "' is no URL of a file at a server from which files are copied; known are " + known + ".");
        }
        if (!protocols.allowUserOf(url)) {
            throw SrmException.invalid("A URL must not name a user or hold a password.");
        }
        if (url.getRawPath().endsWith("/")) {
            throw SrmException.invalid("'" + Surl.shown(text) + "' is a directory; name a file.");
        }
        return url;
    }

    private boolean needs(URI url) {
        return protocols.find(url).map(Protocol::needsCredential).orElse(false);
    }
}
