// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.jobs.NoCredentials;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.junit.jupiter.api.Test;

/** What is wrong with the credential of one job is no trouble of the others that go to the LRM with it. */
class ReadinessTest extends EngineTestBase {

    private static final JobDescription BAD =
            TRUE.toBuilder().arguments(List.of("bad")).build();

    @Test
    void aFaultOfTheProgramWithOneCredentialHoldsThatJobAloneAndIsTriedAgain() {
        AtomicBoolean isMended = new AtomicBoolean();
        engine.close();
        engine = new JobEngine(
                store,
                lrms(),
                null,
                failing(isMended),
                JobLimits.defaults(),
                QUICK,
                Clock.systemUTC(),
                new Random(1),
                Interlude.none());
        engine.start();
        Job bad = submit(BAD);
        Job good = submit(TRUE);

        awaitState(good.id(), JobState.PENDING);
        assertThat(store.find(bad.id()).orElseThrow().localIds()).isEmpty();

        isMended.set(true);
        awaitState(bad.id(), JobState.PENDING);
        awaitJob(bad.id(), job -> !job.localIds().isEmpty());
    }

    private static JobCredentials failing(AtomicBoolean isMended) {
        return (JobCredentials) Proxy.newProxyInstance(
                JobCredentials.class.getClassLoader(),
                new Class<?>[] {JobCredentials.class},
                (proxy, method, arguments) -> {
                    boolean isBad = method.getName().equals("place")
                            && ((JobDescription) arguments[1]).arguments().contains("bad");
                    if (isBad && !isMended.get()) {
                        throw new IllegalStateException("this is a fault of the program");
                    }
                    return method.invoke(NoCredentials.INSTANCE, arguments);
                });
    }
}
