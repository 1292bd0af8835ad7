// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.soap;

import java.util.Optional;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.headers.Header;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.jobgate.gram.wsrf.Generation;
import org.jspecify.annotations.Nullable;

/** Which generation of GT4 a request belongs to: told by its body, or by its headers where the body does not say or is not read yet. */
final class RequestGeneration {

    private RequestGeneration() {}

    /** Takes it from the body's namespace, and remembers it for the reply. */
    static Generation of(Message message, String bodyNamespace) {
        Generation generation = Generation.ofNamespace(bodyNamespace).orElseGet(() -> ofHeaders(message));
        message.getExchange().put(Generation.class, generation);
        return generation;
    }

    /** The generation of the request that this message is, or answers. */
    static Generation of(Message message) {
        Exchange exchange = message.getExchange();
        Generation remembered = exchange == null ? null : exchange.get(Generation.class);
        return remembered != null ? remembered : ofHeaders(exchange == null ? null : exchange.getInMessage());
    }

    private static Generation ofHeaders(@Nullable Message request) {
        if (!(request instanceof SoapMessage soap)) {
            return Generation.GT40;
        }
        return soap.getHeaders().stream()
                .map(Header::getName)
                .map(name -> Generation.ofNamespace(name.getNamespaceURI()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(Generation.GT40);
    }
}
