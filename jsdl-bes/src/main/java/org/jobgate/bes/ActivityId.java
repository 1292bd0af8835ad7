// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.job.JobId;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * Which activity is meant: a job or a sweep by its id, or one point of a sweep by the sweep's id and the point's index.
 *
 * <p>On the wire it is an endpoint reference that clients keep and send back whole. The id stands in its reference parameters, and once more in
 * its address: there are clients that keep nothing but that.
 */
record ActivityId(JobId id, @Nullable Integer point) {

    private static final QName PARAMETERS = BesNames.addressing("ReferenceParameters");
    private static final QName ADDRESS = BesNames.addressing("Address");
    private static final QName ACTIVITY = BesNames.ours("Activity");
    private static final String QUERY = "?activity=";

    /** A UUID, a slash, and the digits of an int. */
    private static final int MAX_CHARACTERS = 36 + 1 + 10;

    ActivityId {
        requireNonNull(id, "id is null");
    }

    static ActivityId of(JobId id) {
        return new ActivityId(id, null);
    }

    /** The activity of a reference as a client sent it; empty where it is none that this door has made. */
    static Optional<ActivityId> read(XmlElement reference) {
        Optional<String> parameter = child(reference, PARAMETERS)
                .flatMap(parameters -> child(parameters, ACTIVITY))
                .map(XmlElement::trimmedText);
        return parameter
                .or(() -> child(reference, ADDRESS).map(ActivityId::ofAddress))
                .flatMap(ActivityId::parse);
    }

    private static Optional<XmlElement> child(XmlElement parent, QName name) {
        return parent.children().stream()
                .filter(child -> child.name().equals(name))
                .findFirst();
    }

    private static String ofAddress(XmlElement address) {
        String text = address.trimmedText();
        int at = text.indexOf(QUERY);
        return at < 0 ? "" : text.substring(at + QUERY.length());
    }

    private static Optional<ActivityId> parse(String text) {
        if (text.length() > MAX_CHARACTERS) {
            return Optional.empty();
        }
        int slash = text.indexOf('/');
        try {
            return Optional.of(
                    slash < 0
                            ? of(JobId.parse(text))
                            : new ActivityId(
                                    JobId.parse(text.substring(0, slash)),
                                    Integer.parseUnsignedInt(text.substring(slash + 1))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return point == null ? id.toString() : id + "/" + point;
    }

    /**
     * The reference.
     *
     * @param name of the element
     * @param service the address of the factory
     */
    XmlContent written(QName name, String service) {
        return out -> {
            out.open(name);
            out.element(ADDRESS, service + QUERY + this);
            out.open(PARAMETERS).element(ACTIVITY, toString()).close();
            out.close();
        };
    }
}
