// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.srm;

import static java.util.Objects.requireNonNull;
import static org.jobgate.cli.srm.SrmService.array;
import static org.jobgate.cli.srm.SrmService.element;
import static org.jobgate.cli.srm.SrmService.optional;
import static org.jobgate.cli.srm.SrmService.text;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.ServiceOptions;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.wire.PlainSoap;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/** The commands {@code srm-*}. */
public final class SrmCommands {
    private static final Set<String> GOOD = Set.of(SrmService.SUCCESS);

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream errors;

    public SrmCommands(Map<String, String> environment, PrintStream out, PrintStream errors) {
        this.environment = Map.copyOf(environment);
        this.out = requireNonNull(out, "out is null");
        this.errors = requireNonNull(errors, "errors is null");
    }

    /**
     * Does what the words say.
     *
     * @return the status for the process
     */
    public int call(String name, String... given) throws CommandException, InterruptedException {
        Words words = Words.sort(SrmOption.table(name), sorted -> Integer.MAX_VALUE, given);
        if (words.has(ServiceOptions.HELP) || words.has(ServiceOptions.VERSION)) {
            out.println(words.has(ServiceOptions.HELP) ? SrmPages.page(name).help() : CommandPage.version(name));
            return ExitStatus.OK.code();
        }
        List<String> operands = operands(name, words);
        Console console = new Console(name, out, errors, words.has(SrmOption.QUIET), Console::isAtTerminal);
        Map<String, String> surroundings = new HashMap<>(environment);
        String proxy = words.value(SrmOption.PROXY);
        if (proxy != null) {
            surroundings.put("X509_USER_PROXY", proxy);
        }
        try (Session session = Session.open(ServiceOptions.wishes(words), surroundings, errors)) {
            SrmService service = new SrmService(new PlainSoap(session.http(), session.trace()));
            return switch (name) {
                case "srm-copy", "srm-get", "srm-put" ->
                    new FileCommands(service, new Transfers(session, surroundings, console), words, console)
                            .run(operands.getFirst(), operands.getLast());
                case "srm-ls" -> list(service, surls(operands, words), words, console);
                case "srm-rm" -> remove(service, surls(operands, words), console);
                case "srm-mv" -> move(service, surls(operands, words));
                case "srm-mkdir" -> each(service, surls(operands, words), "srmMkdir", "", console);
                case "srm-rmdir" ->
                    each(
                            service,
                            surls(operands, words),
                            "srmRmdir",
                            element("recursive", Boolean.toString(words.has(SrmOption.RECURSIVE))),
                            console);
                case "srm-permission-check" -> permissions(service, surls(operands, words), console);
                default -> ofService(service, name, service(operands, words), words);
            };
        } catch (IOException e) {
            throw CommandException.ofContact("", e);
        }
    }

    private static List<String> operands(String name, Words words) throws CommandException {
        List<String> all = new ArrayList<>(words.operands());
        String source = words.value(SrmOption.SOURCE);
        String target = words.value(SrmOption.TARGET);
        if (source != null) {
            all.addFirst(source);
        }
        if (target != null) {
            all.addLast(target);
        }
        if (name.equals("srm-get") && all.size() == 1) {
            all.add(".");
        }
        boolean isTwo = List.of("srm-copy", "srm-get", "srm-put", "srm-mv").contains(name);
        if (isTwo && all.size() != 2) {
            throw Words.usage("Name the source and the target, and nothing else.");
        }
        boolean isOwn = name.equals("srm-get")
                ? Surl.isOne(all.getFirst())
                : !name.equals("srm-put") || Surl.isOne(all.getLast());
        if (!isOwn) {
            throw Words.usage(
                    name.equals("srm-get") ? "The source is a SURL, srm://..." : "The target is a SURL, srm://...");
        }
        if (all.isEmpty() && words.value(SrmOption.SERVICE) == null) {
            throw Words.usage("Name a SURL, srm://HOST[:PORT]/PATH.");
        }
        return all;
    }

    private static List<Surl> surls(List<String> operands, Words words) throws CommandException {
        List<Surl> all = new ArrayList<>();
        for (String operand : operands) {
            all.add(Surl.of(operand, words.value(SrmOption.SERVICE)));
        }
        if (all.isEmpty()) {
            throw Words.usage("Name a SURL, srm://HOST[:PORT]/PATH.");
        }
        if (all.stream().map(Surl::service).distinct().count() > 1) {
            throw Words.usage("The SURLs are of different services; ask each for its own.");
        }
        return all;
    }

    private static String service(List<String> operands, Words words) throws CommandException {
        String named = words.value(SrmOption.SERVICE);
        return Surl.service(named == null ? operands.getFirst() : named);
    }

    private int list(SrmService service, List<Surl> surls, Words words, Console console)
            throws IOException, CommandException {
        boolean isFull = words.has(SrmOption.FULL);
        List<String> failures = new ArrayList<>();
        new Listing(service)
                .each(surls, words, entries -> entries.forEach(entry -> show(entry, true, isFull, failures)));
        failures.forEach(console::error);
        return failures.isEmpty() ? ExitStatus.OK.code() : ExitStatus.REFUSED.code();
    }

    /** A directory that was asked for is not shown itself, only what is in it. */
    private void show(Listing.Entry entry, boolean isAsked, boolean isFull, List<String> failures) {
        SrmService.Status status;
        try {
            status = entry.status();
        } catch (IOException e) {
            status = new SrmService.Status("SRM_FAILURE", String.valueOf(e.getMessage()));
        }
        if (!Set.of(SrmService.SUCCESS, "SRM_FILE_BUSY", "SRM_TOO_MANY_RESULTS").contains(status.code())) {
            failures.add(Printable.of(entry.path()) + ": " + status.line());
            return;
        }
        List<Listing.Entry> inside = entry.inside();
        if (!isAsked || !entry.isDirectory()) {
            out.println(entry.line(isFull));
        }
        inside.forEach(one -> show(one, false, isFull, failures));
    }

    private static int remove(SrmService service, List<Surl> surls, Console console)
            throws IOException, CommandException {
        XmlElement answer = service.call(
                surls.getFirst().service(),
                "srmRm",
                array("arrayOfSURLs", "urlArray", surls.stream().map(Surl::text).toList()));
        List<XmlElement> files = SrmService.items(answer, "arrayOfFileStatuses", "statusArray");
        return told(files, "surl", SrmService.status(answer, "returnStatus"), console);
    }

    /** Tells of each that is not well. */
    private static int told(List<XmlElement> files, String surl, SrmService.Status whole, Console console)
            throws IOException, CommandException {
        if (whole.code().equals(SrmService.SUCCESS)) {
            return ExitStatus.OK.code();
        }
        if (files.isEmpty()) {
            throw SrmService.refused(whole);
        }
        for (XmlElement file : files) {
            SrmService.Status status = SrmService.status(file, "status");
            if (!status.code().equals(SrmService.SUCCESS)) {
                console.error(Printable.of(text(file, surl)) + ": " + status.line());
            }
        }
        return ExitStatus.REFUSED.code();
    }

    private static int move(SrmService service, List<Surl> surls) throws IOException, CommandException {
        service.checked(
                surls.getFirst().service(),
                "srmMv",
                element("fromSURL", surls.getFirst().text())
                        + element("toSURL", surls.getLast().text()),
                GOOD);
        return ExitStatus.OK.code();
    }

    private static int each(SrmService service, List<Surl> surls, String operation, String rest, Console console)
            throws IOException, CommandException {
        int exit = ExitStatus.OK.code();
        for (Surl surl : surls) {
            XmlElement answer = service.call(surl.service(), operation, element("SURL", surl.text()) + rest);
            SrmService.Status status = SrmService.status(answer, "returnStatus");
            if (!status.code().equals(SrmService.SUCCESS)) {
                console.error(Printable.of(surl.text()) + ": " + status.line());
                exit = SrmService.refused(status).status().code();
            }
        }
        return exit;
    }

    private int permissions(SrmService service, List<Surl> surls, Console console)
            throws IOException, CommandException {
        XmlElement answer = service.call(
                surls.getFirst().service(),
                "srmCheckPermission",
                array("arrayOfSURLs", "urlArray", surls.stream().map(Surl::text).toList()));
        List<XmlElement> files = SrmService.items(answer, "arrayOfPermissions", "surlPermissionArray");
        for (XmlElement file : files) {
            if (SrmService.status(file, "status").code().equals(SrmService.SUCCESS)) {
                out.println(Printable.of(text(file, "permission") + " " + text(file, "surl")));
            }
        }
        return told(files, "surl", SrmService.status(answer, "returnStatus"), console);
    }

    private static String needed(Words words, CommandOption option) throws CommandException {
        String value = words.value(option);
        if (value == null) {
            throw Words.usage("Say " + option.names().getFirst() + " " + option.argument() + ".");
        }
        return value;
    }

    private int ofService(SrmService service, String name, String address, Words words)
            throws IOException, CommandException {
        switch (name) {
            case "srm-ping" -> ping(service.call(address, "srmPing", ""));
            case "srm-transferprotocols" ->
                lines(
                        service.checked(address, "srmGetTransferProtocols", "", GOOD),
                        "protocolInfo",
                        "protocolArray",
                        "transferProtocol");
            case "srm-abort-request" ->
                service.checked(
                        address, "srmAbortRequest", element("requestToken", needed(words, SrmOption.TOKEN)), GOOD);
            case "srm-sp-tokens" ->
                lines(
                        service.checked(
                                address,
                                "srmGetSpaceTokens",
                                optional("userSpaceTokenDescription", words.value(SrmOption.DESCRIPTION)),
                                GOOD),
                        "arrayOfSpaceTokens",
                        "stringArray",
                        null);
            case "srm-sp-info" -> space(service, address, needed(words, SrmOption.SPACE));
            case "srm-sp-reserve" -> reserve(service, address, words);
            case "srm-sp-release" ->
                service.checked(
                        address, "srmReleaseSpace", element("spaceToken", needed(words, SrmOption.SPACE)), GOOD);
            default -> throw new IllegalStateException(name);
        }
        return ExitStatus.OK.code();
    }

    private void ping(XmlElement answer) {
        out.println("versionInfo=" + Printable.of(text(answer, "versionInfo")));
        for (XmlElement one : SrmService.items(answer, "otherInfo", "extraInfoArray")) {
            out.println(Printable.of(text(one, "key") + "=" + text(one, "value")));
        }
    }

    private void lines(XmlElement answer, String array, String item, @Nullable String part) {
        for (XmlElement one : SrmService.items(answer, array, item)) {
            out.println(Printable.of(part == null ? one.text().strip() : text(one, part)));
        }
    }

    private void space(SrmService service, String address, String token) throws IOException, CommandException {
        XmlElement answer = service.call(
                address, "srmGetSpaceMetaData", array("arrayOfSpaceTokens", "stringArray", List.of(token)));
        List<XmlElement> spaces = SrmService.items(answer, "arrayOfSpaceDetails", "spaceDataArray");
        SrmService.Status status = spaces.isEmpty()
                ? SrmService.status(answer, "returnStatus")
                : SrmService.status(spaces.getFirst(), "status");
        if (spaces.isEmpty() || !status.code().equals(SrmService.SUCCESS)) {
            throw SrmService.refused(status);
        }
        for (XmlElement part : spaces.getFirst().children()) {
            if (part.children().isEmpty()) {
                out.println(Printable.of(part.name() + "=" + part.text().strip()));
            }
        }
    }

    private void reserve(SrmService service, String address, Words words) throws IOException, CommandException {
        XmlElement answer = service.checked(
                address,
                "srmReserveSpace",
                optional("userSpaceTokenDescription", words.value(SrmOption.DESCRIPTION))
                        + "<retentionPolicyInfo><retentionPolicy>REPLICA</retentionPolicy><accessLatency>ONLINE"
                        + "</accessLatency></retentionPolicyInfo>"
                        + element("desiredSizeOfGuaranteedSpace", needed(words, SrmOption.SIZE))
                        + optional("desiredLifetimeOfReservedSpace", words.value(SrmOption.LIFETIME)),
                Set.of(SrmService.SUCCESS, "SRM_LOWER_SPACE_GRANTED"));
        out.println(Printable.of(text(answer, "spaceToken")));
    }
}
