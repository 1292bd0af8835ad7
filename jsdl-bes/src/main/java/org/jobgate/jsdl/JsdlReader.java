// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.xml.MalformedXmlException;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;

/** Reads texts as documents, within the limits of XML. */
public final class JsdlReader {

    private final XmlLimits limits;

    public JsdlReader(XmlLimits limits) {
        this.limits = requireNonNull(limits, "limits is null");
    }

    /**
     * Reads a text.
     *
     * @throws FaultException of code {@code INVALID_DESCRIPTION} where it is no JSDL document, {@code LIMIT_EXCEEDED}
     */
    public JsdlDocument read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The same of its bytes, in the encoding that they say. */
    public JsdlDocument read(byte[] document) {
        try {
            return JsdlDocument.of(XmlTree.parse(document, limits));
        } catch (MalformedXmlException e) {
            throw new FaultException(
                    Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "The JSDL document cannot be read: " + e.getMessage() + ".",
                            "Send a well-formed document without a document type."),
                    e);
        }
    }
}
