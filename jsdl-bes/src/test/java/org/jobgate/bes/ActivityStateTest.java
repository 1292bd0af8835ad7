// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jobgate.bes.ActivityState.SubState;
import org.jobgate.job.ElementCounts;
import org.jobgate.job.ElementState;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobState;
import org.jobgate.job.StateMachine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The map from the states of jobs to those of the basic model (GFD.108 section 4.1), all of it. */
class ActivityStateTest {

    /** What may follow what in the basic model. */
    private static final Map<BaseState, Set<BaseState>> MODEL = Map.of(
            BaseState.PENDING, EnumSet.allOf(BaseState.class),
            BaseState.RUNNING, EnumSet.of(BaseState.RUNNING, BaseState.FINISHED, BaseState.FAILED, BaseState.CANCELLED),
            BaseState.FINISHED, EnumSet.of(BaseState.FINISHED),
            BaseState.FAILED, EnumSet.of(BaseState.FAILED),
            BaseState.CANCELLED, EnumSet.of(BaseState.CANCELLED));

    private static final List<Boolean> BOTH = List.of(false, true);

    @ParameterizedTest
    @EnumSource(JobState.class)
    void everyStateHasABaseStateAndASubStateUnlessItIsFinal(JobState state) {
        for (boolean isHeld : BOTH) {
            for (boolean hasBegun : BOTH) {
                ActivityState said = ActivityState.of(state, isHeld, hasBegun);
                assertThat(said.base().isFinal()).isEqualTo(state.isTerminal());
                assertThat(said.sub() == null).isEqualTo(state.isTerminal());
            }
        }
    }

    /** Whatever happens to a job, its activity takes a way that the basic model has. */
    @Test
    void noEventTakesAnActivityAWayThatTheModelDoesNotHave() {
        int ways = 0;
        for (JobState from : JobState.values()) {
            for (JobEvent event : JobEvent.values()) {
                for (boolean hasBegun : BOTH) {
                    JobState to = StateMachine.next(from, event).orElse(from);
                    // who was in STAGE_IN has input files, and who was ACTIVE was started
                    boolean hasBegunThen = hasBegun || from == JobState.STAGE_IN || from == JobState.ACTIVE;
                    BaseState before =
                            ActivityState.of(from, false, hasBegunThen).base();
                    BaseState after = ActivityState.of(to, false, hasBegunThen).base();
                    assertThat(MODEL.get(before))
                            .as("%s by %s to %s", from, event, to)
                            .contains(after);
                    ways += to == from ? 0 : 1;
                }
            }
        }
        assertThat(ways).isGreaterThan(20);
    }

    /** A hold that begins or ends is no way back either. */
    @Test
    void noHoldTakesAnActivityAWayThatTheModelDoesNotHave() {
        for (JobState state : JobState.values()) {
            for (boolean hasBegun : BOTH) {
                BaseState held = ActivityState.of(state, true, hasBegun).base();
                BaseState free = ActivityState.of(state, false, hasBegun).base();
                assertThat(MODEL.get(held)).as("%s released", state).contains(free);
                // a hold begins before the work of the state does: then there is nothing of it to go back from
                if (state != JobState.STAGE_IN) {
                    assertThat(MODEL.get(free)).as("%s held", state).contains(held);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            UNSUBMITTED, false, false, PENDING,   ACCEPTED
            UNSUBMITTED, true,  false, PENDING,   HELD
            STAGE_IN,    false, false, RUNNING,   STAGING_IN
            STAGE_IN,    true,  false, PENDING,   HELD
            PENDING,     false, false, PENDING,   QUEUED
            PENDING,     false, true,  RUNNING,   QUEUED
            PENDING,     true,  false, PENDING,   HELD
            ACTIVE,      false, true,  RUNNING,   EXECUTING
            SUSPENDED,   false, false, PENDING,   SUSPENDED
            SUSPENDED,   false, true,  RUNNING,   SUSPENDED
            STAGE_OUT,   false, true,  RUNNING,   STAGING_OUT
            STAGE_OUT,   true,  true,  RUNNING,   HELD
            CLEAN_UP,    false, true,  RUNNING,   CLEANING_UP
            UNSUBMITTED, false, true,  PENDING,   ACCEPTED
            UNSUBMITTED, true,  true,  PENDING,   HELD
            STAGE_IN,    false, true,  RUNNING,   STAGING_IN
            STAGE_IN,    true,  true,  PENDING,   HELD
            PENDING,     true,  true,  RUNNING,   HELD
            ACTIVE,      false, false, RUNNING,   EXECUTING
            ACTIVE,      true,  false, RUNNING,   EXECUTING
            ACTIVE,      true,  true,  RUNNING,   EXECUTING
            SUSPENDED,   true,  false, PENDING,   HELD
            SUSPENDED,   true,  true,  RUNNING,   HELD
            STAGE_OUT,   false, false, RUNNING,   STAGING_OUT
            STAGE_OUT,   true,  false, RUNNING,   HELD
            CLEAN_UP,    false, false, RUNNING,   CLEANING_UP
            CLEAN_UP,    true,  false, RUNNING,   HELD
            CLEAN_UP,    true,  true,  RUNNING,   HELD
            """)
    void theMap(JobState state, boolean isHeld, boolean hasBegun, BaseState base, SubState sub) {
        assertThat(ActivityState.of(state, isHeld, hasBegun)).isEqualTo(new ActivityState(base, sub));
    }

    @ParameterizedTest
    @EnumSource(ElementState.class)
    void everyStateOfAPointHasOneOfAnActivity(ElementState state) {
        assertThat(ActivityState.ofPoint(state).base().isFinal()).isEqualTo(state.isOver());
    }

    private static ElementCounts counts(ElementState... states) {
        Map<ElementState, Long> counts = new EnumMap<>(ElementState.class);
        Stream.of(states).forEach(state -> counts.merge(state, 1L, Long::sum));
        return new ElementCounts(counts);
    }

    @Test
    void aSweepIsPendingUntilAPointBeginsAndRunningUntilTheLastIsOver() {
        assertThat(ActivityState.ofSweep(counts(ElementState.WAITING, ElementState.PENDING), false)
                        .base())
                .isEqualTo(BaseState.PENDING);
        assertThat(ActivityState.ofSweep(counts(ElementState.WAITING, ElementState.PENDING), true)
                        .base())
                .isEqualTo(BaseState.RUNNING);
        assertThat(ActivityState.ofSweep(counts(ElementState.WAITING, ElementState.DONE), false))
                .isEqualTo(new ActivityState(BaseState.RUNNING, SubState.SWEEPING));
        assertThat(ActivityState.ofSweep(counts(ElementState.DONE, ElementState.ACTIVE), false)
                        .base())
                .isEqualTo(BaseState.RUNNING);
    }

    @Test
    void howASweepEndedIsToldByItsWorstPoint() {
        assertThat(ActivityState.ofSweep(counts(ElementState.DONE), false).base())
                .isEqualTo(BaseState.FINISHED);
        assertThat(ActivityState.ofSweep(counts(ElementState.DONE, ElementState.FAILED), false)
                        .base())
                .isEqualTo(BaseState.FAILED);
        assertThat(ActivityState.ofSweep(counts(ElementState.CANCELLED, ElementState.FAILED), false)
                        .base())
                .isEqualTo(BaseState.CANCELLED);
    }
}
