// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/** Puts {@link EnvelopeForm} before the reader of a request, right when there is one. */
final class WholeEnvelope extends AbstractPhaseInterceptor<Message> {

    WholeEnvelope() {
        super(Phase.POST_STREAM);
        addAfter(StaxInInterceptor.class.getName());
    }

    @Override
    public void handleMessage(Message message) {
        XMLStreamReader reader = message.getContent(XMLStreamReader.class);
        if (reader != null) {
            EnvelopeForm form = new EnvelopeForm(reader);
            message.setContent(XMLStreamReader.class, form);
            message.getExchange().put(EnvelopeForm.class, form);
        }
    }
}
