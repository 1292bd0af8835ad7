// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandOption;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Outage;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.UnreachableException;
import org.jobgate.cli.wire.Json;

/** {@code jobgate submit}: one job, or an array of jobs. A request that got no answer is sent again under the same id. */
final class SubmitVerb {
    private static final long FILE_MAX = 64L << 20;
    private static final java.time.Duration OUTAGE_MAX = java.time.Duration.ofMinutes(2);

    private final Verbs.Context context;
    private final Words words;

    SubmitVerb(Verbs.Context context) {
        this.context = requireNonNull(context, "context is null");
        this.words = context.words();
    }

    int run() throws IOException, CommandException, InterruptedException {
        boolean isCommand = words.has(VerbOption.COMMAND);
        byte[] body = isCommand ? command().getBytes(StandardCharsets.UTF_8) : file();
        String type = type(body);
        boolean isArray = words.has(VerbOption.ARRAY);
        if (isArray && !type.equals("application/json")) {
            throw Words.usage(
                    "--array is for -c and for a FILE of one job in JSON; arrays in other languages say it themselves.");
        }
        String query =
                (Verbs.parameter(words, VerbOption.LRM, "lrm") + Verbs.parameter(words, VerbOption.ACCOUNT, "account"));
        if (type.equals("application/json")) {
            body = withNames(body, isArray).getBytes(StandardCharsets.UTF_8);
            query = "";
        }
        String given = words.value(VerbOption.KEY);
        String key = given == null ? UUID.randomUUID().toString() : given;
        String list = isArray ? "/arrays" : "/jobs";
        byte[] answer = post(list + query.replaceFirst("&", "?"), type, key, body);
        Json made = Json.read(answer);
        String id = made.get("id").text();
        boolean waits = words.has(VerbOption.WAIT);
        if (context.isJson() && !waits) {
            context.out().println(new String(answer, StandardCharsets.UTF_8).strip());
        } else {
            context.out().println(JobLine.printable(id));
            context.out().flush();
        }
        return waits ? await(list + "/" + id, isArray) : ExitStatus.OK.code();
    }

    private int await(String path, boolean isArray) throws CommandException, InterruptedException {
        Json end = new Waiting(context, 1, Long.MAX_VALUE).untilOver(path);
        if (isArray) {
            ArrayVerb.show(context, end);
            return ArrayVerb.exitStatus(end);
        }
        context.console().line(JobLine.of(end));
        return JobLine.exitStatus(end);
    }

    private byte[] post(String path, String type, String key, byte[] body)
            throws IOException, CommandException, InterruptedException {
        String header = "Idempotency-Key: " + Json.quote(key) + "\r\n";
        Outage outage = new Outage(context.console(), OUTAGE_MAX);
        while (true) {
            try {
                HttpReply reply = context.client().posted(path, type, header, body);
                if (outage.isOn() && RestClient.isBusy(reply)) {
                    // it may have the job since the request that it did not answer
                    throw new IOException(RestClient.sentence(reply));
                }
                outage.over();
                return RestClient.checked(reply);
            } catch (IOException e) {
                if (e instanceof UnreachableException && !outage.isOn()) {
                    throw e; // nobody is there, or not believed: who typed the address wants to know at once
                }
                failed(outage, e, key);
                Thread.sleep(1_000);
            }
        }
    }

    private static void failed(Outage outage, IOException e, String key) throws IOException, CommandException {
        boolean wasSent = outage.isOn();
        try {
            outage.failed(e);
        } catch (IOException last) {
            if (!wasSent) {
                throw last;
            }
            throw new CommandException(
                    ExitStatus.JOB_LOST,
                    Sentence.of(last.getMessage()) + " The gateway may have the job. Submit it again with --key " + key
                            + ", and it is one job in any case.",
                    last);
        }
    }

    /** The job that the words after -c are, as JSON. */
    private String command() {
        List<String> members = new ArrayList<>();
        members.add("\"executable\":" + Json.quote(context.operands().getFirst()));
        if (context.operands().size() > 1) {
            members.add("\"arguments\":"
                    + Json.list(context.operands().subList(1, context.operands().size())));
        }
        member(members, VerbOption.DIRECTORY, "directory");
        member(members, VerbOption.STDIN, "stdin");
        member(members, VerbOption.STDOUT, "stdout");
        member(members, VerbOption.STDERR, "stderr");
        member(members, VerbOption.QUEUE, "queue");
        return "{" + String.join(",", members) + "}";
    }

    private void member(List<String> members, CommandOption option, String name) {
        String value = words.value(option);
        if (value != null) {
            members.add("\"" + name + "\":" + Json.quote(value));
        }
    }

    /** With the batch system and the account of the command line, and as an array where one is wanted. */
    private String withNames(byte[] json, boolean isArray) throws CommandException {
        String text = new String(json, StandardCharsets.UTF_8).strip();
        List<String> members = new ArrayList<>();
        member(members, VerbOption.LRM, "lrm");
        member(members, VerbOption.ACCOUNT, "account");
        if (!members.isEmpty()) {
            boolean isEmpty = text.substring(1).stripLeading().startsWith("}");
            text = "{" + String.join(",", members) + (isEmpty ? "" : ",") + text.substring(1);
        }
        if (!isArray) {
            return text;
        }
        int most = words.number(VerbOption.MAX_RUNNING, 0, 1, Integer.MAX_VALUE);
        String indices = requireNonNull(words.value(VerbOption.ARRAY), "array");
        return "{\"job\":" + text + ",\"indices\":" + Json.quote(indices) + (most == 0 ? "" : ",\"maxRunning\":" + most)
                + "}";
    }

    private byte[] file() throws CommandException {
        Path file = Path.of(context.operands().getFirst());
        try {
            if (Files.size(file) > FILE_MAX) {
                throw Words.usage("The file " + file + " is larger than 64 MiB, which no description of a job is.");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "The file " + file + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    /** JSON by its first letter, XML by its first; all else the gateway tells apart itself. */
    static String type(byte[] body) {
        String text = new String(body, 0, Math.min(body.length, 4_096), StandardCharsets.UTF_8).stripLeading();
        boolean isJson = text.matches("(?s)\\{\\s*[\"}].*");
        return isJson ? "application/json" : text.startsWith("<") ? "application/xml" : "text/plain";
    }
}
