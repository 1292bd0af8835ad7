// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static java.util.Objects.requireNonNull;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.wire.XmlElement;

/**
 * A computing element that answers each operation with a text that the test has chosen, of the form that the WSDL has, and keeps what it
 * was asked and brought.
 */
public final class CreamStub implements AutoCloseable {

    public static final String TYPES = "http://glite.org/2007/11/ce/cream/types";

    private final HttpsServer server;
    private final Map<String, Function<XmlElement, String>> replies = new ConcurrentHashMap<>();
    private final List<XmlElement> requests = new CopyOnWriteArrayList<>();
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final Map<String, byte[]> files = new TreeMap<>();
    private volatile boolean isEndless;

    /** Serves at a port of the loopback interface. */
    public CreamStub(SSLContext context) throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setNeedClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        server.createContext("/", this::serve);
        server.start();
    }

    /** Makes every directory list more names than the command takes. */
    void listWithoutEnd() {
        isEndless = true;
    }

    /** {@code localhost:PORT}. */
    public String contact() {
        return "localhost:" + server.getAddress().getPort();
    }

    /** What the operation is answered with: the element in the namespace of CREAM's types. */
    public void answer(String operation, String element) {
        answer(operation, request -> element);
    }

    /** The same by what is asked for. A text that begins with {@code HTTP } and a status is an answer without an envelope. */
    public void answer(String operation, Function<XmlElement, String> element) {
        replies.put(operation, element);
    }

    /** The operations that were asked for, in order, by the name of the element in the body. */
    public List<String> operations() {
        return requests.stream().map(XmlElement::name).toList();
    }

    /** The body of the request of this name that came last. */
    XmlElement request(String name) {
        return requests.stream()
                .filter(request -> request.name().equals(name))
                .reduce((one, next) -> next)
                .orElseThrow(() -> new AssertionError("no request " + name + " in " + operations()));
    }

    /** The bodies of all requests of this name, in order. */
    public List<XmlElement> requests(String name) {
        return requests.stream().filter(request -> request.name().equals(name)).toList();
    }

    /** Method and path of each request for a file. */
    List<String> paths() {
        return paths;
    }

    synchronized Map<String, byte[]> files() {
        return files;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestMethod().equals("POST")) {
                soap(exchange, body);
            } else {
                file(exchange, body);
            }
        }
    }

    private void soap(HttpExchange exchange, byte[] body) throws IOException {
        XmlElement request;
        try {
            request = XmlElement.read(new ByteArrayInputStream(body))
                    .children()
                    .getLast()
                    .children()
                    .getFirst();
        } catch (XMLStreamException e) {
            throw new IOException(e);
        }
        requests.add(request);
        Function<XmlElement, String> answer = replies.get(request.name().replaceFirst("Request$", ""));
        String reply = answer == null ? null : answer.apply(request);
        if (reply != null && reply.startsWith("HTTP ")) {
            send(exchange, Integer.parseInt(reply.substring(5, 8)), "no".getBytes(StandardCharsets.UTF_8));
            return;
        }
        boolean isFault = reply == null || reply.contains(":Fault>");
        String content = reply == null
                ? "<s:Fault><faultcode>s:Server</faultcode><faultstring>no answer is set for " + request.name()
                        + "</faultstring></s:Fault>"
                : reply;
        String envelope = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + content
                + "</s:Body></s:Envelope>";
        exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=utf-8");
        send(exchange, isFault ? 500 : 200, envelope.getBytes(StandardCharsets.UTF_8));
    }

    private synchronized void file(HttpExchange exchange, byte[] body) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        paths.add(exchange.getRequestMethod() + " " + path);
        if (exchange.getRequestMethod().equals("PUT")) {
            String range = exchange.getRequestHeaders().getFirst("Content-Range");
            byte[] before =
                    range == null || range.startsWith("bytes 0-") ? new byte[0] : requireNonNull(files.get(path));
            byte[] all = Arrays.copyOf(before, before.length + body.length);
            System.arraycopy(body, 0, all, before.length, body.length);
            files.put(path, all);
            send(exchange, 201, new byte[0]);
        } else if (path.endsWith("/") && isEndless) {
            exchange.getResponseHeaders().set("Link", "<?after=f>; rel=\"next\"");
            send(exchange, 200, "- 0 2026-11-25T00:00:00Z f\n".repeat(100_000).getBytes(StandardCharsets.UTF_8));
        } else if (path.endsWith("/")) {
            Set<String> lines = new TreeSet<>();
            files.forEach((name, bytes) -> {
                String below = name.startsWith(path) ? name.substring(path.length()) : "";
                int slash = below.indexOf('/');
                if (slash > 0) {
                    lines.add("d 0 2026-11-25T00:00:00Z " + below.substring(0, slash));
                } else if (!below.isEmpty()) {
                    lines.add("- " + bytes.length + " 2026-11-25T00:00:00Z " + below);
                }
            });
            send(
                    exchange,
                    200,
                    (String.join("\n", lines) + "\nl 0 2026-11-25T00:00:00Z link\n").getBytes(StandardCharsets.UTF_8));
        } else {
            part(exchange, requireNonNull(files.get(path), path));
        }
    }

    private static void part(HttpExchange exchange, byte[] file) throws IOException {
        String[] ends = exchange.getRequestHeaders()
                .getFirst("Range")
                .replace("bytes=", "")
                .split("-", -1);
        int from = Integer.parseInt(ends[0]);
        int to = Math.min(Integer.parseInt(ends[1]) + 1, file.length);
        boolean isBehind = from >= file.length;
        send(exchange, isBehind ? 416 : 206, isBehind ? new byte[0] : Arrays.copyOfRange(file, from, to));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
