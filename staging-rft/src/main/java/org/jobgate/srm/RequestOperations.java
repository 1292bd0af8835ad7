// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.jobgate.srm.StoredRequest.File;
import org.jobgate.srm.StoredRequest.Kind;
import org.jobgate.xml.XmlContent;
import org.jspecify.annotations.Nullable;

/** Requests as such: ended before their time, made longer, looked at. */
final class RequestOperations {

    private static final Status ABORTED = new Status(Code.SRM_ABORTED, null);

    private final SrmSettings settings;
    private final Requests requests;
    private final GetOperations gets;
    private final PutOperations puts;
    private final @Nullable CopyWork copies;

    /** @param copies absent where nothing is copied */
    RequestOperations(
            SrmSettings settings,
            Requests requests,
            GetOperations gets,
            PutOperations puts,
            @Nullable CopyWork copies) {
        this.copies = copies;
        this.settings = requireNonNull(settings, "settings is null");
        this.requests = requireNonNull(requests, "requests is null");
        this.gets = requireNonNull(gets, "gets is null");
        this.puts = requireNonNull(puts, "puts is null");
    }

    /** Ends a request; what was put for files that are not done is removed, and those that are done stay. */
    XmlContent abort(Call call) {
        abort(call, call.ask().needed("requestToken"), file -> true);
        return Answer.of(Status.SUCCESS);
    }

    private StoredRequest abort(Call call, String token, Predicate<File> which) {
        StoredRequest after = requests.change(call.owner(), token, request -> {
            call.requireFilesOf(request);
            stop(request, which);
            return request.withFiles(file -> which.test(file) ? puts.end(request, file, ABORTED) : file);
        });
        if (!after.isOpen()) {
            gets.gone(token);
            forget(after);
        }
        return after;
    }

    /** The engine stops before what it has written is removed. Single files of a request are not stopped: the engine has the request as one. */
    private void stop(StoredRequest request, Predicate<File> which) {
        if (copies == null || request.kind() != Kind.COPY) {
            return;
        }
        if (!request.files().stream().filter(File::isOpen).allMatch(which)) {
            throw new SrmException(
                    Code.SRM_NOT_SUPPORTED,
                    "Single files of a request to copy are not stopped; srmAbortRequest stops all of it.");
        }
        copies.stop(request);
    }

    private void forget(StoredRequest request) {
        if (copies != null) {
            copies.forget(request);
        }
    }

    /** Ends single files of a request. */
    XmlContent abortFiles(Call call) {
        List<String> surls = call.ask().surls(settings.paths());
        Set<List<String>> wanted = Files.names(surls);
        StoredRequest after = abort(
                call,
                call.ask().needed("requestToken"),
                file -> !file.path().isEmpty() && wanted.contains(file.names()));
        List<Answer.OfSurl> answers = new ArrayList<>();
        for (File file : Files.chosen(after, surls)) {
            boolean isMissing = file.path().isEmpty();
            answers.add(new Answer.OfSurl(
                    file.surl(),
                    isMissing
                            ? file.status()
                            : file.code() == Code.SRM_ABORTED
                                    ? Status.SUCCESS
                                    : new Status(Code.SRM_FAILURE, "The file is over: " + file.code() + ".")));
        }
        Status status =
                Status.overall(answers.stream().map(Answer.OfSurl::status).toList(), Set.of(Code.SRM_SUCCESS), "files");
        return Answer.ofSurls(status, answers);
    }

    /** Makes the pins of a request last longer. Files themselves have no lifetimes: they stay until they are removed. */
    XmlContent extend(Call call) {
        Ask ask = call.ask();
        String owner = call.owner();
        List<String> surls = ask.surls(settings.paths());
        OptionalInt pin = ask.seconds("newPinLifeTime");
        String token = ask.text("requestToken").orElse(null);
        if (token == null || ask.text("newFileLifeTime").isPresent()) {
            throw new SrmException(
                    Code.SRM_NOT_SUPPORTED,
                    "Files have no lifetimes here, they stay until they are removed. Give a requestToken and newPinLifeTime"
                            + " to make the transfer URLs of a request last longer.");
        }
        long seconds = Lifetimes.limited(
                pin.isPresent() ? pin.getAsInt() : settings.longestLifetime().toSeconds(), settings);
        long until = requests.now() + seconds;
        StoredRequest after = requests.change(
                owner, token, request -> request.isOpen() ? request.until(Math.max(until, request.until())) : request);
        long left = Math.max(0, after.until() - requests.now());
        List<File> files = Files.chosen(after, surls);
        List<Status> statuses = files.stream()
                .map(file -> file.isOpen() ? Status.SUCCESS : over(file))
                .toList();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            places.add(i);
        }
        return Answer.of(
                Status.overall(statuses, Set.of(Code.SRM_SUCCESS), "files"),
                Answer.array("arrayOfFileStatuses", "statusArray", places, (out, place) -> {
                    new Answer.OfSurl(files.get(place).surl(), statuses.get(place)).write(out);
                    if (files.get(place).isOpen()) {
                        Answer.put(out, "pinLifetime", left);
                    }
                }));
    }

    private static Status over(File file) {
        return file.path().isEmpty()
                ? file.status()
                : new Status(
                        file.code() == Code.SRM_SUCCESS ? Code.SRM_INVALID_REQUEST : file.code(), "The file is over.");
    }

    /** How an own request stands, in figures. */
    private record Summary(String token, Status status, List<File> files, Kind kind) {
        long count(Predicate<File> which) {
            return files.stream().filter(which).count();
        }
    }

    XmlContent summaries(Call call) {
        String owner = call.owner();
        List<String> tokens = call.ask().texts("arrayOfRequestTokens", "stringArray", settings.paths());
        if (tokens.isEmpty()) {
            throw SrmException.invalid("The request names no request token.");
        }
        List<Summary> summaries = new ArrayList<>();
        for (String token : tokens) {
            try {
                StoredRequest request = requests.find(owner, token);
                summaries.add(new Summary(token, Status.SUCCESS, request.files(), request.kind()));
            } catch (SrmException e) {
                summaries.add(new Summary(Surl.shown(token), e.status(), List.of(), Kind.PREPARE_TO_GET));
            }
        }
        Status status =
                Status.overall(summaries.stream().map(Summary::status).toList(), Set.of(Code.SRM_SUCCESS), "requests");
        return Answer.of(status, Answer.array("arrayOfRequestSummaries", "summaryArray", summaries, (out, one) -> {
            Answer.put(out, "requestToken", one.token());
            one.status().write(out, Files.STATUS);
            if (one.status().code() == Code.SRM_SUCCESS) {
                boolean isPut = one.kind() == Kind.PREPARE_TO_PUT || one.kind() == Kind.COPY;
                Answer.put(out, "requestType", one.kind().name());
                Answer.put(out, "totalNumFilesInRequest", one.files().size());
                long waiting = isPut ? one.count(File::isOpen) : 0;
                long well = one.count(file -> GetOperations.GOOD.contains(file.code()));
                Answer.put(out, "numOfCompletedFiles", well);
                Answer.put(out, "numOfWaitingFiles", waiting);
                Answer.put(out, "numOfFailedFiles", one.files().size() - well - waiting);
            }
        }));
    }

    XmlContent tokens(Call call) {
        String wanted = call.ask().text("userRequestDescription").orElse("");
        List<String> tokens = requests.tokens(call.owner()).stream()
                .filter(token -> wanted.isEmpty() || requests.description(token).equals(Surl.shown(wanted)))
                .limit(settings.entries().value())
                .toList();
        if (tokens.isEmpty()) {
            throw SrmException.invalid(
                    wanted.isEmpty()
                            ? "You have no requests."
                            : "You have no request that is described as '" + Surl.shown(wanted) + "'.");
        }
        return Answer.of(Status.SUCCESS, Answer.array("arrayOfRequestTokens", "tokenArray", tokens, (out, token) -> {
            Answer.put(out, "requestToken", token);
            Answer.put(
                    out,
                    "createdAtTime",
                    Instant.ofEpochSecond(requests.created(token)).toString());
        }));
    }

    /** The time of a request is over. */
    StoredRequest expire(StoredRequest request) {
        Status status = request.kind() == Kind.PREPARE_TO_PUT || request.kind() == Kind.COPY
                ? new Status(Code.SRM_REQUEST_TIMED_OUT, "The file was not done in the time of the request.")
                : new Status(Code.SRM_FILE_LIFETIME_EXPIRED, "The time of the request is over.");
        stop(request, file -> true);
        StoredRequest after = request.withFiles(file -> puts.end(request, file, status));
        gets.gone(request.token());
        forget(after);
        return after;
    }
}
