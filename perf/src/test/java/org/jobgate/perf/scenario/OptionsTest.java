// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jobgate.perf.Main;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Options that make no sense together are refused before anything is made. */
class OptionsTest {

    private final StringWriter err = new StringWriter();

    private void assertRefused(String why, String... command) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setErr(new PrintWriter(err, true));
        assertThat(commandLine.execute(command)).isEqualTo(2);
        assertThat(err.toString()).contains(why);
    }

    @Test
    void asManyUsersAsConnectionsAreTaken() {
        CommandLine.ParseResult parsed =
                Main.commandLine().parseArgs("submit-rate", "--connections", "8", "--users", "8");
        Scenario scenario = (Scenario) parsed.subcommand().commandSpec().userObject();

        assertThatCode(scenario::checkOptions).doesNotThrowAnyException();
    }

    @Test
    void eachUserNeedsAConnection() {
        assertRefused("--users wants 1 to 8", "submit-rate", "--connections", "8", "--users", "9");
        assertRefused("--users wants 1 to 16", "throughput", "--users", "17");
        assertRefused("--users wants 1 to 100", "bestman", "--clients", "1,100", "--users", "101");
        assertRefused("and has 0", "submit-rate", "--users", "0");
    }

    @Test
    void numbersOfJobsAreAtLeastOne() {
        assertRefused("--jobs wants numbers of at least 1", "restart", "--jobs", "10,0");
        assertRefused("--peer-jobs wants at least 1", "ice", "--peer-jobs", "0");
        assertRefused("--repeat wants at least 1", "cream", "--repeat", "0");
        assertRefused("--bulk wants numbers of at least 1", "cream", "--bulk", "0");
        assertRefused("--door", "ice", "--door", "bes");
        assertRefused("--jobs wants at least 1", "ice", "--jobs", "0");
        assertRefused("--stock is for --door condor-g", "ice", "--stock");
        assertRefused("--door condor-g is for ice", "cream", "--door", "condor-g");
        assertRefused("--bulk wants 1 to --live", "status", "--door", "arc", "--bulk", "11", "--live", "10");
        assertRefused("--bulk is for --door arc", "status", "--bulk", "2");
        assertRefused("--bulk is for --door arc", "submit-rate", "--bulk", "2");
        assertRefused("are not for --door arc", "submit-rate", "--door", "arc", "--run");
        assertRefused("with Fork only", "notice", "--door", "arc", "--lrm", "slurm");
        assertRefused("--jobs wants 1 to 500", "notice", "--jobs", "501");
        assertRefused("--every wants 1 to 60000", "notice", "--every", "0");
        assertRefused("--link-streams 1 to 32", "arft", "--link-streams", "33");
        assertRefused("--links wants Mbit/s of 0 to 100000", "arft", "--links", "-1");
        assertRefused("--clients wants numbers from 0", "skeletonkey", "--clients", "1,257");
        assertRefused("--repeat wants at least 1", "skeletonkey", "--repeat", "0");
        assertRefused("--warmup must be at least 1", "table3", "--warmup", "0");
    }

    @Test
    void bulkTakesWholeRequestsOfNoMoreJobsThanTheServiceDoes() {
        assertRefused("--batch must be from 1 to 1000", "bulk", "--batch", "1001");
        assertRefused("--jobs must be a multiple of --batch", "bulk", "--jobs", "1500");
        assertRefused("--connections and --repeat must be at least 1", "bulk", "--repeat", "0");
        assertRefused("may have 100000 jobs", "bulk", "--repeat", "10");
    }
}
