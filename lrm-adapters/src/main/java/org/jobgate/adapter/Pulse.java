// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jobgate.adapter.WireValue.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Whether the worker of an account still answers and its watch still gets answers of the LRM: found by asking it for its status again
 * and again. A worker that is at work on a long call answers late; only a silence longer than the patience is one.
 */
final class Pulse {

    private record Question(Worker worker, Instant at) {}

    private final String account;
    private final Clock clock;
    private @Nullable Question open;
    private @Nullable Instant answered;
    private @Nullable Instant polled;
    private String said = "";

    Pulse(String account, Clock clock) {
        this.account = requireNonNull(account, "account is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Asks the worker, unless it still owes an answer; gives it up if it owes it for longer than the given time. */
    void ask(Worker worker, Duration giveUpAfter) {
        Question fresh = new Question(worker, clock.instant());
        Question owed;
        synchronized (this) {
            owed = open != null && open.worker == worker ? open : null;
            if (owed == null) {
                answered = open == null || answered == null ? fresh.at : answered;
                open = fresh;
            }
        }
        if (owed == null) {
            var unused = worker.request("status", java.util.Map.of())
                    .whenComplete((answer, failure) -> answered(fresh, answer, failure));
        } else if (owed.at.plus(giveUpAfter).isBefore(fresh.at)) {
            worker.giveUp("did not say how it is within " + giveUpAfter.toSeconds() + " s");
        }
    }

    /** There is no worker, and nothing to expect. */
    synchronized void rest() {
        open = null;
        answered = null;
        polled = null;
        said = "";
    }

    private synchronized void answered(Question question, @Nullable Fields answer, @Nullable Throwable failure) {
        if (!question.equals(open)) {
            return;
        }
        open = null;
        if (answer == null) {
            said = failure == null || failure.getMessage() == null ? "" : failure.getMessage();
            return;
        }
        said = "";
        answered = clock.instant();
        boolean lives = answer.number("live", 0) > 0;
        Long at = lives && answer.values().get("status") instanceof Fields status ? status.number("polled_at") : null;
        polled = at == null ? null : Instant.ofEpochMilli(at);
    }

    /** How long ago the watch last read the LRM's word; null where there is nothing that it has to read. */
    synchronized @Nullable Duration pollAge() {
        return polled == null ? null : ageOf(polled);
    }

    private Duration ageOf(Instant time) {
        Duration age = Duration.between(time, clock.instant());
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** What is wrong for longer than the patience; empty where nothing is. */
    synchronized String trouble(Duration patience) {
        if (answered != null && ageOf(answered).compareTo(patience) > 0) {
            return "the worker of account " + account + " has not said how it is for "
                    + ageOf(answered).toSeconds() + " s" + (said.isEmpty() ? "" : " (" + said + ")")
                    + "; see what its process jobgate-worker and the LRM's commands below it wait for";
        }
        if (polled != null && ageOf(polled).compareTo(patience) > 0) {
            return "the watch on the jobs of account " + account + " has had no answer of the LRM for "
                    + ageOf(polled).toSeconds() + " s; see whether the LRM's own commands answer that account";
        }
        return "";
    }
}
