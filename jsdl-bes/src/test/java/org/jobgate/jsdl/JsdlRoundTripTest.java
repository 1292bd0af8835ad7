// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.instancio.Select.field;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.instancio.Instancio;
import org.instancio.Random;
import org.jobgate.job.After;
import org.jobgate.job.ChirpAccess;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Extension;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Gpus;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Mail;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resources;
import org.jobgate.job.SubJob;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written and read again is equal to what it was; and what is written is valid. */
class JsdlRoundTripTest {

    private static final JsdlWriter WRITER = new JsdlWriter(Documents.FILE_SYSTEMS);

    private static final List<ChirpAccess> CHIRP = Arrays.asList(
            null,
            new ChirpAccess("store", List.of("/in", "/a/b@c"), List.of("/out")),
            new ChirpAccess(null, List.of(), List.of("/out")));

    private static JobDescription anything() {
        return Instancio.of(JobDescription.class)
                .supply(field(JobDescription::executable), random -> "/" + text(random))
                .supply(field(JobDescription::arguments), random -> List.of(text(random), "", text(random)))
                .supply(
                        field(JobDescription::environment),
                        random -> List.of(
                                new EnvironmentVariable(random.oneOf("NAME", "a b", "1"), text(random)),
                                new EnvironmentVariable("B", "")))
                .supply(field(JobDescription::directory), JsdlRoundTripTest::text)
                .supply(field(JobDescription::project), JsdlRoundTripTest::text)
                .generate(field(JobDescription::count), gen -> gen.ints().range(1, 10_000))
                .generate(
                        field(JobDescription::hostCount),
                        gen -> gen.ints().range(1, 100).nullable())
                .generate(
                        field(JobDescription::maxMemoryMiB),
                        gen -> gen.longs().range(0L, 1L << 50).nullable())
                .generate(
                        field(JobDescription::minMemoryMiB),
                        gen -> gen.longs().range(0L, 1L << 50).nullable())
                .supply(field(JobDescription::maxTime), random -> Duration.ofMillis(random.longRange(0, 50_000)))
                .supply(field(JobDescription::maxWallTime), random -> Duration.ofSeconds(random.longRange(0, 50_000)))
                .supply(field(JobDescription::maxCpuTime), random -> Duration.ofMillis(random.longRange(0, 50_000)))
                .generate(
                        field(JobDescription::holdAt),
                        gen -> gen.oneOf(
                                null, JobState.STAGE_IN, JobState.PENDING, JobState.STAGE_OUT, JobState.CLEAN_UP))
                .generate(
                        field(JobDescription::holdAgain),
                        gen -> gen.oneOf(null, JobState.PENDING, JobState.STAGE_OUT, JobState.CLEAN_UP))
                .supply(field(JobDescription::transfers), JsdlRoundTripTest::transfers)
                .supply(
                        field(JobDescription::credentials),
                        random -> List.of(
                                NamedCredential.of(CredentialUse.FILES, text(random)),
                                new NamedCredential(CredentialUse.JOB, "key", "https://host/" + text(random))))
                .supply(field(JobDescription::subJobs), random -> List.of())
                .supply(field(JobDescription::resources), JsdlRoundTripTest::resources)
                .supply(field(JobDescription::extensions), JsdlRoundTripTest::extensions)
                .supply(field(JobDescription::chirp), random -> random.oneOf(CHIRP))
                .supply(field(JobDescription::after), JsdlRoundTripTest::after)
                .create();
    }

    private static String id(Random random) {
        return JobId.least(Instant.ofEpochMilli(random.longRange(0L, 1L << 41))).toString();
    }

    private static List<After> after(Random random) {
        After well = new After(id(random), After.When.OK);
        After over = new After(id(random), random.oneOf(After.When.FAILED, After.When.ANY));
        return random.oneOf(List.of(List.of(), List.of(well), List.of(over, well)));
    }

    private static List<Extension> extensions(Random random) {
        Extension other = new Extension(
                "outer",
                Map.of("name", text(random)),
                text(random),
                List.of(new Extension("inner", Map.of(), "x", List.of())));
        Extension labels = new Extension(
                "jsdl",
                Map.of(),
                "",
                List.of(
                        new Extension("JobName", Map.of(), text(random), List.of()),
                        new Extension("JobAnnotation", Map.of(), text(random), List.of())));
        return random.oneOf(List.of(List.of(), List.of(other), List.of(labels), List.of(labels, other)));
    }

    private static TransferList transfers(Random random) {
        Transfer in = new Transfer("gsiftp://host/in", "file:///home/alice/" + random.oneOf("a", "a%20b", "%ff"));
        Transfer out = new Transfer("file:///" + random.oneOf("a", "home/alice/b", "x/../y"), "https://host/out");
        Transfer special = new Transfer("https://host/in", "file:///tmp/x", Map.of("checksum", "md5"));
        return random.oneOf(
                TransferList.NONE,
                new TransferList(List.of(in), List.of(out, out), List.of("file:///tmp/x", "gsiftp://host/x")),
                new TransferList(List.of(in), List.of(), List.of("file:///tmp/x")),
                new TransferList(
                        List.of(special), List.of(), List.of(), Map.of("maxAttempts", "3"), Map.of(), Map.of()));
    }

    private static Resources resources(Random random) {
        return Resources.builder()
                .slots(maybe(random, () -> random.intRange(1, 100)))
                .slotsPerHost(maybe(random, () -> random.intRange(1, 10)))
                .threadsPerProcess(maybe(random, () -> random.intRange(1, 10)))
                .wholeNodes(random.trueOrFalse())
                .gpus(maybe(
                        random, () -> new Gpus(2, maybe(random, () -> "a100"), maybe(random, () -> Gpus.Mode.SHARED))))
                .memoryPerSlotMiB(maybe(random, () -> random.longRange(1, 100_000)))
                .memoryMiB(maybe(random, () -> random.longRange(1, 100_000)))
                .limits(maybe(
                        random,
                        () -> new ProcessLimits(
                                Duration.ofSeconds(9), 5L, 0L, 70_000L, null, 7, 65_536L, 0L, 1L << 40)))
                .nodeFeatures(random.oneOf(List.of(List.of(), List.of("ssd", "big"))))
                .hosts(random.oneOf(List.of(List.of(), List.of("n1"), List.of("n1", "n2"))))
                .architecture(maybe(random, () -> random.oneOf("x86_64", "riscv64")))
                .operatingSystem(maybe(random, () -> random.oneOf("Linux", "plan9")))
                .reservation(maybe(random, () -> "r1"))
                .preCommand(random.oneOf(List.of(List.of(), List.of("/bin/echo", text(random)))))
                .postCommand(random.oneOf(List.of(List.of(), List.of("/bin/echo", ""))))
                .mail(maybe(random, () -> new Mail(List.of("a@example.org"), List.of(Mail.Event.ENDED))))
                .build();
    }

    private static <T> @Nullable T maybe(Random random, Supplier<T> value) {
        return random.trueOrFalse() ? value.get() : null;
    }

    /** Texts of what is hard to carry in XML: quotes, white space, other scripts. */
    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        String[] parts = {"a", " ", "<", "&", "\"", "'", "$", "{index}", "\n", "\r", "\t", "ä", "😀", "]]>", ".."};
        for (int i = random.intRange(1, 12); i > 0; i--) {
            text.append(random.oneOf(parts));
        }
        return text.toString();
    }

    @RepeatedTest(300)
    void aDescriptionThatIsWrittenIsReadAsItWas() {
        JobDescription description = anything();
        String document = WRITER.text(description);

        assertThat(Documents.read(document)).isEqualTo(description);
        Schemas.validate(document);
    }

    static List<String> whatTheLanguageSaysAlone() {
        return List.of(
                Documents.posix(
                        "<p:Argument>a</p:Argument><p:Environment name='A'>b</p:Environment><p:WallTimeLimit>60</p:WallTimeLimit>"
                                + "<p:MemoryLimit>1048576</p:MemoryLimit><p:OpenDescriptorsLimit>9</p:OpenDescriptorsLimit>",
                        "<Resources><CandidateHosts><HostName>n1</HostName></CandidateHosts><ExclusiveExecution>true</ExclusiveExecution>"
                                + "<OperatingSystem><OperatingSystemType><OperatingSystemName>LINUX</OperatingSystemName></OperatingSystemType></OperatingSystem>"
                                + "<CPUArchitecture><CPUArchitectureName>x86_64</CPUArchitectureName></CPUArchitecture>"
                                + "<IndividualCPUTime><UpperBoundedRange>60</UpperBoundedRange></IndividualCPUTime>"
                                + "<TotalCPUCount><Exact>4</Exact></TotalCPUCount>"
                                + "<TotalPhysicalMemory><LowerBoundedRange>1048576</LowerBoundedRange></TotalPhysicalMemory></Resources>"
                                + "<DataStaging><FileName>in</FileName><CreationFlag>overwrite</CreationFlag>"
                                + "<DeleteOnTermination>true</DeleteOnTermination><Source><URI>https://host/in</URI></Source>"
                                + "<Target><URI>https://host/out</URI></Target></DataStaging>"),
                Documents.spmd(
                        "<m:NumberOfProcesses>8</m:NumberOfProcesses><m:ProcessesPerHost>4</m:ProcessesPerHost>"
                                + "<m:ThreadsPerProcess>2</m:ThreadsPerProcess>"
                                + "<m:SPMDVariation>http://www.ogf.org/jsdl/2007/02/jsdl-spmd/MPICH2</m:SPMDVariation>",
                        ""));
    }

    @ParameterizedTest
    @MethodSource("whatTheLanguageSaysAlone")
    void whatTheLanguageCanSayNeedsNoWordOfOurs(String document) {
        Schemas.validate(document);
        JobDescription description = Documents.read(document);
        String written = WRITER.text(description);

        assertThat(written).doesNotContain(Names.OWN);
        assertThat(Documents.read(written)).isEqualTo(description);
        Schemas.validate(written);
    }

    @Test
    void whatXmlCannotCarryIsReplaced() {
        assertThat(Documents.read(WRITER.text(JobDescription.of("/bin/date", "a\u0001b")))
                        .arguments())
                .containsExactly("a\uFFFDb");
    }

    @Test
    void aMultiJobCannotBeSaid() {
        JobDescription multi =
                JobDescription.multi(List.of(new SubJob("Fork", "alice", JobDescription.of("/bin/date"))), null);

        assertThat(catchThrowableOfType(FaultException.class, () -> WRITER.text(multi))
                        .fault()
                        .code())
                .isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
    }
}
