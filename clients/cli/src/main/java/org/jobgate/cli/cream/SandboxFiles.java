// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.HttpRequest;
import org.jobgate.cli.tls.HttpsClient;

/**
 * Brings the files of an InputSandbox and fetches those of an OutputSandbox: at a Jobgate over https (docs/reference/files.md), at another
 * CREAM by gsiftp with the program globus-url-copy, if that is installed.
 */
public final class SandboxFiles {

    /** Bytes that are sent or asked for at once. */
    private static final int PIECE = 1 << 20;

    private static final int DEPTH_MAX = 32;
    private static final int ENTRIES_MAX = 100_000;
    private static final String COPY = "globus-url-copy";

    private final HttpsClient http;
    private final Map<String, String> environment;
    private final int streams;

    /** @param streams parallel connections of gsiftp */
    public SandboxFiles(HttpsClient http, Map<String, String> environment, int streams) {
        this.http = requireNonNull(http, "http is null");
        this.environment = Map.copyOf(environment);
        this.streams = streams;
    }

    /** Puts the file below the directory that the address names. */
    public void bring(Path file, String directory, Endpoint endpoint) throws CreamException {
        requireOf(endpoint, directory);
        Path name = requireNonNull(file.getFileName(), "a directory without a name");
        String url = directory.replaceFirst("/+$", "") + "/" + encoded(name.toString());
        if (url.startsWith("gsiftp://")) {
            copy(file.toUri().toString().replaceFirst("^file:/+", "file:///"), url);
            return;
        }
        try (LocalFile in = LocalFile.open(file)) {
            long size = in.size();
            long offset = 0;
            do {
                byte[] piece = in.next(PIECE);
                long end = offset + piece.length;
                String range =
                        size == 0 ? "" : "Content-Range: bytes " + offset + "-" + (end - 1) + "/" + size + "\r\n";
                HttpReply reply = http.exchange(
                        url, new HttpRequest("PUT", range + "Content-Length: " + piece.length + "\r\n", piece));
                if (reply.status() / 100 != 2) {
                    throw new CreamException("Cannot upload " + file + " into " + url + ": " + refusal(reply));
                }
                offset = end;
            } while (offset < size);
        } catch (IOException e) {
            throw new CreamException(
                    "Cannot upload " + file + " into " + url + ": " + Sentence.of(Sentence.reason(e)), e);
        }
    }

    /** A service that names another server's address would have our credential shown there. */
    private static void requireOf(Endpoint endpoint, String url) throws CreamException {
        boolean isKnown = url.startsWith("https://") || url.startsWith("gsiftp://");
        try {
            if (isKnown && endpoint.host().equalsIgnoreCase(URI.create(url).getHost())) {
                return;
            }
        } catch (IllegalArgumentException e) {
            throw new CreamException(endpoint + " names a sandbox that is no URL: [" + url + "].", e);
        }
        throw new CreamException(
                endpoint + " names a sandbox that is not its own, or that cannot be reached: [" + url + "].");
    }

    /** Fetches the files of the directory into one that is there; answers how many, or -1 where that is not known. */
    int fetch(String directory, Path into, Endpoint endpoint) throws CreamException {
        requireOf(endpoint, directory);
        String url = directory.replaceFirst("/*$", "/");
        if (url.startsWith("gsiftp://")) {
            copy(
                    url,
                    into.toUri().toString().replaceFirst("^file:/+", "file:///").replaceFirst("/*$", "/"));
            return -1;
        }
        try {
            return fetchAll(url, into, 1);
        } catch (IOException e) {
            throw new CreamException("Cannot fetch " + url + ": " + Sentence.of(Sentence.reason(e)), e);
        }
    }

    /** With the directories in it: a JDL may send output to gsiftp://localhost/some/where. */
    private int fetchAll(String url, Path into, int depth) throws IOException, CreamException {
        if (depth > DEPTH_MAX) {
            throw new CreamException(
                    "Cannot fetch " + url + ": more than " + DEPTH_MAX + " directories lie in one another.");
        }
        int count = 0;
        for (String name : names(url)) {
            boolean isDirectory = name.endsWith("/");
            Path local = into.resolve(localName(isDirectory ? name.substring(0, name.length() - 1) : name));
            if (isDirectory) {
                Files.createDirectories(local);
                count += fetchAll(url + name, local, depth + 1);
            } else {
                fetchOne(url + name, local);
                count++;
            }
        }
        return count;
    }

    /** Names as they stand in addresses, those of directories with a slash at the end. What is neither file nor directory is left out. */
    private List<String> names(String url) throws IOException, CreamException {
        List<String> names = new ArrayList<>();
        String after = "";
        while (true) {
            HttpReply reply = http.exchange(url + after, HttpRequest.of("GET", "Accept: text/plain\r\n"));
            if (reply.status() != 200) {
                throw new CreamException("Cannot fetch " + url + ": " + refusal(reply));
            }
            for (String line : new String(reply.body(), StandardCharsets.UTF_8).split("\n", -1)) {
                String[] words = line.split(" ", -1);
                if (words.length == 4 && (words[0].equals("-") || words[0].equals("d"))) {
                    names.add(words[0].equals("d") ? words[3] + "/" : words[3]);
                }
            }
            String link = reply.header("link");
            if (!link.startsWith("<?") || link.indexOf('>') < 0) {
                return names;
            }
            if (names.size() >= ENTRIES_MAX) {
                throw new CreamException("Cannot fetch " + url + ": it has more than " + ENTRIES_MAX
                        + " entries. Nothing of this directory was fetched; have jobs pack many files into one.");
            }
            after = link.substring(1, link.indexOf('>'));
        }
    }

    /** The service chooses the names: one that would lead out of the directory is refused. */
    private static String localName(String encoded) throws CreamException {
        String name;
        try {
            name = URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new CreamException("The service names a file that cannot be: " + encoded, e);
        }
        if (name.isEmpty()
                || name.equals(".")
                || name.equals("..")
                || name.indexOf('/') >= 0
                || name.indexOf('\0') >= 0) {
            throw new CreamException("The service names a file that cannot be: " + encoded);
        }
        return name;
    }

    private void fetchOne(String url, Path file) throws IOException, CreamException {
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long offset = 0; ; ) {
                String range = "Range: bytes=" + offset + "-" + (offset + PIECE - 1) + "\r\n";
                HttpReply reply = http.exchange(url, HttpRequest.of("GET", range));
                boolean isEnd = reply.status() == 416 || reply.status() == 204;
                if (!isEnd && reply.status() != 206 && reply.status() != 200) {
                    throw new CreamException("Cannot fetch " + url + ": " + refusal(reply));
                }
                byte[] bytes = isEnd ? new byte[0] : reply.body();
                out.write(bytes);
                offset += bytes.length;
                if (isEnd || reply.status() == 200 || bytes.length < PIECE) {
                    return;
                }
            }
        }
    }

    private static String refusal(HttpReply reply) {
        String body = new String(reply.body(), StandardCharsets.UTF_8);
        String sentence = body.replaceFirst("(?s).*\"sentence\":\"((?:[^\"\\\\]|\\\\.)*)\".*", "$1");
        return sentence.equals(body)
                ? "HTTP status " + reply.status() + " " + reply.reason()
                : sentence.replaceAll("\\\\(.)", "$1");
    }

    private static String encoded(String name) {
        StringBuilder out = new StringBuilder();
        for (byte one : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (one & 0xff);
            if (c < 128 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0)) {
                out.append(c);
            } else {
                out.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
        return out.toString();
    }

    /** No shell reads the words. */
    private void copy(String from, String to) throws CreamException {
        ProcessBuilder command = new ProcessBuilder(COPY, "-p", Integer.toString(streams), "-r", "-cd", from, to)
                .redirectErrorStream(true);
        command.environment().putAll(environment);
        try {
            Process process = command.start();
            String said = new String(process.getInputStream().readNBytes(4_000), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(1, TimeUnit.HOURS) || process.exitValue() != 0) {
                process.destroy();
                throw new CreamException("Cannot copy " + from + " to " + to + ": " + said);
            }
        } catch (IOException e) {
            // it is this machine that lacks it, not the service that is away
            throw new CreamException(
                    "Cannot copy " + from + " to " + to + ": the program " + COPY
                            + " is needed for gsiftp, and cannot be started. Install it (package globus-gass-copy-progs).",
                    new UncheckedIOException(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CreamException("Copying " + from + " was interrupted.", e);
        }
    }
}
