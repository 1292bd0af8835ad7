// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;

/** Elements that are text already. */
class XmlWriterTest {

    private static final QName ROOT = new QName("urn:x", "root", "x");

    @ParameterizedTest
    @ValueSource(strings = {"plain", "a&b<c>]]>", "&amp;", "line\rend\n", "ä \"'", "\uD83D\uDE00", ""})
    void aValueIsReadAsItWas(String value) throws Exception {
        String text = XmlWriter.toText(out -> out.open(ROOT)
                .elements("<a>" + XmlWriter.escaped(value) + "</a><b/>")
                .close());
        assertThat(read(text)).isEqualTo(value);
    }

    @Test
    void whatXmlCannotCarryIsReplaced() throws Exception {
        String text = XmlWriter.toText(out ->
                out.open(ROOT).elements(XmlWriter.escaped("a\u0000b\uD800<")).close());
        assertThat(read(text)).isEqualTo("a\uFFFDb\uFFFD<");
    }

    @Test
    void elementsAreInNoNamespace() {
        QName inner = new QName("urn:y", "inner");
        assertThatThrownBy(() ->
                        XmlWriter.toText(out -> out.open(inner).elements("<a/>").close()))
                .hasMessageContaining("cannot be written as text here");
        assertThatThrownBy(() -> XmlWriter.toDom(ROOT, out -> out.elements("<a/>")))
                .hasMessageContaining("cannot be written as text here");
    }

    private static String read(String text) throws Exception {
        return DocumentBuilderFactory.newDefaultNSInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(text)))
                .getDocumentElement()
                .getTextContent();
    }
}
