// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Testcontainers;

/** Each batch system comes up in its image and runs a job of an ordinary account, which ends with the code of its program. */
@Testcontainers(disabledWithoutDocker = true)
class LabImagesIT {

    private static final String CONDOR = """
            printf '%s\\n' executable=/bin/false should_transfer_files=NO log=/tmp/job.log queue | condor_submit -terse - >&2
            condor_wait -wait 240 /tmp/job.log >&2
            # the schedd puts a job into its history a little after the end is in the log
            for i in $(seq 600); do
                code=$(condor_history -limit 1 -af ExitCode)
                test -z "$code" || exit "$code"
                sleep 0.2
            done
            echo no history >&2
            exit 9
            """;
    private static final String SLURM = "exec sbatch --quiet --wait --output=/dev/null --wrap=/bin/false";
    private static final String SGE = "exec qsub -sync y -b y -o /dev/null -e /dev/null /bin/false";

    @ParameterizedTest
    @CsvSource({"htcondor", "slurm", "sge"})
    void runsAJobOfAnAccount(String system) throws IOException, InterruptedException {
        try (var lab = new GenericContainer<>(Checkout.labImage(system))) {
            lab.withCreateContainerCmdModifier(
                            command -> command.getHostConfig().withInit(true))
                    .waitingFor(Wait.forHealthcheck().withStartupTimeout(Duration.ofMinutes(6)));
            lab.start();

            ExecResult result = lab.execInContainer(
                    "bash",
                    "-c",
                    "eval \"$(/opt/jobgate-lab/%s env)\"; exec /opt/jobgate-lab/accounts run jobgate-b sh -c '%s'"
                            .formatted(system, job(system).replace("'", "'\\''")));

            assertThat(result.getExitCode())
                    .as(result.getStdout() + result.getStderr())
                    .isEqualTo(1);
            assertThat(result.getStderr()).doesNotContainIgnoringCase("error").doesNotContain("not found");
        }
    }

    private static String job(String system) {
        return switch (system) {
            case "htcondor" -> CONDOR;
            case "slurm" -> SLURM;
            case "sge" -> SGE;
            default -> throw new IllegalArgumentException(system);
        };
    }
}
