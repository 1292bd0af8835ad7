// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wsrf;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.SoapClient;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.XmlElement;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/** The operations that every WSRF resource may have (facts/gram4.md section 1.8; captures 17 to 24). */
final class WsrfService {
    private final SoapClient soap;

    WsrfService(SoapClient soap) {
        this.soap = requireNonNull(soap, "soap is null");
    }

    /** Opens an element whose text is a qualified name with the prefix q. */
    private static StringBuilder open(StringBuilder out, String element, QualifiedName name) {
        out.append('<').append(element).append(" xmlns:q=\"");
        XmlText.append(out, name.namespace());
        return out.append('"');
    }

    private static void close(StringBuilder out, String element, QualifiedName name) {
        out.append(">q:");
        XmlText.append(out, name.name());
        out.append("</").append(element).append('>');
    }

    XmlElement property(Epr resource, QualifiedName name) throws IOException, SoapFaultException {
        StringBuilder body = new StringBuilder(300);
        open(body, "GetResourceProperty", name)
                .append(" xmlns=\"")
                .append(Names.PROPERTIES)
                .append('"');
        close(body, "GetResourceProperty", name);
        return soap.call(resource, Names.GET_PROPERTY_ACTION, "", body.toString());
    }

    XmlElement properties(Epr resource, List<QualifiedName> names) throws IOException, SoapFaultException {
        StringBuilder body = new StringBuilder(600);
        body.append("<GetMultipleResourceProperties xmlns=\"")
                .append(Names.PROPERTIES)
                .append("\">");
        for (QualifiedName name : names) {
            open(body, "ResourceProperty", name);
            close(body, "ResourceProperty", name);
        }
        body.append("</GetMultipleResourceProperties>");
        return soap.call(resource, Names.GET_PROPERTIES_ACTION, "", body.toString());
    }

    XmlElement query(Epr resource, String expression, String dialect) throws IOException, SoapFaultException {
        StringBuilder body = new StringBuilder(400);
        body.append("<QueryResourceProperties xmlns=\"").append(Names.PROPERTIES);
        body.append("\"><QueryExpression Dialect=\"");
        XmlText.append(body, dialect);
        body.append("\">");
        XmlText.append(body, expression);
        body.append("</QueryExpression></QueryResourceProperties>");
        return soap.call(resource, Names.QUERY_ACTION, "", body.toString());
    }

    void destroy(Epr resource) throws IOException, SoapFaultException {
        soap.call(resource, Names.DESTROY_ACTION, "", "<Destroy xmlns=\"" + Names.LIFETIME + "\"/>");
    }

    /**
     * Sets when the resource ends.
     *
     * @param time null for never
     * @return the time that the service set, as xsd:dateTime; null for never
     */
    @Nullable
    String setTerminationTime(Epr resource, @Nullable Instant time) throws IOException, SoapFaultException {
        String requested = time == null
                ? "<RequestedTerminationTime xmlns:xsi=\"" + Names.XSI + "\" xsi:nil=\"true\"/>"
                : "<RequestedTerminationTime>" + time + "</RequestedTerminationTime>";
        XmlElement response = soap.call(
                resource,
                Names.SET_TERMINATION_ACTION,
                "",
                "<SetTerminationTime xmlns=\"" + Names.LIFETIME + "\">" + requested + "</SetTerminationTime>");
        String set = response.childText(Names.LIFETIME, "NewTerminationTime");
        return set == null || set.isEmpty() ? null : set;
    }

    /**
     * Has messages of a topic sent to a consumer.
     *
     * @return the subscription
     */
    Epr subscribe(Epr resource, QualifiedName topic, Epr consumer) throws IOException, SoapFaultException {
        StringBuilder body = new StringBuilder(1000);
        body.append("<Subscribe xmlns=\"").append(Names.NOTIFICATION).append("\"><ConsumerReference><wsa:Address>");
        XmlText.append(body, consumer.address());
        body.append("</wsa:Address><wsa:ReferenceProperties>");
        consumer.properties().forEach(property -> property.write(body, ""));
        body.append("</wsa:ReferenceProperties></ConsumerReference>");
        open(body, "TopicExpression", topic).append(" Dialect=\"").append(Names.SIMPLE_TOPIC);
        body.append('"');
        close(body, "TopicExpression", topic);
        body.append("<UseNotify>true</UseNotify></Subscribe>");
        XmlElement response = soap.call(resource, Names.SUBSCRIBE_ACTION, "", body.toString());
        XmlElement reference = response.child(Names.NOTIFICATION, "SubscriptionReference");
        if (reference == null) {
            throw new IOException(resource.address() + " answered without the subscription's endpoint reference.");
        }
        try {
            return Epr.of(reference);
        } catch (XMLStreamException e) {
            throw new IOException(resource.address() + " answered with a broken endpoint reference.", e);
        }
    }
}
