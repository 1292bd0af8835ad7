// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.headers.Header;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * What a reply must know of its request.
 *
 * @param headers the SOAP header blocks that were read
 * @param body the name of the element in the SOAP body; null where the request was refused before that was read
 */
public record RequestHead(List<Element> headers, @Nullable QName body) {

    public RequestHead {
        headers = List.copyOf(headers);
    }

    /** The text of the header block of this name; empty if there is none or it has no text. */
    public Optional<String> headerText(QName name) {
        return headers.stream()
                .filter(header -> name.getLocalPart().equals(header.getLocalName())
                        && name.getNamespaceURI().equals(header.getNamespaceURI()))
                .findFirst()
                .map(header -> header.getTextContent().strip())
                .filter(text -> !text.isEmpty());
    }

    /** Takes the name of the body's element, and remembers it for the reply. */
    static RequestHead of(Message request, QName body) {
        RequestHead head = new RequestHead(headers(request), body);
        request.getExchange().put(RequestHead.class, head);
        return head;
    }

    /** The head of the request that this message is, or answers. */
    static RequestHead of(Message message) {
        Exchange exchange = message.getExchange();
        RequestHead remembered = exchange == null ? null : exchange.get(RequestHead.class);
        return remembered != null
                ? remembered
                : new RequestHead(headers(exchange == null ? null : exchange.getInMessage()), null);
    }

    private static List<Element> headers(@Nullable Message request) {
        return request instanceof SoapMessage soap
                ? soap.getHeaders().stream()
                        .map(Header::getObject)
                        .filter(Element.class::isInstance)
                        .map(Element.class::cast)
                        .toList()
                : List.of();
    }
}
