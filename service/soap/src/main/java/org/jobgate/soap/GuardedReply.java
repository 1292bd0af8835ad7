// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.interceptor.StaxOutInterceptor;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/** Has the reply to a signed request signed, once it is written whole. */
final class GuardedReply extends AbstractPhaseInterceptor<Message> {

    GuardedReply() {
        super(Phase.PRE_STREAM);
        addBefore(StaxOutInterceptor.class.getName());
    }

    @Override
    public void handleMessage(Message message) {
        MessageGuard.Opened request = message.getExchange().get(MessageGuard.Opened.class);
        OutputStream wire = message.getContent(OutputStream.class);
        if (request == null || request.signing() == null || wire == null) {
            return;
        }
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        message.setContent(OutputStream.class, reply);
        message.getInterceptorChain().doIntercept(message);
        try {
            wire.write(request.signing().apply(reply.toByteArray()));
            wire.flush();
        } catch (IOException e) {
            throw new Fault(e);
        }
        message.setContent(OutputStream.class, wire);
    }
}
