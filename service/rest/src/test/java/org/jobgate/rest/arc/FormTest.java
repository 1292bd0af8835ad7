// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FormTest {

    private static String written(Format format, Element root, String... lists) throws IOException {
        StringBuilder out = new StringBuilder();
        format.to(out).document(root, List.of(lists));
        return out.toString();
    }

    @Test
    void leavesAreStringsAndNamesThatComeTwiceAreLists() throws IOException {
        Element root = new Element.Builder("root")
                .leaf("one", 1)
                .leaf("two", "a")
                .leaf("two", "b")
                .leaf("State", "arcrest:FINISHED")
                .add(new Element("inner", Map.of("x", "y"), "", List.of(Element.leaf("text", "<&\u0001"))))
                .build();
        assertThat(written(Format.JSON, root))
                .isEqualTo(
                        "{\"one\":\"1\",\"two\":[\"a\",\"b\"],\"State\":[\"arcrest:FINISHED\"],\"inner\":{\"text\":\"<&\\u0001\",\"_attributes\":{\"x\":\"y\"}}}");
        assertThat(written(Format.XML, root))
                .contains("<inner x=\"y\">", "<text>&lt;&amp;?</text>", "<two>a</two>\n  <two>b</two>");
        assertThat(written(Format.HTML, root)).contains("&lt;&amp;?").doesNotContain("<&");
    }

    @Test
    void aListIsAListWithNoneAndWithOne() throws IOException {
        Element empty = Element.of("list", List.of());
        assertThat(written(Format.JSON, empty, "file", "dir")).isEqualTo("{\"file\":[],\"dir\":[]}");
        Element one = Element.of("list", List.of(new Element("file", Map.of("size", "5"), "a", List.of())));
        assertThat(written(Format.JSON, one, "file", "dir")).isEqualTo("{\"file\":[\"a\"],\"dir\":[]}");
        assertThat(written(Format.XML, one)).contains("<file size=\"5\">a</file>");
    }

    @Test
    void theFirstKnownFormCounts() {
        assertThat(Format.of("text/plain, text/xml;q=0.1, application/json")).isEqualTo(Format.XML);
        assertThat(Format.of("application/json")).isEqualTo(Format.JSON);
        assertThat(Format.of("*/*")).isEqualTo(Format.HTML);
        assertThat(Format.of(null)).isEqualTo(Format.HTML);
    }
}
