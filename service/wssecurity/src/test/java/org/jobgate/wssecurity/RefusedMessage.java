// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jobgate.soap.MessageGuard;

/**
 * A message that must not pass.
 *
 * @param code the local part of the fault's code
 * @param reason what the fault says
 */
record RefusedMessage(String name, Function<MessageGuard, Envelope> message, String code, String reason) {

    /** Who signs them, or should have. */
    static final TestSigner GRID = new TestSigner();

    @Override
    public String toString() {
        return name;
    }

    /** One that a client has made in this way. */
    static RefusedMessage options(String name, Consumer<TestMessages.Options> change, String code, String reason) {
        return new RefusedMessage(
                name,
                guard -> {
                    TestMessages.Options options = new TestMessages.Options(GRID.alice());
                    change.accept(options);
                    return TestMessages.signed(options);
                },
                code,
                reason);
    }

    /** One that was changed on its way. */
    static RefusedMessage tampered(String name, Consumer<Envelope> change, String code, String reason) {
        return new RefusedMessage(
                name,
                guard -> {
                    Envelope envelope = TestMessages.signed(new TestMessages.Options(GRID.alice()));
                    change.accept(envelope);
                    return envelope;
                },
                code,
                reason);
    }
}
