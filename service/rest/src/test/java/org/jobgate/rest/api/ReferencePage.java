// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page docs/reference/rest.md, made from the document of the API. */
final class ReferencePage {

    private static final String HEAD = """
            <!-- SPDX-FileCopyrightText: 2026 The Jobgate authors
                 SPDX-License-Identifier: Apache-2.0 -->
            # REST API v1

            Made from the OpenAPI 3.1 document that the service answers at `/api/v1/openapi.json`
            ([source](../../service/rest/src/main/resources/org/jobgate/rest/api/openapi.json)) by ReferencePageTest; change the document, not this page. How it is used,
            with curl: [rest.md](../user/rest.md).

            """;

    private final JsonNode document;
    private final StringBuilder page = new StringBuilder(HEAD);

    private ReferencePage(JsonNode document) {
        this.document = document;
    }

    static String render() {
        InputStream in = Objects.requireNonNull(OpenApi.class.getResourceAsStream("openapi.json"));
        ReferencePage page = new ReferencePage(new JsonMapper().readTree(in));
        page.write();
        return page.page.toString();
    }

    private void write() {
        page.append(text(document.at("/info/description"))).append("\n");
        document.get("tags").forEach(this::tag);
        page.append("\n## Objects\n");
        document.at("/components/schemas").propertyStream().forEach(this::schema);
    }

    private void tag(JsonNode tag) {
        page.append("\n## ").append(text(tag.get("name"))).append("\n\n");
        page.append(text(tag.get("description"))).append("\n\n");
        page.append("| operation | what | parameters | request | answers |\n|---|---|---|---|---|\n");
        document.get("paths")
                .propertyStream()
                .forEach(path -> path.getValue()
                        .propertyStream()
                        .filter(operation -> !operation.getKey().equals("parameters"))
                        .filter(operation -> operation.getValue().at("/tags/0").equals(tag.get("name")))
                        .forEach(operation -> operation(path.getKey(), operation)));
    }

    private void operation(String path, Map.Entry<String, JsonNode> entry) {
        JsonNode operation = entry.getValue();
        boolean isPlanned = operation.has("x-status");
        page.append("| `")
                .append(entry.getKey().toUpperCase(Locale.ROOT))
                .append(' ')
                .append(path)
                .append(isPlanned ? "` (planned)" : "`")
                .append(" | ")
                .append(sentence(text(operation.get("summary"))))
                .append(operation.has("description") ? " " + text(operation.get("description")) : "")
                .append(operation.has("security") ? " Needs no credential." : "")
                .append(" | ")
                .append(parameters(operation))
                .append(" | ")
                .append(operation.has("requestBody") ? content(operation.get("requestBody")) : "")
                .append(" | ")
                .append(answers(operation))
                .append(" |\n");
    }

    private static String sentence(String summary) {
        return summary.endsWith(".") ? summary : summary + ".";
    }

    private String parameters(JsonNode operation) {
        return operation
                .path("parameters")
                .valueStream()
                .map(this::resolved)
                .map(parameter -> "`" + text(parameter.get("name")) + "`")
                .collect(Collectors.joining(", "));
    }

    private String answers(JsonNode operation) {
        return operation
                .get("responses")
                .propertyStream()
                .map(answer -> {
                    String content = content(resolved(answer.getValue()));
                    return answer.getKey() + (content.isEmpty() || content.equals("Problem") ? "" : " " + content);
                })
                .collect(Collectors.joining(", "));
    }

    private String content(JsonNode holder) {
        return holder.path("content")
                .propertyStream()
                .map(content -> {
                    JsonNode schema = content.getValue().path("schema");
                    String name = schema.has("$ref") ? link(schema) : "";
                    return name.isEmpty() ? "`" + content.getKey() + "`" : name;
                })
                .collect(Collectors.joining(", "));
    }

    private static String link(JsonNode reference) {
        String name = name(reference);
        return name.equals("Problem") ? name : "[" + name + "](#" + name.toLowerCase(Locale.ROOT) + ")";
    }

    private static String name(JsonNode reference) {
        String path = text(reference.get("$ref"));
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(text(node.get("$ref")).substring(1)) : node;
    }

    private void schema(Map.Entry<String, JsonNode> entry) {
        JsonNode schema = entry.getValue();
        page.append("\n### ").append(entry.getKey()).append("\n\n").append(text(schema.path("description")));
        if (schema.has("enum")) {
            page.append(" One of: ").append(words(schema.get("enum"))).append('.');
        }
        page.append('\n');
        if (!schema.has("properties")) {
            return;
        }
        List<String> needed = new ArrayList<>();
        schema.path("required").forEach(name -> needed.add(text(name)));
        page.append("\n| member | type | what |\n|---|---|---|\n");
        schema.get("properties")
                .propertyStream()
                .forEach(member -> page.append("| `")
                        .append(member.getKey())
                        .append(needed.contains(member.getKey()) ? "` (always)" : "`")
                        .append(" | ")
                        .append(type(member.getValue()))
                        .append(" | ")
                        .append(text(member.getValue().path("description")))
                        .append(
                                member.getValue().has("enum")
                                        ? " One of: " + words(member.getValue().get("enum")) + "."
                                        : "")
                        .append(" |\n"));
    }

    private static String words(JsonNode list) {
        return list.valueStream().map(word -> "`" + text(word) + "`").collect(Collectors.joining(", "));
    }

    private static String type(JsonNode schema) {
        if (schema.has("$ref")) {
            return link(schema);
        }
        if (schema.has("items")) {
            return "array of " + type(schema.get("items"));
        }
        if (schema.has("additionalProperties")
                && schema.get("additionalProperties").isObject()) {
            return "object of " + type(schema.get("additionalProperties"));
        }
        JsonNode type = schema.path("type");
        String word = type.isArray()
                ? type.valueStream().map(ReferencePage::text).collect(Collectors.joining(" or "))
                : text(type);
        return schema.has("format") ? word + " (" + text(schema.get("format")) + ")" : word;
    }

    private static String text(JsonNode node) {
        return node.asString("").replace("|", "\\|").replace("<", "&lt;");
    }
}
