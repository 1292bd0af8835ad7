// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;

/** What the server answered. */
public record Answer(int status, String text) {

    public XmlElement envelope() {
        return XmlTree.parse(text.getBytes(StandardCharsets.UTF_8), XmlLimits.defaults());
    }

    /** The element in the SOAP body. */
    public XmlElement body() {
        return envelope().child("Body").orElseThrow().children().getFirst();
    }

    /** The texts of all elements of this local name, in order. */
    public List<String> all(String localName) {
        List<String> texts = new ArrayList<>();
        collect(envelope(), localName, texts);
        return texts;
    }

    private static void collect(XmlElement element, String localName, List<String> texts) {
        if (element.localName().equals(localName)) {
            texts.add(element.text());
        }
        element.children().forEach(child -> collect(child, localName, texts));
    }

    /** The text of the one element of this local name. */
    public String one(String localName) {
        List<String> texts = all(localName);
        assertThat(texts).as("elements %s in %s", localName, text).hasSize(1);
        return texts.getFirst();
    }

    /** The element that is the typed fault; checks that the answer is a fault that says something. */
    public XmlElement fault() {
        assertThat(status).as(text).isEqualTo(500);
        assertThat(body().localName()).as(text).isEqualTo("Fault");
        assertThat(one("faultstring")).isNotBlank();
        return body().child("detail")
                .orElseThrow(() -> new AssertionError(text))
                .children()
                .getFirst();
    }

    /** The fault string of a fault that is the client's, before anything typed. */
    public String clientFault() {
        assertThat(status).as(text).isEqualTo(500);
        assertThat(body().localName()).as(text).isEqualTo("Fault");
        assertThat(one("faultcode")).as(text).endsWith(":Client");
        return one("faultstring");
    }
}
