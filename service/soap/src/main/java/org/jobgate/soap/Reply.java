// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import static java.util.Objects.requireNonNull;

import org.jobgate.xml.XmlContent;

/**
 * What is answered.
 *
 * @param action the reply's WS-Addressing action
 * @param body writes the element in the SOAP body
 */
public record Reply(String action, XmlContent body) {

    public Reply {
        requireNonNull(action, "action is null");
        requireNonNull(body, "body is null");
    }
}
