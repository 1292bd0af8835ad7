// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jobgate.perf.gateway.Account;
import org.jobgate.perf.gateway.Commands;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.wire.HttpReply;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PeersTest {

    private static final Path FILES = Path.of("/home/a/run");
    private static final LabGrid GRID = new LabGrid(Path.of("/pki"), new Account("nobody-else"));
    private static final Work PLAIN = new Work(Work.Delegation.NONE, false, false);
    private static final Work BOTH = new Work(Work.Delegation.PER_JOB, true, true);
    private static final Work SHARED = new Work(Work.Delegation.SHARED, true, false);

    private static Gram5 gram5() {
        Commands commands = new Commands(Path.of("/tmp/unused"), Map.of(), Duration.ofSeconds(1));
        return new Gram5("seg", GRID, commands, FILES);
    }

    @Test
    void theRowsAreThoseOfThePaper() {
        assertThat(Work.ALL)
                .extracting(Work::label)
                .containsExactly(
                        "none / none / none",
                        "per job / none / none",
                        "per job / 1 x 10 KB / none",
                        "per job / 1 x 10 KB / 1 x 10 KB",
                        "shared / 1 x 10 KB / none",
                        "shared / 1 x 10 KB / 1 x 10 KB");
    }

    @Test
    void gram5IsAskedByItsOwnClient() {
        assertThat(gram5().command(PLAIN, 7))
                .containsExactly(
                        "globusrun",
                        "-q",
                        "-r",
                        "localhost:2119/jobmanager-fork-seg:/O=Grid/OU=lab/CN=gridftp-gram5",
                        "&(executable=/bin/true)");
    }

    @Test
    void gram5GetsItsFilesFromTheSameServers() {
        assertThat(gram5().command(BOTH, 7).getLast())
                .isEqualTo(
                        "&(executable=/bin/true)"
                                + "(file_stage_in=(gsiftp://localhost:2811/home/a/run/10k /home/a/run/GRAM5-seg-in.7))"
                                + "(file_stage_out=(/home/a/run/GRAM5-seg-in.7 gsiftp://127.0.0.2:2812/home/a/run/GRAM5-seg-out.7))");
    }

    @Test
    void gram5HasNoSharedCredentials() {
        assertThat(gram5().does(SHARED)).isFalse();
        assertThat(gram5().does(BOTH)).isTrue();
    }

    @Test
    void aPeerThatIsNotThereSaysHowToBringItUp() {
        Arex arex = new Arex(Arex.Kind.STOCK, new LabGrid(Path.of("/nowhere"), new Account("a")), FILES);

        assertThat(arex.absence()).hasValueSatisfying(why -> assertThat(why).contains("docker/lab/arex up"));
    }

    @Test
    void theTunedArexIsAnotherOneAndSaysHowToBringItUp() {
        Arex tuned = new Arex(Arex.Kind.TUNED, new LabGrid(Path.of("/nowhere"), new Account("a")), FILES);

        assertThat(tuned.name()).isEqualTo("A-REX tuned");
        assertThat(tuned.absence())
                .hasValueSatisfying(why -> assertThat(why).contains("4438", "JOBGATE_LAB_AREX_TUNED=1"));
    }

    @Test
    void arexGetsTheSameFiles() {
        assertThat(new Arex(Arex.Kind.STOCK, GRID, FILES).description(BOTH, 7, "abc"))
                .contains("<InputFile><Name>in</Name><Source><URI>gsiftp://localhost:2811/home/a/run/10k</URI>")
                .contains(
                        "<OutputFile><Name>in</Name><Target><URI>gsiftp://127.0.0.2:2812/home/a/run/STOCK-out.7</URI>");
    }

    @Test
    void eachFileOfArexNamesItsCredential() {
        String both = new Arex(Arex.Kind.STOCK, GRID, FILES).description(BOTH, 7, "abc");

        assertThat(both)
                .contains("<DelegationID>abc</DelegationID></Source>", "<DelegationID>abc</DelegationID></Target>");
        assertThat(new Arex(Arex.Kind.STOCK, GRID, FILES).description(PLAIN, 7, ""))
                .doesNotContain("DataStaging", "DelegationID");
    }

    @Test
    void arexTellsARefusalInTheBody() throws Exception {
        String good = "{\"job\":[{\"status-code\":\"201\",\"id\":\"abc\"}]}";
        assertThat(Arex.created(new HttpReply(201, Map.of(), good))).isEqualTo("abc");
        assertThat(Arex.created(
                        new HttpReply(201, Map.of(), good.replace("[", "").replace("]", ""))))
                .isEqualTo("abc");
        String bad = "{\"job\":[{\"status-code\":\"500\",\"reason\":\"no\"}]}";
        assertThatIOException()
                .isThrownBy(() -> Arex.created(new HttpReply(201, Map.of(), bad)))
                .withMessageContaining("\"no\"");
        assertThatIOException().isThrownBy(() -> Arex.created(new HttpReply(201, Map.of(), "<html>")));
    }

    @Test
    void slurmrestdIsAskedForTheProgramByAScript() {
        JsonNode asked =
                JsonMapper.builder().build().readTree(Slurmrestd.description("perf", List.of("/bin/sleep", "5")));

        assertThat(asked.path("script").asString()).isEqualTo("#!/bin/sh\nexec /bin/sleep 5\n");
        assertThat(asked.path("job").path("name").asString()).isEqualTo("perf");
    }

    @Test
    void slurmrestdTellsARefusalInItsErrors() throws Exception {
        Slurmrestd.requireJob(200, "{\"errors\":[],\"job_id\":7}");
        assertThatIOException()
                .isThrownBy(() -> Slurmrestd.requireJob(200, "{\"errors\":[{\"error\":\"no\"}],\"job_id\":7}"))
                .withMessageContaining("\"no\"");
        assertThatIOException().isThrownBy(() -> Slurmrestd.requireJob(200, "{\"errors\":[]}"));
        assertThatIOException()
                .isThrownBy(() -> Slurmrestd.requireJob(500, "Authentication failure"))
                .withMessageContaining("Authentication failure");
    }

    @Test
    void commandsOfAnotherAccountAreRunAsIt() {
        assertThat(GRID.account().words(List.of("id", "-un")))
                .containsExactly(
                        "setpriv", "--reuid", "nobody-else", "--regid", "nobody-else", "--init-groups", "id", "-un");
        assertThat(new Account(System.getProperty("user.name")).words(List.of("id")))
                .containsExactly("id");
    }
}
