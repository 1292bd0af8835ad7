// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import java.util.Arrays;
import java.util.Optional;

/** How a job of the queue stands: two states of our own, then those of CREAM. */
enum IceState {
    /** It has been sent to no computing element. */
    QUEUED(false),
    /** A registration may have reached the computing element; what became of it is not known. */
    SENDING(false),
    REGISTERED(false),
    PENDING(false),
    IDLE(false),
    RUNNING(false),
    REALLY_RUNNING(false),
    HELD(false),
    DONE_OK(true),
    DONE_FAILED(true),
    ABORTED(true),
    CANCELLED(true);

    private final boolean isEnd;

    IceState(boolean isEnd) {
        this.isEnd = isEnd;
    }

    boolean isEnd() {
        return isEnd;
    }

    /** As it is shown, and as CREAM calls its own. */
    String word() {
        return name().replace('_', '-');
    }

    static Optional<IceState> of(String word) {
        return Arrays.stream(values())
                .filter(state -> state.word().equals(word))
                .findFirst();
    }

    /** The state of CREAM with this number, as its events have it; empty where a job of ours has no such state. */
    static Optional<IceState> ofNumber(String number) {
        return switch (number) {
            case "0" -> Optional.of(REGISTERED);
            case "1" -> Optional.of(PENDING);
            case "2" -> Optional.of(IDLE);
            case "3" -> Optional.of(RUNNING);
            case "4" -> Optional.of(REALLY_RUNNING);
            case "5" -> Optional.of(CANCELLED);
            case "6" -> Optional.of(HELD);
            case "7" -> Optional.of(DONE_OK);
            case "8" -> Optional.of(DONE_FAILED);
            case "10" -> Optional.of(ABORTED);
            default -> Optional.empty();
        };
    }
}
