// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;

/**
 * A WS-BaseFaults fault. GT4 clients tell faults by {@code xsi:type}, so it is always written (facts/gt4-wire.md section 4, 3.10).
 *
 * @param element its element
 * @param type its {@code xsi:type}
 * @param originator the address of the service that says it
 * @param more writes the children that its type adds
 */
public record BaseFault(
        QName element,
        QName type,
        Instant timestamp,
        Optional<String> originator,
        String description,
        XmlContent more) {

    public BaseFault {
        requireNonNull(element, "element is null");
        requireNonNull(type, "type is null");
        requireNonNull(timestamp, "timestamp is null");
        requireNonNull(description, "description is null");
        requireNonNull(more, "more is null");
    }

    public void write(XmlWriter out, Generation generation) {
        out.open(element).type(type).binding(generation.baseFault("Timestamp"));
        out.element(generation.baseFault("Timestamp"), Times.format(timestamp));
        originator.ifPresent(
                address -> EndpointReference.of(address).write(out, generation, generation.baseFault("Originator")));
        out.element(generation.baseFault("Description"), description);
        more.write(out);
        out.close();
    }
}
