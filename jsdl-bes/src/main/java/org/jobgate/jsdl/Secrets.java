// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import javax.xml.namespace.QName;

/** Which elements of a document hold a name and a password (GFD.135): what they hold is shown to nobody. */
final class Secrets {

    private Secrets() {}

    private static boolean is(QName name) {
        return name.getNamespaceURI().equals(Names.CREDENTIAL)
                || name.getNamespaceURI().equals(Names.WSSE);
    }

    /** Whether the element is a credential, or stands in one. */
    static boolean isInside(Node node) {
        for (Node at = node; at != null; at = at.parent().orElse(null)) {
            if (is(at.name())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a credential, or a part of one, stands in the element. */
    static boolean areIn(Node node) {
        return is(node.name()) || node.children().stream().anyMatch(Secrets::areIn);
    }
}
