// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.wire.Json;

/** {@code jobgate array}. */
final class ArrayVerb {
    private static final List<String> LOOKS = List.of("show", "elements", "wait");
    private static final List<String> ORDERS = List.of("cancel", "hold", "release", "suspend", "resume", "restart");
    private static final int LIST_MAX = 9_999;

    private final Verbs.Context context;
    private final RestClient client;

    ArrayVerb(Verbs.Context context) {
        this.context = requireNonNull(context, "context is null");
        this.client = context.client();
    }

    static void check(List<String> operands) throws CommandException {
        String order = operands.isEmpty() ? "" : operands.getFirst();
        boolean isKnown = LOOKS.contains(order) || ORDERS.contains(order) || order.equals("rm");
        if (!(order.equals("ls") ? operands.size() == 1 : isKnown && operands.size() == 2)) {
            throw Words.usage("Say: jobgate array ls, or one of " + String.join(", ", LOOKS) + ", "
                    + String.join(", ", ORDERS) + ", rm and one array.");
        }
    }

    int run() throws IOException, CommandException, InterruptedException {
        String order = context.operands().getFirst();
        if (order.equals("ls")) {
            return list();
        }
        String id = ShortIds.ofArrays(client).whole(context.operands().get(1));
        String path = "/arrays/" + id;
        return switch (order) {
            case "show" -> answered(client.get(path));
            case "elements" -> elements(path);
            case "rm" -> remove(path);
            case "wait" -> {
                Json end = new Waiting(context, 1, Long.MAX_VALUE).untilOver(path);
                show(context, end);
                yield exitStatus(end);
            }
            default -> {
                String part = context.words().value(VerbOption.ELEMENTS);
                yield answered(client.post(
                        path + "/" + order, part == null ? "{}" : "{\"elements\":" + Json.quote(part) + "}"));
            }
        };
    }

    private int list() throws IOException, CommandException {
        byte[] answer = client.get("/arrays?limit=" + context.words().number(VerbOption.LIMIT, 50, 1, LIST_MAX));
        if (context.isJson()) {
            print(answer);
            return ExitStatus.OK.code();
        }
        Json.read(answer).get("arrays").items().forEach(array -> show(context, array));
        return ExitStatus.OK.code();
    }

    private int elements(String path) throws IOException, CommandException {
        Words words = context.words();
        byte[] answer = client.get(path + "/elements?limit=" + words.number(VerbOption.LIMIT, 1_000, 1, LIST_MAX)
                + Verbs.parameter(words, VerbOption.STATE, "state")
                + Verbs.parameter(words, VerbOption.ELEMENTS, "elements"));
        if (context.isJson()) {
            print(answer);
            return ExitStatus.OK.code();
        }
        for (Json element : Json.read(answer).get("elements").items()) {
            String value = element.get("value").text();
            String exit = element.get("exitCode").text();
            String fault = element.get("fault").get("sentence").text();
            context.out()
                    .println(JobLine.printable(element.get("index").text() + (value.isEmpty() ? "" : " " + value) + "  "
                            + element.get("state").text() + (exit.isEmpty() ? "" : ", exit code " + exit) + "  "
                            + element.get("job").text() + (fault.isEmpty() ? "" : "  " + fault)));
        }
        return ExitStatus.OK.code();
    }

    private int remove(String path) throws IOException, CommandException {
        HttpReply reply = client.exchange("DELETE", "/api/v1" + path, "", new byte[0]);
        RestClient.checked(reply);
        context.console()
                .line(reply.status() == 204 ? "The array is gone." : "The array is being ended, and is gone then.");
        return ExitStatus.OK.code();
    }

    private int answered(byte[] answer) throws IOException {
        if (context.isJson()) {
            print(answer);
        } else {
            show(context, Json.read(answer));
        }
        return ExitStatus.OK.code();
    }

    static void show(Verbs.Context context, Json array) {
        Map<String, Json> states = array.get("states").members();
        String counts = states.entrySet().stream()
                .filter(state -> state.getValue().number(0) > 0)
                .map(state -> state.getValue().text() + " " + state.getKey())
                .collect(Collectors.joining(", "));
        context.out()
                .println(JobLine.printable(
                        array.get("id").text() + "  " + array.get("size").text() + " jobs in "
                                + array.get("lrm").text() + ": " + counts));
    }

    /** 0 where every element ended well. */
    static int exitStatus(Json array) {
        boolean isWell =
                array.get("states").get("Done").number(0) == array.get("size").number(-1);
        return isWell ? ExitStatus.OK.code() : ExitStatus.JOB_FAILED.code();
    }

    private void print(byte[] json) {
        context.out().println(new String(json, StandardCharsets.UTF_8).strip());
    }
}
