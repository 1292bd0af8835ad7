// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.TrustDirectory;
import org.jobgate.cli.wire.Json;
import org.jspecify.annotations.Nullable;

/**
 * {@code jobgate trace}: goes the way of a job step by step, from the name of the gateway to a fetched output, and stops at the step that
 * fails, with the command to run next.
 */
final class TraceVerb {
    private static final String SAYS = "hello from jobgate trace";
    private static final Duration CONNECT_MAX = Duration.ofSeconds(10);
    private static final Duration SOON = Duration.ofMinutes(10);

    private final Map<String, String> environment;
    private final Words words;
    private final URI gateway;
    private final PrintStream out;
    private final PrintStream errors;
    private final Clock clock;
    private final List<String> told = new ArrayList<>();

    private @Nullable Session session;
    private @Nullable RestClient client;
    private String subject = "";
    private String job = "";

    TraceVerb(
            Map<String, String> environment,
            Words words,
            String root,
            PrintStream out,
            PrintStream errors,
            Clock clock) {
        this.environment = Map.copyOf(environment);
        this.words = requireNonNull(words, "words is null");
        this.gateway = URI.create(root);
        this.out = requireNonNull(out, "out is null");
        this.errors = requireNonNull(errors, "errors is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** A step that failed. */
    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;
        private final String next;

        /** @param next the command to run */
        Failed(String why, String next, @Nullable Throwable cause) {
            super(why, cause);
            this.next = next;
        }
    }

    /** One step; answers what it found. */
    @FunctionalInterface
    private interface Step {
        String run() throws Failed, IOException, CommandException, InterruptedException;
    }

    /** Goes all steps, or up to the one that fails. Returns the status for the process. */
    int run() throws InterruptedException {
        try {
            boolean isWhole = step("resolve", this::resolve, "getent hosts " + host())
                    && step("connect", this::connect, "ssh " + host() + " jobgate status")
                    && step("authorities", this::authorities, "ls ${X509_CERT_DIR:-/etc/grid-security/certificates}")
                    && step("credential", this::credential, "jobgate proxy info")
                    && step(
                            "server",
                            this::server,
                            "openssl s_client -connect " + address()
                                    + " -CApath ${X509_CERT_DIR:-/etc/grid-security/certificates}")
                    && step("mapping", this::mapping, "")
                    && step("lrm", this::lrm, "")
                    && step("submit", this::submit, "jobgate submit --debug --url " + address() + " -c /bin/true")
                    && step("watch", this::watch, "")
                    && step("fetch", this::fetch, "")
                    && step("remove", this::remove, "");
            if (words.has(VerbOption.JSON)) {
                out.println("{\"steps\":[" + String.join(",", told) + "]}");
            } else if (isWhole) {
                out.println(JobLine.printable("All is well: jobs can be run at " + gateway + " as " + subject + "."));
            }
            return isWhole ? ExitStatus.OK.code() : ExitStatus.REFUSED.code();
        } finally {
            if (session != null) {
                session.close();
            }
        }
    }

    /** @param next what to run where the step does not say it itself */
    private boolean step(String name, Step step, String next) throws InterruptedException {
        long begin = System.nanoTime();
        try {
            String found = step.run();
            tell(name, true, found, "", begin);
            return true;
        } catch (Failed e) {
            tell(name, false, String.valueOf(e.getMessage()), e.next, begin);
        } catch (CommandException | IOException e) {
            String ofJob = job.isEmpty() ? next : "jobgate explain --url " + address() + " " + quoted(job);
            tell(name, false, Sentence.of(e.getMessage()), next.isEmpty() ? ofJob : next, begin);
        }
        return false;
    }

    private void tell(String name, boolean isWell, String text, String next, long begin) {
        long milliseconds = (System.nanoTime() - begin) / 1_000_000;
        String printable = JobLine.printable(text);
        told.add("{\"step\":" + Json.quote(name) + ",\"ok\":" + isWell + ",\"milliseconds\":" + milliseconds
                + ",\"text\":" + Json.quote(printable) + (isWell ? "" : ",\"next\":" + Json.quote(next)) + "}");
        if (!words.has(VerbOption.JSON)) {
            out.printf("%-6s %-12s %s (%d ms)%n", isWell ? "ok" : "FAILED", name, printable, milliseconds);
            if (!next.isEmpty()) {
                out.println("       next:        " + JobLine.printable(next));
            }
        }
    }

    /** A text that the gateway told, as one word of a command that a person will run: in quotes, in which a shell reads nothing. */
    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9._-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private String host() {
        String host = gateway.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private String address() {
        return gateway.getAuthority();
    }

    private String resolve() throws Failed {
        try {
            return host() + " is "
                    + String.join(
                            ", ",
                            Arrays.stream(InetAddress.getAllByName(host()))
                                    .map(InetAddress::getHostAddress)
                                    .toList());
        } catch (UnknownHostException e) {
            throw new Failed("The name " + host() + " has no address.", "getent hosts " + host(), e);
        }
    }

    private String connect() throws Failed {
        List<String> failures = new ArrayList<>();
        try {
            for (InetAddress one : InetAddress.getAllByName(host())) {
                try (Socket socket = new Socket()) {
                    socket.connect(new InetSocketAddress(one, gateway.getPort()), (int) CONNECT_MAX.toMillis());
                    return one.getHostAddress() + " answers at port " + gateway.getPort();
                } catch (IOException e) {
                    failures.add(one.getHostAddress() + ": " + Sentence.reason(e));
                }
            }
        } catch (UnknownHostException e) {
            failures.add(host() + " has no address any more");
        }
        throw new Failed(
                "Nobody answers at port " + gateway.getPort() + " (" + String.join("; ", failures) + ").",
                "ssh " + host() + " jobgate status",
                null);
    }

    private String authorities() throws Failed {
        Path home = Path.of(environment.getOrDefault("HOME", "/"));
        try {
            Path path = TrustDirectory.find(environment, home).path();
            return "those in " + path + " are believed";
        } catch (CredentialException e) {
            throw new Failed(Sentence.of(e.getMessage()), "export X509_CERT_DIR=DIRECTORY", e);
        }
    }

    private String credential() throws Failed, CommandException {
        Session.Wishes wishes = new Session.Wishes(
                Integer.toString(1000 * words.number(VerbOption.TIMEOUT, 30, 1, 3_600)),
                words.value(VerbOption.SUBJECT),
                false,
                words.has(VerbOption.DEBUG),
                null);
        try {
            session = Session.open(wishes, environment, errors);
        } catch (CommandException e) {
            throw new Failed(String.valueOf(e.getMessage()), "jobgate proxy init", e);
        }
        client = new RestClient(session.http(), gateway.toString(), session.trace());
        Credential shown = session.identification().credential();
        if (shown == null) {
            return "a bearer token; only the gateway can tell whether it holds";
        }
        Instant end = shown.chain().stream()
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElse(Instant.EPOCH);
        Duration left = Duration.between(clock.instant(), end);
        String what = (Credential.isProxy(shown.chain().getFirst()) ? "the proxy of " : "the certificate of ")
                + shown.endEntity() + " in " + shown.source();
        if (left.isNegative()) {
            throw new Failed(Sentence.of(what + " expired at " + end), "jobgate proxy init", null);
        }
        return what + ", for " + left.toMinutes() + " more minutes" + (left.compareTo(SOON) < 0 ? " (soon over)" : "");
    }

    private RestClient asked() {
        return requireNonNull(client, "no session");
    }

    private String server() throws IOException, CommandException {
        Json info = Json.read(asked().get("/info"));
        return info.get("service").text() + " " + info.get("version").text() + ", believed, speaks "
                + info.get("api").text();
    }

    private String mapping() throws IOException, CommandException, Failed {
        Json who = Json.read(asked().get("/whoami"));
        subject = who.get("subject").text();
        if (who.get("limited").isTrue()) {
            throw new Failed(
                    "You came with a limited proxy, and such a proxy starts no jobs.", "jobgate proxy init", null);
        }
        if (!who.get("maySubmit").isTrue()) {
            throw new Failed(
                    "The gateway knows you as " + subject + ", and you may not submit: "
                            + Sentence.of(who.get("reason").text()),
                    "jobgate authz explain --subject " + quoted(subject) + " --action submit    (the administrator, on "
                            + host() + ")",
                    null);
        }
        return subject + " is "
                + String.join(
                        ", ",
                        who.get("accounts").items().stream().map(Json::text).toList());
    }

    private String lrm() throws IOException, CommandException, Failed {
        String wanted = words.value(VerbOption.LRM);
        List<Json> lrms = Json.read(asked().get("/lrms")).get("lrms").items();
        List<String> names = lrms.stream().map(lrm -> lrm.get("name").text()).toList();
        Json lrm = lrms.stream()
                .filter(one -> wanted == null
                        ? one.get("default").isTrue()
                        : one.get("name").text().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new Failed(
                        "There is no batch system " + (wanted == null ? "that jobs go to without naming one" : wanted)
                                + "; there are " + names + ".",
                        "jobgate trace --lrm " + (names.isEmpty() ? "NAME" : quoted(names.getFirst())),
                        null));
        String name = lrm.get("name").text();
        String fresh = lrm.get("freshUntil").text();
        boolean isOld = !fresh.isEmpty()
                && Instant.parse(fresh).isBefore(clock.instant().minus(SOON));
        if (isOld) {
            throw new Failed(
                    "The batch system " + name + " has told the gateway nothing since " + fresh + ".",
                    "jobgate lrm show " + quoted(name) + "    (the administrator, on " + host() + ")",
                    null);
        }
        return name + " with " + lrm.get("queues").items().size() + " queues";
    }

    private String submit() throws IOException, CommandException {
        String key = UUID.randomUUID().toString();
        String lrm = words.value(VerbOption.LRM);
        String description = "{\"executable\":\"/bin/echo\",\"arguments\":[" + Json.quote(SAYS) + "],\"stdout\":"
                + Json.quote("jobgate-trace-" + key + ".out") + ",\"idempotencyKey\":" + Json.quote(key)
                + (lrm == null ? "" : ",\"lrm\":" + Json.quote(lrm)) + "}";
        job = Json.read(asked().post("/jobs", description)).get("id").text();
        return "job " + job;
    }

    private String watch() throws IOException, CommandException, InterruptedException, Failed {
        long seconds = words.number(VerbOption.LONGEST, 120, 1, 86_400);
        Console quiet = new Console("jobgate", errors, errors, true, () -> false);
        Waiting waiting = new Waiting(
                new Verbs.Context(asked(), requireNonNull(session), words, quiet, out),
                1,
                System.nanoTime() + seconds * 1_000_000_000L);
        Json end = waiting.untilOver("/jobs/" + job);
        String explain = "jobgate explain --url " + address() + " " + quoted(job);
        if (!end.get("final").isTrue()) {
            throw new Failed(
                    "The job is not over after " + seconds + " s (--for): it is "
                            + end.get("state").text() + ". "
                            + end.get("waiting").get("because").text(),
                    explain,
                    null);
        }
        if (JobLine.exitStatus(end) != 0) {
            throw new Failed("The job did not end well: " + JobLine.of(end), explain, null);
        }
        return "Done, exit code 0";
    }

    private String fetch() throws IOException, CommandException, Failed {
        HttpReply reply = asked().exchange("GET", "/jobs/" + job + "/stdout", "Range: bytes=0-4095\r\n", new byte[0]);
        String text = new String(RestClient.checked(reply), StandardCharsets.UTF_8).strip();
        if (!text.equals(SAYS)) {
            throw new Failed(
                    "The output of the job is not what it has written: " + text,
                    "jobgate logs --url " + address() + " " + quoted(job),
                    null);
        }
        return text.length() + 1 + " bytes, as they were written";
    }

    private String remove() throws IOException, CommandException {
        HttpReply file = asked().exchange("DELETE", "/jobs/" + job + "/stdout", "", new byte[0]);
        RestClient.checked(file);
        RestClient.checked(asked().exchange("DELETE", "/api/v1/jobs/" + job, "", new byte[0]));
        return "the job and its output are gone";
    }
}
