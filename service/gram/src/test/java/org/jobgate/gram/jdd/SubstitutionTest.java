// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.FaultException;
import org.jobgate.limits.Limit;
import org.junit.jupiter.api.Test;

class SubstitutionTest {

    private static String apply(String text, Map<String, String> definitions) {
        Variables variables = new Variables() {
            @Override
            public Optional<String> value(String name) {
                return Optional.ofNullable(name.equals("HOME") ? "/home/${alice}" : null);
            }

            @Override
            public Optional<String> definition(String name) {
                return Optional.ofNullable(definitions.get(name));
            }
        };
        return new Substitution(variables, new Limit("limits.maxTextBytes", 1000)).apply("argument", text);
    }

    /** V1 is a text, and each other one names the one before. */
    private static Map<String, String> chain(int length, String link) {
        Map<String, String> definitions = new HashMap<>(Map.of("V1", "end"));
        for (int i = 2; i <= length; i++) {
            definitions.put("V" + i, link.replace("#", "${V" + (i - 1) + "}"));
        }
        return definitions;
    }

    @Test
    void definitionsAreReplacedWithinEachOtherAndValuesAreNot() {
        assertThat(apply("${A}", Map.of("A", "<${B}>", "B", "${HOME} $${HOME} $")))
                .isEqualTo("</home/${alice} ${HOME} $>");
    }

    @Test
    void tenLevelsAreReplacedAndElevenAreNot() {
        assertThat(apply("${V10}", chain(10, "#"))).isEqualTo("end");
        assertThatThrownBy(() -> apply("${V11}", chain(11, "#")))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("nested more than 10 levels");
    }

    @Test
    void aDefinitionOfItselfIsRefused() {
        assertThatThrownBy(() -> apply("${A}", Map.of("A", "${B}", "B", "${A}")))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("nested");
    }

    @Test
    void definitionsThatNameEachOtherManyTimesStayBounded() {
        assertThatThrownBy(() -> apply("${V10}", chain(10, "#".repeat(20))))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("limits.maxTextBytes");
        Map<String, String> empty = chain(10, "#".repeat(20));
        empty.put("V1", "");
        assertThat(apply("${V10}", empty)).isEmpty();
    }

    @Test
    void anUndefinedVariableInADefinitionIsNamed() {
        assertThatThrownBy(() -> apply("${A}", Map.of("A", "${NOWHERE}")))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("no value found for the variable NOWHERE");
    }
}
