// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Extension;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Gpus;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.Mail;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resources;
import org.jobgate.job.SubJob;
import org.junit.jupiter.api.Test;

class JobDescriptionCodecTest {

    private final JobDescriptionCodec codec = new JobDescriptionCodec();

    @Test
    void readsBackEveryPartOfADescription() {
        JobDescription full = SampleJobs.fullDescription();
        assertThat(codec.decode(codec.encode(full).json())).isEqualTo(full);
    }

    @Test
    void readsBackADescriptionOfDefaults() {
        JobDescription bare = JobDescription.of("/bin/true");
        assertThat(codec.decode(codec.encode(bare).json())).isEqualTo(bare);
        JobDescription typed = bare.toBuilder()
                .holdAgain(JobState.STAGE_OUT)
                .stageOutOnFailure(false)
                .incrementalOutput(true)
                .build();
        assertThat(codec.decode(codec.encode(typed).json())).isEqualTo(typed);
    }

    @Test
    void leavesOutWhatIsAbsentSoThatNewPartsKeepOldDigests() {
        assertThat(codec.encode(JobDescription.of("/bin/true")).json())
                .isEqualTo("{\"executable\":\"/bin/true\",\"count\":1,\"jobType\":\"MULTIPLE\",\"transfers\":{}}");
    }

    @Test
    void resourcesComeBackAsTheyWereAndCountForTheDigest() {
        JobDescription bare = JobDescription.of("/bin/true");
        JobDescription asking = bare.toBuilder()
                .resources(Resources.builder()
                        .slots(4)
                        .gpus(new Gpus(1, null, Gpus.Mode.SHARED))
                        .limits(new ProcessLimits(Duration.ofSeconds(5), null, 0L, null, 64, null))
                        .hosts(List.of("node1"))
                        .preCommand(List.of("echo", ""))
                        .mail(new Mail(List.of("a@example.org"), List.of(Mail.Event.ENDED, Mail.Event.STARTED)))
                        .build())
                .build();

        assertThat(codec.decode(codec.encode(asking).json())).isEqualTo(asking);
        assertThat(codec.encode(asking).digest())
                .isNotEqualTo(codec.encode(bare).digest())
                .isEqualTo("dc9bf5f1bd0b11fd47a7e16328c52f1e9433d2a03255154ac85db5f8f6633ceb");
    }

    /** A digest is kept for as long as its job: it must come out the same in every later version. */
    @Test
    void theDigestOfAKnownDescriptionNeverChanges() {
        assertThat(codec.encode(SampleJobs.fullDescription()).digest())
                .isEqualTo("e6366756124e5dc735162502724d7f574befe66af46d2a2779484947caa936f8");
    }

    @Test
    void anotherCredentialAsksForTheSameJobAlsoInAMultiJob() {
        JobDescription first = SampleJobs.fullDescription().toBuilder()
                .credentials(List.of(NamedCredential.of(CredentialUse.JOB, "k1")))
                .build();
        JobDescription second = first.toBuilder()
                .credentials(List.of(new NamedCredential(CredentialUse.JOB, "k2", "https://a/")))
                .build();
        JobDescription multi = JobDescription.multi(List.of(new SubJob("Fork", "alice", first)), null);
        JobDescription again = JobDescription.multi(List.of(new SubJob("Fork", "alice", second)), null);

        assertThat(codec.encode(first).digest())
                .isEqualTo(codec.encode(second).digest())
                .isEqualTo(codec.encode(SampleJobs.fullDescription()).digest());
        assertThat(codec.encode(multi).digest())
                .isEqualTo(codec.encode(again).digest())
                .isNotEqualTo(codec.encode(first).digest());
        assertThat(codec.decode(codec.encode(multi).json())).isEqualTo(multi);
    }

    @Test
    void everyPartCountsForTheDigest() {
        JobDescription full = SampleJobs.fullDescription();
        List<JobDescription> others = List.of(
                full.toBuilder().stdout("out2").build(),
                full.toBuilder().arguments(full.arguments().reversed()).build(),
                full.toBuilder().count(4).build(),
                full.toBuilder().queue(null).build(),
                full.toBuilder().maxWallTime(null).build(),
                full.toBuilder().environment(List.of()).build(),
                full.toBuilder().extensions(List.of()).build(),
                full.toBuilder().holdAgain(JobState.CLEAN_UP).build(),
                full.toBuilder().stageOutOnFailure(false).build(),
                full.toBuilder().stageOutOnFailure(true).build(),
                full.toBuilder().incrementalOutput(false).build(),
                full.toBuilder().holdAt(null).build());
        assertThat(others)
                .extracting(other -> codec.encode(other).digest())
                .doesNotHaveDuplicates()
                .doesNotContain(codec.encode(full).digest());
    }

    @Test
    void theOrderOfAMapDoesNotCountForTheDigest() {
        var one = new java.util.LinkedHashMap<String, String>();
        one.put("a", "1");
        one.put("b", "2");
        var other = new java.util.LinkedHashMap<String, String>();
        other.put("b", "2");
        other.put("a", "1");
        assertThat(digestWith(one)).isEqualTo(digestWith(other));
    }

    private String digestWith(Map<String, String> attributes) {
        JobDescription description = JobDescription.builder("x")
                .extensions(List.of(new Extension("e", attributes, "", List.of())))
                .build();
        return codec.encode(description).digest();
    }

    @Test
    void refusesHalfASurrogatePair() {
        assertThatThrownBy(() -> codec.encode(JobDescription.of("/bin/echo", "\uD83D")))
                .isInstanceOfSatisfying(
                        FaultException.class,
                        e -> assertThat(e.fault().code()).isEqualTo(FaultCode.INVALID_DESCRIPTION));
    }

    @Test
    void saysThatADamagedDescriptionIsDamaged() {
        assertThatThrownBy(() -> codec.decode("{\"executable\":"))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("damaged JobDescription");
    }
}
