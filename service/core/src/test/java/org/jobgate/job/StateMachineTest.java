// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StateMachineTest {

    private static final Path PAGE = Path.of(System.getProperty("jobgate.root", "."), "docs", "reference", "states.md");

    @Test
    void aTerminalStateNeverChanges() {
        for (JobState state : JobState.values()) {
            if (state.isTerminal()) {
                for (JobEvent event : JobEvent.values()) {
                    assertThat(StateMachine.next(state, event))
                            .as("%s on %s", state, event)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void everyLiveStateReachesATerminalOne() {
        for (JobState state : JobState.values()) {
            assertThat(reachable(state)).as("from %s", state).anyMatch(JobState::isTerminal);
        }
    }

    @Test
    void everyStateIsReachableFromTheFirst() {
        assertThat(reachable(JobState.UNSUBMITTED)).containsExactlyInAnyOrder(JobState.values());
    }

    @Test
    void everyEventMeansSomethingSomewhere() {
        for (JobEvent event : JobEvent.values()) {
            assertThat(JobState.values())
                    .as("%s", event)
                    .anyMatch(state -> StateMachine.next(state, event).isPresent());
        }
    }

    @Test
    void onlyTheCleanUpLeadsToATerminalState() {
        for (JobState state : JobState.values()) {
            for (JobEvent event : JobEvent.values()) {
                StateMachine.next(state, event)
                        .filter(JobState::isTerminal)
                        .ifPresent(next ->
                                assertThat(state).as("%s to %s", event, next).isEqualTo(JobState.CLEAN_UP));
            }
        }
    }

    /** Run with -Djobgate.docs=write to write the page anew. */
    @Test
    void thePageOfStatesIsTheTable() throws IOException {
        String expected = new StateTablePage().render();
        if ("write".equals(System.getProperty("jobgate.docs"))) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, expected);
        }
        assertThat(Files.readString(PAGE))
                .as("docs/reference/states.md is made from StateMachine; write it anew with -Djobgate.docs=write")
                .isEqualTo(expected);
    }

    private static Set<JobState> reachable(JobState start) {
        Set<JobState> seen = EnumSet.of(start);
        boolean grown = true;
        while (grown) {
            Set<JobState> next = EnumSet.copyOf(seen);
            for (JobState state : seen) {
                for (JobEvent event : JobEvent.values()) {
                    StateMachine.next(state, event).ifPresent(next::add);
                }
            }
            grown = seen.addAll(next);
        }
        return seen;
    }
}
