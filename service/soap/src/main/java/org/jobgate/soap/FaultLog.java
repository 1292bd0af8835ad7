// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.message.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A refused request is the client's affair: one line for those who look for it, no stack trace. */
final class FaultLog implements FaultListener {

    private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);

    @Override
    public boolean faultOccurred(Exception exception, String description, Message message) {
        LOG.debug("{} answers a fault: {}", description, exception.getMessage());
        return false;
    }
}
