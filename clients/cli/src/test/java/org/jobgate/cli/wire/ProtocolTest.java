// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtocolTest {

    private static XmlElement parsed(String xml) throws XMLStreamException {
        return XmlElement.read(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void namespacesAreTranslatedAndTextIsNot() throws Exception {
        String tricky = "say=\"" + Names.JOB + "\"";
        StringBuilder markup = new StringBuilder("<d:argument xmlns:d=\"" + Names.DESCRIPTION + "\">");
        XmlText.append(markup, tricky);
        markup.append("</d:argument>");
        XmlElement sent = parsed(Protocol.GT42.toWire(markup.toString()));
        assertThat(sent.namespace()).isEqualTo("http://www.globus.org/namespaces/2008/03/gram/job/description");
        assertThat(sent.text()).isEqualTo(tricky);
        assertThat(Protocol.GT40.toWire(markup.toString())).isEqualTo(markup.toString());
        assertThat(Protocol.canonical(sent).namespace()).isEqualTo(Names.DESCRIPTION);
    }

    @ParameterizedTest
    @CsvSource({
        "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties/GetResourceProperty, http://docs.oasis-open.org/wsrf/rpw-2/GetResourceProperty/GetResourcePropertyRequest",
        "http://www.globus.org/namespaces/2004/10/gram/job/ManagedJobFactoryPortType/createManagedJobRequest, http://www.globus.org/namespaces/2008/03/gram/job/ManagedJobFactoryPortType/createManagedJobRequest",
        "http://www.globus.org/namespaces/2004/10/gram/job/release, http://www.globus.org/namespaces/2008/03/gram/job/release",
        "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime/SetTerminationTime, http://docs.oasis-open.org/wsrf/rlw-2/ScheduledResourceTermination/SetTerminationTimeRequest",
    })
    void actionsAreThoseOfTheCaptures(String action, String newer) {
        assertThat(Protocol.GT42.action(action)).isEqualTo(newer);
        assertThat(Protocol.GT40.action(action)).isEqualTo(action);
    }

    @Test
    void anEndpointReferenceTellsWhatIsSpokenThere() throws Exception {
        String newer =
                "<EndpointReferenceType xmlns=\"http://www.w3.org/2005/08/addressing\"><Address>https://a:1/s</Address>"
                        + "<ReferenceParameters><ResourceID xmlns=\"http://www.globus.org/namespaces/2008/03/gram/job\">x1"
                        + "</ResourceID></ReferenceParameters></EndpointReferenceType>";
        Epr job = Epr.of(parsed(newer));
        assertThat(job.protocol()).isEqualTo(Protocol.GT42);
        assertThat(job.resourceId()).isEqualTo("x1");
        assertThat(Epr.of(parsed(job.toFileText()))).isEqualTo(job);
        Epr older = new Epr(job.address(), job.properties(), Protocol.GT40);
        assertThat(Epr.of(parsed(older.toFileText()))).isEqualTo(older);
        assertThat(job.toFileText()).contains("2008/03/gram/job").doesNotContain("2004/");
    }

    @Test
    void theCauseOfAFaultIsFoundInEitherForm() throws Exception {
        String cause =
                "<b:Description xmlns:b=\"%1$s\">outer</b:Description><b:FaultCause xmlns:b=\"%1$s\">%2$s</b:FaultCause>";
        String inner = "<b:Description xmlns:b=\"%1$s\">inner</b:Description>";
        String older = cause.formatted(Names.BASE_FAULTS, inner.formatted(Names.BASE_FAULTS));
        String bf2 = "http://docs.oasis-open.org/wsrf/bf-2";
        String newer = cause.formatted(bf2, "<x:typed xmlns:x=\"urn:x\">" + inner.formatted(bf2) + "</x:typed>");
        for (String fault : new String[] {older, newer}) {
            XmlElement read = Protocol.canonical(parsed("<fault>" + fault + "</fault>"));
            assertThat(SoapFaultException.describe(read)).isEqualTo("outer inner");
        }
    }
}
