// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import java.time.Duration;

/** The SOAP header by which a client asks Jobgate to answer when there is news (docs/reference/gram4.md). Other services pass over it. */
public final class WaitHeader {

    private WaitHeader() {}

    /**
     * The header block.
     *
     * @param state what the client saw last
     * @param more other attributes, each with a space before it; may be empty
     * @param atMost how long the answer may wait
     */
    public static String of(String state, String more, Duration atMost) {
        StringBuilder out = new StringBuilder(160);
        out.append("<wait:Wait xmlns:wait=\"").append(Names.WAIT);
        out.append("\" soapenv:mustUnderstand=\"0\" timeoutMs=\"").append(atMost.toMillis());
        out.append("\" state=\"");
        XmlText.append(out, state);
        return out.append('"').append(more).append("/>").toString();
    }
}
