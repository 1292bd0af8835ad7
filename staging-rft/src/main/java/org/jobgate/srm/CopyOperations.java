// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jobgate.srm.CopyEnds.Ends;
import org.jobgate.srm.StoredRequest.File;
import org.jobgate.srm.StoredRequest.Kind;
import org.jobgate.transfer.TransferRecord;
import org.jobgate.transfer.TransferState;
import org.jobgate.xml.XmlContent;
import org.jspecify.annotations.Nullable;

/**
 * srmCopy: files copied to exported trees, from them, and between them, by the transfer engine. A file that is copied here has a hidden name
 * until it is whole, as one that is put.
 */
final class CopyOperations {

    private static final Set<Code> GOOD = Set.of(Code.SRM_SUCCESS);
    private static final Status QUEUED = new Status(Code.SRM_REQUEST_QUEUED, null);
    private static final Status IN_PROGRESS = new Status(Code.SRM_REQUEST_INPROGRESS, null);

    private final SrmSettings settings;
    private final Requests requests;
    private final CopyEnds ends;
    private final CopyCredentials credentials;
    private final CopyWork work;

    CopyOperations(SrmSettings settings, Requests requests, CopyEnds ends, CopyCredentials credentials, CopyWork work) {
        this.settings = requireNonNull(settings, "settings is null");
        this.requests = requireNonNull(requests, "requests is null");
        this.ends = requireNonNull(ends, "ends is null");
        this.credentials = requireNonNull(credentials, "credentials is null");
        this.work = requireNonNull(work, "work is null");
    }

    XmlContent copy(Call call) {
        Ask ask = call.ask();
        String account = call.account();
        List<Ask> wanted = ask.items("arrayOfFileRequests", "requestArray", settings.paths());
        if (wanted.isEmpty()) {
            throw SrmException.invalid("The request names no file.");
        }
        PutOperations.Overwrite overwrite =
                ask.word("overwriteOption", PutOperations.Overwrite.class).orElse(PutOperations.Overwrite.NEVER);
        boolean isSaid = ask.text("overwriteOption").isPresent();
        requests.admit(call.owner());
        String token = Requests.newToken();
        List<Ends> all = new ArrayList<>();
        List<File> files = new ArrayList<>();
        boolean isCreated = false;
        try {
            for (Ask one : wanted) {
                files.add(file(account, token, one, overwrite, isSaid, all, files.size()));
            }
            @Nullable String credential = credentials.find(call, all.stream().anyMatch(Ends::needsCredential));
            long now = requests.now();
            StoredRequest request = new StoredRequest(
                    token,
                    Kind.COPY,
                    call.owner(),
                    account,
                    GetOperations.description(ask),
                    now,
                    now + Lifetimes.of(ask, settings),
                    files,
                    credential);
            if (!request.isOpen()) {
                return answer(request, files, List.of(), false);
            }
            requests.create(request);
            isCreated = true;
            work.begin(request);
            return answer(request, files, List.of(), true);
        } finally {
            if (!isCreated) {
                all.forEach(one -> ends.over(account, one, token));
            }
        }
    }

    private File file(
            String account,
            String token,
            Ask one,
            PutOperations.Overwrite overwrite,
            boolean isSaid,
            List<Ends> all,
            int place) {
        String source = one.text("sourceSURL").orElse("");
        String target = one.text("targetSURL").orElse("");
        StoredRequest.Copy asked = new StoredRequest.Copy(Surl.echo(target), "", "");
        try {
            if (one.part("dirOption")
                    .map(option -> option.truth("isSourceADirectory", false))
                    .orElse(false)) {
                throw new SrmException(
                        Code.SRM_NOT_SUPPORTED,
                        "Directories are not copied as a whole; list them, and copy their files.");
            }
            Ends found = ends.of(account, source, target, overwrite, isSaid, token, place);
            all.add(found);
            return new File(
                    Surl.echo(source),
                    found.to() == null ? "" : File.path(found.to().names()),
                    Code.SRM_REQUEST_QUEUED,
                    null,
                    null,
                    found.part(),
                    overwrite != PutOperations.Overwrite.NEVER,
                    found.size(),
                    null,
                    new StoredRequest.Copy(
                            Surl.echo(target),
                            found.source().toString(),
                            found.destination().toString()));
        } catch (SrmException e) {
            return File.failed(source, e.status()).copying(asked);
        }
    }

    XmlContent status(Call call) {
        StoredRequest request = requests.find(call.owner(), call.ask().needed("requestToken"), Kind.COPY);
        List<String> sources = call.ask().texts("arrayOfSourceSURLs", "urlArray", settings.paths());
        List<String> targets = call.ask().texts("arrayOfTargetSURLs", "urlArray", settings.paths());
        List<TransferRecord> standing = work.standing(request);
        List<File> files = new ArrayList<>();
        List<Status> statuses = new ArrayList<>();
        for (int i = 0; i < request.files().size(); i++) {
            File file = request.files().get(i);
            boolean isWanted = (sources.isEmpty() && targets.isEmpty())
                    || sources.contains(file.surl())
                    || targets.contains(file.target());
            if (isWanted) {
                TransferRecord record = i < standing.size() ? standing.get(i) : null;
                files.add(
                        record == null || !file.isOpen() || record.bytes() <= 0 ? file : file.withSize(record.bytes()));
                statuses.add(file.isOpen() && record != null ? of(record) : file.status());
            }
        }
        if (files.isEmpty()) {
            throw new SrmException(Code.SRM_INVALID_REQUEST, "The request has none of these files.");
        }
        return answer(request, files, statuses, false);
    }

    private static Status of(TransferRecord record) {
        if (record.state() == TransferState.PENDING) {
            return QUEUED;
        }
        return record.state() == TransferState.RETRYING
                ? new Status(Code.SRM_REQUEST_INPROGRESS, "It is tried again, for " + record.error() + ".")
                : IN_PROGRESS;
    }

    /** @param live how the files stand now; none where that is as they are remembered */
    private XmlContent answer(StoredRequest request, List<File> files, List<Status> live, boolean isNew) {
        List<Status> statuses =
                live.isEmpty() ? files.stream().map(File::status).toList() : live;
        Status status = overall(statuses);
        long left = Math.max(0, request.until() - requests.now());
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            places.add(i);
        }
        return Answer.of(status, out -> {
            Answer.put(out, "requestToken", isNew ? request.token() : null);
            Answer.array("arrayOfFileStatuses", "statusArray", places, (inner, place) -> {
                        File file = files.get(place);
                        Answer.put(inner, "sourceSURL", file.surl());
                        Answer.put(inner, "targetSURL", file.target());
                        statuses.get(place).write(inner, Files.STATUS);
                        Answer.put(inner, "fileSize", file.size() < 0 ? null : Long.toString(file.size()));
                    })
                    .write(out);
            Answer.put(out, "remainingTotalRequestTime", left);
        });
    }

    private static Status overall(List<Status> statuses) {
        if (statuses.stream().anyMatch(status -> status.code() == Code.SRM_REQUEST_INPROGRESS)) {
            return IN_PROGRESS;
        }
        if (statuses.stream().anyMatch(status -> status.code() == Code.SRM_REQUEST_QUEUED)) {
            return QUEUED;
        }
        return Status.overall(statuses, GOOD, "files");
    }

    /** A URL that a copy goes to or comes from, as the engine takes it. */
    static URI url(String text) {
        return URI.create(text);
    }
}
