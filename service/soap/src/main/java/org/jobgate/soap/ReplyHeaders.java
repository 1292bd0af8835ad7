// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.SoapHeader;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.message.MessageContentsList;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.jspecify.annotations.Nullable;

/** Adds the headers that the dialect of the service gives to its replies and faults. */
final class ReplyHeaders extends AbstractPhaseInterceptor<SoapMessage> {

    /** CXF wants a name for a header block; ours writes all blocks, each with its own. */
    private static final QName NAME = new QName("https://jobgate.org/ns/2026/service", "headers");

    private final Dialect dialect;
    private final String address;
    private final ReplyDataBinding dataBinding = new ReplyDataBinding();

    ReplyHeaders(Dialect dialect, String address) {
        super(Phase.PRE_PROTOCOL);
        this.dialect = dialect;
        this.address = address;
    }

    @Override
    public void handleMessage(SoapMessage message) {
        dialect.replyHeaders(RequestHead.of(message), address, action(message))
                .ifPresent(headers -> message.getHeaders().add(new SoapHeader(NAME, headers, dataBinding)));
    }

    private static @Nullable String action(SoapMessage message) {
        MessageContentsList content = MessageContentsList.getContentsList(message);
        return content != null && !content.isEmpty() && content.get(0) instanceof ReplySource source
                ? source.reply().action()
                : null;
    }
}
