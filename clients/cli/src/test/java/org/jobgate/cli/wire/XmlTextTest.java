// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"", " a ", "<a b=\"c\">&amp;", "]]>", "line\nbreak", "cr\r\nlf", "tab\t", "日本 😀", "\u0085\u2028"
            })
    void comesBackAsItWasFromTextAndAttribute(String text) throws Exception {
        String document = "<a b=\"" + XmlText.escaped(text) + "\">" + XmlText.escaped(text) + "</a>";
        XmlElement parsed = XmlElement.read(new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)));
        assertThat(parsed.text()).isEqualTo(text);
        assertThat(parsed.attribute("", "b")).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab\u0000", "ab\u0001", "ab\u001b[0m", "ab\uFFFE", "ab\uD800"})
    void findsWhatNoXmlCanHold(String text) {
        assertThat(XmlText.firstForbidden(text)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "\t\r\n", "😀", "\u0085"})
    void findsNothingWrongWithWhatXmlCanHold(String text) {
        assertThat(XmlText.firstForbidden(text)).isEqualTo(-1);
    }
}
