// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;

class XmlElementTest {
    private static XmlElement read(String document) throws XMLStreamException {
        return XmlElement.read(new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void refusesDocumentTypesSoThatNoEntityIsEverExpanded() {
        String bomb = "<!DOCTYPE a [<!ENTITY x \"aaaaaaaaaa\"><!ENTITY y \"&x;&x;&x;&x;\">]><a>&y;</a>";
        assertThatThrownBy(() -> read(bomb)).isInstanceOf(XMLStreamException.class);
        String file = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>";
        assertThatThrownBy(() -> read(file)).isInstanceOf(XMLStreamException.class);
    }

    @Test
    void refusesDepth() {
        String deep = "<a>".repeat(100_000);
        org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(
                Duration.ofMinutes(1),
                () -> assertThatThrownBy(() -> read(deep)).hasMessageContaining("nest deeper than"));
    }

    @Test
    void writesAPropertyAgainWithItsNamespaceTextAndAttributes() throws Exception {
        XmlElement element = read("<p:Key xmlns:p='urn:k' xmlns:q='urn:q' q:a='1&amp;2'> x&lt;y </p:Key>");
        StringBuilder out = new StringBuilder();
        element.write(out, "");
        assertThat(read(out.toString())).isEqualTo(element);
    }
}
