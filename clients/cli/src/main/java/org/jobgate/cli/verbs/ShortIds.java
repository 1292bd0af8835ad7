// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.wire.Json;

/**
 * The ids that people type: whole ones, or at least four digits with which the id of one of their jobs begins or ends and that of no other.
 * Only the newest jobs are looked through.
 */
final class ShortIds {
    private static final Pattern WHOLE =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern PART = Pattern.compile("[0-9a-f-]{4,36}");
    private static final int PAGE = 1_000;
    private static final int PAGES_MAX = 10;

    private final RestClient client;
    private final String list;
    private final String what;

    private ShortIds(RestClient client, String list, String what) {
        this.client = requireNonNull(client, "client is null");
        this.list = list;
        this.what = what;
    }

    static ShortIds ofJobs(RestClient client) {
        return new ShortIds(client, "jobs", "job");
    }

    static ShortIds ofArrays(RestClient client) {
        return new ShortIds(client, "arrays", "array");
    }

    /** The whole ids, in order. */
    List<String> whole(List<String> given) throws IOException, CommandException {
        List<String> bare = new ArrayList<>();
        boolean isAllWhole = true;
        for (String id : given) {
            String one = id.toLowerCase(Locale.ROOT);
            one = one.startsWith("uuid:") ? one.substring("uuid:".length()) : one;
            if (!PART.matcher(one).matches()) {
                throw Words.usage("'" + id + "' is no id of a " + what
                        + ": give it whole, or at least four digits that it begins or ends with.");
            }
            bare.add(one);
            isAllWhole &= WHOLE.matcher(one).matches();
        }
        if (isAllWhole) {
            return bare;
        }
        List<String> known = known();
        List<String> whole = new ArrayList<>();
        for (String one : bare) {
            whole.add(WHOLE.matcher(one).matches() ? one : only(one, known));
        }
        return whole;
    }

    String whole(String given) throws IOException, CommandException {
        return whole(List.of(given)).getFirst();
    }

    private String only(String part, List<String> known) throws CommandException {
        List<String> found = known.stream()
                .filter(id -> id.startsWith(part) || id.endsWith(part))
                .toList();
        if (found.size() == 1) {
            return found.getFirst();
        }
        throw new CommandException(
                ExitStatus.REFUSED,
                found.isEmpty()
                        ? "None of your " + known.size() + " newest " + list + " has an id that begins or ends with "
                                + part + ". Check it; jobgate " + (what.equals("job") ? "ls" : "array ls")
                                + " lists them."
                        : found.size() + " of your " + list + " have ids that begin or end with " + part
                                + ". Give more of its digits.");
    }

    private List<String> known() throws IOException, CommandException {
        List<String> known = new ArrayList<>();
        String cursor = "";
        for (int page = 0; page < PAGES_MAX; page++) {
            String fields = list.equals("jobs") ? "&fields=id" : "";
            Json answer = Json.read(client.get("/" + list + "?limit=" + PAGE + fields + cursor));
            answer.get(list).items().forEach(one -> known.add(one.get("id").text()));
            String next = answer.get("next").text();
            if (next.isEmpty()) {
                break;
            }
            cursor = "&cursor=" + RestClient.encoded(next);
        }
        return known;
    }
}
