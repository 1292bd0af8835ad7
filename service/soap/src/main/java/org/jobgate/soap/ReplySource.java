// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import javax.xml.transform.sax.SAXSource;

/** A reply on its way through CXF, which knows it as a source; {@link ReplyDataBinding} writes it. */
final class ReplySource extends SAXSource {

    private final Reply reply;

    ReplySource(Reply reply) {
        this.reply = reply;
    }

    Reply reply() {
        return reply;
    }
}
