// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import static java.util.Objects.requireNonNull;

/**
 * A consumer of messages, as one subscription names it.
 *
 * @param key names the subscription; messages to one key are sent one after the other
 * @param owner whose subscription it is: owners take turns
 * @param address the URL that messages are posted to, as the client gave it
 * @param subject what it is told about, for the log
 * @param givenUp is run once the consumer is told no more, because it took no message for too long or may not be called
 */
public record Recipient(String key, String owner, String address, String subject, Runnable givenUp) {

    public Recipient {
        requireNonNull(key, "key is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(address, "address is null");
        requireNonNull(subject, "subject is null");
        requireNonNull(givenUp, "givenUp is null");
    }
}
