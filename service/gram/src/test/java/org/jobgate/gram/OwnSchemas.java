// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import java.io.IOException;
import java.io.StringReader;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.jobgate.gt4.Generation;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.xml.sax.SAXException;

/** Validates messages of our own operations against the schema that we publish for them. */
final class OwnSchemas {

    private final Schema schema;

    OwnSchemas(Generation generation) {
        String folder = generation == Generation.GT40 ? "" : "gt42/";
        try {
            schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                    .newSchema(new StreamSource(String.valueOf(
                            OwnSchemas.class.getResource("/org/jobgate/gram/wsdl/" + folder + "jobs.xsd"))));
        } catch (SAXException e) {
            throw new IllegalStateException(e);
        }
    }

    void validate(XmlElement element) {
        String document = XmlWriter.toText(out -> out.copy(element));
        try {
            schema.newValidator().validate(new StreamSource(new StringReader(document)));
        } catch (SAXException e) {
            throw new AssertionError(e.getMessage() + " in " + document, e);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
