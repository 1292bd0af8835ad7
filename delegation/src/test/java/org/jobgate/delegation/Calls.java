// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import org.jobgate.gt4.Generation;
import org.jobgate.identity.Identity;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Requests to services without HTTP around them. */
public final class Calls {

    private Calls() {}

    /** A header block with a text. */
    public static Element header(QName name, String text) {
        return XmlWriter.toDom(name, out -> out.element(name, text));
    }

    public static SoapCall call(@Nullable String subject, Generation generation, String body, Element... headers) {
        XmlElement element = XmlTree.parse(body.getBytes(StandardCharsets.UTF_8), XmlLimits.defaults());
        Identity identity = subject == null ? null : new Identity(subject, "test", false);
        // said as clients say it: by a header of WS-Addressing
        List<Element> all = new ArrayList<>(List.of(headers));
        all.add(header(generation.addressing("To"), "https://localhost/wsrf/services/"));
        return new SoapCall(identity, all, element);
    }

    /** The body of the answer. */
    public static XmlElement answer(SoapService service, SoapCall call) {
        return read(service.answer(call));
    }

    private static XmlElement read(Reply reply) {
        return parsed(XmlWriter.toText(reply.body()));
    }

    /** What a fault says in its detail. */
    public static XmlElement detail(SoapFaultException fault) {
        if (fault.detail() == null) {
            throw new AssertionError("the fault has no detail: " + fault.getMessage());
        }
        return parsed(XmlWriter.toText(fault.detail()));
    }

    private static XmlElement parsed(String xml) {
        return XmlTree.parse(xml.getBytes(StandardCharsets.UTF_8), XmlLimits.defaults());
    }
}
