// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jobgate.files.FileAnswer;
import org.jobgate.srm.StoredRequest.File;
import org.jobgate.srm.StoredRequest.Kind;
import org.jobgate.transfer.server.FileServers;
import org.jobgate.xml.XmlContent;
import org.jspecify.annotations.Nullable;

/**
 * Files to be got. All files are on disk, so that the answer to a request is whole at once: the URL of each file, by which it can be got
 * until the request's time is over or it is released.
 */
final class GetOperations {

    /** What is well with a file that is asked for. */
    static final Set<Code> GOOD = Set.of(Code.SRM_SUCCESS, Code.SRM_FILE_PINNED, Code.SRM_RELEASED);

    private final Trees trees;
    private final SrmSettings settings;
    private final Turls turls;
    private final Requests requests;

    /** Transfers that are counted at their servers, by the tokens of their requests. */
    private final Map<String, List<FileServers.Passage>> passages = new ConcurrentHashMap<>();

    GetOperations(Trees trees, SrmSettings settings, Turls turls, Requests requests) {
        this.trees = requireNonNull(trees, "trees is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.turls = requireNonNull(turls, "turls is null");
        this.requests = requireNonNull(requests, "requests is null");
    }

    XmlContent prepare(Call call) {
        return request(call, Kind.PREPARE_TO_GET);
    }

    /** Files are on disk always, and so brought online at once. */
    XmlContent bringOnline(Call call) {
        return request(call, Kind.BRING_ONLINE);
    }

    private XmlContent request(Call call, Kind kind) {
        Ask ask = call.ask();
        String account = call.account();
        List<Ask> wanted = ask.items("arrayOfFileRequests", "requestArray", settings.paths());
        if (wanted.isEmpty()) {
            throw SrmException.invalid("The request names no file.");
        }
        List<String> protocols = Turls.wanted(ask, settings);
        requests.admit(call.owner());
        String token = Requests.newToken();
        List<FileServers.Passage> taken = new ArrayList<>();
        List<File> files = new ArrayList<>();
        boolean isKept = false;
        try {
            for (Ask one : wanted) {
                files.add(file(account, one, kind, protocols, taken));
            }
            long now = requests.now();
            StoredRequest request = new StoredRequest(
                    token,
                    kind,
                    call.owner(),
                    account,
                    description(ask),
                    now,
                    now + Lifetimes.of(ask, settings),
                    files);
            if (files.stream().noneMatch(file -> GOOD.contains(file.code()))) {
                return answer(request, files, false);
            }
            requests.create(
                    request.isOpen()
                            ? request
                            : request.until(now + settings.kept().toSeconds()));
            passages.put(token, taken);
            isKept = true;
            return answer(request, files, true);
        } finally {
            if (!isKept) {
                taken.forEach(FileServers.Passage::close);
            }
        }
    }

    static String description(Ask ask) {
        return Surl.shown(ask.text("userRequestDescription").orElse(""));
    }

    private File file(String account, Ask one, Kind kind, List<String> protocols, List<FileServers.Passage> taken) {
        String surl = one.text("sourceSURL").orElse("");
        try {
            Trees.Spot spot = trees.changeable(account, surl);
            if (one.part("dirOption")
                    .map(option -> option.truth("isSourceADirectory", false))
                    .orElse(false)) {
                throw new SrmException(
                        Code.SRM_NOT_SUPPORTED, "Directories are not got as a whole; list them, and get their files.");
            }
            // what is read of a file is nothing, but it is opened: so the account may read it
            FileAnswer.Part part = Trees.of(() -> spot.tree().read(spot.way(), 0, 0));
            String path = File.path(spot.names());
            if (kind == Kind.BRING_ONLINE) {
                return new File(surl, path, Code.SRM_SUCCESS, null, null, null, false, part.size(), null);
            }
            Turls.Turl turl = turls.of(account, spot, protocols);
            if (turl.passage() != null) {
                taken.add(turl.passage());
            }
            return new File(surl, path, Code.SRM_FILE_PINNED, null, turl.url(), null, false, part.size(), null);
        } catch (SrmException e) {
            return File.failed(surl, e.status());
        }
    }

    XmlContent status(Call call) {
        return status(call, Kind.PREPARE_TO_GET);
    }

    XmlContent bringOnlineStatus(Call call) {
        return status(call, Kind.BRING_ONLINE);
    }

    private XmlContent status(Call call, Kind kind) {
        StoredRequest request = requests.find(call.owner(), call.ask().needed("requestToken"), kind);
        List<String> surls = call.ask().texts("arrayOfSourceSURLs", "urlArray", settings.paths());
        return answer(request, Files.chosen(request, surls), false);
    }

    private XmlContent answer(StoredRequest request, List<File> files, boolean isNew) {
        Status status = Status.overall(files.stream().map(File::status).toList(), GOOD, "files");
        long left = Math.max(0, request.until() - requests.now());
        boolean isGet = request.kind() == Kind.PREPARE_TO_GET;
        return Answer.of(status, out -> {
            Answer.put(out, "requestToken", isNew ? request.token() : null);
            Answer.array("arrayOfFileStatuses", "statusArray", files, (inner, file) -> {
                        Answer.put(inner, "sourceSURL", file.surl());
                        String size = file.size() < 0 ? null : Long.toString(file.size());
                        if (isGet) {
                            Answer.put(inner, "fileSize", size);
                            file.status().write(inner, Files.STATUS);
                        } else {
                            file.status().write(inner, Files.STATUS);
                            Answer.put(inner, "fileSize", size);
                        }
                        if (file.isOpen()) {
                            Answer.put(inner, "remainingPinTime", left);
                            Answer.put(inner, "transferURL", file.turl());
                        }
                    })
                    .write(out);
            Answer.put(out, "remainingTotalRequestTime", left);
        });
    }

    /** Releases files of one request, or of all requests of the owner. A file that is released stays where it is. */
    XmlContent release(Call call) {
        Ask ask = call.ask();
        String owner = call.owner();
        List<String> surls = ask.texts("arrayOfSURLs", "urlArray", settings.paths());
        if (ask.truth("doRemove", false)) {
            throw new SrmException(Code.SRM_NOT_SUPPORTED, "doRemove is not done here; srmRm removes files.");
        }
        String token = ask.text("requestToken").orElse(null);
        if (token == null && surls.isEmpty()) {
            throw SrmException.invalid("The request has neither a requestToken nor SURLs.");
        }
        Set<List<String>> wanted = Files.names(surls);
        Set<List<String>> found = new LinkedHashSet<>();
        List<String> tokens = token == null ? requests.tokens(owner) : List.of(token);
        List<Answer.OfSurl> answers = new ArrayList<>();
        for (String one : tokens) {
            release(owner, one, token == null, wanted, found, answers);
        }
        for (String surl : surls) {
            if (!found.contains(Files.names(surl))) {
                answers.add(new Answer.OfSurl(
                        Surl.echo(surl), new Status(Code.SRM_INVALID_PATH, "No request of yours has this file.")));
            }
        }
        Status status =
                Status.overall(answers.stream().map(Answer.OfSurl::status).toList(), GOOD, "files");
        return Answer.ofSurls(status, answers);
    }

    private void release(
            String owner,
            String token,
            boolean isOneOfMany,
            Set<List<String>> wanted,
            Set<List<String>> found,
            List<Answer.OfSurl> answers) {
        UnaryOperator<StoredRequest> releasing = request -> request.withFiles(file -> {
            if (file.path().isEmpty() || !(wanted.isEmpty() || wanted.contains(file.names()))) {
                return file;
            }
            boolean isHeld = file.code() == Code.SRM_FILE_PINNED || file.code() == Code.SRM_SUCCESS;
            File after = isHeld ? file.as(new Status(Code.SRM_RELEASED, null)) : file;
            if (found.add(file.names()) || !isOneOfMany) {
                Status told = after.code() == Code.SRM_RELEASED ? Status.SUCCESS : after.status();
                answers.add(new Answer.OfSurl(file.surl(), told));
            }
            return after;
        });
        StoredRequest after;
        try {
            after = requests.change(owner, token, releasing, Kind.PREPARE_TO_GET, Kind.BRING_ONLINE);
        } catch (SrmException e) {
            if (isOneOfMany) {
                return; // one of files that are put, or one that ended meanwhile
            }
            throw e;
        }
        if (!after.isOpen()) {
            gone(token);
        }
    }

    /** The transfers of a request are counted no more. */
    void gone(String token) {
        List<FileServers.Passage> taken = passages.remove(token);
        if (taken != null) {
            taken.forEach(FileServers.Passage::close);
        }
    }

    /** Counts a transfer of a request until that is over. */
    void count(String token, FileServers.@Nullable Passage passage) {
        if (passage != null) {
            passages.computeIfAbsent(token, key -> new ArrayList<>()).add(passage);
        }
    }
}
