// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.job.NearestName;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The members of one JSON object, each of which is asked for once; what nobody has asked for at the {@link #end} is unknown. A member that
 * is null is taken as absent.
 */
final class Fields {

    private static final int SAID = 20;

    private final JsonNode object;
    private final String prefix;
    private final TextBudget budget;
    private final Set<String> known = new LinkedHashSet<>();

    /**
     * @param path where the object stands in the request, for refusals; empty for the whole
     * @throws Problem where it is no object
     */
    Fields(JsonNode object, String path, TextBudget budget) throws Problem {
        if (!object.isObject()) {
            throw wrong(path.isEmpty() ? "the request" : path, "it is no JSON object", "Write { ... }.");
        }
        this.object = object;
        this.prefix = path.isEmpty() ? "" : path + ".";
        this.budget = requireNonNull(budget, "budget is null");
    }

    static Problem wrong(String path, String why, String remedy) {
        return new Problem(400, "INVALID_FIELD", Problem.plain(path) + " cannot be used: " + why + ".", remedy)
                .with("attribute", Problem.plain(path));
    }

    /** Where the member of this name stands. */
    String path(String name) {
        return prefix + name;
    }

    TextBudget budget() {
        return budget;
    }

    private @Nullable JsonNode node(String name) {
        known.add(name);
        JsonNode value = object.get(name);
        return value == null || value.isNull() ? null : value;
    }

    /** Whether the member is there. */
    boolean has(String name) {
        return node(name) != null;
    }

    /** A member of any form that is there. */
    JsonNode present(String name) throws Problem {
        JsonNode value = node(name);
        if (value == null) {
            throw wrong(path(name), "it is missing", "Give it.");
        }
        return value;
    }

    /** Whether it is there and null. */
    boolean isNull(String name) {
        known.add(name);
        JsonNode value = object.get(name);
        return value != null && value.isNull();
    }

    @Nullable
    String text(String name) throws Problem {
        JsonNode value = node(name);
        return value == null ? null : text(value, path(name));
    }

    /** A text that is there and not empty. */
    String needed(String name) throws Problem {
        String text = text(name);
        if (text == null || text.isEmpty()) {
            throw wrong(path(name), text == null ? "it is missing" : "it is empty", "Give it.");
        }
        return text;
    }

    private String text(JsonNode value, String path) throws Problem {
        if (!value.isString()) {
            throw wrong(path, "it is no text", "Write it in quotes.");
        }
        return budget.count(path, value.asString());
    }

    @Nullable
    Long number(String name, long least, long most) throws Problem {
        JsonNode value = node(name);
        if (value == null) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw wrong(path(name), "it is no whole number", "Give one of " + least + " to " + most + ".");
        }
        long number = value.asLong();
        if (number < least || number > most) {
            throw wrong(path(name), number + " is out of its range", "Give one of " + least + " to " + most + ".");
        }
        return number;
    }

    @Nullable
    Integer count(String name) throws Problem {
        Long number = number(name, 1, Integer.MAX_VALUE);
        return number == null ? null : number.intValue();
    }

    @Nullable
    Duration seconds(String name, long least) throws Problem {
        Long number = number(name, least, Integer.MAX_VALUE);
        return number == null ? null : Duration.ofSeconds(number);
    }

    @Nullable
    Boolean truth(String name) throws Problem {
        JsonNode value = node(name);
        if (value == null) {
            return null;
        }
        if (!value.isBoolean()) {
            throw wrong(path(name), "it is neither true nor false", "Write true or false, without quotes.");
        }
        return value.asBoolean();
    }

    @Nullable
    Instant time(String name) throws Problem {
        String text = text(name);
        return text == null ? null : Times.parse(path(name), text);
    }

    /** What stands in an array; nothing where the member is absent. */
    List<JsonNode> list(String name) throws Problem {
        JsonNode value = node(name);
        if (value == null) {
            return List.of();
        }
        if (!value.isArray()) {
            throw wrong(path(name), "it is no JSON array", "Write [ ... ].");
        }
        return List.copyOf(value.values());
    }

    List<String> texts(String name) throws Problem {
        List<String> texts = new ArrayList<>();
        for (JsonNode value : list(name)) {
            texts.add(text(value, path(name) + "[" + texts.size() + "]"));
        }
        return texts;
    }

    /** An object of texts, in the order of the request. */
    Map<String, String> map(String name) throws Problem {
        JsonNode value = node(name);
        Map<String, String> map = new LinkedHashMap<>();
        if (value == null) {
            return map;
        }
        if (!value.isObject()) {
            throw wrong(path(name), "it is no JSON object", "Write { \"NAME\": \"VALUE\" }.");
        }
        for (Map.Entry<String, JsonNode> member : value.properties()) {
            String path = path(name) + "." + member.getKey();
            map.put(budget.count(path(name), member.getKey()), text(member.getValue(), path));
        }
        return map;
    }

    /**
     * To be called when all members were asked for.
     *
     * @throws Problem that names the members that are not known
     */
    void end() throws Problem {
        List<String> unknown = object.properties().stream()
                .map(Map.Entry::getKey)
                .filter(name -> !known.contains(name))
                .toList();
        if (unknown.isEmpty()) {
            return;
        }
        String first = unknown.getFirst();
        String remedy = NearestName.to(first, known)
                .map(nearest -> "Did you mean " + nearest + "?")
                .orElse("Leave it out. Known are: " + String.join(", ", known) + ".");
        List<String> said = unknown.stream()
                .limit(SAID)
                .map(name -> Problem.plain(path(name)))
                .toList();
        throw new Problem(
                        400,
                        "UNKNOWN_FIELD",
                        (unknown.size() == 1 ? "Not known here: " : unknown.size() + " names are not known here: ")
                                + String.join(", ", said) + ".",
                        remedy)
                .with("unknown", said);
    }
}
