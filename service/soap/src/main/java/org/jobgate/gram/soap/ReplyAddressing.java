// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.soap;

import java.util.UUID;
import org.apache.cxf.binding.soap.SoapHeader;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.headers.Header;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageContentsList;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.jobgate.gram.wsrf.Actions;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.xml.XmlContent;
import org.jobgate.gram.xml.XmlWriter;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * Adds the WS-Addressing headers of a reply. GT4 clients need none of them (facts/gt4-wire.md section 4, replies), but the original
 * sent them all.
 */
final class ReplyAddressing extends AbstractPhaseInterceptor<SoapMessage> {

    private final String address;
    private final ReplyDataBinding dataBinding = new ReplyDataBinding();

    ReplyAddressing(String address) {
        super(Phase.PRE_PROTOCOL);
        this.address = address;
    }

    @Override
    public void handleMessage(SoapMessage message) {
        Generation generation = RequestGeneration.of(message);
        String action = action(message, generation);
        String relatesTo = requestId(message.getExchange(), generation);
        XmlContent headers = out -> {
            header(out, generation, "MessageID", "uuid:" + UUID.randomUUID());
            header(out, generation, "To", generation.anonymous());
            header(out, generation, "Action", action);
            out.open(generation.addressing("From"));
            out.element(generation.addressing("Address"), address).close();
            if (relatesTo != null) {
                out.open(generation.addressing("RelatesTo"));
                if (generation == Generation.GT40) {
                    out.attribute("RelationshipType", out.qualified(generation.addressing("Reply")));
                }
                out.text(relatesTo).close();
            }
        };
        message.getHeaders().add(new SoapHeader(generation.addressing("Action"), headers, dataBinding));
    }

    private static void header(XmlWriter out, Generation generation, String name, String value) {
        out.element(generation.addressing(name), value);
    }

    private static String action(SoapMessage message, Generation generation) {
        MessageContentsList content = MessageContentsList.getContentsList(message);
        return content != null && !content.isEmpty() && content.get(0) instanceof ReplySource source
                ? source.reply().action()
                : Actions.fault(generation);
    }

    private static @Nullable String requestId(@Nullable Exchange exchange, Generation generation) {
        Message request = exchange == null ? null : exchange.getInMessage();
        if (!(request instanceof SoapMessage soap)) {
            return null;
        }
        Header header = soap.getHeader(generation.addressing("MessageID"));
        return header != null && header.getObject() instanceof Element element
                ? element.getTextContent().strip()
                : null;
    }
}
