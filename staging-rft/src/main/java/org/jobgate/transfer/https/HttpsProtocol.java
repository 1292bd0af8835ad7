// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jspecify.annotations.Nullable;

/**
 * {@code https://}: fetched with GET, from an offset with Range and If-Range (RFC 9110 sections 13.1.5 and 14), sent with PUT, deleted
 * with DELETE. With the delegated proxy or token where one is named, else without any: never as the gateway itself. At most five redirects
 * are followed, to hosts that the site allows.
 *
 * <p>{@code http://}, where the site names hosts for it: the same without encryption, and never with any credential. Its redirects may lead to
 * one of these hosts, or to {@code https}; those of {@code https} never to {@code http}.
 */
public final class HttpsProtocol implements Protocol {

    private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18}|\\*)");
    private static final int MAX_DEPTH = 64;
    private static final int CONFLICT = 409;
    private static final String PROPERTIES =
            "<propfind xmlns=\"DAV:\"><prop><resourcetype/><getcontentlength/></prop></propfind>";

    private static final Duration OFFER_PATIENCE = Duration.ofSeconds(2);

    private final HttpsCalls calls;

    private final PackingSettings packing;
    private final CodecSpeeds speeds = new CodecSpeeds(System::nanoTime);

    /** For gateways, which take files in packed parts. */
    private final PackedParts packed;

    /** Those that may be asked without encryption; absent for the protocol that always encrypts. */
    private final @Nullable PlainHosts plain;

    /**
     * A protocol for {@code https:} that has connected to nobody.
     *
     * @param tls the set-up for a credential, absent for none; it must compare the server's name
     * @param policy which hosts redirects may lead to
     * @param packing what goes packed between two gateways
     */
    public HttpsProtocol(
            Function<@Nullable TransferCredential, SSLContext> tls,
            Duration connectTimeout,
            UrlPolicy policy,
            PackingSettings packing) {
        this(tls, connectTimeout, policy, packing, null);
    }

    private HttpsProtocol(
            Function<@Nullable TransferCredential, SSLContext> tls,
            Duration connectTimeout,
            UrlPolicy policy,
            PackingSettings packing,
            @Nullable PlainHosts plain) {
        this.packing = packing;
        this.plain = plain;
        this.calls = new HttpsCalls(
                new HttpsClients(tls, connectTimeout), policy, plain == null ? PlainHosts.NONE : plain, OFFER_PATIENCE);
        this.packed = new PackedParts(calls, speeds);
    }

    /**
     * A protocol for {@code http:} that has connected to nobody.
     *
     * @param tls the set-up where a redirect leads to https; it is asked for no credential
     * @param policy which addresses may be connected to, as for https
     * @param packing as for https
     * @param hosts that may be asked, and that redirects may lead to
     */
    public static HttpsProtocol plain(
            Function<@Nullable TransferCredential, SSLContext> tls,
            Duration connectTimeout,
            UrlPolicy policy,
            PackingSettings packing,
            PlainHosts hosts) {
        return new HttpsProtocol(tls, connectTimeout, policy, packing, hosts);
    }

    @Override
    public Set<String> schemes() {
        return Set.of(plain == null ? "https" : "http");
    }

    @Override
    public boolean takesPassword() {
        return plain == null;
    }

    @Override
    public Optional<String> refusal(URI url) {
        return plain == null || plain.contain(url)
                ? Optional.empty()
                : Optional.of("the site does not let the host " + url.getRawAuthority()
                        + " be asked without encryption (staging.httpHosts)");
    }

    @Override
    public Source open(URI source, long offset, String version, TransferContext context)
            throws TransferException, InterruptedException {
        Compression compression = Compression.of(context, packing);
        if (!compression.isNever() && source.getRawQuery() == null) {
            CodecChoice choice = new CodecChoice(compression, speeds, source.getRawAuthority());
            Optional<Source> packed =
                    new PackedFetch(calls, () -> request(source), context, choice, speeds).open(offset, version);
            if (packed.isPresent()) {
                return packed.get();
            }
        }
        HttpRequest.Builder request = request(source).GET();
        if (offset > 0) {
            request.header("Range", "bytes=" + offset + "-");
            request.header("If-Range", version);
        }
        HttpResponse<InputStream> response = send(request.build(), context);
        return switch (response.statusCode()) {
            case 200 -> {
                long size =
                        response.headers().firstValueAsLong("Content-Length").orElse(Source.UNKNOWN);
                yield new Source(0, size, HttpsAnswers.version(response), response.body());
            }
            case 206 -> part(source, offset, version, response);
            case 416 -> {
                HttpsAnswers.discard(response);
                yield fromBeginning(source, offset, context);
            }
            default -> throw HttpsAnswers.refused("GET", response);
        };
    }

    /** 0 if the server does not tell the length, as for a file that it makes while it sends it. */
    @Override
    public long existing(URI file, TransferContext context) throws TransferException, InterruptedException {
        HttpRequest.Builder request = request(file).method("HEAD", BodyPublishers.noBody());
        HttpResponse<InputStream> response = send(request.build(), context);
        return switch (response.statusCode()) {
            case 200, 204 -> {
                HttpsAnswers.discard(response);
                yield response.headers().firstValueAsLong("Content-Length").orElse(0);
            }
            case 404, 410 -> {
                HttpsAnswers.discard(response);
                yield -1;
            }
            default -> throw HttpsAnswers.refused("HEAD", response);
        };
    }

    private Source fromBeginning(URI source, long offset, TransferContext context)
            throws TransferException, InterruptedException {
        if (offset == 0) {
            throw new TransferException(
                    Kind.PERMANENT, "the server refused a range that was not asked for", "Tell its administrator.");
        }
        return open(source, 0, "", context);
    }

    private static Source part(URI source, long offset, String version, HttpResponse<InputStream> response)
            throws TransferException {
        Matcher range =
                RANGE.matcher(response.headers().firstValue("Content-Range").orElse(""));
        if (!range.matches() || Long.parseLong(range.group(1)) != offset) {
            HttpsAnswers.discard(response);
            throw new TransferException(
                    Kind.TRANSIENT,
                    "the server answered another part of " + source + " than was asked for",
                    "Tell the server's administrator.");
        }
        long size = range.group(3).equals("*") ? Source.UNKNOWN : Long.parseLong(range.group(3));
        String now = offset == 0 ? HttpsAnswers.version(response) : version;
        return new Source(offset, size, now, response.body());
    }

    /** Of a gateway, which is sent the file in parts where it is to be packed. */
    @Override
    public long kept(URI destination, TransferContext context) throws TransferException, InterruptedException {
        return Compression.of(context, packing).isNever()
                ? 0
                : packed.kept(request(destination), destination, context).orElse(0L);
    }

    @Override
    public void store(Source source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        Compression compression = Compression.of(context, packing);
        if (!compression.isNever()
                && source.size() > 0
                && packed.store(() -> request(destination), destination, source, compression, context)) {
            return;
        }
        if (source.start() != 0) {
            throw new TransferException(
                    Kind.TRANSIENT,
                    "the server took a part of the file before, and does not say any more how much it has",
                    "It is tried again from the beginning.");
        }
        SentBytes bytes = new SentBytes(source.bytes(), context.progress());
        HttpResponse<InputStream> response =
                send(request(destination).PUT(body(source, bytes)).build(), context);
        int status = response.statusCode();
        if (status == CONFLICT) {
            // a directory on the way is missing: for the next attempt
            makeDirectory(destination.resolve("."), context);
        }
        if (status != 200 && status != 201 && status != 204) {
            throw HttpsAnswers.refused("PUT", response);
        }
        HttpsAnswers.discard(response);
    }

    /** What a gateway has got of a file that came in parts; of others nothing is known. */
    @Override
    public void abandon(URI destination, TransferContext context) throws TransferException, InterruptedException {
        if (!Compression.of(context, packing).isNever()) {
            packed.abandon(() -> request(destination), destination, context);
        }
    }

    private static BodyPublisher body(Source source, SentBytes bytes) {
        if (source.start() != 0) {
            throw new IllegalStateException("a PUT begins at the beginning, not at " + source.start());
        }
        if (source.size() == 0) {
            return BodyPublishers.noBody();
        }
        BodyPublisher stream = BodyPublishers.ofInputStream(() -> bytes);
        return new OfferedBody(
                source.size() == Source.UNKNOWN ? stream : BodyPublishers.fromPublisher(stream, source.size()));
    }

    /** As WebDAV does it (RFC 4918 section 9.1); of a plain web server nothing is known. */
    @Override
    public List<Entry> list(URI directory, TransferContext context) throws TransferException, InterruptedException {
        HttpRequest asking = request(directory)
                .method("PROPFIND", BodyPublishers.ofString(PROPERTIES))
                .header("Depth", "1")
                .header("Content-Type", "application/xml; charset=utf-8")
                .build();
        HttpResponse<InputStream> response = send(asking, context);
        int status = response.statusCode();
        if (status == 405 || status == 501) {
            HttpsAnswers.discard(response);
            throw new TransferException(
                    Kind.PERMANENT,
                    "the web server knows no WebDAV, and does not say what is in the directory " + directory,
                    "Name each file, or fetch the directory with another protocol.");
        }
        if (status != 207) {
            throw HttpsAnswers.refused("PROPFIND", response);
        }
        try (InputStream body = response.body()) {
            return Multistatus.read(body, directory);
        } catch (IOException e) {
            throw TransferException.of(e, "listing " + directory);
        } catch (IllegalStateException e) {
            throw new TransferException(
                    Kind.PERMANENT, String.valueOf(e.getMessage()), "Tell the server's administrator.", e);
        }
    }

    /**
     * As WebDAV does it (RFC 4918 section 9.3). A plain web server knows no directories: what is PUT below one is there, and what it says
     * to MKCOL means nothing.
     */
    @Override
    public void makeDirectory(URI directory, TransferContext context) throws TransferException, InterruptedException {
        makeDirectory(directory, context, 0);
    }

    private void makeDirectory(URI directory, TransferContext context, int depth)
            throws TransferException, InterruptedException {
        if (makeOne(directory, context) == CONFLICT && depth < MAX_DEPTH) {
            URI parent = directory.resolve(directory.getRawPath().endsWith("/") ? ".." : ".");
            if (!parent.equals(directory) && parent.getRawPath().startsWith("/")) {
                makeDirectory(parent, context, depth + 1);
                makeOne(directory, context);
            }
        }
    }

    private int makeOne(URI directory, TransferContext context) throws TransferException, InterruptedException {
        HttpResponse<InputStream> response =
                send(request(directory).method("MKCOL", BodyPublishers.noBody()).build(), context);
        HttpsAnswers.discard(response);
        return response.statusCode();
    }

    @Override
    public boolean delete(URI file, TransferContext context) throws TransferException, InterruptedException {
        HttpResponse<InputStream> response = send(request(file).DELETE().build(), context);
        int status = response.statusCode();
        if (status == 404 || status == 410) {
            HttpsAnswers.discard(response);
            return false;
        }
        if (status != 200 && status != 202 && status != 204) {
            throw HttpsAnswers.refused("DELETE", response);
        }
        HttpsAnswers.discard(response);
        return true;
    }

    private HttpRequest.Builder request(URI url) throws TransferException {
        Optional<String> refused = refusal(url);
        if (refused.isPresent()) {
            throw new TransferException(Kind.PERMANENT, refused.get(), "Use https, or ask the site's administrator.");
        }
        if (url.getUserInfo() != null || url.getHost() == null) {
            throw new TransferException(
                    Kind.PERMANENT, "the URL must name a host, and no user", "Use a delegated credential instead.");
        }
        // no time limit for the whole: the engine sees to it that something moves
        return HttpRequest.newBuilder(url).header("User-Agent", "jobgate");
    }

    private HttpResponse<InputStream> send(HttpRequest request, TransferContext context)
            throws TransferException, InterruptedException {
        return calls.send(request, context);
    }

    @Override
    public void forget(String credential) {
        calls.forget(credential);
    }

    @Override
    public void close() {
        calls.close();
    }
}
