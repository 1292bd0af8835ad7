// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jobgate.job.After;
import org.jobgate.job.ChirpAccess;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.Mail;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resources;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What is written and read again is what it was. */
class AdlRoundTripTest {

    private static final String[] PARTS = {
        "a", " ", "<", "&", "\"", "'", "$", "\n", "\r", "\t", "ä", "😀", "]]>", "*)", "-->"
    };

    private final Random random = new Random();

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i >= 0; i--) {
            text.append(PARTS[random.nextInt(PARTS.length)]);
        }
        return text.toString();
    }

    private boolean maybe() {
        return random.nextBoolean();
    }

    private JobDescription anything() {
        JobDescription.Builder job = JobDescription.builder(maybe() ? "/bin/date" : "run it.sh")
                .arguments(List.of(text(), "", text()))
                .environment(List.of(new EnvironmentVariable("A", text()), new EnvironmentVariable("B", "")))
                .stdin(maybe() ? "in/put" : null)
                .stdout("out")
                .stderr("err")
                .queue(maybe() ? "long" : null)
                .maxWallTime(maybe() ? Duration.ofSeconds(1 + random.nextInt(100_000)) : null)
                .maxCpuTime(maybe() ? Duration.ofSeconds(1 + random.nextInt(100_000)) : null);
        Resources.Builder resources = Resources.builder();
        switch (random.nextInt(4)) {
            case 0 -> resources.slots(12).slotsPerHost(maybe() ? 4 : null).memoryPerSlotMiB(maybe() ? 300L : null);
            case 1 -> {
                resources.threadsPerProcess(2 + random.nextInt(8));
                job.maxMemoryMiB(maybe() ? 64L * 5_040 : null);
            }
            case 2 -> {
                job.jobType(org.jobgate.job.JobType.MPI).count(8).hostCount(maybe() ? 4 : null);
                resources.memoryPerSlotMiB(maybe() ? 300L : null);
            }
            default -> job.maxMemoryMiB(maybe() ? 64L + random.nextInt(10_000) : null);
        }
        resources
                .wholeNodes(maybe())
                .architecture(maybe() ? "x86_64" : null)
                .operatingSystem(maybe() ? "Linux" : null)
                .preCommand(maybe() ? List.of("/bin/pre", text()) : Unfailing.of(List.of("./pre", "x")))
                .postCommand(maybe() ? List.of("./post", text()) : List.of())
                .limits(maybe() ? new ProcessLimits(Duration.ofSeconds(9), null, null, null, null, null) : null)
                .mail(maybe() ? new Mail(List.of("a@b.example"), List.of(Mail.Event.ENDED, Mail.Event.FAILED)) : null);
        job.resources(resources.build());
        if (maybe()) {
            List<NamedCredential> credentials = new ArrayList<>();
            credentials.add(NamedCredential.of(CredentialUse.FILES, "dl 1"));
            if (maybe()) {
                credentials.add(NamedCredential.of(CredentialUse.JOB, "dl 1"));
            }
            job.credentials(credentials);
        }
        return job.build();
    }

    private Activity activity() {
        JobDescription job = anything();
        List<Activity.Upload> uploads = maybe()
                ? List.of(new Activity.Upload("u ä", true, null), new Activity.Upload("d/v", false, null))
                : List.of();
        boolean pushesMore = maybe();
        List<Activity.FileUrl> sent =
                maybe() ? List.of(new Activity.FileUrl("o", "https://h.example/o?a=b&c", Map.of())) : List.of();
        JobDescription.Builder held = job.toBuilder();
        if (pushesMore || !uploads.isEmpty()) {
            held.holdAt(JobState.STAGE_IN);
        }
        if (!sent.isEmpty()) {
            held.stageOutOnFailure(maybe());
        }
        return new Activity(
                held.build(),
                maybe() ? "a name" : null,
                maybe() ? "key#1" : null,
                uploads,
                pushesMore,
                maybe() ? List.of(new Activity.FileUrl("f%20/g", "gsiftp://h.example/x%20y", Map.of())) : List.of(),
                maybe() ? List.of("/", "kept", "d/") : List.of(),
                sent,
                maybe() ? 3 : null,
                maybe() ? Adl.NOW.plusSeconds(60) : null,
                maybe() ? Duration.ofHours(5) : null,
                List.of());
    }

    @RepeatedTest(200)
    void anActivityThatIsWrittenIsReadAsItWas() {
        Activity activity = activity();

        String text = AdlWriter.write(activity);

        assertThat(Adl.read(text)).as(text).isEqualTo(activity);
    }

    @RepeatedTest(50)
    void aPlacedJobIsFoundAgain() {
        Activity activity = activity();
        JobDescription placed = activity.placed("/scratch/a b/100%");

        Activity again = Activity.of(placed);

        assertThat(again.placed("/scratch/a b/100%")).isEqualTo(placed);
        assertThat(again.fetched()).isEqualTo(activity.fetched());
        assertThat(again.sent()).isEqualTo(activity.sent());
    }

    @Test
    void whatAdlHasNoWordsForIsNamed() {
        JobDescription job = JobDescription.builder("/bin/date")
                .project("p")
                .count(3)
                .after(List.of(new After("0198c5f0-0000-7000-8000-000000000000", After.When.OK)))
                .chirp(new ChirpAccess(null, List.of("/in"), List.of()))
                .build();

        assertThat(AdlWriter.write(Activity.of(job)))
                .contains(
                        "<!-- ADL has no words for its: project, number of processes, earlier jobs that it waits for, directories of a Chirp server -->");
    }
}
