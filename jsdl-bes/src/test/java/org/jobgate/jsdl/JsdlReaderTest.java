// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.jobgate.jsdl.Documents.definition;
import static org.jobgate.jsdl.Documents.posix;
import static org.jobgate.jsdl.Documents.read;
import static org.jobgate.jsdl.Documents.refusal;
import static org.jobgate.jsdl.Documents.spmd;

import java.time.Duration;
import java.util.Optional;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobType;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resources;
import org.jobgate.lrm.LrmCapabilities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsdlReaderTest {

    @Test
    void aPosixApplicationIsReadWhole() {
        JobDescription job = read(posix(
                "<p:Argument>-u</p:Argument><p:Argument filesystemName='SCRATCH'>in</p:Argument><p:Argument/>"
                        + "<p:Input>in.txt</p:Input><p:Output filesystemName='HOME'>out</p:Output><p:Error>err</p:Error>"
                        + "<p:WorkingDirectory filesystemName='TMP'>work</p:WorkingDirectory>"
                        + "<p:Environment name='A'>x y</p:Environment><p:Environment name='B' filesystemName='data'>d</p:Environment>",
                ""));

        assertThat(job.executable()).isEqualTo("/bin/date");
        assertThat(job.arguments()).containsExactly("-u", "/scratch/alice/in", "");
        assertThat(job.stdin()).isEqualTo("in.txt");
        assertThat(job.stdout()).isEqualTo("/home/alice/out");
        assertThat(job.stderr()).isEqualTo("err");
        assertThat(job.directory()).isEqualTo("/tmp/work");
        assertThat(job.environment())
                .containsExactly(new EnvironmentVariable("A", "x y"), new EnvironmentVariable("B", "/srv/data/d"));
        assertThat(job.jobType()).isEqualTo(JobType.SINGLE);
        assertThat(job.resources()).isNull();
    }

    @Test
    void limitsAreRead() {
        JobDescription job = read(posix(
                "<p:WallTimeLimit>90</p:WallTimeLimit><p:FileSizeLimit>1000</p:FileSizeLimit><p:CoreDumpLimit>0</p:CoreDumpLimit>"
                        + "<p:MemoryLimit>1048577</p:MemoryLimit><p:OpenDescriptorsLimit>64</p:OpenDescriptorsLimit>"
                        + "<p:StackSizeLimit>65536</p:StackSizeLimit><p:CPUTimeLimit>60</p:CPUTimeLimit>"
                        + "<p:ProcessCountLimit>20</p:ProcessCountLimit><p:ThreadCountLimit>10</p:ThreadCountLimit>"
                        + "<p:DataSegmentLimit>65536</p:DataSegmentLimit><p:LockedMemoryLimit>0</p:LockedMemoryLimit>"
                        + "<p:VirtualMemoryLimit>1048576</p:VirtualMemoryLimit>",
                ""));

        assertThat(job.maxWallTime()).isEqualTo(Duration.ofSeconds(90));
        assertThat(job.maxMemoryMiB()).isEqualTo(2);
        assertThat(job.resources())
                .isEqualTo(Resources.builder()
                        .limits(new ProcessLimits(
                                Duration.ofMinutes(1), 1000L, 0L, 65536L, 64, 10, 65536L, 0L, 1048576L))
                        .build());
    }

    @ParameterizedTest
    @CsvSource({
        "PipeSizeLimit, UNSUPPORTED_FEATURE",
        "GroupName, UNSUPPORTED_FEATURE",
        "WallTimeLimits, UNSUPPORTED_FEATURE"
    })
    void whatCannotBeDoneIsRefusedByItsPath(String element, FaultCode code) {
        Fault fault = refusal(posix("<p:" + element + ">10</p:" + element + ">", ""));

        assertThat(fault.code()).isEqualTo(code);
        assertThat(fault.attribute())
                .isEqualTo(
                        "/jsdl:JobDefinition/jsdl:JobDescription/jsdl:Application/jsdl-posix:POSIXApplication/jsdl-posix:"
                                + element);
    }

    @Test
    void aJobRunsInThePrimaryGroupOfItsAccount() {
        String document = posix("<p:GroupName> physics </p:GroupName>", "");
        JsdlSite physics = new JsdlSite(
                Documents.FILE_SYSTEMS, LrmCapabilities.UNKNOWN, false, false, () -> Optional.of("physics"));
        JsdlSite other =
                new JsdlSite(Documents.FILE_SYSTEMS, LrmCapabilities.UNKNOWN, false, false, () -> Optional.of("users"));

        assertThat(read(document, physics)).isEqualTo(read(posix("", "")));
        assertThat(refusal(document, other).code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
        assertThat(refusal(document, other).sentence())
                .contains("/jsdl-posix:POSIXApplication/jsdl-posix:GroupName", "primary group", "users");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "x", "", "99999999999999999999999"})
    void aLimitIsAWholeNumberThatIsNotNegative(String value) {
        Fault fault = refusal(posix("<p:FileSizeLimit>" + value + "</p:FileSizeLimit>", ""));

        assertThat(fault.code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(fault.sentence()).contains("jsdl-posix:FileSizeLimit");
    }

    @Test
    void anHpcProfileApplicationIsRead() {
        JsdlDocument document = Documents.reader()
                .read(definition(
                        "<JobIdentification><JobName>n</JobName><JobProject>p</JobProject></JobIdentification><Application>"
                                + "<h:HPCProfileApplication><h:Executable>/bin/date</h:Executable><h:Argument> a </h:Argument>"
                                + "<h:WorkingDirectory>/tmp/w</h:WorkingDirectory><h:UserName>alice</h:UserName>"
                                + "</h:HPCProfileApplication></Application>",
                        "<jg:ClientId>c-1</jg:ClientId><jg:Lrm>Fork</jg:Lrm>"));
        JobDescription job = document.job(Documents.site()).description();

        assertThat(job.arguments()).containsExactly(" a ");
        assertThat(job.project()).isEqualTo("p");
        assertThat(Labels.of(job, Labels.JOB_NAME)).contains("n");
        assertThat(document.account()).contains("alice");
        assertThat(document.clientId()).contains("c-1");
        assertThat(document.lrm()).contains("Fork");
    }

    @Test
    void anSpmdApplicationIsAParallelJob() {
        JobDescription job = read(spmd(
                "<m:NumberOfProcesses>8</m:NumberOfProcesses><m:ProcessesPerHost>4</m:ProcessesPerHost>"
                        + "<m:ThreadsPerProcess>2</m:ThreadsPerProcess>"
                        + "<m:SPMDVariation>http://www.ogf.org/jsdl/2007/02/jsdl-spmd/MPICH2</m:SPMDVariation>",
                ""));

        assertThat(job.jobType()).isEqualTo(JobType.MPI);
        assertThat(job.count()).isEqualTo(8);
        assertThat(job.hostCount()).isEqualTo(2);
        assertThat(job.resources())
                .isEqualTo(
                        Resources.builder().slotsPerHost(4).threadsPerProcess(2).build());
        assertThat(Labels.of(job, Labels.VARIATION)).get().asString().endsWith("MPICH2");
    }

    @Test
    void asManyProcessesAsProcessors() {
        JobDescription job = read(spmd(
                "<m:NumberOfProcesses actualtotalcpucount='true'/><m:ThreadsPerProcess actualindividualcpucount='true'/>"
                        + "<m:SPMDVariation>http://www.ogf.org/jsdl/2007/02/jsdl-spmd/MPI</m:SPMDVariation>",
                "<IndividualCPUCount><Exact>2</Exact></IndividualCPUCount><TotalCPUCount><Range><LowerBound>5</LowerBound>"
                        + "<UpperBound>9</UpperBound></Range></TotalCPUCount>"));

        assertThat(job.count()).isEqualTo(3);
        assertThat(job.resources())
                .isEqualTo(Resources.builder().threadsPerProcess(2).build());
    }

    @Test
    void aVariationThatIsNoMpiIsRefused() {
        Fault fault =
                refusal(spmd("<m:SPMDVariation>http://www.ogf.org/jsdl/2007/02/jsdl-spmd/PVM</m:SPMDVariation>", ""));

        assertThat(fault.code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
        assertThat(fault.attribute()).endsWith("/jsdl-spmd:SPMDVariation");
    }

    @Test
    void aDocumentWithTwoApplicationsIsRefused() {
        String one = "<p:POSIXApplication><p:Executable>/bin/date</p:Executable></p:POSIXApplication>";
        String other = "<h:HPCProfileApplication><h:Executable>/bin/date</h:Executable></h:HPCProfileApplication>";

        assertThat(refusal(definition("<Application>" + one + other + "</Application>", ""))
                        .sentence())
                .contains("a job has one application, and the document has 2");
        assertThat(refusal(definition(
                                "<Application>" + one + "</Application><Application>" + one + "</Application>", ""))
                        .sentence())
                .contains("jsdl:Application[2]", "it may be given once");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://schemas.ggf.org/jsdl/2005/06/jsdl",
                "http://schemas.ggf.org/jsdl/2006/08/jsdl",
                "http://schemas.ggf.org/bes/2006/08/bes-factory"
            })
    void ofADraftTheAnswerSaysWhatIsServed(String namespace) {
        FaultException refused = catchThrowableOfType(
                FaultException.class, () -> Documents.reader().read("<JobDefinition xmlns='" + namespace + "'/>"));

        assertThat(refused.fault().code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(refused).hasMessageContainingAll(namespace, Names.JSDL, "JSDL 1.0");
    }

    @Test
    void anApplicationOfADraftNamesTheServedNamespace() {
        String document = definition(
                "<Application><x:POSIXApplication xmlns:x='http://schemas.ggf.org/jsdl/2005/06/jsdl-posix'/></Application>",
                "");

        assertThat(refusal(document).sentence()).contains(Names.POSIX);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Nonsense/>",
                "<x:More xmlns:x='urn:x'/>",
                "<JobIdentification><x:More xmlns:x='urn:x'/></JobIdentification>",
                "<Resources><x:More xmlns:x='urn:x'/></Resources>",
                "<Resources><TotalCPUCount><Exact a='b'>1</Exact></TotalCPUCount></Resources>",
                "text"
            })
    void whatIsNotKnownIsRefusedByName(String part) {
        Fault fault = refusal(posix("", part));

        assertThat(fault.code()).isIn(FaultCode.UNSUPPORTED_FEATURE, FaultCode.INVALID_DESCRIPTION);
        assertThat(fault.attribute()).startsWith("/jsdl:JobDefinition/jsdl:JobDescription");
    }

    @Test
    void anApplicationWithoutAnExecutableIsRefused() {
        String document = definition(
                "<Application><ApplicationName>blast</ApplicationName><p:POSIXApplication/></Application>", "");

        assertThat(refusal(document).sentence()).contains("no applications are known here by their name alone");
    }

    @Test
    void aDocumentTypeIsRefused() {
        FaultException refused = catchThrowableOfType(
                FaultException.class,
                () -> Documents.reader().read("<!DOCTYPE a [<!ENTITY b 'c'>]><JobDefinition>&b;</JobDefinition>"));

        assertThat(refused.fault().code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
    }

    /** A client's own name of a project, which no LRM could have, fails nothing at a site that says so; nothing is lost. */
    @Test
    void projectsAreOnlyNotedWhereTheSiteSaysSo() {
        String document = Documents.definition(
                "<JobIdentification><JobProject>GridSAM(BES)</JobProject><JobProject>two</JobProject></JobIdentification><Application>"
                        + "<p:POSIXApplication><p:Executable>/bin/date</p:Executable></p:POSIXApplication></Application>",
                "");
        JsdlSite noting = new JsdlSite(Documents.FILE_SYSTEMS, LrmCapabilities.UNKNOWN, false, true);

        JobDescription job = Documents.read(document, noting);

        assertThat(job.project()).isNull();
        String written = new JsdlWriter(Documents.FILE_SYSTEMS).text(job);
        assertThat(written).contains("GridSAM(BES)", "two");
        assertThat(Documents.read(written, noting)).isEqualTo(job);
        assertThat(Documents.refusal(document).sentence()).contains("one project");
    }
}
