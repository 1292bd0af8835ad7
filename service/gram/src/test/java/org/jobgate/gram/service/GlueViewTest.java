// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmCapabilities.Queue;
import org.jobgate.xml.XmlWriter;
import org.junit.jupiter.api.Test;

class GlueViewTest {

    private static final Queue SHORT = new Queue(
            "short", false, true, 64L, 10L, 5L, 7L, 100L, Duration.ofMinutes(90), 32L, "up", "x86_64", 128_000L);
    private static final Queue LONG =
            new Queue("long", false, false, 64L, 10L, 2L, 1L, null, Duration.ofDays(2), null, "down", null, null);

    private static GlueView view(Queue... queues) {
        return new GlueView("Slurm", "gate.example.org", new LrmCapabilities("slurm", List.of(queues)));
    }

    @Test
    void everythingThatIsKnownOfAQueueIsShown() {
        String text = XmlWriter.toText(view(SHORT, LONG)::write);

        assertThat(text)
                .contains("glue:Name=\"short\" glue:UniqueID=\"Slurm/short\"", "Default=\"true\"")
                .contains("glue:HostName=\"gate.example.org\" glue:LRMSType=\"slurm\" glue:TotalCPUs=\"64\"")
                .contains("glue:Status=\"up\" glue:FreeCPUs=\"10\" glue:RunningJobs=\"5\" glue:WaitingJobs=\"7\"")
                .contains("glue:TotalJobs=\"12\"", "glue:MaxRunningJobs=\"100\" glue:MaxWallClockTime=\"90\"")
                .contains("MaxProcessors=\"32\"", "glue:PlatformType=\"x86_64\"", "glue:RAMSize=\"128000\"")
                .contains("glue:Name=\"long\" glue:UniqueID=\"Slurm/long\"><", "glue:MaxWallClockTime=\"2880\"");
        assertThat(text.split("<glue:Cluster ", -1)).hasSize(2);
    }

    @Test
    void theSummaryAddsJobsUpAndNotProcessorsThatQueuesMayShare() {
        String text = XmlWriter.toText(view(SHORT, LONG)::writeSummary);

        assertThat(text)
                .contains("<glue:GLUECESummary", "glue:Name=\"Slurm\"")
                .contains("glue:RunningJobs=\"7\" glue:WaitingJobs=\"8\" glue:TotalJobs=\"15\"")
                .doesNotContain("TotalCPUs", "FreeCPUs");
        assertThat(XmlWriter.toText(view(SHORT)::writeSummary)).contains("glue:TotalCPUs=\"64\"", "FreeCPUs=\"10\"");
    }

    @Test
    void aNumberThatOneQueueDoesNotTellIsNotInTheSummary() {
        Queue silent = new Queue("silent", null, null, null, 3L, null);

        assertThat(XmlWriter.toText(view(SHORT, silent)::writeSummary))
                .contains("glue:WaitingJobs=\"10\"")
                .doesNotContain("RunningJobs", "TotalJobs");
    }

    @Test
    void ofAnLrmWithoutKnownQueuesThereIsNothing() {
        assertThat(XmlWriter.toText(out -> {
                    out.open(GlueView.NAME);
                    view().write(out);
                    view().writeSummary(out);
                    out.close();
                }))
                .doesNotContain("ComputingElement", "GLUECESummary");
    }
}
