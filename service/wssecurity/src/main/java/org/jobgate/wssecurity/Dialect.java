// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.Arrays;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.apache.wss4j.common.derivedKey.ConversationConstants;
import org.w3c.dom.Node;

/** The two generations of WS-Trust with its WS-SecureConversation: as standardized by OASIS, and as submitted to it. */
enum Dialect {
    /** WS-Trust 1.3 and 1.4, WS-SecureConversation 1.3 and 1.4. */
    OASIS(
            "http://docs.oasis-open.org/ws-sx/ws-trust/200512",
            ConversationConstants.WSC_NS_05_12,
            ConversationConstants.VERSION_05_12),
    /** The submission of February 2005. */
    SUBMITTED(
            "http://schemas.xmlsoap.org/ws/2005/02/trust",
            ConversationConstants.WSC_NS_05_02,
            ConversationConstants.VERSION_05_02);

    private final String trust;
    private final String conversation;
    private final int version;

    Dialect(String trust, String conversation, int version) {
        this.trust = trust;
        this.conversation = conversation;
        this.version = version;
    }

    static Optional<Dialect> ofTrust(Node node) {
        return Arrays.stream(values())
                .filter(dialect -> dialect.trust.equals(node.getNamespaceURI()))
                .findFirst();
    }

    static Optional<Dialect> ofConversation(Node node) {
        return Arrays.stream(values())
                .filter(dialect -> dialect.conversation.equals(node.getNamespaceURI()))
                .findFirst();
    }

    /** The namespace of WS-Trust. */
    String trust() {
        return trust;
    }

    QName trust(String name) {
        return new QName(trust, name, "wst");
    }

    /** The namespace of WS-SecureConversation. */
    String conversation() {
        return conversation;
    }

    QName conversation(String name) {
        return new QName(conversation, name, "wsc");
    }

    /** WSS4J's number of it. */
    int version() {
        return version;
    }

    /** The kind of a security context token. */
    String tokenType() {
        return conversation + ConversationConstants.TOKEN_TYPE_SECURITY_CONTEXT_TOKEN;
    }
}
