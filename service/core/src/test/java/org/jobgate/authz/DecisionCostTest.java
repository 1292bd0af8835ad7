// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.identity.Identity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a decision costs with lists as long as those of a large site; docs/internals/performance.md has the figures. */
class DecisionCostTest {

    private static final int ENTRIES = 10_000;
    private static final int DECISIONS = 50_000;
    private static final Duration MOST = Duration.ofNanos(100_000);

    @TempDir
    Path folder;

    @Test
    void aDecisionWithTenThousandSubjectsAndTenThousandBansTakesLessThanATenthOfAMillisecond() throws IOException {
        List<String> subjects = new ArrayList<>();
        List<String> bans = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++) {
            subjects.add("\"/DC=org/DC=grid/OU=People/CN=User Number " + i + "\" u" + i);
            bans.add("\"/DC=org/DC=grid/OU=People/CN=Banned Number " + i + "\"");
        }
        WatchedFile.Watch watch = new WatchedFile.Watch(Duration.ofSeconds(2), System::nanoTime, Runnable::run);
        GridMapfile map = new GridMapfile(Files.write(folder.resolve("map"), subjects), Set.of("root"), watch);
        BanList list = new BanList(Files.write(folder.resolve("bans"), bans), watch);
        Set<Action> all = EnumSet.allOf(Action.class);
        AuthorizationChain chain = new AuthorizationChain(
                Map.of(),
                List.of(Link.of("ban-list", all, list), Link.of("grid-mapfile", all, map)),
                CombiningRule.DENY_OVERRIDES,
                Set.of("root"));

        round(chain);
        long permitted = round(chain);
        assertThat(Duration.ofNanos(permitted / DECISIONS))
                .as("processor time of one decision with its line for the log")
                .isLessThan(MOST);
    }

    private static long round(AuthorizationChain chain) {
        long letters = 0;
        // of this thread alone: what else the machine does costs it time, not processor time
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < DECISIONS; i++) {
            String subject = "/DC=org/DC=grid/OU=People/CN=User Number " + i % (2 * ENTRIES);
            AuthzResult result = chain.rehearse(new Identity(subject, "tls", false), Action.SUBMIT);
            letters += result.line().length();
            assertThat(result.decision() instanceof Decision.Permit).isEqualTo(i % (2 * ENTRIES) < ENTRIES);
        }
        long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
        assertThat(letters).isPositive();
        return took;
    }
}
