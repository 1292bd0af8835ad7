// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import org.jobgate.cli.cream.CreamException;
import org.jobgate.cli.cream.Endpoint;

/** Queues of computing elements, written HOST:PORT/cream-LRMS-QUEUE. */
final class Places {

    private static final int PORT = 8443;

    private Places() {}

    /** In the form in which the queue keeps it: always with a port. */
    static String canonical(String text) throws CreamException {
        Endpoint.Queue queue = Endpoint.queue(text, PORT);
        return queue.endpoint() + "/cream-" + queue.lrm() + "-" + queue.name();
    }

    /** The computing element of a place. */
    static String endpoint(String place) {
        return place.substring(0, place.indexOf('/'));
    }

    static Endpoint.Queue queue(String place) throws CreamException {
        return Endpoint.queue(place, PORT);
    }

    static Endpoint parse(String endpoint) throws CreamException {
        return Endpoint.parse(endpoint, PORT);
    }
}
