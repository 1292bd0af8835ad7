// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.xml.namespace.QName;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.soap.SoapService;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.xml.XmlElement;
import org.jobgate.gram.xml.XmlLimits;
import org.jobgate.gram.xml.XmlTree;
import org.jobgate.gram.xml.XmlWriter;
import org.jobgate.identity.Identity;
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
        return new SoapCall(identity, generation, Arrays.asList(headers), element);
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
