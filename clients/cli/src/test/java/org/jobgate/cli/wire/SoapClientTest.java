// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SoapClientTest {
    /** Order and names of captures/gt4/15-Destroy-job.txt. */
    @Test
    void sendsTheHeadersThatGtClientsSend() throws Exception {
        Epr job = Epr.factory("https://localhost:1/wsrf/services/ManagedExecutableJobService", "id");
        String envelope = SoapClient.envelope(
                Protocol.GT40,
                job,
                Names.DESTROY_ACTION,
                new SoapClient.Request(Names.DESTROY_ACTION, "", "<Destroy xmlns=\"" + Names.LIFETIME + "\"/>"));
        XmlElement parsed = XmlElement.read(new ByteArrayInputStream(envelope.getBytes(StandardCharsets.UTF_8)));
        List<XmlElement> headers =
                Objects.requireNonNull(parsed.child(Names.SOAP, "Header")).children();
        assertThat(headers.stream().map(XmlElement::name))
                .containsExactly("MessageID", "To", "Action", "From", "ResourceID");
        assertThat(headers.getFirst().text()).startsWith("uuid:");
        assertThat(headers.getLast().namespace()).isEqualTo(Names.JOB);
        assertThat(headers)
                .allSatisfy(header -> assertThat(header.attribute(Names.SOAP, "mustUnderstand"))
                        .isEqualTo("0"));
        assertThat(envelope.length()).isCloseTo(1000, within(400));
    }

    @Test
    void showsTheDescriptionsOfAFaultAndItsCauses() throws Exception {
        String fault = "<f:stagingFault xmlns:f='" + Names.FAULTS + "' xmlns:b='" + Names.BASE_FAULTS + "'>"
                + "<b:Description>Staging error.</b:Description><b:FaultCause><b:Description>Host x is down.</b:Description>"
                + "<b:FaultCause><b:Description>Staging error.</b:Description></b:FaultCause></b:FaultCause></f:stagingFault>";
        XmlElement element = XmlElement.read(new ByteArrayInputStream(fault.getBytes(StandardCharsets.UTF_8)));
        assertThat(SoapFaultException.describe(element)).isEqualTo("Staging error. Host x is down.");
    }

    @Test
    void readsACapturedFaultWithoutFaultString() throws Exception {
        try (InputStream reply = Objects.requireNonNull(getClass().getResourceAsStream("/replies/create-fault.xml"))) {
            XmlElement body = Objects.requireNonNull(XmlElement.read(reply).child(Names.SOAP, "Body"));
            SoapFaultException fault = SoapFaultException.of(body.children().getFirst());
            assertThat(fault).hasMessage("Invalid count element.");
            assertThat(fault.typeName()).isEqualTo("serviceLevelAgreementFault");
        }
    }

    @Test
    void noticesThatAServiceSpeaksAnotherProtocol() throws Exception {
        String fault =
                "<s:Fault xmlns:s='" + Names.SOAP + "'><faultcode>s:Client</faultcode><faultstring>Addressing header"
                        + " is a draft version of WS Addressing: http://x</faultstring></s:Fault>";
        XmlElement element = XmlElement.read(new ByteArrayInputStream(fault.getBytes(StandardCharsets.UTF_8)));
        assertThat(SoapFaultException.of(element).asksForNewer()).isTrue();
    }
}
