// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wsrf;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLServerSocket;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.HttpRequestReader;
import org.jobgate.cli.tls.ServerSide;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * Takes wsnt:Notify messages over https (captures 10 and 11). Who connects is not asked for: a message must bear the random
 * key that only the service knows, or it is refused.
 */
final class NotificationConsumer implements AutoCloseable {
    private static final int CONNECTIONS_MAX = 16;
    private static final int MESSAGES_WAITING_MAX = 1000;
    private static final int SILENCE_MS_MAX = 60_000;
    private static final String PATH = "/wsrf/services/NotificationConsumerService";

    private final SSLServerSocket listener;
    private final String key = UUID.randomUUID().toString();
    private final Semaphore connections = new Semaphore(CONNECTIONS_MAX);
    private final BlockingQueue<XmlElement> messages = new ArrayBlockingQueue<>(MESSAGES_WAITING_MAX);

    private NotificationConsumer(SSLServerSocket listener) {
        this.listener = requireNonNull(listener, "listener is null");
    }

    /** Listens at once. */
    static NotificationConsumer open(Credential credential, InetAddress address, int port) throws IOException {
        NotificationConsumer consumer =
                new NotificationConsumer(ServerSide.listen(credential, address, port, CONNECTIONS_MAX));
        Thread.ofPlatform().daemon().name("consumer").start(consumer::accept);
        return consumer;
    }

    /** Where to send messages, and with which key. */
    Epr reference() {
        InetAddress address = listener.getInetAddress();
        String host = address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
        return new Epr(
                "https://" + host + ":" + listener.getLocalPort() + PATH,
                List.of(new XmlElement(Names.CORE, "NotificationConsumerKey", List.of(), List.of(), key)));
    }

    /** The next wsnt:NotificationMessage; null where none came in time. */
    @Nullable
    XmlElement poll(long timeoutMs) throws InterruptedException {
        return messages.poll(timeoutMs, TimeUnit.MILLISECONDS);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                if (!connections.tryAcquire()) {
                    socket.close(); // the notifier tries again; an attacker gets no further
                    continue;
                }
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    continue; // one connection failed, others may come
                }
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setSoTimeout(SILENCE_MS_MAX);
            HttpRequestReader requests = new HttpRequestReader(new BufferedInputStream(socket.getInputStream()));
            HttpRequestReader.Request request;
            do {
                request = requests.read();
                String status = take(request);
                socket.getOutputStream()
                        .write(("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
            } while (request.keepsConnection());
        } catch (EOFException e) {
            return; // the usual end of a kept connection
        } catch (IOException e) {
            return; // the notifier sees its connection break, and sends again
        } finally {
            connections.release();
        }
    }

    /** Returns the status for the notifier. */
    private String take(HttpRequestReader.Request request) {
        if (!request.method().equals("POST")) {
            return "405 Method Not Allowed";
        }
        try {
            XmlElement envelope = XmlElement.read(new ByteArrayInputStream(request.body()));
            XmlElement header = envelope.child(Names.SOAP, "Header");
            if (header == null || !key.equals(header.childText(Names.CORE, "NotificationConsumerKey"))) {
                return "500 No Such Consumer";
            }
            XmlElement body = envelope.child(Names.SOAP, "Body");
            XmlElement notify = body == null ? null : body.child(Names.NOTIFICATION, "Notify");
            if (notify == null) {
                return "500 Not A Notification";
            }
            for (XmlElement message : notify.children()) {
                if (message.is(Names.NOTIFICATION, "NotificationMessage") && !messages.offer(message)) {
                    return "503 Busy";
                }
            }
            return "200 OK";
        } catch (XMLStreamException e) {
            return "400 Not XML";
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
