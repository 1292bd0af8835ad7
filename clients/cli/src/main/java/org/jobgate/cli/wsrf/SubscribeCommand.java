// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wsrf;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.EprFile;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.tls.ServerSide;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/** wsn-subscribe: subscribes, prints what comes, unsubscribes. */
final class SubscribeCommand {
    private static final Set<String> TERMINAL = Set.of("Done", "Failed", "UserTerminateDone", "UserTerminateFailed");
    private static final int PORT_MAX = 65_535;
    private static final int PORT_DEFAULT = 443;
    private static final long POLL_MS = 200;

    private final QualifiedName topic;
    private final Epr resource;
    private final PrintStream out;
    private final Wishes wishes;

    /**
     * What the options say.
     *
     * @param host null: where the service sees us
     * @param eprFile null: the subscription's reference is not written
     */
    private record Wishes(
            @Nullable String host,
            int port,
            int messagesMax,
            int secondsMax,
            boolean isXml,
            @Nullable String eprFile) {}

    private SubscribeCommand(QualifiedName topic, Epr resource, PrintStream out, Wishes wishes) {
        this.topic = requireNonNull(topic, "topic is null");
        this.resource = requireNonNull(resource, "resource is null");
        this.out = requireNonNull(out, "out is null");
        this.wishes = requireNonNull(wishes, "wishes is null");
    }

    static SubscribeCommand of(Words words, QualifiedName topic, Epr resource, PrintStream out)
            throws CommandException {
        return new SubscribeCommand(
                topic,
                resource,
                out,
                new Wishes(
                        words.value(WsrfOption.CONSUMER_HOST),
                        words.number(WsrfOption.CONSUMER_PORT, 0, 1, PORT_MAX),
                        words.number(WsrfOption.COUNT, Integer.MAX_VALUE, 1, Integer.MAX_VALUE),
                        words.number(WsrfOption.SECONDS, Integer.MAX_VALUE, 1, Integer.MAX_VALUE),
                        words.has(WsrfOption.XML),
                        words.value(WsrfOption.SUBSCRIPTION_OUTPUT)));
    }

    /** Returns when the job has ended, or after as many messages or seconds as were asked for. */
    void follow(Session session) throws IOException, SoapFaultException, CommandException, InterruptedException {
        try (NotificationConsumer consumer = NotificationConsumer.open(
                session.certificate("The endpoint that notifications come to needs"), listenAddress(), wishes.port())) {
            WsrfService service = new WsrfService(session.soap());
            Epr subscription = service.subscribe(resource, topic, consumer.reference());
            Thread atInterrupt = new Thread(() -> unsubscribe(new WsrfService(session.anotherSoap()), subscription));
            Runtime.getRuntime().addShutdownHook(atInterrupt);
            if (wishes.eprFile() != null) {
                EprFile.write(Path.of(wishes.eprFile()), subscription.toFileText());
            }
            // changes before the subscription are not notified: the present state must be asked for
            boolean isOver = isOfState() && show(service.property(resource, topic));
            if (!isOver) {
                listen(consumer);
            }
            Runtime.getRuntime().removeShutdownHook(atInterrupt);
            unsubscribe(service, subscription);
        }
    }

    private boolean isOfState() {
        return topic.namespace().equals(Names.TYPES) && topic.name().equals("state");
    }

    private InetAddress listenAddress() throws IOException {
        if (wishes.host() != null) {
            return InetAddress.getByName(wishes.host());
        }
        URI service = URI.create(resource.address());
        return ServerSide.addressTowards(
                requireNonNull(service.getHost(), "the service's address has no host"),
                service.getPort() < 0 ? PORT_DEFAULT : service.getPort());
    }

    private void listen(NotificationConsumer consumer) throws InterruptedException {
        long end = System.nanoTime() + wishes.secondsMax() * 1_000_000_000L;
        int shown = 0;
        while (shown < wishes.messagesMax() && System.nanoTime() < end) {
            XmlElement message = consumer.poll(POLL_MS);
            if (message != null) {
                shown++;
                if (show(message)) {
                    return;
                }
            }
        }
    }

    /** Prints one line. Returns whether it tells of the end of a job. */
    private boolean show(XmlElement message) {
        String state = text(message, Names.TYPES, "state");
        String line = state == null || wishes.isXml() ? WsrfCommands.xml(message) : describe(message, state);
        out.println(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + line);
        return state != null && TERMINAL.contains(state);
    }

    private static String describe(XmlElement message, String state) {
        String holding = text(message, Names.TYPES, "holding");
        String exitCode = text(message, Names.TYPES, "exitCode");
        return state
                + ("true".equals(holding) ? "-Hold" : "")
                + (TERMINAL.contains(state) && exitCode != null ? " exit code " + exitCode : "");
    }

    /** The text of the first element of that name at any depth. */
    private static @Nullable String text(XmlElement element, String namespace, String name) {
        if (element.is(namespace, name)) {
            return element.text().strip();
        }
        for (XmlElement child : element.children()) {
            String found = text(child, namespace, name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** A subscription that is left behind ends with its job: failing to end it is no reason to fail. */
    private static void unsubscribe(WsrfService service, Epr subscription) {
        try {
            service.destroy(subscription);
        } catch (IOException | SoapFaultException e) {
            return; // gone with its job, or the service is away: either way nothing more can be done from here
        }
    }
}
