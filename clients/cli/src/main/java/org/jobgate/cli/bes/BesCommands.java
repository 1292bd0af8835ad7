// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.bes;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.EprFile;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Outage;
import org.jobgate.cli.command.ServiceOptions;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.XmlElement;

/** The command {@code bes}. */
public final class BesCommands {
    private static final Pattern CONTACT =
            Pattern.compile("(?:https://)?(\\[[0-9a-fA-F:.%]+]|[^\\[\\]:/]+)(?::([0-9]{1,5}))?(/.*)?");
    private static final List<String> ORDERS =
            List.of("create", "status", "terminate", "document", "destroy", "factory", "accepting");
    private static final String SAY = "create, status, terminate, document, destroy, factory or accepting";
    private static final long DOCUMENT_BYTES_MAX = 4 << 20;
    private static final long PAUSE_SHORTEST_MS = 100;
    private static final long PAUSE_LONGEST_MS = 5_000;
    private static final Duration CONTACT_LOST = Duration.ofMinutes(2);

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream errors;

    public BesCommands(Map<String, String> environment, PrintStream out, PrintStream errors) {
        this.environment = Map.copyOf(environment);
        this.out = requireNonNull(out, "out is null");
        this.errors = requireNonNull(errors, "errors is null");
    }

    /**
     * Does what the words say.
     *
     * @return the status for the process
     */
    public int call(String... given) throws CommandException, InterruptedException {
        Words words = Words.sort(BesOption.table(), sorted -> Integer.MAX_VALUE, given);
        if (words.has(ServiceOptions.HELP) || words.has(ServiceOptions.VERSION)) {
            out.println(
                    words.has(ServiceOptions.HELP)
                            ? BesPages.page(BesPages.NAME).help()
                            : CommandPage.version(BesPages.NAME));
            return ExitStatus.OK.code();
        }
        if (words.operands().isEmpty()) {
            throw Words.usage("Say what to do: " + SAY + ".");
        }
        String order = words.operands().getFirst();
        List<String> operands = words.operands().subList(1, words.operands().size());
        if (!ORDERS.contains(order)) {
            throw Words.usage("There is no '" + order + "': say " + SAY + ".");
        }
        check(order, words, operands);
        Console console = new Console(BesPages.NAME, out, errors, words.has(BesOption.QUIET), Console::isAtTerminal);
        try (Session session = Session.open(ServiceOptions.wishes(words), environment, errors)) {
            BesService service = new BesService(session.soap());
            return switch (order) {
                case "create" -> create(service, words, operands, console);
                case "status" -> status(service, words, operands, console);
                case "terminate" ->
                    end(service.each("TerminateActivities", activities(words, operands)), "Terminated", console);
                case "destroy" -> end(service.destroy(activities(words, operands)), "Destroyed", console);
                case "document" -> document(service, activities(words, operands), console);
                case "factory" -> factory(service.attributes(address(words)));
                case "accepting" -> accepting(service, words, operands, console);
                default -> throw new IllegalStateException(order);
            };
        } catch (SoapFaultException e) {
            throw new CommandException(ExitStatus.REFUSED, "The service refused: " + e.getMessage(), e);
        } catch (IOException e) {
            throw CommandException.ofContact("", e);
        }
    }

    /** What can be seen to be wrong before a credential is looked for. */
    private static void check(String order, Words words, List<String> operands) throws CommandException {
        int files = operands.size()
                + (order.equals("create") ? words.values(BesOption.FILE) : words.values(BesOption.IDENTIFIER)).size();
        switch (order) {
            case "create" -> {
                if (files != 1) {
                    throw Words.usage("Name one file with a JSDL document.");
                }
            }
            case "accepting" -> {
                if (operands.size() != 1 || !List.of("on", "off").contains(operands.getFirst())) {
                    throw Words.usage("Say accepting on, or accepting off.");
                }
            }
            case "factory" -> {
                if (!operands.isEmpty()) {
                    throw Words.usage("factory takes no further words.");
                }
            }
            default -> {
                if (files == 0) {
                    throw Words.usage("Name the files with the identifiers of the activities.");
                }
            }
        }
    }

    /** The factory: {@code [https://]HOST[:PORT][/SERVICE]}. */
    static String address(Words words) throws CommandException {
        String contact = words.value(BesOption.FACTORY);
        Matcher parts = CONTACT.matcher(contact == null ? "localhost" : contact);
        if (!parts.matches()) {
            throw Words.usage("Contact " + contact + " is not of the form [https://]HOST[:PORT][/SERVICE].");
        }
        String path = parts.group(3);
        return "https://" + parts.group(1) + ":" + (parts.group(2) == null ? "8443" : parts.group(2))
                + (path == null || path.equals("/") ? "/bes/BESFactory" : path);
    }

    private static List<Activity> activities(Words words, List<String> operands) throws CommandException {
        List<String> files = Stream.concat(words.values(BesOption.IDENTIFIER).stream(), operands.stream())
                .toList();
        List<Activity> activities = new ArrayList<>();
        for (String file : files) {
            activities.add(Activity.read(Path.of(file)));
        }
        if (activities.stream().map(Activity::service).distinct().count() > 1) {
            throw Words.usage("The activities are at different gateways; ask each for its own.");
        }
        return activities;
    }

    private int create(BesService service, Words words, List<String> operands, Console console)
            throws CommandException, IOException, SoapFaultException, InterruptedException {
        String named = words.value(BesOption.FILE);
        XmlElement document = document(Path.of(named == null ? operands.getFirst() : named));
        String id = words.value(BesOption.SUBMISSION);
        String submission = id == null ? UUID.randomUUID().toString() : id;
        String output = words.value(BesOption.OUTPUT);
        Activity activity = created(service, address(words), document, submission, console);
        if (output != null) {
            EprFile.write(Path.of(output), activity.text());
            console.line("Created. The activity's identifier is in " + output + ".");
        } else if (!words.has(BesOption.WAIT)) {
            out.println(activity.text());
        }
        return words.has(BesOption.WAIT) ? await(service, List.of(activity), console) : ExitStatus.OK.code();
    }

    /** A request that got no answer is repeated: the submission's id makes it the same activity. */
    private static Activity created(
            BesService service, String factory, XmlElement document, String submission, Console console)
            throws IOException, SoapFaultException, InterruptedException {
        Outage outage = new Outage(console, Duration.ofSeconds(20));
        while (true) {
            try {
                return service.create(factory, document, submission);
            } catch (IOException e) {
                outage.failed(e);
                Thread.sleep(Duration.ofSeconds(1));
            }
        }
    }

    private static XmlElement document(Path file) throws CommandException {
        try {
            if (Files.size(file) > DOCUMENT_BYTES_MAX) {
                throw new CommandException(ExitStatus.USAGE, "File " + file + " is larger than 4 MiB.");
            }
            return XmlElement.read(new ByteArrayInputStream(Files.readAllBytes(file)));
        } catch (XMLStreamException e) {
            throw new CommandException(ExitStatus.USAGE, "File " + file + " is not XML: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "File " + file + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    private int status(BesService service, Words words, List<String> operands, Console console)
            throws CommandException, IOException, SoapFaultException, InterruptedException {
        List<Activity> activities = activities(words, operands);
        if (words.has(BesOption.WAIT)) {
            return await(service, activities, console);
        }
        int status = ExitStatus.OK.code();
        for (XmlElement answer : service.each("GetActivityStatuses", activities)) {
            String fault = BesService.fault(answer);
            if (fault != null) {
                console.error(fault);
                status = ExitStatus.REFUSED.code();
            } else {
                console.line(view(answer).line());
            }
        }
        return status;
    }

    private static ActivityView view(XmlElement answer) throws IOException {
        XmlElement status = answer.child(BesService.FACTORY, "ActivityStatus");
        if (status == null) {
            throw new IOException("The service answered without a status.");
        }
        return ActivityView.of(status);
    }

    /** Asks until all are over; answers the first status that is not 0. */
    private int await(BesService service, List<Activity> activities, Console console)
            throws CommandException, IOException, SoapFaultException, InterruptedException {
        long began = System.nanoTime();
        Outage outage = new Outage(console, CONTACT_LOST);
        String shown = "";
        while (true) {
            try {
                List<ActivityView> views = new ArrayList<>();
                for (XmlElement answer : service.each("GetActivityStatuses", activities)) {
                    String fault = BesService.fault(answer);
                    if (fault != null) {
                        throw new CommandException(ExitStatus.REFUSED, fault);
                    }
                    views.add(view(answer));
                }
                outage.over();
                String lines =
                        String.join("\n", views.stream().map(ActivityView::line).toList());
                if (!lines.equals(shown)) {
                    shown = lines;
                    console.line(lines);
                }
                if (views.stream().allMatch(ActivityView::isOver)) {
                    return ended(views, console);
                }
            } catch (IOException e) {
                bridge(outage, e);
            }
            // a twentieth of what it took until now, so that the end is seen no later than that
            Thread.sleep(Math.clamp((System.nanoTime() - began) / 20_000_000, PAUSE_SHORTEST_MS, PAUSE_LONGEST_MS));
        }
    }

    private static int ended(List<ActivityView> views, Console console) {
        views.forEach(view -> {
            String reason = view.reason();
            if (reason != null) {
                console.error(reason);
            }
        });
        return views.stream()
                .mapToInt(ActivityView::exitStatus)
                .filter(status -> status != 0)
                .findFirst()
                .orElse(0);
    }

    private static void bridge(Outage outage, IOException e) throws CommandException {
        try {
            outage.failed(e);
        } catch (IOException last) {
            throw new CommandException(
                    ExitStatus.JOB_LOST,
                    Sentence.of(last.getMessage()) + " Nothing more can be learnt; the activity may go on there.",
                    last);
        }
    }

    private static int end(List<XmlElement> answers, String done, Console console) {
        int status = ExitStatus.OK.code();
        for (XmlElement answer : answers) {
            String fault = BesService.fault(answer);
            if (fault != null) {
                console.error(fault);
                status = ExitStatus.REFUSED.code();
            } else {
                console.line(done + ".");
            }
        }
        return status;
    }

    private int document(BesService service, List<Activity> activities, Console console)
            throws IOException, SoapFaultException {
        int status = ExitStatus.OK.code();
        for (XmlElement answer : service.each("GetActivityDocuments", activities)) {
            XmlElement definition = answer.child(BesService.FACTORY, "JobDefinition");
            if (definition == null) {
                console.error(String.valueOf(BesService.fault(answer)));
                status = ExitStatus.REFUSED.code();
            } else {
                StringBuilder text = new StringBuilder(2_000);
                // on the wire its root is in BES's own namespace; as a document it is JSDL's
                new XmlElement(
                                "http://schemas.ggf.org/jsdl/2005/11/jsdl",
                                "JobDefinition",
                                definition.attributes(),
                                definition.children(),
                                definition.text())
                        .write(text, "");
                out.println(text);
            }
        }
        return status;
    }

    private int factory(XmlElement attributes) {
        for (String name : List.of(
                "CommonName",
                "LongDescription",
                "IsAcceptingNewActivities",
                "TotalNumberOfActivities",
                "LocalResourceManagerType")) {
            out.println(name + ": " + attributes.childText(BesService.FACTORY, name));
        }
        for (XmlElement child : attributes.children()) {
            if (child.is(BesService.FACTORY, "ContainedResource")) {
                out.println("ContainedResource: " + child.childText(BesService.FACTORY, "ResourceName")
                        + processors(child));
            }
        }
        return ExitStatus.OK.code();
    }

    private static String processors(XmlElement resource) {
        String count = resource.childText(BesService.FACTORY, "CPUCount");
        return count == null ? "" : ", " + count + " processors";
    }

    private static int accepting(BesService service, Words words, List<String> operands, Console console)
            throws CommandException, IOException, SoapFaultException {
        boolean isOn = operands.getFirst().equals("on");
        service.accept(address(words), isOn);
        console.line(
                isOn ? "The gateway takes new jobs." : "The gateway takes no new jobs; those that are there go on.");
        return ExitStatus.OK.code();
    }
}
