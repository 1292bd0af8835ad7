// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document and the code say the same. */
class OpenApiTest extends ApiRoom {

    private static final Pattern PARAMETER = Pattern.compile("\\{([^}]*)}");

    private final JsonNode document = document();

    private static JsonNode document() {
        InputStream in = Objects.requireNonNull(OpenApi.class.getResourceAsStream("openapi.json"));
        return new JsonMapper().readTree(in);
    }

    /** The operations of the document whose status is this; absent for those that are built. */
    private List<String> operations(String status) {
        List<String> found = new ArrayList<>();
        document.get("paths")
                .propertyStream()
                .forEach(path -> path.getValue()
                        .propertyStream()
                        .filter(operation -> !operation.getKey().equals("parameters"))
                        .filter(operation -> operation
                                .getValue()
                                .path("x-status")
                                .asString("")
                                .equals(status))
                        .forEach(operation -> found.add(
                                operation.getKey().toUpperCase(java.util.Locale.ROOT) + " " + path.getKey())));
        return found;
    }

    @Test
    void whatIsNotPlannedIsServedAndNothingElse() {
        assertThat(operations("")).containsExactlyInAnyOrderElementsOf(servlet.operations());
    }

    @Test
    void nothingIsOnlyPlanned() {
        assertThat(operations("planned")).isEmpty();
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        List<String> references = new ArrayList<>();
        collect(document, references);
        assertThat(references)
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(
                                document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }

    private static void collect(JsonNode node, List<String> references) {
        if (node.path("$ref").isString()) {
            references.add(node.get("$ref").asString());
        }
        node.forEach(child -> collect(child, references));
    }

    @Test
    void everyComponentIsUsed() {
        List<String> references = new ArrayList<>();
        collect(document, references);
        TreeSet<String> components = new TreeSet<>();
        document.get("components")
                .propertyStream()
                .filter(kind -> !kind.getKey().equals("securitySchemes"))
                .forEach(kind -> kind.getValue()
                        .propertyStream()
                        .forEach(component ->
                                components.add("#/components/" + kind.getKey() + "/" + component.getKey())));
        assertThat(references).containsAll(components);
    }

    @Test
    void everyOperationHasANameOfItsOwnAndSaysWhatItsPathHolds() {
        List<String> names = new ArrayList<>();
        document.get("paths").propertyStream().forEach(path -> {
            List<String> declared = new ArrayList<>();
            path.getValue()
                    .path("parameters")
                    .forEach(parameter -> declared.add(
                            document.at(parameter.get("$ref").asString().substring(1))
                                    .get("name")
                                    .asString()));
            List<String> held = PARAMETER
                    .matcher(path.getKey())
                    .results()
                    .map((MatchResult match) -> match.group(1))
                    .toList();
            assertThat(declared).as(path.getKey()).containsExactlyInAnyOrderElementsOf(held);
            path.getValue()
                    .propertyStream()
                    .filter(operation -> !operation.getKey().equals("parameters"))
                    .forEach(operation ->
                            names.add(operation.getValue().get("operationId").asString()));
        });
        assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(40);
    }
}
