// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xml;

import static java.util.Objects.requireNonNull;

import org.jobgate.limits.Limit;

/**
 * How big one XML document from outside may be.
 *
 * @param elements elements in the whole document
 * @param depth elements inside one another
 * @param attributes attributes of one element
 * @param textCharacters characters of the text of one element, or of one attribute
 */
public record XmlLimits(Limit elements, Limit depth, Limit attributes, Limit textCharacters) {

    public XmlLimits {
        requireNonNull(elements, "elements is null");
        requireNonNull(depth, "depth is null");
        requireNonNull(attributes, "attributes is null");
        requireNonNull(textCharacters, "textCharacters is null");
    }

    /** Enough for a job of 4,096 arguments and 1,024 environment variables. */
    public static XmlLimits defaults() {
        return new XmlLimits(
                new Limit("gram.maxXmlElements", 20_000),
                new Limit("gram.maxXmlDepth", 32),
                new Limit("gram.maxXmlAttributes", 64),
                new Limit("gram.maxXmlTextCharacters", 131_072));
    }
}
