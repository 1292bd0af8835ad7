// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.srm;

import static java.util.Objects.requireNonNull;
import static org.jobgate.cli.srm.SrmService.element;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.ProgressBar;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.text.Sentence;

/** {@code srm-copy}, {@code srm-get} and {@code srm-put}. */
final class FileCommands {
    private static final Set<String> THERE = Set.of(SrmService.SUCCESS, "SRM_DUPLICATION_ERROR");

    private final SrmService service;
    private final Listing listing;
    private final Transfers transfers;
    private final FileRequests requests;
    private final Words words;
    private final Console console;

    FileCommands(SrmService service, Transfers transfers, Words words, Console console) {
        this.service = requireNonNull(service, "service is null");
        this.listing = new Listing(service);
        this.transfers = requireNonNull(transfers, "transfers is null");
        this.words = requireNonNull(words, "words is null");
        this.console = requireNonNull(console, "console is null");
        String wanted = words.value(SrmOption.PROTOCOLS);
        this.requests = new FileRequests(
                service,
                wanted == null ? transfers.protocols() : List.of(wanted.split(",")),
                words.value(SrmOption.LIFETIME));
    }

    int run(String source, String target) throws IOException, CommandException, InterruptedException {
        if (!source.contains("://") || source.startsWith("file:")) {
            put(path(source), surl(target, "The target of a file here"), Set.of());
        } else if (!target.contains("://") || target.startsWith("file:")) {
            Surl from = surl(source, "The source of a file here");
            Path to = path(target);
            Listing.Entry entry = listing.entry(from);
            get(from, Files.isDirectory(to) ? to.resolve(local(entry.name())) : to, entry, 0);
        } else {
            long bytes = remote(source, target);
            console.line("File " + Printable.of(source) + " copied" + (bytes < 0 ? "." : ": " + bytes + " bytes."));
        }
        return ExitStatus.OK.code();
    }

    private Surl surl(String text, String what) throws CommandException {
        if (!Surl.isOne(text)) {
            throw Words.usage(what + " is a SURL, srm://...; '" + text + "' is none.");
        }
        return Surl.of(text, words.value(SrmOption.SERVICE));
    }

    private static Path path(String text) throws CommandException {
        try {
            return text.startsWith("file:") ? Path.of(URI.create(text)) : Path.of(text);
        } catch (IllegalArgumentException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "'" + text + "' is no file of this machine: " + Sentence.of(e.getMessage()), e);
        }
    }

    /** A name of the service as one here: it must not lead out of the directory. */
    private static String local(String name) throws CommandException {
        String plain;
        try {
            plain = java.net.URLDecoder.decode(name.replace("+", "%2B"), java.nio.charset.StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            plain = name; // a service that does not encode names
        }
        if (plain.isEmpty()
                || plain.equals(".")
                || plain.equals("..")
                || plain.indexOf('/') >= 0
                || plain.indexOf('\0') >= 0) {
            throw new CommandException(
                    ExitStatus.CONTACT, "The service names a file that cannot be: '" + Printable.of(name) + "'.");
        }
        return plain;
    }

    private static String encoded(String name) {
        StringBuilder out = new StringBuilder(name.length() + 8);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '%' || c == '?' || c == '#' || c < 0x20) {
                out.append(String.format(java.util.Locale.ROOT, "%%%02X", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private void get(Surl from, Path to, Listing.Entry entry, int depth)
            throws IOException, CommandException, InterruptedException {
        if (entry.isDirectory()) {
            if (!words.has(SrmOption.RECURSIVE)) {
                throw Words.usage(from.text() + " is a directory; say -recursive for all that is in it.");
            }
            if (!Files.isDirectory(to)) {
                Files.createDirectory(to);
            }
            for (Listing.Entry one : listing.inside(from, depth)) {
                get(from.in(one.name()), to.resolve(local(one.name())), one, depth + 1);
            }
            return;
        }
        if (Files.exists(to, LinkOption.NOFOLLOW_LINKS) && Files.isRegularFile(to) && !words.has(SrmOption.OVERWRITE)) {
            throw Words.usage("The file " + to + " is there already; say -overwrite to replace it.");
        }
        FileRequests.Ready ready = requests.get(from);
        try {
            ProgressBar bar = new ProgressBar(console, Printable.of(from.name()), Math.max(ready.size(), entry.size()));
            bar.at(transfers.fetch(ready.url(), to, from, bar::at));
            bar.done("fetched");
        } finally {
            requests.release(from, ready.token());
        }
    }

    /** @param above the directories, by their real paths, that this one was found in */
    private void put(Path from, Surl to, Set<Path> above) throws IOException, CommandException, InterruptedException {
        String name = String.valueOf(from.toAbsolutePath().normalize().getFileName());
        Surl target = to.name().isEmpty() ? to.in(encoded(name)) : to;
        if (Files.isDirectory(from)) {
            if (!words.has(SrmOption.RECURSIVE)) {
                throw Words.usage(from + " is a directory; say -recursive for all that is in it.");
            }
            Set<Path> here = new HashSet<>(above);
            if (!here.add(from.toRealPath())) {
                throw Words.usage(
                        "The link " + from + " leads to the directory " + from.toRealPath()
                                + ", which it lies in, so that the copy would never end. Remove the link, or copy what is beside it alone.");
            }
            service.checked(target.service(), "srmMkdir", element("SURL", target.text()), THERE);
            List<Path> all;
            try (Stream<Path> names = Files.list(from)) {
                all = names.sorted().toList();
            }
            for (Path one : all) {
                put(one, target.in(encoded(String.valueOf(one.getFileName()))), here);
            }
            return;
        }
        if (!Files.isRegularFile(from)) {
            throw Words.usage("The file " + from + " does not exist, or is no regular file.");
        }
        if (above.isEmpty() && words.has(SrmOption.MKDIR)) {
            makeAbove(target);
        }
        putFile(from, target);
    }

    /** Makes the directories on the way from the top that can be made; whether the last is there, the put tells. */
    private void makeAbove(Surl target) throws IOException, CommandException {
        String text = target.text();
        int begin = text.contains("?SFN=/")
                ? text.indexOf("?SFN=/") + "?SFN=/".length()
                : text.indexOf('/', "srm://".length()) + 1;
        for (int end = text.indexOf('/', begin); end > 0; end = text.indexOf('/', end + 1)) {
            service.call(target.service(), "srmMkdir", element("SURL", text.substring(0, end)));
        }
    }

    private void putFile(Path from, Surl target) throws IOException, CommandException, InterruptedException {
        long size = Files.size(from);
        FileRequests.Ready ready =
                requests.put(target, size, words.has(SrmOption.OVERWRITE), words.value(SrmOption.SPACE));
        boolean isDone = false;
        try {
            ProgressBar bar = new ProgressBar(console, String.valueOf(from.getFileName()), size);
            bar.at(transfers.bring(from, ready.url(), target, bar::at));
            requests.done(target, ready.token());
            isDone = true;
            bar.done("brought");
        } finally {
            if (!isDone) {
                requests.abort(target, ready.token());
            }
        }
    }

    /** Copied by the service; of two services, that of the target fetches it by the transfer URL of the other. */
    private long remote(String source, String target) throws IOException, CommandException, InterruptedException {
        boolean replaces = words.has(SrmOption.OVERWRITE);
        boolean isFrom = Surl.isOne(source);
        boolean isTo = Surl.isOne(target);
        if (!isFrom && !isTo) {
            throw Words.usage("One of the two must be a SURL, srm://...");
        }
        if (!isFrom || !isTo) {
            return requests.copy(surl(isTo ? target : source, "The file"), source, target, replaces);
        }
        Surl from = surl(source, "The source");
        Surl to = surl(target, "The target");
        if (from.service().equals(to.service())) {
            return requests.copy(to, source, target, replaces);
        }
        FileRequests.Ready ready = requests.get(from);
        try {
            return requests.copy(to, ready.url(), target, replaces);
        } finally {
            requests.release(from, ready.token());
        }
    }
}
