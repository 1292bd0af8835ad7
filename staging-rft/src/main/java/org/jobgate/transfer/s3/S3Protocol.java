// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.s3;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jobgate.transfer.file.SmallFiles;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code s3://bucket/key}: objects of the store that the site names, with the keys of the job's account. The protocol is that of Amazon
 * S3 (API of 2006-03-01), buckets named in the path, requests signed with Signature Version 4.
 *
 * <p>There are no directories: what stands before the last slash of a key is taken for one, where other objects have the same.
 */
public final class S3Protocol implements Protocol {

    static final Logger LOG = LoggerFactory.getLogger(S3Protocol.class);

    private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");
    private static final int MAX_VERSION = 256;
    private static final int MAX_ENTRIES = 1_000_000;

    private final SmallFiles files;
    private final S3Client client;
    private final S3Limits limits;

    /**
     * A protocol that has connected to nobody.
     *
     * @param files the accounts' own, for their keys
     * @param tls which authorities the endpoint's certificate may be of; it must compare the endpoint's name
     * @param policy where the endpoint may be
     */
    public S3Protocol(
            S3Settings settings, SmallFiles files, SSLContext tls, Duration connectTimeout, UrlPolicy policy) {
        this(settings, files, tls, connectTimeout, policy, S3Limits.DEFAULTS);
    }

    S3Protocol(
            S3Settings settings,
            SmallFiles files,
            SSLContext tls,
            Duration connectTimeout,
            UrlPolicy policy,
            S3Limits limits) {
        this.files = requireNonNull(files, "files is null");
        this.client = new S3Client(settings, tls, connectTimeout, policy);
        this.limits = requireNonNull(limits, "limits is null");
    }

    @Override
    public Set<String> schemes() {
        return Set.of("s3");
    }

    @Override
    public boolean namesServer() {
        return false;
    }

    @Override
    public Source open(URI source, long offset, String version, TransferContext context)
            throws TransferException, InterruptedException {
        S3Place place = object(source);
        Map<String, String> headers = new HashMap<>();
        if (offset > 0) {
            headers.put("Range", "bytes=" + offset + "-");
            headers.put("If-Match", version);
        }
        S3Client.Call call = new S3Client.Call("GET", place, Map.of(), headers, BodyPublishers.noBody());
        HttpResponse<InputStream> response = client.send(call, keys(context), Optional.empty());
        return switch (response.statusCode()) {
            case 200 ->
                new Source(
                        0,
                        response.headers().firstValueAsLong("Content-Length").orElse(Source.UNKNOWN),
                        version(response),
                        response.body());
            case 206 -> part(place, offset, version, response);
            case 412, 416 -> {
                TransferException refused = S3Answers.refused(response, call.what());
                if (offset == 0) {
                    throw refused;
                }
                yield open(source, 0, "", context); // it is another one by now
            }
            default -> throw S3Answers.refused(response, call.what());
        };
    }

    private static Source part(S3Place place, long offset, String version, HttpResponse<InputStream> response)
            throws TransferException {
        Matcher range =
                RANGE.matcher(response.headers().firstValue("Content-Range").orElse(""));
        if (!range.matches() || Long.parseLong(range.group(1)) != offset) {
            discard(response);
            throw new TransferException(
                    Kind.TRANSIENT,
                    "the store answered another part of " + place + " than was asked for",
                    "Tell the store's administrator.");
        }
        return new Source(offset, Long.parseLong(range.group(3)), version, response.body());
    }

    /** The entity tag; without one nothing is resumed. */
    private static String version(HttpResponse<?> response) {
        return response.headers()
                .firstValue("ETag")
                .filter(tag -> tag.startsWith("\"") && tag.length() <= MAX_VERSION)
                .filter(tag -> tag.chars().allMatch(c -> c > ' '))
                .orElse("");
    }

    @Override
    public void store(Source source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        S3Place place = object(destination);
        if (source.start() != 0) {
            throw new IllegalStateException("an object is sent from its beginning, not from " + source.start());
        }
        S3Keys keys = keys(context);
        if (source.size() == Source.UNKNOWN || source.size() > limits.put()) {
            new S3Upload(client, keys, place, limits, context.progress()).send(source);
            return;
        }
        S3Body bytes = new S3Body(source.bytes(), Long.MAX_VALUE, context.progress());
        BodyPublisher body = source.size() == 0
                ? BodyPublishers.noBody()
                : BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> bytes), source.size());
        try {
            discard(ask(new S3Client.Call("PUT", place, Map.of(), Map.of(), body), keys));
        } catch (TransferException e) {
            throw e.kind() == Kind.SERVER ? explained(e, place, keys) : e;
        }
    }

    /** A store that refuses an object may close the connection before we have read why, for it does not want the rest. */
    private TransferException explained(TransferException broken, S3Place place, S3Keys keys)
            throws InterruptedException {
        try {
            if (!isThere(place.at(""), keys)) {
                return new TransferException(
                        Kind.PERMANENT,
                        "the store has no bucket " + place.bucket() + " (HTTP status 404)",
                        "Correct the bucket in the job.",
                        broken);
            }
        } catch (TransferException e) {
            broken.addSuppressed(e);
        }
        return broken;
    }

    @Override
    public List<Entry> list(URI directory, TransferContext context) throws TransferException, InterruptedException {
        S3Place place = S3Place.of(directory).asDirectory();
        List<S3Listing.Found> found = new ArrayList<>();
        S3Keys keys = keys(context);
        String next = "";
        do {
            S3Listing page = page(place, "/", next, keys);
            found.addAll(page.found());
            next = page.next();
            context.progress().moved(0);
            if (found.size() > MAX_ENTRIES) {
                throw new TransferException(
                        Kind.PERMANENT,
                        place + " has more than " + MAX_ENTRIES + " entries",
                        "Name its parts one by one.");
            }
        } while (!next.isEmpty());
        if (found.isEmpty() && !place.key().isEmpty()) {
            throw new TransferException(
                    Kind.PERMANENT, "there is nothing below " + place, "Correct the bucket and the key in the job.");
        }
        return entries(found, place);
    }

    private static List<Entry> entries(List<S3Listing.Found> found, S3Place place) throws TransferException {
        List<Entry> entries = new ArrayList<>();
        try {
            for (S3Listing.Found each : found) {
                String below = each.key().substring(place.key().length());
                if (each.isPrefix()) {
                    String name = below.substring(0, below.length() - 1);
                    entries.add(new Entry(name, Entry.Kind.DIRECTORY, Source.UNKNOWN));
                } else if (!below.isEmpty()) { // some tools put an object for the directory itself
                    entries.add(new Entry(below, Entry.Kind.FILE, each.size()));
                }
            }
            return entries;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new TransferException(
                    Kind.PERMANENT,
                    "below " + place + " there is a key that cannot be a file's name",
                    "Name each object by itself.",
                    e);
        }
    }

    private S3Listing page(S3Place place, String delimiter, String token, S3Keys keys)
            throws TransferException, InterruptedException {
        Map<String, String> query =
                new HashMap<>(Map.of("list-type", "2", "encoding-type", "url", "prefix", place.key()));
        if (!delimiter.isEmpty()) {
            query.put("delimiter", delimiter);
        }
        if (!token.isEmpty()) {
            query.put("continuation-token", token);
        }
        S3Client.Call call = new S3Client.Call("GET", place.at(""), query, Map.of(), BodyPublishers.noBody());
        try (InputStream answer = ask(call, keys).body()) {
            return S3Listing.read(answer);
        } catch (IOException e) {
            throw TransferException.of(e, "listing " + place);
        }
    }

    /** Nothing: an object is there with its whole key. */
    @Override
    public void makeDirectory(URI directory, TransferContext context) throws TransferException {
        requireNonNull(S3Place.of(directory));
    }

    /** An object of this key, else all that are below it. A store says of what it has not that it is deleted, so it is asked before. */
    @Override
    public boolean delete(URI file, TransferContext context) throws TransferException, InterruptedException {
        S3Place place = S3Place.of(file);
        if (place.key().isEmpty()) {
            throw new TransferException(Kind.PERMANENT, "a whole bucket is not deleted", "Correct the key in the job.");
        }
        S3Keys keys = keys(context);
        if (!place.key().endsWith("/") && isThere(place, keys)) {
            discard(ask(deletion(place), keys));
            return true;
        }
        return deleteBelow(place.asDirectory(), keys, context);
    }

    /** An object is replaced only when all bytes of the new one have arrived. */
    @Override
    public boolean replacesWhole() {
        return true;
    }

    @Override
    public long existing(URI file, TransferContext context) throws TransferException, InterruptedException {
        return sizeOf(object(file), keys(context)).orElse(-1);
    }

    private boolean isThere(S3Place place, S3Keys keys) throws TransferException, InterruptedException {
        return sizeOf(place, keys).isPresent();
    }

    /** Empty where there is no such object. */
    private OptionalLong sizeOf(S3Place place, S3Keys keys) throws TransferException, InterruptedException {
        S3Client.Call call = new S3Client.Call("HEAD", place, Map.of(), Map.of(), BodyPublishers.noBody());
        HttpResponse<InputStream> response = client.send(call, keys, Optional.empty());
        if (response.statusCode() == 404) {
            discard(response);
            return OptionalLong.empty();
        }
        if (response.statusCode() != 200) {
            throw S3Answers.refused(response, call.what());
        }
        discard(response);
        return OptionalLong.of(
                response.headers().firstValueAsLong("Content-Length").orElse(0));
    }

    private boolean deleteBelow(S3Place directory, S3Keys keys, TransferContext context)
            throws TransferException, InterruptedException {
        int deleted = 0;
        List<S3Listing.Found> found = page(directory, "", "", keys).found();
        while (!found.isEmpty()) {
            for (S3Listing.Found each : found) {
                discard(ask(deletion(directory.at(each.key())), keys));
                context.progress().moved(0);
                deleted++;
            }
            if (deleted > MAX_ENTRIES) {
                throw new TransferException(
                        Kind.PERMANENT,
                        "below " + directory + " there are more than " + MAX_ENTRIES
                                + " objects, or they do not go away",
                        "Delete them with the store's own tools.");
            }
            found = page(directory, "", "", keys).found();
        }
        return deleted > 0;
    }

    private static S3Client.Call deletion(S3Place place) {
        return new S3Client.Call("DELETE", place, Map.of(), Map.of(), BodyPublishers.noBody());
    }

    private static S3Place object(URI url) throws TransferException {
        S3Place place = S3Place.of(url);
        if (place.key().isEmpty()) {
            throw new TransferException(
                    Kind.PERMANENT, place + " names no object", "Write a key behind the bucket's name.");
        }
        return place;
    }

    private S3Keys keys(TransferContext context) throws TransferException {
        return S3Keys.of(files, context.account());
    }

    private HttpResponse<InputStream> ask(S3Client.Call call, S3Keys keys)
            throws TransferException, InterruptedException {
        HttpResponse<InputStream> response = client.send(call, keys, Optional.empty());
        if (response.statusCode() / 100 != 2) {
            throw S3Answers.refused(response, call.what());
        }
        return response;
    }

    /** Reads the rest of the body, where it is short, so that the connection is used again. */
    static void discard(HttpResponse<InputStream> response) {
        try (InputStream body = response.body()) {
            var unused = body.readNBytes(8192);
        } catch (IOException e) {
            // the answer has come; the loss of the connection afterwards does not change it
            LOG.debug("the rest of an answer was lost", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
