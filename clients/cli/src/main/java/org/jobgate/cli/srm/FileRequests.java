// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.srm;

import static java.util.Objects.requireNonNull;
import static org.jobgate.cli.srm.SrmService.array;
import static org.jobgate.cli.srm.SrmService.element;
import static org.jobgate.cli.srm.SrmService.optional;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/** Requests for one file each: made, waited for, and ended. */
final class FileRequests {
    private static final long PAUSE_SHORTEST_MS = 100;
    private static final long PAUSE_LONGEST_MS = 5_000;
    private static final Set<String> ANY = Set.of(
            SrmService.SUCCESS, "SRM_PARTIAL_SUCCESS", "SRM_FAILURE", "SRM_REQUEST_QUEUED", "SRM_REQUEST_INPROGRESS");

    private final SrmService service;
    private final List<String> protocols;
    private final @Nullable String lifetime;

    FileRequests(SrmService service, List<String> protocols, @Nullable String lifetime) {
        this.service = requireNonNull(service, "service is null");
        this.protocols = List.copyOf(protocols);
        this.lifetime = lifetime;
    }

    /**
     * A request of which the file can be moved now.
     *
     * @param token empty where the service gave none
     */
    record Ready(String token, String url, long size) {}

    private String parameters() {
        return "<transferParameters>" + array("arrayOfTransferProtocols", "stringArray", protocols)
                + "</transferParameters>";
    }

    Ready get(Surl surl) throws IOException, CommandException, InterruptedException {
        String content = "<arrayOfFileRequests><requestArray>" + element("sourceSURL", surl.text())
                + "</requestArray></arrayOfFileRequests>" + optional("desiredTotalRequestTime", lifetime)
                + parameters();
        return ready(surl, "srmPrepareToGet", content, "srmStatusOfGetRequest", "SRM_FILE_PINNED");
    }

    Ready put(Surl surl, long size, boolean replaces, @Nullable String space)
            throws IOException, CommandException, InterruptedException {
        String content = "<arrayOfFileRequests><requestArray>" + element("targetSURL", surl.text())
                + element("expectedFileSize", Long.toString(size)) + "</requestArray></arrayOfFileRequests>"
                + element("overwriteOption", replaces ? "ALWAYS" : "NEVER")
                + optional("desiredTotalRequestTime", lifetime) + optional("targetSpaceToken", space) + parameters();
        return ready(surl, "srmPrepareToPut", content, "srmStatusOfPutRequest", "SRM_SPACE_AVAILABLE");
    }

    private Ready ready(Surl surl, String operation, String content, String question, String good)
            throws IOException, CommandException, InterruptedException {
        XmlElement answer = service.call(surl.service(), operation, content);
        String token = SrmService.text(answer, "requestToken");
        answer = finished(surl.service(), answer, token, question);
        XmlElement file = file(answer);
        SrmService.Status status = SrmService.status(file, "status");
        if (!status.code().equals(good) && !status.code().equals(SrmService.SUCCESS)) {
            abort(surl, token);
            throw SrmService.refused(status);
        }
        String url = SrmService.text(file, "transferURL");
        if (url.isEmpty()) {
            throw new IOException("The service gave no transfer URL for " + surl.text() + ".");
        }
        return new Ready(token, url, SrmService.number(file, "fileSize"));
    }

    /** Waits until a request is no longer queued or under way. */
    private XmlElement finished(String address, XmlElement first, String token, String question)
            throws IOException, CommandException, InterruptedException {
        XmlElement answer = first;
        long pause = PAUSE_SHORTEST_MS;
        while (SrmService.status(answer, "returnStatus").isUnderWay()) {
            if (token.isEmpty()) {
                throw new IOException("The service queued the request and gave no token for it.");
            }
            Thread.sleep(pause);
            pause = Math.min(2 * pause, PAUSE_LONGEST_MS);
            answer = service.call(address, question, element("requestToken", token));
        }
        SrmService.Status status = SrmService.status(answer, "returnStatus");
        if (!ANY.contains(status.code())
                || SrmService.items(answer, "arrayOfFileStatuses", "statusArray")
                        .isEmpty()) {
            throw SrmService.refused(status);
        }
        return answer;
    }

    private static XmlElement file(XmlElement answer) {
        return SrmService.items(answer, "arrayOfFileStatuses", "statusArray").getFirst();
    }

    void release(Surl surl, String token) throws IOException, CommandException {
        service.call(surl.service(), "srmReleaseFiles", element("requestToken", token));
    }

    void done(Surl surl, String token) throws IOException, CommandException {
        XmlElement answer = service.call(
                surl.service(),
                "srmPutDone",
                element("requestToken", token) + array("arrayOfSURLs", "urlArray", List.of(surl.text())));
        List<XmlElement> files = SrmService.items(answer, "arrayOfFileStatuses", "statusArray");
        SrmService.Status status = files.isEmpty()
                ? SrmService.status(answer, "returnStatus")
                : SrmService.status(files.getFirst(), "status");
        if (!status.code().equals(SrmService.SUCCESS)) {
            throw SrmService.refused(status);
        }
    }

    void abort(Surl surl, String token) throws IOException, CommandException {
        if (!token.isEmpty()) {
            service.call(surl.service(), "srmAbortRequest", element("requestToken", token));
        }
    }

    /**
     * Has the service of the target, or of the source, copy a file.
     *
     * @param at whose service is asked
     */
    long copy(Surl at, String source, String target, boolean replaces)
            throws IOException, CommandException, InterruptedException {
        String content = "<arrayOfFileRequests><requestArray>" + element("sourceSURL", source)
                + element("targetSURL", target) + "</requestArray></arrayOfFileRequests>"
                + (replaces ? element("overwriteOption", "ALWAYS") : "")
                + optional("desiredTotalRequestTime", lifetime);
        XmlElement answer = service.call(at.service(), "srmCopy", content);
        String token = SrmService.text(answer, "requestToken");
        XmlElement file = file(finished(at.service(), answer, token, "srmStatusOfCopyRequest"));
        SrmService.Status status = SrmService.status(file, "status");
        if (!status.code().equals(SrmService.SUCCESS)) {
            throw new CommandException(ExitStatus.REFUSED, status.line());
        }
        return SrmService.number(file, "fileSize");
    }
}
