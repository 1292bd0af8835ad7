// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.subscription;

import org.jobgate.gt4.Actions;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.Reply;
import org.jobgate.xml.XmlContent;

/** What a resource answers as a producer of notifications (captures 21, 24 and 31). */
public final class ProducerReplies {

    private ProducerReplies() {}

    /** The answer to {@code Subscribe}. */
    public static Reply subscribed(Generation generation, EndpointReference subscription) {
        return new Reply(Actions.producer(generation, "Subscribe"), out -> {
            out.open(generation.notification("SubscribeResponse"));
            subscription.write(out, generation, generation.notification("SubscriptionReference"));
            out.close();
        });
    }

    /**
     * The answer to {@code GetCurrentMessage}.
     *
     * @param message writes the message that a consumer would have got last
     */
    public static Reply currentMessage(Generation generation, XmlContent message) {
        return new Reply(Actions.producer(generation, "GetCurrentMessage"), out -> {
            out.open(generation.notification("GetCurrentMessageResponse"));
            message.write(out);
            out.close();
        });
    }
}
