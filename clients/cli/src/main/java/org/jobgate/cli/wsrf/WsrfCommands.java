// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wsrf;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.EprFile;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/** The commands wsrf-get-property, -get-properties, -query, -destroy, -set-termination-time and wsn-subscribe. */
public final class WsrfCommands {
    private static final long SECONDS_MAX = 100L * 366 * 24 * 3600;

    private final Map<String, String> environment;
    private final Clock clock;
    private final PrintStream out;
    private final PrintStream errors;

    public WsrfCommands(Map<String, String> environment, Clock clock, PrintStream out, PrintStream errors) {
        this.environment = Map.copyOf(environment);
        this.clock = requireNonNull(clock, "clock is null");
        this.out = requireNonNull(out, "out is null");
        this.errors = requireNonNull(errors, "errors is null");
    }

    /**
     * Does what one of the commands does.
     *
     * @return the status for the process
     */
    public int call(String name, String... given) throws CommandException, InterruptedException {
        Words words = Words.sort(WsrfOption.TABLE, options -> Integer.MAX_VALUE, given);
        if (words.has(WsrfOption.HELP) || words.has(WsrfOption.VERSION)) {
            out.println(words.has(WsrfOption.HELP) ? WsrfPages.page(name).help() : CommandPage.version(name));
            return ExitStatus.OK.code();
        }
        refuseOthers(name, words);
        Epr resource = resource(words);
        // everything that can be wrong with the words is found before the network is used
        Call call = call(name, words, resource);
        try (Session session = Session.open(wishes(words), environment, errors)) {
            call.make(session);
            return ExitStatus.OK.code();
        } catch (SoapFaultException e) {
            throw new CommandException(ExitStatus.REFUSED, "The service refused: " + e.getMessage(), e);
        } catch (IOException e) {
            throw CommandException.ofContact("", e);
        }
    }

    @FunctionalInterface
    private interface Call {
        void make(Session session) throws IOException, SoapFaultException, CommandException, InterruptedException;
    }

    private Call call(String name, Words words, Epr resource) throws CommandException {
        return switch (name) {
            case "wsrf-get-property" -> {
                QualifiedName property = QualifiedName.of(one(words, "the property's name"));
                yield session -> print(service(session).property(resource, property), words);
            }
            case "wsrf-get-properties" -> {
                List<QualifiedName> properties = qualifiedNames(words);
                yield session -> print(service(session).properties(resource, properties), words);
            }
            case "wsrf-query" -> query(words, resource);
            case "wsrf-destroy" -> {
                atMost(words, 0);
                yield session -> destroy(service(session), resource);
            }
            case "wsrf-set-termination-time" -> setTerminationTime(words, resource);
            case "wsn-subscribe" ->
                SubscribeCommand.of(words, QualifiedName.of(one(words, "the topic")), resource, out)::follow;
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }

    private Call query(Words words, Epr resource) throws CommandException {
        atMost(words, 2);
        List<String> operands = words.operands();
        String expression = operands.isEmpty() ? "/*" : operands.getFirst();
        String dialect = operands.size() < 2 ? Names.XPATH : operands.get(1);
        return session -> print(service(session).query(resource, expression, dialect), words);
    }

    private void destroy(WsrfService service, Epr resource) throws IOException, SoapFaultException {
        service.destroy(resource);
        out.println("Destroy operation was successful");
    }

    private Call setTerminationTime(Words words, Epr resource) throws CommandException {
        Instant requested = time(one(words, "the seconds from now, or infinity"));
        return session -> {
            String scheduled = service(session).setTerminationTime(resource, requested);
            out.println("requested: " + (requested == null ? "infinity" : requested));
            out.println("scheduled: " + (scheduled == null ? "infinity" : scheduled));
        };
    }

    private @Nullable Instant time(String text) throws CommandException {
        if (text.equals("infinity")) {
            return null;
        }
        try {
            long seconds = Long.parseLong(text);
            if (seconds >= 0 && seconds <= SECONDS_MAX) {
                return clock.instant().plusSeconds(seconds);
            }
        } catch (NumberFormatException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "Time " + text + " is neither a number of seconds nor infinity.", e);
        }
        throw Words.usage("Time " + text + " is not in 0 to " + SECONDS_MAX + " seconds.");
    }

    private static WsrfService service(Session session) {
        return new WsrfService(session.soap());
    }

    /** Each property as an element with its namespaces, or its text alone. A query may answer text without elements. */
    private void print(XmlElement response, Words words) {
        for (XmlElement property : response.children()) {
            out.println(words.has(WsrfOption.VALUE) ? property.text().strip() : xml(property));
        }
        String text = response.text().strip();
        if (!text.isEmpty()) {
            out.println(text);
        }
    }

    static String xml(XmlElement element) {
        StringBuilder written = new StringBuilder(400);
        element.write(written, "");
        return written.toString();
    }

    private static Epr resource(Words words) throws CommandException {
        String file = words.value(WsrfOption.EPR_FILE);
        String service = words.value(WsrfOption.SERVICE);
        if ((file == null) == (service == null)) {
            throw Words.usage("Name the resource by one of -e FILE and -s URL [-k NAME VALUE].");
        }
        if (file != null) {
            return EprFile.named(file);
        }
        String url = requireNonNull(service);
        List<String> key = words.values(WsrfOption.KEY);
        if (key.isEmpty()) {
            return url.indexOf('?') > 0 ? EprFile.named(url) : new Epr(url, List.of());
        }
        QualifiedName name = QualifiedName.of(key.getFirst());
        return new Epr(
                url, List.of(new XmlElement(name.namespace(), name.name(), List.of(), List.of(), key.getLast())));
    }

    private static List<QualifiedName> qualifiedNames(Words words) throws CommandException {
        if (words.operands().isEmpty()) {
            throw Words.usage("Name at least one property.");
        }
        List<QualifiedName> names = new ArrayList<>();
        for (String operand : words.operands()) {
            names.add(QualifiedName.of(operand));
        }
        return names;
    }

    private static String one(Words words, String what) throws CommandException {
        if (words.operands().size() != 1) {
            throw Words.usage("One word is needed beside the options: " + what + ".");
        }
        return words.operands().getFirst();
    }

    private static void atMost(Words words, int count) throws CommandException {
        if (words.operands().size() > count) {
            throw Words.usage("Word " + words.operands().get(count) + " is one too many.");
        }
    }

    private static void refuseOthers(String name, Words words) throws CommandException {
        for (CommandOption option : words.options().keySet()) {
            if (WsrfOption.OF_SUBSCRIBE.contains(option) && !name.equals("wsn-subscribe")) {
                throw Words.usage("Option " + option.names().getFirst() + " is one of wsn-subscribe only.");
            }
        }
        String mechanism = words.value(WsrfOption.MECHANISM);
        if (mechanism != null && !mechanism.equals("trans")) {
            throw Words.usage("Security " + mechanism + " is not in this version; only trans (TLS) is.");
        }
    }

    private static Session.Wishes wishes(Words words) {
        String whom = words.value(WsrfOption.AUTHORIZATION);
        boolean isSubject = whom != null && !whom.equals("host") && !whom.equals("self");
        return new Session.Wishes(
                words.value(WsrfOption.TIMEOUT),
                isSubject ? whom : null,
                "self".equals(whom),
                words.has(WsrfOption.DEBUG),
                words.value(WsrfOption.PROTOCOL));
    }
}
