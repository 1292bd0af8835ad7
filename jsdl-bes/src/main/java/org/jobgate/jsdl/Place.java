// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import javax.xml.namespace.QName;

/**
 * What a sweep exchanges: the content of an element, the text of one of its attributes, or what takes the place of a token in the file that it
 * fetches.
 *
 * @param attribute {@link #NONE} for the element itself, and for a token
 * @param token empty where it is none
 */
record Place(Node node, QName attribute, String token) {

    /** The attribute of an element itself. */
    private static final QName NONE = new QName("");

    static Place of(Node node) {
        return new Place(node, NONE, "");
    }

    static Place of(Node node, QName attribute) {
        return new Place(node, attribute, "");
    }

    static Place ofToken(Node node, String token) {
        return new Place(node, NONE, token);
    }

    boolean isElement() {
        return attribute.equals(NONE) && token.isEmpty();
    }

    void put(String text) {
        if (!token.isEmpty()) {
            node.setToken(token, text);
        } else if (isElement()) {
            node.setText(text);
        } else {
            node.setAttribute(attribute, text);
        }
    }

    /** What puts back what is there now. */
    Runnable saved() {
        if (!token.isEmpty()) {
            String value = node.tokens().get(token);
            return () -> node.setToken(token, value);
        }
        if (isElement()) {
            Node.Content content = node.content();
            return () -> node.restore(content);
        }
        String text = node.attributes().getOrDefault(attribute, "");
        return () -> node.setAttribute(attribute, text);
    }

    /** As refusals name it. */
    String shown() {
        if (!token.isEmpty()) {
            return "the token '" + JsdlFaults.shown(token) + "' of " + node.path();
        }
        return node.path() + (isElement() ? "" : "/@" + attribute.getLocalPart());
    }
}
