// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.stub;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/** Enough of GRAM4 for one client: create, ask, destroy, release. Can be told to misbehave. */
public final class GramStub implements AutoCloseable {
    /** How it behaves; the fields are set before the client comes. */
    public static final class Behaviour {
        public volatile boolean knowsWait = true;
        public volatile boolean sendsChunks;
        public volatile boolean closesEachTime;
        public volatile boolean refusesCreate;
        /** Speaks GT 4.2 only, and tells a client of GT 4.0 so, in GT's words. */
        public volatile boolean is42;

        public volatile boolean forgetsJobs;
        public volatile long stepMs = 1;
        /** While this is so every job is Pending; its steps begin when it is no longer so. */
        public volatile boolean waits;
        /** What the service takes for the home directory of every account. */
        public volatile String home = "/home/tester";
        /** What a job's stdout is over https; null where the service gives no access to files, as GT4. */
        public volatile @Nullable String stdout;
        /** Why every job waits; null: the service has no such property, as GT's. */
        public volatile @Nullable String reason;
        /** With what notifications are sent; null where none are. */
        public volatile @Nullable TrialCertificates notifier;
        /** What every request of SOAP is answered with, head and body, as a proxy or another server would; null for an answer. */
        public volatile @Nullable String foreignAnswer;
        /** So many answers to createManagedJob are lost after the job was made. */
        public final AtomicInteger lostCreateReplies = new AtomicInteger();
    }

    private final SSLServerSocket listener;
    private final Thread accepting;
    private final Behaviour behaviour;
    private final BulkStub bulk;
    private final Map<String, StubJob> jobs = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger subscriptionsEnded = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();

    public GramStub(SSLContext context, Behaviour behaviour, String... namedGroups) throws IOException {
        this(context, behaviour, 0, namedGroups);
    }

    GramStub(SSLContext context, Behaviour behaviour, int port, String... namedGroups) throws IOException {
        this.behaviour = behaviour;
        listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(port, 50, InetAddress.getLoopbackAddress());
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setNeedClientAuth(true);
        if (namedGroups.length > 0) {
            parameters.setNamedGroups(namedGroups);
        }
        listener.setSSLParameters(parameters);
        bulk = new BulkStub(contact());
        accepting = Thread.ofPlatform().daemon().name("stub").start(this::accept);
    }

    /** For measurements: serves until it is killed. Arguments: a folder for certificates, a port. */
    public static void main(String[] arguments) throws Exception {
        Path dir = Path.of(arguments[0]);
        TrialCertificates certificates = TrialCertificates.make(dir, "rsa");
        GramStub stub = new GramStub(certificates.serverContext(), new Behaviour(), Integer.parseInt(arguments[1]));
        System.out.println(stub.contact());
        Thread.currentThread().join();
    }

    /** Offers this version of TLS alone from now on. */
    public void speakOnly(String version) {
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        listener.setSSLParameters(parameters);
    }

    public String contact() {
        return "localhost:" + listener.getLocalPort();
    }

    /** Every envelope that came, in order. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    public List<String> requests(String operation) {
        return requests.stream().filter(request -> request.contains(operation)).toList();
    }

    public int connections() {
        return connections.get();
    }

    public int jobsCreated() {
        return jobs.size();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                connections.incrementAndGet();
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            } catch (IOException e) {
                // closed: the test is over
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            do {
                String request = request(in);
                requests.add(request);
                if (!request.startsWith("<")) {
                    sendFile(out, request);
                    continue;
                }
                String foreign = behaviour.foreignAnswer;
                if (foreign != null) {
                    out.write(foreign.getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    continue;
                }
                String reply = behaviour.is42 ? Newer.answer(request, this::answer) : answer(request);
                if (request.contains("createManagedJob") && behaviour.lostCreateReplies.getAndDecrement() > 0) {
                    return;
                }
                send(out, reply);
            } while (!behaviour.closesEachTime);
        } catch (IOException | XMLStreamException e) {
            // the client went away, or sent nonsense: it learns by the closed connection
            return;
        }
    }

    /** The body; of a request for a file its head. */
    private static String request(InputStream in) throws IOException {
        int length = 0;
        StringBuilder head = new StringBuilder(200);
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.startsWith("Content-Length:")) {
                length = Integer.parseInt(
                        line.substring("Content-Length:".length()).strip());
            }
            head.append(line).append('\n');
        }
        return head.indexOf("POST ") == 0 ? new String(in.readNBytes(length), StandardCharsets.UTF_8) : head.toString();
    }

    /** The first question is answered with all there is, the next with nothing, for the job still runs. */
    private void sendFile(OutputStream out, String request) throws IOException {
        String text = behaviour.stdout;
        String answer;
        if (text == null) {
            answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone";
        } else if (request.startsWith("GET ") && request.contains("bytes=0-")) {
            answer = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-" + (text.length() - 1)
                    + "/*\r\nJobgate-File: one\r\nContent-Length: " + text.length() + "\r\n\r\n" + text;
        } else {
            answer = "HTTP/1.1 204 No Content\r\nJobgate-File: one\r\n\r\n";
        }
        out.write(answer.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            out.write(b);
        }
        return out.toString(StandardCharsets.US_ASCII).strip();
    }

    private void send(OutputStream out, String reply) throws IOException {
        byte[] body = reply.getBytes(StandardCharsets.UTF_8);
        String status = reply.contains(":Fault>") ? "500 Internal Server Error" : "200 OK";
        String head = "HTTP/1.1 " + status + "\r\nContent-Type: text/xml;charset=utf-8\r\n"
                + (behaviour.closesEachTime ? "Connection: close\r\n" : "");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        if (behaviour.sendsChunks) {
            all.writeBytes((head + "Transfer-Encoding: chunked\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            int half = body.length / 2;
            for (byte[] part : List.of(Arrays.copyOf(body, half), Arrays.copyOfRange(body, half, body.length))) {
                all.writeBytes((Integer.toHexString(part.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                all.writeBytes(part);
                all.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            all.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        } else {
            all.writeBytes((head + "Content-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            all.writeBytes(body);
        }
        out.write(all.toByteArray());
        out.flush();
    }

    private String answer(String request) throws XMLStreamException {
        XmlElement envelope = XmlElement.read(new ByteArrayInputStream(request.getBytes(StandardCharsets.UTF_8)));
        XmlElement header = requireNonNull(envelope.child(Names.SOAP, "Header"));
        XmlElement operation =
                requireNonNull(envelope.child(Names.SOAP, "Body")).children().getFirst();
        if (operation.is(Names.JOB, "createManagedJob")) {
            return create(operation);
        }
        if (operation.namespace().equals(BulkStub.NAMESPACE)) {
            return bulk.answer(operation);
        }
        if (header.child(Names.CORE, "SubscriptionKey") != null) {
            subscriptionsEnded.incrementAndGet();
            return reply("destroy");
        }
        StubJob job = jobs.get(String.valueOf(header.childText(Names.JOB, "ResourceID")));
        if (job == null || job.isDestroyed() || behaviour.forgetsJobs) {
            return reply("resource-unknown");
        }
        return switch (operation.name()) {
            case "GetMultipleResourceProperties" -> state(job, header.child(Names.WAIT, "Wait"));
            case "GetResourceProperty" -> property(job, operation.text());
            case "QueryResourceProperties" ->
                reply("property")
                        .replace("GetResourceProperty", "QueryResourceProperties")
                        .replace(">Done<", ">" + job.state() + "<");
            case "SetTerminationTime" -> setTerminationTime(operation);
            case "Subscribe" -> subscribe(job, operation);
            case "Destroy", "terminate" -> {
                job.destroy();
                yield reply("destroy");
            }
            case "release" -> {
                job.release();
                yield reply("release");
            }
            default -> throw new IllegalArgumentException(operation.name());
        };
    }

    private String create(XmlElement operation) {
        if (behaviour.refusesCreate) {
            return reply("create-fault");
        }
        String key = String.valueOf(operation.childText(Names.JOB, "JobID")).substring("uuid:".length());
        jobs.computeIfAbsent(
                key,
                unused -> new StubJob(
                        operation.children().getLast(), behaviour.stepMs, behaviour.home, () -> behaviour.waits));
        return reply("createManagedJob")
                .replace("localhost:31001", contact())
                .replace("11111111-2222-3333-4444-555555555555", key);
    }

    private String state(StubJob job, @Nullable XmlElement wait) {
        if (wait != null && behaviour.knowsWait) {
            job.awaitOther(
                    String.valueOf(wait.attribute("", "state")),
                    Boolean.parseBoolean(wait.attribute("", "holding")),
                    Long.parseLong(String.valueOf(wait.attribute("", "timeoutMs"))));
        }
        String state = job.state();
        String template = state.equals("Failed") ? reply("state-failed") : reply("state");
        return template.replace(">Done<", ">" + state + "<")
                .replace("holding>false", "holding>" + job.isHolding())
                .replace("exitCode>0", "exitCode>" + job.exitCode());
    }

    private String property(StubJob job, String name) {
        if (name.endsWith(":serviceLevelAgreement")) {
            StringBuilder agreement = new StringBuilder("<desc:serviceLevelAgreement>");
            job.description().write(agreement, "");
            agreement.append("</desc:serviceLevelAgreement>");
            return reply("property")
                    .replace(
                            "<types:state>Done</types:state>",
                            agreement.toString().replace("${GLOBUS_USER_HOME}", behaviour.home));
        }
        if (name.endsWith(":reason")) {
            String reason = behaviour.reason;
            return reason == null
                    ? reply("resource-unknown")
                    : reply("property")
                            .replace(
                                    "<types:state>Done</types:state>",
                                    "<j:reason xmlns:j=\"https://jobgate.org/ns/2026/job\">" + reason + "</j:reason>");
        }
        return reply("property").replace(">Done<", ">" + job.state() + "<");
    }

    private static String setTerminationTime(XmlElement operation) {
        StringBuilder time = new StringBuilder();
        XmlElement requested = requireNonNull(operation.child(Names.LIFETIME, "RequestedTerminationTime"));
        String set = "<wsrl:NewTerminationTime>" + requested.text() + "</wsrl:NewTerminationTime>";
        time.append("<wsrl:SetTerminationTimeResponse>")
                .append("true".equals(requested.attribute(Names.XSI, "nil")) ? "" : set)
                .append("</wsrl:SetTerminationTimeResponse>");
        return reply("destroy").replaceFirst("<wsrl:DestroyResponse */>", time.toString());
    }

    private String subscribe(StubJob job, XmlElement operation) {
        XmlElement consumer = requireNonNull(operation.child(Names.NOTIFICATION, "ConsumerReference"));
        Thread.ofPlatform().daemon().start(() -> new StubNotifier(job, consumer, behaviour).run());
        return reply("destroy")
                .replaceFirst(
                        "<wsrl:DestroyResponse */>",
                        "<wsnt:SubscribeResponse><wsnt:SubscriptionReference><wsa:Address>https://" + contact()
                                + "/wsrf/services/SubscriptionManagerService</wsa:Address><wsa:ReferenceProperties>"
                                + "<core:SubscriptionKey>s1</core:SubscriptionKey></wsa:ReferenceProperties>"
                                + "</wsnt:SubscriptionReference></wsnt:SubscribeResponse>");
    }

    /** How many subscriptions their owners ended. */
    public int subscriptionsEnded() {
        return subscriptionsEnded.get();
    }

    private static String reply(String name) {
        try (InputStream in = GramStub.class.getResourceAsStream("/replies/" + name + ".xml")) {
            return new String(requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when nobody can connect any more: until its accept has returned, a closed listener still takes connections. */
    @Override
    public void close() throws IOException {
        listener.close();
        try {
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
