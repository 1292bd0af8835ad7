// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jobgate.files.TreeEntry;
import org.jobgate.files.UploadPart;
import org.jobgate.srm.StoredRequest.File;
import org.jobgate.srm.StoredRequest.Kind;
import org.jobgate.xml.XmlContent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files to be put. The URL that a client is given leads to a hidden name beside the file's place; when the client says that it is done, the
 * file gets its own name, at once. Until then there is what was there before.
 */
final class PutOperations {

    /** What is well with a file that is to be put. */
    static final Set<Code> GOOD = Set.of(Code.SRM_SUCCESS, Code.SRM_SPACE_AVAILABLE);

    private static final Logger LOG = LoggerFactory.getLogger(PutOperations.class);

    private final Trees trees;
    private final SrmSettings settings;
    private final Turls turls;
    private final Requests requests;
    private final GetOperations gets;
    private final PutFiles files;
    private final Spaces spaces;

    PutOperations(
            Trees trees,
            SrmSettings settings,
            Turls turls,
            Requests requests,
            GetOperations gets,
            PutFiles files,
            Spaces spaces) {
        this.spaces = requireNonNull(spaces, "spaces is null");
        this.trees = requireNonNull(trees, "trees is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.turls = requireNonNull(turls, "turls is null");
        this.requests = requireNonNull(requests, "requests is null");
        this.gets = requireNonNull(gets, "gets is null");
        this.files = requireNonNull(files, "files is null");
    }

    /** What happens to a file that has the name. */
    enum Overwrite {
        NEVER,
        ALWAYS,
        WHEN_FILES_ARE_DIFFERENT
    }

    /** A request that was made before the service was started. */
    void remember(StoredRequest request) {
        if (request.kind() != Kind.PREPARE_TO_PUT) {
            return;
        }
        for (File file : request.files()) {
            if (file.isOpen()) {
                try {
                    files.begin(request.account(), trees.spot(request.account(), file.names()), request.token());
                } catch (SrmException e) {
                    LOG.warn(
                            "A file of the SRM request {} is in no tree any more: {}", request.token(), e.getMessage());
                }
            }
        }
    }

    /** As {@link Listing.Unfinished}. */
    Optional<Trees.Spot> content(String owner, String account, Trees.Spot spot) {
        String token = files.beingPut(account, spot);
        if (token == null) {
            return Optional.empty();
        }
        try {
            return requests.find(owner, token, Kind.PREPARE_TO_PUT).files().stream()
                    .filter(file -> file.isOpen() && file.names().equals(spot.names()))
                    .findFirst()
                    .flatMap(file -> Optional.ofNullable(file.part()))
                    .map(spot::beside);
        } catch (SrmException e) {
            return Optional.empty(); // somebody else's
        }
    }

    XmlContent prepare(Call call) {
        Ask ask = call.ask();
        String account = call.account();
        List<Ask> wanted = ask.items("arrayOfFileRequests", "requestArray", settings.paths());
        if (wanted.isEmpty()) {
            throw SrmException.invalid("The request names no file.");
        }
        Overwrite overwrite = ask.word("overwriteOption", Overwrite.class).orElse(Overwrite.NEVER);
        List<String> protocols = Turls.wanted(ask, settings);
        requests.admit(call.owner());
        NewPut put = new NewPut(call.owner(), account, Requests.newToken(), ask.text("targetSpaceToken"));
        StoredRequest request;
        try {
            for (Ask one : wanted) {
                put.files.add(file(put, one, overwrite, protocols));
            }
            holdSpace(put);
            long now = requests.now();
            request = new StoredRequest(
                    put.token,
                    Kind.PREPARE_TO_PUT,
                    put.owner,
                    account,
                    GetOperations.description(ask),
                    now,
                    now + Lifetimes.of(ask, settings),
                    put.files);
            if (request.isOpen()) {
                requests.create(request);
            }
        } catch (RuntimeException e) {
            put.begun.values().forEach(begun -> giveUp(put, begun));
            throw e;
        }
        put.begun.values().forEach(begun -> gets.count(put.token, begun.turl().passage()));
        return answer(request, request.files(), request.isOpen());
    }

    /** A request on its way into the store. */
    private static final class NewPut {
        private final String owner;
        private final String account;
        private final String token;
        private final Optional<String> space;
        private final List<File> files = new ArrayList<>();

        /** Those that can be put, by their places. */
        private final SortedMap<Integer, Begun> begun = new TreeMap<>();

        NewPut(String owner, String account, String token, Optional<String> space) {
            this.owner = owner;
            this.account = account;
            this.token = token;
            this.space = space;
        }
    }

    /** A file with which nothing is wrong but perhaps its space. */
    private record Begun(Trees.Spot spot, Turls.Turl turl, OptionalLong expected) {}

    private File file(NewPut put, Ask one, Overwrite overwrite, List<String> protocols) {
        String surl = one.text("targetSURL").orElse("");
        try {
            OptionalLong expected = one.bytes("expectedFileSize");
            Trees.Spot spot = trees.changeable(put.account, surl);
            requireWritable(spot);
            requireRoom(spot, overwrite, expected);
            String tree = spot.tree().tree().name();
            if (put.space.isEmpty() || put.space.get().equals(tree)) {
                spaces.requireFree(put.account, tree, expected);
            } else {
                requireSpace(put, tree);
            }
            int place = put.files.size();
            String part = Surl.PUT + put.token + "-" + place;
            Turls.Turl turl = begin(put, spot, part, protocols);
            put.begun.put(place, new Begun(spot, turl, expected));
            return new File(
                    surl,
                    File.path(spot.names()),
                    Code.SRM_SPACE_AVAILABLE,
                    null,
                    turl.url(),
                    part,
                    overwrite != Overwrite.NEVER,
                    expected.orElse(-1),
                    null);
        } catch (SrmException e) {
            return File.failed(surl, e.status());
        }
    }

    private Turls.Turl begin(NewPut put, Trees.Spot spot, String part, List<String> protocols) {
        if (put.token.equals(files.beingPut(put.account, spot))) {
            throw new SrmException(Code.SRM_DUPLICATION_ERROR, "The request names " + spot.shown() + " twice.");
        }
        if (!files.begin(put.account, spot, put.token)) {
            throw new SrmException(
                    Code.SRM_FILE_BUSY,
                    spot.shown() + " is being put by another request of your account that is not over.");
        }
        try {
            return turls.of(put.account, spot.beside(part), protocols);
        } catch (RuntimeException e) {
            files.over(put.account, spot, put.token);
            throw e;
        }
    }

    private StoredSpace requireSpace(NewPut put, String tree) {
        String wanted = put.space.orElseThrow();
        return spaces.find(put.owner, wanted)
                .filter(one -> one.tree().equals(tree))
                .orElseThrow(() -> SrmException.invalid("There is no space '" + Surl.shown(wanted) + "' in the tree /"
                        + tree + "; srmGetSpaceTokens lists those there are."));
    }

    /** Takes room in the space that the request names, last, when nothing else can be wrong. */
    private void holdSpace(NewPut put) {
        SortedMap<Integer, OptionalLong> wanted = new TreeMap<>();
        put.begun.forEach((place, begun) -> {
            if (put.space.isPresent() && !put.space.get().equals(tree(begun))) {
                wanted.put(place, begun.expected());
            }
        });
        if (wanted.isEmpty()) {
            return;
        }
        // all of one tree: that of the space
        StoredSpace space = requireSpace(put, tree(requireNonNull(put.begun.get(wanted.firstKey()))));
        spaces.hold(space, put.token, wanted).forEach((place, status) -> {
            giveUp(put, requireNonNull(put.begun.remove(place)));
            put.files.set(place, File.failed(put.files.get(place).surl(), status));
        });
    }

    private static String tree(Begun begun) {
        return begun.spot().tree().tree().name();
    }

    private void giveUp(NewPut put, Begun begun) {
        files.over(put.account, begun.spot(), put.token);
        if (begun.turl().passage() != null) {
            begun.turl().passage().close();
        }
    }

    static void requireWritable(Trees.Spot spot) {
        if (!spot.tree().tree().isWritable()) {
            throw new SrmException(
                    Code.SRM_AUTHORIZATION_FAILURE,
                    "The tree /" + spot.tree().tree().name() + " can only be read.");
        }
        if (!spot.tree().tree().rules().readOnly().isEmpty()) {
            // the client's own server writes the file, which knows no rules of ours: only asking for a change shows now
            // that it is refused
            Trees.does(
                    () -> spot.tree().kept(spot.way(), UploadPart.of(spot.tree().tree(), spot.way())));
        }
    }

    /** The directory is there, and nothing has the name that must stay. */
    static void requireRoom(Trees.Spot spot, Overwrite overwrite, OptionalLong expected) {
        TreeEntry there;
        try {
            there = Trees.of(() -> spot.tree().stat(spot.way()));
        } catch (SrmException e) {
            if (e.status().code() != Code.SRM_INVALID_PATH) {
                throw e;
            }
            List<String> above = spot.way().subList(0, spot.way().size() - 1);
            if (Trees.of(() -> spot.tree().stat(above)).kind() == TreeEntry.Kind.FILE) {
                throw SrmException.path("What " + spot.shown() + " would be in is no directory.");
            }
            return;
        }
        if (there.kind() == TreeEntry.Kind.DIRECTORY) {
            throw new SrmException(
                    Code.SRM_DUPLICATION_ERROR, spot.shown() + " is a directory; a file cannot replace it.");
        }
        boolean isSame = overwrite == Overwrite.WHEN_FILES_ARE_DIFFERENT
                && expected.isPresent()
                && expected.getAsLong() == there.size();
        if (overwrite == Overwrite.NEVER || isSame) {
            throw new SrmException(
                    Code.SRM_DUPLICATION_ERROR,
                    spot.shown() + " is there already"
                            + (isSame ? " with the same size." : "; overwriteOption says NEVER."));
        }
    }

    XmlContent status(Call call) {
        StoredRequest request = requests.find(call.owner(), call.ask().needed("requestToken"), Kind.PREPARE_TO_PUT);
        List<String> surls = call.ask().texts("arrayOfTargetSURLs", "urlArray", settings.paths());
        return answer(request, Files.chosen(request, surls), false);
    }

    private XmlContent answer(StoredRequest request, List<File> files, boolean isNew) {
        Status status = Status.overall(files.stream().map(File::status).toList(), GOOD, "files");
        long left = Math.max(0, request.until() - requests.now());
        return Answer.of(status, out -> {
            Answer.put(out, "requestToken", isNew ? request.token() : null);
            Answer.array("arrayOfFileStatuses", "statusArray", files, (inner, file) -> {
                        Answer.put(inner, "SURL", file.surl());
                        file.status().write(inner, Files.STATUS);
                        Answer.put(inner, "fileSize", file.size() < 0 ? null : Long.toString(file.size()));
                        if (file.isOpen()) {
                            Answer.put(inner, "remainingPinLifetime", left);
                            Answer.put(inner, "transferURL", file.turl());
                        }
                    })
                    .write(out);
            Answer.put(out, "remainingTotalRequestTime", left);
        });
    }

    /** Gives files that were put their names; all of the request where no SURL is given. */
    XmlContent done(Call call) {
        String token = call.ask().needed("requestToken");
        List<String> surls = call.ask().texts("arrayOfSURLs", "urlArray", settings.paths());
        Set<List<String>> wanted = Files.names(surls);
        List<Answer.OfSurl> answers = new ArrayList<>();
        // on disk before the first name is given: a service that is killed after a rename still knows then what the
        // name is of
        requests.change(
                call.owner(),
                token,
                request -> {
                    call.requireFilesOf(request);
                    return request.withFiles(file -> isWanted(file, wanted) ? files.arriving(request, file) : file);
                },
                Kind.PREPARE_TO_PUT);
        StoredRequest after = requests.change(
                call.owner(),
                token,
                request -> {
                    call.requireFilesOf(request);
                    return request.withFiles(file -> {
                        if (!isWanted(file, wanted)) {
                            return file;
                        }
                        try {
                            File done = files.done(request, file);
                            answers.add(new Answer.OfSurl(file.surl(), done.isOpen() ? lacking() : done.status()));
                            return done;
                        } catch (SrmException e) {
                            // this one stays open; those that have their names must be remembered as such
                            answers.add(new Answer.OfSurl(file.surl(), e.status()));
                            return file;
                        }
                    });
                },
                Kind.PREPARE_TO_PUT);
        for (String surl : surls) {
            if (after.files().stream()
                    .noneMatch(file -> !file.path().isEmpty() && file.names().equals(Files.names(surl)))) {
                answers.add(new Answer.OfSurl(
                        Surl.echo(surl), new Status(Code.SRM_INVALID_PATH, "The request does not have this file.")));
            }
        }
        spaces.settle(call.owner());
        if (!after.isOpen()) {
            gets.gone(token);
        }
        return Answer.ofSurls(doneStatus(answers), answers);
    }

    private static boolean isWanted(File file, Set<List<String>> wanted) {
        return !file.path().isEmpty() && (wanted.isEmpty() || wanted.contains(file.names()));
    }

    /** Where no file could be reached, the whole request says so: then the client tries again. */
    private static Status doneStatus(List<Answer.OfSurl> answers) {
        List<Status> all = answers.stream().map(Answer.OfSurl::status).toList();
        boolean isUnreachable =
                !all.isEmpty() && all.stream().allMatch(status -> status.code() == Code.SRM_INTERNAL_ERROR);
        return isUnreachable ? all.getFirst() : Status.overall(all, Set.of(Code.SRM_SUCCESS), "files");
    }

    private static Status lacking() {
        return new Status(
                Code.SRM_INVALID_PATH,
                "Nothing has arrived at the file's transfer URL; put it there first, and say srmPutDone then.");
    }

    /** Ends a file before it is done, with this status. */
    File end(StoredRequest request, File file, Status status) {
        return files.end(request, file, status);
    }
}
