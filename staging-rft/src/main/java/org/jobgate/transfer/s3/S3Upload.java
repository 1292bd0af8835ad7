// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.s3;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/**
 * An object that is sent in parts (CreateMultipartUpload, UploadPart, CompleteMultipartUpload): it exists when all parts have arrived. A failed upload is
 * aborted, so that no parts are left for which the site would pay.
 */
final class S3Upload {

    private static final Duration ABORT = Duration.ofSeconds(10);

    private final S3Client client;
    private final S3Keys keys;
    private final S3Place place;
    private final S3Limits limits;
    private final Progress progress;
    private final List<String> tags = new ArrayList<>();
    private String id = "";

    S3Upload(S3Client client, S3Keys keys, S3Place place, S3Limits limits, Progress progress) {
        this.client = client;
        this.keys = keys;
        this.place = place;
        this.limits = limits;
        this.progress = progress;
    }

    void send(Source source) throws TransferException, InterruptedException {
        id = begin();
        boolean isDone = false;
        try {
            if (source.size() == Source.UNKNOWN) {
                sendUnmeasured(source);
            } else {
                sendMeasured(source);
            }
            complete();
            isDone = true;
        } catch (IOException e) {
            throw TransferException.of(e, "sending " + place);
        } finally {
            if (!isDone) {
                abort();
            }
        }
    }

    private String begin() throws TransferException, InterruptedException {
        StringBuilder told = new StringBuilder();
        ask("POST", Map.of("uploads", ""), BodyPublishers.noBody(), new S3Answers.Elements() {
            @Override
            public void begin(String name) {}

            @Override
            public void end(String name, String text) {
                if (name.equals("UploadId")) {
                    told.append(text.strip());
                }
            }
        });
        if (told.isEmpty() || told.length() > 2048) {
            throw new TransferException(
                    Kind.PERMANENT, "the store named no upload for " + place, "Tell the store's administrator.");
        }
        return told.toString();
    }

    private void sendMeasured(Source source) throws TransferException, InterruptedException {
        long part = limits.partOf(source.size());
        for (long sent = 0; sent < source.size(); sent += part) {
            long length = Math.min(part, source.size() - sent);
            S3Body body = new S3Body(source.bytes(), length, progress);
            sendPart(BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> body), length));
        }
    }

    private void sendUnmeasured(Source source) throws IOException, TransferException, InterruptedException {
        byte[] piece = source.bytes().readNBytes(limits.buffer());
        do {
            if (tags.size() == limits.parts()) {
                throw new TransferException(
                        Kind.PERMANENT,
                        "the source does not say its size, and has more than " + (long) limits.parts() * limits.buffer()
                                + " bytes",
                        "Fetch it into a file first, and send that.");
            }
            sendPart(BodyPublishers.ofByteArray(piece));
            progress.moved(piece.length);
            piece = piece.length < limits.buffer()
                    ? new byte[0]
                    : source.bytes().readNBytes(limits.buffer());
        } while (piece.length > 0);
    }

    private void sendPart(BodyPublisher body) throws TransferException, InterruptedException {
        Map<String, String> query = Map.of("partNumber", Integer.toString(tags.size() + 1), "uploadId", id);
        HttpResponse<InputStream> response = send("PUT", query, body, Optional.empty());
        String tag = response.headers().firstValue("ETag").orElse("");
        S3Protocol.discard(response);
        if (!tag.matches("[\\x21-\\x7e&&[^<>&]]{1,256}")) {
            throw new TransferException(
                    Kind.TRANSIENT, "the store gave no ETag for a part of " + place, "Tell the store's administrator.");
        }
        tags.add(tag);
    }

    /** An answer of 200 may be one that says no: it began before the parts were put together. */
    private void complete() throws TransferException, InterruptedException {
        StringBuilder parts =
                new StringBuilder("<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
        for (int number = 1; number <= tags.size(); number++) {
            parts.append("<Part><PartNumber>").append(number).append("</PartNumber><ETag>");
            parts.append(tags.get(number - 1)).append("</ETag></Part>");
        }
        S3Answers.Refusal refusal = new S3Answers.Refusal();
        ask("POST", Map.of("uploadId", id), BodyPublishers.ofString(parts + "</CompleteMultipartUpload>"), refusal);
        if (refusal.isError()) {
            throw S3Answers.refused(500, refusal, "to put the parts of " + place + " together");
        }
    }

    /** What it cannot remove the bucket's rules must. An interrupt has ended the sending, and is not to end this. */
    private void abort() throws TransferException, InterruptedException {
        boolean isInterrupted = Thread.interrupted();
        try {
            S3Protocol.discard(send("DELETE", Map.of("uploadId", id), BodyPublishers.noBody(), Optional.of(ABORT)));
        } catch (TransferException e) {
            S3Protocol.LOG.warn("An upload that failed could not be aborted: {}", e.sentence());
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void ask(String method, Map<String, String> query, BodyPublisher body, S3Answers.Elements elements)
            throws TransferException, InterruptedException {
        try (InputStream answer = send(method, query, body, Optional.empty()).body()) {
            S3Answers.read(answer, elements);
        } catch (IOException e) {
            throw TransferException.of(e, "sending " + place);
        }
    }

    private HttpResponse<InputStream> send(
            String method, Map<String, String> query, BodyPublisher body, Optional<Duration> answer)
            throws TransferException, InterruptedException {
        S3Client.Call call = new S3Client.Call(method, place, query, Map.of(), body);
        HttpResponse<InputStream> response = client.send(call, keys, answer);
        if (response.statusCode() / 100 != 2) {
            throw S3Answers.refused(response, call.what());
        }
        return response;
    }
}
