// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An https server of the tests' own that keeps files in memory, knows ranges, and can be told to misbehave. */
final class FileServer implements AutoCloseable {

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final KeyStore trusted;
    private final SSLContext serverSide;
    final Map<String, byte[]> files = new ConcurrentHashMap<>();
    /** The Range of each GET, or "whole". */
    final List<String> gets = new CopyOnWriteArrayList<>();
    /** The Authorization of each request, or "none". */
    final List<String> authorizations = new CopyOnWriteArrayList<>();

    final AtomicInteger failures = new AtomicInteger();
    final AtomicInteger breaks = new AtomicInteger();
    final CountDownLatch never = new CountDownLatch(1);
    /** What is below it comes byte by byte. */
    static final String DRIPPING = "/drip/";

    static final int AT_ONCE = 20_000;
    private static final long DRIP_MILLIS = 10;
    final AtomicInteger dripping = new AtomicInteger();
    volatile boolean hangs;
    /** Whether it knows WebDAV; then what is PUT needs its directory. */
    volatile boolean isDav;

    final java.util.Set<String> directories = ConcurrentHashMap.newKeySet();
    volatile int failureStatus = 503;

    FileServer() throws IOException, GeneralSecurityException, OperatorCreationException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair pair = generator.generateKeyPair();
        X509Certificate certificate = certificate(pair);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("server", pair.getPrivate(), new char[0], new X509Certificate[] {certificate});
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, new char[0]);
        trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", certificate);
        serverSide = SSLContext.getInstance("TLS");
        serverSide.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(serverSide));
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private static X509Certificate certificate(KeyPair pair)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        X500Name name = new X500Name("CN=localhost");
        Instant now = Instant.now();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                name,
                BigInteger.ONE,
                Date.from(now.minusSeconds(3600)),
                Date.from(now.plusSeconds(86_400)),
                name,
                pair.getPublic());
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
    }

    /** Trusts this server, and checks its name as every client of Java does. */
    SSLContext clientSide() {
        return clientSide(trusted);
    }

    /** Trusts both. */
    SSLContext clientSideWith(FileServer other) {
        try {
            KeyStore both = KeyStore.getInstance("PKCS12");
            both.load(null, null);
            both.setCertificateEntry("one", trusted.getCertificate("server"));
            both.setCertificateEntry("other", other.trusted.getCertificate("server"));
            return clientSide(both);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SSLContext clientSide(KeyStore trusted) {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What another server of the same name needs. */
    SSLContext serverSide() {
        return serverSide;
    }

    URI url(String path) {
        return URI.create("https://localhost:" + server.getAddress().getPort() + path);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            authorizations.add(Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                    .orElse("none"));
            if (hangs) {
                never.await();
            }
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                exchange.sendResponseHeaders(failureStatus, -1);
                return;
            }
            switch (exchange.getRequestMethod()) {
                case "GET" -> get(exchange);
                case "HEAD" -> head(exchange);
                case "PROPFIND" -> propfind(exchange);
                case "MKCOL" -> mkcol(exchange);
                case "PUT" -> {
                    if (isDav
                            && !directories.contains(
                                    parent(exchange.getRequestURI().getPath()))) {
                        exchange.sendResponseHeaders(409, -1);
                        return;
                    }
                    files.put(
                            exchange.getRequestURI().getPath(),
                            exchange.getRequestBody().readAllBytes());
                    exchange.sendResponseHeaders(201, -1);
                }
                case "DELETE" ->
                    exchange.sendResponseHeaders(
                            files.remove(exchange.getRequestURI().getPath()) == null ? 404 : 204, -1);
                default -> exchange.sendResponseHeaders(405, -1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void head(HttpExchange exchange) throws IOException {
        byte[] content = files.get(exchange.getRequestURI().getPath());
        if (content != null) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(content.length));
        }
        exchange.sendResponseHeaders(content == null ? 404 : 200, -1);
    }

    private static String parent(String path) {
        String trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return trimmed.substring(0, trimmed.lastIndexOf('/') + 1);
    }

    private void mkcol(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        int status = !isDav || directories.contains(path) ? 405 : directories.contains(parent(path)) ? 201 : 409;
        if (status == 201) {
            directories.add(path);
        }
        exchange.sendResponseHeaders(status, -1);
    }

    private void propfind(HttpExchange exchange) throws IOException {
        if (!isDav) {
            exchange.sendResponseHeaders(405, -1);
            return;
        }
        String path = exchange.getRequestURI().getRawPath();
        StringBuilder out = new StringBuilder("<d:multistatus xmlns:d='DAV:'>");
        out.append(response(path, "<d:collection/>", ""));
        directories.stream()
                .filter(each -> !each.equals(path) && parent(each).equals(path))
                .forEach(each -> out.append(response(each, "<d:collection/>", "")));
        files.forEach((name, content) -> {
            if (parent(name).equals(path)) {
                out.append(response(
                        url(name.replace(" ", "%20")).toString(),
                        "",
                        "<d:getcontentlength>" + content.length + "</d:getcontentlength>"));
            }
        });
        byte[] body = out.append("</d:multistatus>").toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(207, body.length);
        exchange.getResponseBody().write(body);
    }

    private static String response(String href, String type, String more) {
        return "<d:response><d:href>" + href + "</d:href><d:propstat><d:prop><d:resourcetype>" + type
                + "</d:resourcetype>" + more
                + "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>";
    }

    private void get(HttpExchange exchange) throws IOException {
        byte[] file = files.get(exchange.getRequestURI().getPath());
        if (file == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        String tag = "\"" + Arrays.hashCode(file) + "\"";
        String range = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Range"))
                .orElse("whole");
        gets.add(range);
        boolean isPart = range.startsWith("bytes=")
                && tag.equals(exchange.getRequestHeaders().getFirst("If-Range"));
        int from = isPart ? Integer.parseInt(range.substring(6, range.length() - 1)) : 0;
        exchange.getResponseHeaders().set("ETag", tag);
        if (isPart) {
            exchange.getResponseHeaders()
                    .set("Content-Range", "bytes " + from + "-" + (file.length - 1) + "/" + file.length);
        }
        exchange.sendResponseHeaders(isPart ? 206 : 200, file.length - from == 0 ? -1 : file.length - from);
        boolean breaksOff = breaks.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        if (exchange.getRequestURI().getPath().startsWith(DRIPPING)) {
            drip(exchange.getResponseBody(), file, from);
            return;
        }
        int to = breaksOff ? from + (file.length - from) / 2 : file.length;
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(file, from, to - from);
            out.flush();
            if (breaksOff) {
                throw new UncheckedIOException(new IOException("the connection breaks, as the test wants it"));
            }
        }
    }

    /** A first part at once, and then byte by byte, so that it would take hours. */
    private void drip(OutputStream out, byte[] file, int from) throws IOException {
        int at = Math.min(file.length, Math.max(from, AT_ONCE));
        out.write(file, from, at - from);
        out.flush();
        dripping.incrementAndGet();
        try {
            for (; at < file.length && !never.await(DRIP_MILLIS, TimeUnit.MILLISECONDS); at++) {
                out.write(file, at, 1);
                out.flush();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            dripping.decrementAndGet();
        }
    }

    @Override
    public void close() {
        never.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
