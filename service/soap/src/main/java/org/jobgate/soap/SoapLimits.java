// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import static java.util.Objects.requireNonNull;

import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlLimits;

/**
 * How big a request may be.
 *
 * @param bodyBytes bytes of the whole HTTP body
 */
public record SoapLimits(Limit bodyBytes, XmlLimits xml) {

    public SoapLimits {
        requireNonNull(bodyBytes, "bodyBytes is null");
        requireNonNull(xml, "xml is null");
    }

    public static SoapLimits defaults() {
        return new SoapLimits(new Limit("limits.maxBodyBytes", 4 * 1024 * 1024), XmlLimits.defaults());
    }
}
