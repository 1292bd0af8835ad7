// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.BiConsumer;
import javax.xml.namespace.QName;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** Writes what answers have in common. */
final class Answer {

    private static final QName RETURN_STATUS = new QName("returnStatus");
    private static final QName SURL = new QName("surl");
    private static final QName STATUS = new QName("status");

    private Answer() {}

    /** The status of one SURL. */
    record OfSurl(String surl, Status status) {
        OfSurl {
            requireNonNull(surl, "surl is null");
            requireNonNull(status, "status is null");
        }

        void write(XmlWriter out) {
            out.element(SURL, surl);
            status.write(out, STATUS);
        }
    }

    /** An answer that is a status alone. */
    static XmlContent of(Status status) {
        return out -> status.write(out, RETURN_STATUS);
    }

    /** A status, and something else. */
    static XmlContent of(Status status, XmlContent rest) {
        return out -> {
            status.write(out, RETURN_STATUS);
            rest.write(out);
        };
    }

    /** An array of what has something to write; it is left out where there is none, for arrays are not empty. */
    static <T> XmlContent array(String array, String item, List<T> items, BiConsumer<XmlWriter, T> writer) {
        QName arrayName = new QName(array);
        QName itemName = new QName(item);
        return out -> {
            if (items.isEmpty()) {
                return;
            }
            out.open(arrayName);
            for (T one : items) {
                out.open(itemName);
                writer.accept(out, one);
                out.close();
            }
            out.close();
        };
    }

    /** The statuses of several SURLs, behind that of the request. */
    static XmlContent ofSurls(Status status, List<OfSurl> surls) {
        return of(status, array("arrayOfFileStatuses", "statusArray", surls, (out, one) -> one.write(out)));
    }

    static void put(XmlWriter out, String name, @Nullable String text) {
        if (text != null) {
            out.element(new QName(name), text);
        }
    }

    static void put(XmlWriter out, String name, long value) {
        out.element(new QName(name), Long.toString(value));
    }
}
