// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.transfer.LocalFiles;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.file.FileProtocol;
import org.jobgate.transfer.file.SmallFiles;
import org.jobgate.transfer.https.HttpsProtocol;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jobgate.transfer.sftp.SftpProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobFilesTest {

    private static final LocalFiles FILES = new LocalFiles();
    private static final FileRules RULES = new FileRules(new Protocols(List.of(
            new FileProtocol(FILES, FILES),
            new HttpsProtocol(
                    credential -> {
                        throw new IllegalStateException("nothing is moved here");
                    },
                    Duration.ofSeconds(1),
                    new UrlPolicy(true)),
            new SftpProtocol(new SmallFiles(FILES), Duration.ofSeconds(1)))));

    private static JobDescription staging(String source, String destination) {
        return JobDescription.builder("/bin/true")
                .transfers(new TransferList(List.of(new Transfer(source, destination)), List.of(), List.of()))
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "https://a/b, file:///c, , ",
        "https://a/b/, file:///c/, , ",
        "https://a/b, file:///c/, INVALID_DESCRIPTION, both URLs end with a slash",
        "nfs://a/b, file:///c, UNSUPPORTED_FEATURE, Files cannot be moved with nfs:",
        "https://u:secret@a/b, file:///c, INVALID_DESCRIPTION, must not name a user",
        "sftp://u@a/b, file:///c, , ",
        "sftp://u:secret@a/b, file:///c, INVALID_DESCRIPTION, must not name a user",
        "sftp://u%3Asecret@a/b, file:///c, INVALID_DESCRIPTION, must not name a user",
        "https://u@a/b, file:///c, INVALID_DESCRIPTION, must not name a user",
        "ftp://a/b, file:///c, UNSUPPORTED_FEATURE, 'Files cannot be moved with ftp: here; known are: file, https, sftp'",
        "file:///c, file:///c, INVALID_DESCRIPTION, onto itself",
    })
    void filesThatCannotBeMovedAreRefusedBeforeTheJobIsStored(
            String source, String destination, FaultCode code, String sentence) {
        var refusal = RULES.refusal(staging(source, destination));
        if (code == null) {
            assertThat(refusal).isEmpty();
        } else {
            assertThat(refusal.orElseThrow().code()).isEqualTo(code);
            assertThat(refusal.orElseThrow().sentence()).contains(sentence).doesNotContain("secret");
        }
    }

    @Test
    void inputAndOutputByUrlLieInTheJobsScratchDirectory() {
        JobDescription prepared = Preparation.of(
                JobDescription.builder("/bin/cat")
                        .stdin("https://a/in")
                        .stdout("https://a/out")
                        .stderr("file:///tmp/err%20")
                        .build(),
                "/home/alice/.globus/scratch/7");

        assertThat(prepared.stdin()).isEqualTo("/home/alice/.globus/scratch/7/stdin");
        assertThat(prepared.stdout()).isEqualTo("/home/alice/.globus/scratch/7/stdout");
        assertThat(prepared.stderr()).isEqualTo("/tmp/err ");
        assertThat(prepared.transfers().stageIn())
                .containsExactly(
                        new Transfer("empty:///", "file:///home/alice/.globus/scratch/7/"),
                        new Transfer("https://a/in", "file:///home/alice/.globus/scratch/7/stdin"));
        assertThat(prepared.transfers().stageOut())
                .containsExactly(new Transfer("file:///home/alice/.globus/scratch/7/stdout", "https://a/out"));
        assertThat(prepared.transfers().cleanUp()).containsExactly("file:///home/alice/.globus/scratch/7/");
        assertThat(prepared.environment()).anyMatch(variable -> variable.name().equals("SCRATCH_DIRECTORY"));
    }

    @Test
    void aJobToWhichNothingIsBroughtStaysAsItIs() {
        JobDescription job = JobDescription.builder("/bin/true")
                .transfers(new TransferList(List.of(), List.of(new Transfer("file:///a", "https://b/c")), List.of()))
                .build();
        assertThat(Preparation.of(job, "/s/7")).isEqualTo(job);
    }

    @Test
    void theCredentialOfAnElementGoesBeforeTheOneForStaging() {
        JobDescription job = JobDescription.builder("/bin/true")
                .credentials(Map.of("fileStageIn", "a?1", "stagingCredentialEndpoint", "a?2"))
                .build();
        assertThat(Directive.STAGE_IN.credential(job)).isEqualTo("a?1");
        assertThat(Directive.STAGE_OUT.credential(job)).isEqualTo("a?2");
        assertThat(Directive.CLEAN_UP.credential(JobDescription.of("/bin/true")))
                .isNull();
    }
}
