// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Gpus;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.job.Mail;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resources;
import org.jobgate.job.Transfer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each element of ADL, and what is wrong with it. */
class AdlReaderTest {

    private static Resources resources(Activity activity) {
        return activity.description().resources() == null
                ? Resources.NONE
                : activity.description().resources();
    }

    private static Arguments in(String part, String xml, Function<Activity, Object> what, Object value) {
        String text = switch (part) {
            case "application" -> Adl.of(xml, "", "");
            case "resources" -> Adl.of("", xml, "");
            default -> Adl.of("", "", xml);
        };
        return Arguments.of(xml, text, what, value);
    }

    private static Arguments job(String part, String xml, Function<JobDescription, Object> what, Object value) {
        return in(part, xml, activity -> what.apply(activity.description()), value);
    }

    private static Arguments asks(String xml, Function<Resources, Object> what, Object value) {
        return in("resources", xml, activity -> what.apply(resources(activity)), value);
    }

    static Stream<Arguments> elements() {
        return Stream.of(
                job("application", "<Input>in</Input>", JobDescription::stdin, "in"),
                job("application", "<Output>out</Output>", JobDescription::stdout, "out"),
                job("application", "<Error>./err</Error>", JobDescription::stderr, "err"),
                job("application", "", JobDescription::stdout, "stdout"),
                job("application", "", JobDescription::stderr, "stderr"),
                job(
                        "application",
                        "<Environment><Name>A</Name><Value> b &lt; 'c' </Value></Environment>",
                        JobDescription::environment,
                        List.of(new EnvironmentVariable("A", " b < 'c' "))),
                in(
                        "application",
                        "<Environment><Name>GRAM_CLIENT_KEY</Name><Value>vm#8.0#1795184665</Value></Environment>",
                        Activity::submissionKey,
                        "vm#8.0#1795184665"),
                in(
                        "application",
                        "<PreExecutable><Path>a</Path><Argument>b</Argument><FailIfExitCodeNotEqualTo>0</FailIfExitCodeNotEqualTo></PreExecutable>",
                        activity -> resources(activity).preCommand(),
                        List.of("./a", "b")),
                in(
                        "application",
                        "<PreExecutable><Path>/bin/a</Path></PreExecutable>",
                        activity -> resources(activity).preCommand(),
                        List.of("/bin/sh", "-c", "\"$@\"; exit 0", "sh", "/bin/a")),
                in(
                        "application",
                        "<PostExecutable><Path>/bin/a</Path></PostExecutable>",
                        activity -> resources(activity).postCommand(),
                        List.of("/bin/a")),
                in(
                        "application",
                        "<ExpirationTime>2026-11-25T13:00:00Z</ExpirationTime>",
                        Activity::startBefore,
                        Instant.parse("2026-11-25T13:00:00Z")),
                in("application", "<WipeTime>P7D</WipeTime>", Activity::keepFor, Duration.ofDays(7)),
                in("application", "<WipeTime>3600</WipeTime>", Activity::keepFor, Duration.ofHours(1)),
                in("application", "<WipeTime>2026-11-25T14:00:00Z</WipeTime>", Activity::keepFor, Duration.ofHours(2)),
                in(
                        "application",
                        "<Notification><Protocol>email</Protocol><Recipient>a@b.example</Recipient><OnState>PROCESSING</OnState></Notification>",
                        activity -> resources(activity).mail(),
                        new Mail(List.of("a@b.example"), List.of(Mail.Event.STARTED))),
                job("resources", "<QueueName>long</QueueName>", JobDescription::queue, "long"),
                job("resources", "<WallTime>90</WallTime>", JobDescription::maxWallTime, Duration.ofSeconds(90)),
                job("resources", "<TotalCPUTime>90</TotalCPUTime>", JobDescription::maxCpuTime, Duration.ofSeconds(90)),
                asks(
                        "<IndividualCPUTime>90</IndividualCPUTime>",
                        Resources::limits,
                        new ProcessLimits(Duration.ofSeconds(90), null, null, null, null, null)),
                job(
                        "resources",
                        "<IndividualPhysicalMemory>104857601</IndividualPhysicalMemory>",
                        JobDescription::maxMemoryMiB,
                        101L),
                job(
                        "resources",
                        "<IndividualPhysicalMemory>104857600</IndividualPhysicalMemory><SlotRequirement><NumberOfSlots>2</NumberOfSlots><SlotsPerHost>2</SlotsPerHost></SlotRequirement>",
                        JobDescription::maxMemoryMiB,
                        200L),
                asks(
                        "<SlotRequirement><NumberOfSlots>2</NumberOfSlots><SlotsPerHost>2</SlotsPerHost></SlotRequirement>",
                        Resources::threadsPerProcess,
                        2),
                asks(
                        "<SlotRequirement><NumberOfSlots>4</NumberOfSlots><SlotsPerHost useNumberOfSlots=\"true\">1</SlotsPerHost></SlotRequirement>",
                        Resources::threadsPerProcess,
                        4),
                asks("<SlotRequirement><NumberOfSlots>4</NumberOfSlots></SlotRequirement>", Resources::slots, 4),
                asks(
                        "<IndividualPhysicalMemory>104857600</IndividualPhysicalMemory><SlotRequirement><NumberOfSlots>4</NumberOfSlots><SlotsPerHost>2</SlotsPerHost></SlotRequirement>",
                        asked -> List.of(asked.slots(), asked.slotsPerHost(), asked.memoryPerSlotMiB()),
                        List.of(4, 2, 100L)),
                asks(
                        "<SlotRequirement><NumberOfSlots>1</NumberOfSlots><ExclusiveExecution>true</ExclusiveExecution></SlotRequirement>",
                        Resources::wholeNodes,
                        true),
                job(
                        "resources",
                        "<ParallelEnvironment><Type>OpenMPI</Type><ProcessesPerSlot>2</ProcessesPerSlot></ParallelEnvironment><SlotRequirement><NumberOfSlots>8</NumberOfSlots><SlotsPerHost>4</SlotsPerHost></SlotRequirement>",
                        job -> List.of(job.jobType(), job.count(), job.hostCount()),
                        List.of(JobType.MPI, 16, 2)),
                asks("<Platform>amd64</Platform>", Resources::architecture, "x86_64"),
                asks(
                        "<OperatingSystem><Name>debian</Name><Family>linux</Family></OperatingSystem>",
                        Resources::operatingSystem,
                        "Linux"),
                asks("<Coprocessor>CUDA</Coprocessor>", Resources::gpus, new Gpus(1, null, null)),
                job(
                        "resources",
                        "<RuntimeEnvironment><Name>APPS/X</Name></RuntimeEnvironment>",
                        JobDescription::environment,
                        List.of(new EnvironmentVariable("X_HOME", "/opt/x"))),
                asks(
                        "<RuntimeEnvironment><Name>APPS/Y</Name><Version>2.0</Version><Option>o p</Option></RuntimeEnvironment>",
                        Resources::preCommand,
                        List.of("/opt/y/setup", "two", "o p")),
                in(
                        "staging",
                        "<InputFile><Name>a/b</Name></InputFile><InputFile><Name>run</Name><IsExecutable>true</IsExecutable></InputFile>",
                        Activity::uploads,
                        List.of(new Activity.Upload("a/b", false, null), new Activity.Upload("run", true, null))),
                job("staging", "<InputFile><Name>a</Name></InputFile>", JobDescription::holdAt, JobState.STAGE_IN),
                job("staging", "<ClientDataPush>true</ClientDataPush>", JobDescription::holdAt, JobState.STAGE_IN),
                in(
                        "staging",
                        "<InputFile><Name>a b</Name><Source><URI>https://x.example/a</URI></Source></InputFile>",
                        activity -> activity.placed("/s/1").transfers().stageIn(),
                        List.of(new Transfer("https://x.example/a", "file:///s/1/a%20b"))),
                in(
                        "staging",
                        "<OutputFile><Name>/o</Name><Target><URI>https://x.example/o</URI><UseIfFailure>true</UseIfFailure></Target></OutputFile>",
                        activity -> List.of(
                                activity.placed("/s/1").transfers().stageOut(),
                                activity.description().stageOutOnFailure()),
                        List.of(List.of(new Transfer("file:///s/1/o", "https://x.example/o")), true)),
                in(
                        "staging",
                        "<OutputFile><Name>/</Name></OutputFile><OutputFile><Name>d/</Name></OutputFile>",
                        Activity::kept,
                        List.of("/", "d/")),
                job(
                        "staging",
                        "<ng:DelegationID>dl1</ng:DelegationID>",
                        JobDescription::credentials,
                        List.of(NamedCredential.of(CredentialUse.FILES, "dl1"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("elements")
    void anElementIsRead(String xml, String text, Function<Activity, Object> what, Object value) {
        assertThat(what.apply(Adl.read(text))).isEqualTo(value);
    }

    @Test
    void argumentsComeInOrderAndAsTheyAre() {
        Activity activity = Adl.read("""
                <adl:ActivityDescription xmlns:adl="http://www.eu-emi.eu/es/2010/12/adl">
                <adl:ActivityIdentification><adl:Name>n</adl:Name><adl:Annotation>x</adl:Annotation></adl:ActivityIdentification>
                <adl:Application><adl:Executable><adl:Path>run.sh</adl:Path><adl:Argument>y  z</adl:Argument><adl:Argument/>
                <adl:Argument>"q" 'r' $(s)</adl:Argument><adl:FailIfExitCodeNotEqualTo>3</adl:FailIfExitCodeNotEqualTo></adl:Executable>
                </adl:Application></adl:ActivityDescription>""");

        assertThat(activity.description().arguments()).containsExactly("y  z", "", "\"q\" 'r' $(s)");
        assertThat(activity.name()).isEqualTo("n");
        assertThat(activity.successCode()).isEqualTo(3);
    }

    @Test
    void theProxyIsForTheJobWhereItAsksForIt() {
        Activity activity = Adl.read(Adl.of(
                "",
                "<RuntimeEnvironment><Name>ENV/PROXY</Name></RuntimeEnvironment>",
                "<ng:DelegationID>d</ng:DelegationID>"));

        assertThat(activity.description().credential(CredentialUse.JOB))
                .contains(NamedCredential.of(CredentialUse.JOB, "d"));
    }

    /** HTCondor 23.9.6 writes the size of the program where its user asks for no memory. */
    @Test
    void memoryThatNoProgramRunsInIsTakenAsNotSaid() {
        Activity activity = Adl.read(Adl.of("", "<IndividualPhysicalMemory>1048576</IndividualPhysicalMemory>", ""));

        assertThat(activity.description().maxMemoryMiB()).isNull();
        assertThat(activity.notes()).singleElement().asString().contains("1 MiB");
    }

    /** HTCondor 23.9.6 writes 0 of a program that is not on its own machine, where its user asks for no memory. */
    @Test
    void noMemoryAtAllIsTakenAsNotSaid() {
        Activity activity = Adl.read(Adl.of("", "<IndividualPhysicalMemory>0</IndividualPhysicalMemory>", ""));

        assertThat(activity.description().maxMemoryMiB()).isNull();
    }

    @Test
    void whatHasNoEffectIsSaid() {
        Activity activity = new AdlReader(Adl.BARE)
                .read(Adl.of(
                        "<Notification><Protocol>email</Protocol><Recipient>a@b.example</Recipient></Notification>"
                                + "<RemoteLogging><ServiceType>SGAS</ServiceType><URL>https://x.example</URL></RemoteLogging>"
                                + "<ng:Priority>50</ng:Priority><ng:Rerun>2</ng:Rerun>",
                        "<DiskSpaceRequirement>1</DiskSpaceRequirement><NodeAccess>outbound</NodeAccess>"
                                + "<RuntimeEnvironment optional=\"true\"><Name>APPS/Z</Name></RuntimeEnvironment>"
                                + "<NetworkInfo optional=\"true\">infiniband</NetworkInfo>",
                        ""));

        assertThat(activity.notes()).hasSize(8);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "resources|Wallclock|<Wallclock>60</Wallclock>",
                "application|Executible|<Executible/>",
                "resources|WallTime|<WallTime>x</WallTime>",
                "resources|WallTime|<WallTime>0</WallTime>",
                "resources|WallTime|<WallTime>1</WallTime><WallTime>1</WallTime>",
                "resources|QueueName|<QueueName> </QueueName>",
                "resources|SlotRequirement|<SlotRequirement><SlotsPerHost>1</SlotsPerHost></SlotRequirement>",
                "resources|SlotsPerHost|<SlotRequirement><NumberOfSlots>3</NumberOfSlots><SlotsPerHost>2</SlotsPerHost></SlotRequirement>",
                "resources|RuntimeEnvironment|<RuntimeEnvironment><Name>APPS/Z</Name></RuntimeEnvironment>",
                "resources|RuntimeEnvironment|<RuntimeEnvironment><Name>ENV/PROXY</Name></RuntimeEnvironment>",
                "resources|NetworkInfo|<NetworkInfo>infiniband</NetworkInfo>",
                "resources|Benchmark|<Benchmark><BenchmarkType>bogomips</BenchmarkType></Benchmark>",
                "resources|IndividualVirtualMemory|<IndividualVirtualMemory>1</IndividualVirtualMemory>",
                "resources|Platform|<Platform>vax</Platform>",
                "application|ExpirationTime|<ExpirationTime>2026-11-25T11:00:00Z</ExpirationTime>",
                "application|ExpirationTime|<ExpirationTime>soon</ExpirationTime>",
                "application|StartTime|<ng:StartTime>2027-01-01T00:00:00Z</ng:StartTime>",
                "application|DryRun|<ng:DryRun>true</ng:DryRun>",
                "application|Protocol|<Notification><Protocol>jabber</Protocol><Recipient>a</Recipient></Notification>",
                "application|PreExecutable|<PreExecutable><Path>/a</Path></PreExecutable><PreExecutable><Path>/b</Path></PreExecutable>",
                "application|PostExecutable|<PostExecutable><Path>/a</Path><FailIfExitCodeNotEqualTo>0</FailIfExitCodeNotEqualTo></PostExecutable>",
                "application|Environment|<Environment><Name>A=B</Name><Value/></Environment>",
                "application|Environment|<Environment><Name>A</Name></Environment>",
                "application|Output|<Output>../out</Output>",
                "staging|InputFile|<InputFile><Name>../x</Name></InputFile>",
                "staging|InputFile|<InputFile><Name>/x</Name></InputFile>",
                "staging|InputFile|<InputFile><Name>x</Name></InputFile><InputFile><Name>./x</Name></InputFile>",
                "staging|InputFile|<InputFile/>",
                "staging|InputFile|<InputFile><Name>a&#9;b</Name></InputFile>",
                "staging|InputFile|<InputFile><Name>./ a</Name></InputFile>",
                "staging|OutputFile|<OutputFile><Name>a/../b</Name></OutputFile>",
                "staging|URI|<InputFile><Name>x</Name><Source><URI>no url</URI></Source></InputFile>",
                "staging|URI|<InputFile><Name>x</Name><Source><URI>ftp://u:p@h.example/x</URI></Source></InputFile>",
                "staging|IsExecutable|<InputFile><Name>x</Name><IsExecutable>true</IsExecutable><Source><URI>https://h.example/x</URI></Source></InputFile>",
                "staging|CreationFlag|<OutputFile><Name>x</Name><Target><URI>https://h.example/x</URI><CreationFlag>append</CreationFlag></Target></OutputFile>",
                "staging|DelegationID|<ng:DelegationID>a</ng:DelegationID><InputFile><Name>x</Name><Source><URI>https://h.example/x</URI><DelegationID>b</DelegationID></Source></InputFile>",
            })
    void whatIsWrongIsRefusedByItsName(String part, String name, String xml) {
        String text = switch (part) {
            case "application" -> Adl.of(xml, "", "");
            case "resources" -> Adl.of("", xml, "");
            default -> Adl.of("", "", xml);
        };

        assertThatThrownBy(() -> Adl.read(text))
                .isInstanceOfSatisfying(
                        FaultException.class,
                        e -> assertThat(e.fault().attribute()).isEqualTo(name))
                .hasMessageContaining(name);
    }

    @Test
    void theNearestNameIsSaid() {
        assertThatThrownBy(() -> Adl.read(Adl.of("", "<Walltime>60</Walltime>", "")))
                .isInstanceOfSatisfying(
                        FaultException.class,
                        e -> assertThat(e.fault().remedy()).startsWith("Did you mean WallTime?"));
    }

    @Test
    void oneOfSeveralThatIsWrongRefusesNoOther() {
        String good = Adl.of("", "", "").strip();
        String bad = Adl.of("<Nonsense/>", "", "").strip();

        List<AdlReader.Result> results = new AdlReader(Adl.SITE)
                .readAll("<ActivityDescriptions xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\">" + good + bad + good
                        + "</ActivityDescriptions>");

        assertThat(results).extracting(result -> result.activity() != null).containsExactly(true, false, true);
        assertThat(results.get(1).fault()).extracting(Fault::attribute).isEqualTo("Nonsense");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "</ActivityDescriptions>",
                "<ActivityDescription",
                "<ActivityDescription xmlns='http://www.eu-emi.eu/es/2010/12/adl'>",
                "<ActivityDescription xmlns='urn:other'/>",
                "<ActivityDescriptions xmlns='http://www.eu-emi.eu/es/2010/12/adl'/>",
                "<!DOCTYPE a [<!ENTITY b 'c'>]><ActivityDescription xmlns='http://www.eu-emi.eu/es/2010/12/adl'/>",
                "<ActivityDescription xmlns='http://www.eu-emi.eu/es/2010/12/adl'>&b;</ActivityDescription>",
                "<ActivityDescription xmlns='http://www.eu-emi.eu/es/2010/12/adl'/>x",
                "<ActivityDescription xmlns='http://www.eu-emi.eu/es/2010/12/adl'/>",
            })
    void whatIsNoDescriptionIsRefused(String text) {
        assertThatThrownBy(() -> new AdlReader(Adl.SITE)
                        .readAll(text).stream()
                                .filter(result -> result.fault() != null)
                                .forEach(result -> {
                                    throw new FaultException(result.fault());
                                }))
                .isInstanceOfSatisfying(
                        FaultException.class,
                        e -> assertThat(e.fault().code()).isEqualTo(FaultCode.INVALID_DESCRIPTION));
    }

    @Test
    void whatIsTooMuchIsRefusedByTheLimit() {
        String deep = "<a>".repeat(10_000);
        assertThatThrownBy(() -> Adl.read(Adl.of(deep, "", ""))).hasMessageContaining("adl.maxXmlDepth");
        assertThatThrownBy(() -> Adl.read(Adl.of("<Input>" + "x".repeat(70_000) + "</Input>", "", "")))
                .hasMessageContaining("limits.maxTextBytes");
        assertThatThrownBy(() ->
                        Adl.read(Adl.of("<Environment><Name>A</Name><Value/></Environment>".repeat(1_025), "", "")))
                .hasMessageContaining("limits.maxEnvironment");
        assertThatThrownBy(() -> Adl.read(
                        Adl.of("", "<SlotRequirement><NumberOfSlots>10001</NumberOfSlots></SlotRequirement>", "")))
                .hasMessageContaining("limits.maxCount");
    }
}
