// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.authz;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.function.Function;
import org.jobgate.authz.AuthzRequest;
import org.jobgate.authz.PointDecision;

/** How a service outside is asked. */
public interface Wording {

    /** JSON, as docs/operate/authorization.md has it. */
    Wording JSON = request -> Asked.of(
            Map.of("Content-Type", "application/json", "Accept", "application/json"),
            CalloutMessage.question(request),
            CalloutMessage::answer);

    /**
     * One question.
     *
     * @param headers of the request
     * @param answer reads what comes back; throws IllegalArgumentException that says what is wrong with it
     */
    @SuppressWarnings("ArrayRecordComponent") // made once, sent once, never compared
    record Asked(Map<String, String> headers, byte[] body, Function<byte[], PointDecision> answer) {
        public Asked {
            headers = Map.copyOf(headers);
            requireNonNull(body, "body is null");
            requireNonNull(answer, "answer is null");
        }

        static Asked of(Map<String, String> headers, byte[] body, Function<byte[], PointDecision> answer) {
            return new Asked(headers, body, answer);
        }

        /** A question that need not be asked. */
        static Asked nothing(PointDecision decision) {
            return new Asked(Map.of(), new byte[0], bytes -> decision);
        }

        boolean isNothing() {
            return body.length == 0;
        }
    }

    /** What is asked about a request. */
    Asked ask(AuthzRequest request);
}
