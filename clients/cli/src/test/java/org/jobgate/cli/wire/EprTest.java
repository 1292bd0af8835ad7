// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;

class EprTest {
    private static Epr read(String document) throws XMLStreamException {
        return Epr.of(XmlElement.read(new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void isTheSameAfterAFile() throws Exception {
        Epr epr = Epr.factory("https://host:8443/wsrf/services/ManagedJobFactoryService", "PBS & <co>");
        assertThat(read(epr.toFileText())).isEqualTo(new Epr(epr.address(), epr.properties(), Protocol.GT40));
    }

    @Test
    void readsGtsOwnFiles() throws Exception {
        Epr epr = read("<ns00:EndpointReferenceType xmlns:ns00=\"" + Names.WSA
                + "\"><ns00:Address>https://h:1/s</ns00:Address><ns00:ReferenceProperties><ResourceID xmlns=\""
                + Names.JOB + "\">abc</ResourceID></ns00:ReferenceProperties>"
                + "<ns00:ReferenceParameters></ns00:ReferenceParameters></ns00:EndpointReferenceType>");
        assertThat(epr.address()).isEqualTo("https://h:1/s");
        assertThat(epr.properties()).singleElement().satisfies(property -> {
            assertThat(property.is(Names.JOB, "ResourceID")).isTrue();
            assertThat(property.text()).isEqualTo("abc");
        });
    }

    @Test
    void refusesOneWithoutAddress() {
        assertThatThrownBy(() -> read("<a/>")).hasMessageContaining("no wsa:Address");
    }
}
