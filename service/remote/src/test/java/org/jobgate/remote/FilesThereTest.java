// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.FilePassword;
import org.jobgate.xml.XmlWriter;
import org.junit.jupiter.api.Test;

/** What of a job's files cannot be left to another gateway. */
class FilesThereTest {

    private static final JobWriter WRITER = new JobWriter() {
        @Override
        public void write(XmlWriter out, JobDescription description) {
            throw new IllegalStateException("nothing is written to find that out");
        }

        @Override
        public Optional<String> unsaidOption(TransferList files) {
            return files.stageIn().stream()
                    .flatMap(copy -> copy.options().keySet().stream())
                    .filter("tokens"::equals)
                    .findFirst();
        }
    };

    private static JobDescription.Builder job(Map<String, String> options) {
        return JobDescription.of("/bin/date").toBuilder()
                .transfers(new TransferList(
                        List.of(new Transfer("https://a/in", "file:///in", options)), List.of(), List.of()));
    }

    private static Fault refusal(JobDescription.Builder job) {
        return FilesThere.refusal(job.build(), WRITER).orElseThrow();
    }

    @Test
    void filesWithACredentialOfTheirOwnAndOneOfTheJobAreTaken() {
        JobDescription job = job(Map.of("checksum", "md5"))
                .credentials(List.of(
                        NamedCredential.of(CredentialUse.JOB, "a"), NamedCredential.of(CredentialUse.FILES, "b")))
                .holdAt(JobState.STAGE_IN)
                .build();

        assertThat(FilesThere.refusal(job, WRITER)).isEmpty();
        assertThat(FilesThere.refusal(job(Map.of()).build(), WRITER)).isEmpty();
    }

    @Test
    void whatTheOtherGatewayCannotGetIsRefusedByName() {
        assertThat(refusal(job(Map.of(FilePassword.OPTION, "1"))).sentence()).contains("a name and a password");
        assertThat(refusal(job(Map.of("tokens", "x"))).sentence()).contains("the option tokens");
        assertThat(refusal(job(Map.of()).holdAt(JobState.STAGE_OUT)).sentence()).contains("held");
        assertThat(refusal(job(Map.of()).holdAt(JobState.CLEAN_UP)).code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
    }

    @Test
    void noUrlMayHoldAPasswordForItWouldBeKeptAndSentOn() {
        String secret = "https://user:secret@host/x";
        TransferList in = new TransferList(List.of(new Transfer(secret, "file:///in")), List.of(), List.of());
        TransferList out = new TransferList(List.of(), List.of(new Transfer("file:///out", secret)), List.of());
        TransferList gone = new TransferList(List.of(), List.of(), List.of(secret));
        JobDescription date = JobDescription.of("/bin/date");
        List<JobDescription> wrong = List.of(
                date.toBuilder().transfers(in).build(),
                date.toBuilder().transfers(out).build(),
                date.toBuilder().transfers(gone).build(),
                date.toBuilder().stdin(secret).build(),
                date.toBuilder().stdout("gsiftp://user%3Asecret@host/x").build(),
                date.toBuilder().stderr("https://user:sec ret@host:8/|").build());

        for (JobDescription job : wrong) {
            Fault fault = FilesThere.refusal(job, WRITER).orElseThrow();
            assertThat(fault.code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
            assertThat(fault.sentence()).contains("a URL must not name a user or hold a password");
            assertThat(fault.toString()).doesNotContain("sec");
        }
    }

    @Test
    void aNameOrAPortOrAColonInAPathIsNoPassword() {
        for (String url : List.of(
                "sftp://user@host:22/x",
                "https://host:8/a@b",
                "https://host/a:b@c",
                "https://host?a:b@c",
                "file:///a:b@c")) {
            assertThat(FilesThere.refusal(
                            JobDescription.of("/bin/date").toBuilder()
                                    .stdout(url)
                                    .build(),
                            WRITER))
                    .as(url)
                    .isEmpty();
        }
    }

    @Test
    void aCredentialOfFilesAloneIsRefusedForNobodyActsWithIt() {
        Fault fault = refusal(job(Map.of()).credentials(List.of(NamedCredential.of(CredentialUse.FILES, "b"))));

        assertThat(fault.code()).isEqualTo(FaultCode.CREDENTIAL_UNUSABLE);
        assertThat(fault.sentence()).contains("none for the job");
    }
}
