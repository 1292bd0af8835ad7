// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Extension;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JddParserTest {

    private static final String DATE = "<executable>/bin/date</executable>";

    private static JobDescription job(String content) {
        return Jdd.parse("<job>" + DATE + content + "</job>");
    }

    private static Fault refusal(String document) {
        FaultException refused = catchThrowableOfType(FaultException.class, () -> Jdd.parse(document));
        assertThat(refused).as(document).isNotNull();
        return refused.fault();
    }

    @Test
    void everyElementIsReadInAnyOrderAndWithoutNamespace() {
        JobDescription description = job("<jobType>mpi</jobType><minMemory>1</minMemory><maxMemory>2</maxMemory>"
                + "<maxCpuTime>3</maxCpuTime><maxWallTime>4</maxWallTime><maxTime>5</maxTime><queue> short </queue>"
                + "<project>p</project><hostCount>2</hostCount><libraryPath>/lib</libraryPath><count>8</count>"
                + "<stderr>e</stderr><stdout>o</stdout><stdin>i</stdin><argument>a</argument><argument/>"
                + "<environment><value>V</value><name>N</name></environment><directory>/d</directory>"
                + "<holdState>CleanUp</holdState>");

        assertThat(description)
                .isEqualTo(JobDescription.builder("/bin/date")
                        .jobType(JobType.MPI)
                        .minMemoryMiB(1L)
                        .maxMemoryMiB(2L)
                        .maxCpuTime(Duration.ofMinutes(3))
                        .maxWallTime(Duration.ofMinutes(4))
                        .maxTime(Duration.ofMinutes(5))
                        .queue("short")
                        .project("p")
                        .hostCount(2)
                        .libraryPath(List.of("/lib"))
                        .count(8)
                        .stderr("e")
                        .stdout("o")
                        .stdin("i")
                        .arguments(List.of("a", ""))
                        .environment(List.of(new EnvironmentVariable("N", "V")))
                        .directory("/d")
                        .holdAt(JobState.CLEAN_UP)
                        .build());
    }

    @Test
    void theDefaultsAreOneProcessOfTypeMultiple() {
        assertThat(job("").count()).isEqualTo(1);
        assertThat(job("").jobType()).isEqualTo(JobType.MULTIPLE);
    }

    @Test
    void anyNamespaceAndAnyPrefixWillDo() {
        String document =
                "<x:job xmlns:x='urn:x' xmlns='urn:y'><executable>/bin/date</executable><x:count>2</x:count></x:job>";

        assertThat(Jdd.parse(document).count()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b", "'\"`", "$HOME", "$", "$$", "${", "${}", "a&lt;&amp;b", " lead", "ä漢😀", "*?[", "\\"})
    void argumentsArriveAsTheyWereWritten(String argument) {
        String expected = argument.replace("&lt;", "<").replace("&amp;", "&");

        assertThat(job("<argument>" + argument + "</argument>").arguments()).containsExactly(expected);
    }

    @Test
    void newlinesAndCharacterDataSectionsAreKept() {
        assertThat(job("<argument>a\nb<![CDATA[<c>]]>&#13;</argument>").arguments())
                .containsExactly("a\nb<c>\r");
    }

    @Test
    void theFactoryIsReadOver() {
        assertThat(job("<factoryEndpoint><Address>x</Address></factoryEndpoint>"))
                .isEqualTo(job(""));
    }

    @Test
    void aCredentialWithoutKeyIsRefused() {
        assertThat(refusal("<job>" + DATE + "<jobCredentialEndpoint><Address>x</Address></jobCredentialEndpoint></job>")
                        .attribute())
                .isEqualTo("jobCredentialEndpoint");
    }

    @ParameterizedTest
    @CsvSource({
        "excutable, executable",
        "Queue, queue",
        "enviroment, environment",
        "maxWalltme, maxWallTime",
        "stdOutput, stdout",
        "fileStagein, fileStageIn",
        "localUser, localUserId",
    })
    void theNearestNameOfAMisspeltElementIsTold(String misspelt, String meant) {
        Fault fault = refusal("<job>" + DATE + "<" + misspelt + ">x</" + misspelt + "></job>");

        assertThat(fault.attribute()).isEqualTo(misspelt);
        assertThat(fault.sentence()).contains(misspelt).endsWith("there is no such element in a job description.");
        assertThat(fault.remedy()).startsWith("Did you mean " + meant + "? ");
    }

    @Test
    void noNameIsToldWhereNoneIsNear() {
        String far = "x".repeat(10_000);
        for (String name : new String[] {"frobnicate", far}) {
            Fault fault = refusal("<job>" + DATE + "<" + name + "/></job>");
            assertThat(fault.sentence()).contains("there is no such element").hasSizeLessThan(300);
            assertThat(fault.remedy()).doesNotContain("mean");
        }
    }

    @Test
    void extensionsAreKeptAsATree() {
        JobDescription description = job("<extensions><nodes xmlns=''>4:ppn=2</nodes><condorsubmit name='Rank'> x "
                + "</condorsubmit><group><host>a</host><host>b</host></group></extensions>");

        assertThat(description.extensions())
                .containsExactly(
                        new Extension("nodes", Map.of(), "4:ppn=2", List.of()),
                        new Extension("condorsubmit", Map.of("name", "Rank"), "x", List.of()),
                        new Extension(
                                "group",
                                Map.of(),
                                "",
                                List.of(
                                        new Extension("host", Map.of(), "a", List.of()),
                                        new Extension("host", Map.of(), "b", List.of()))));
    }

    @Test
    void variablesAreReplacedWhereTheyMayStand() {
        String home = "${GLOBUS_USER_HOME}";
        JobDescription description = Jdd.parse("<job><executable>" + home + "/e</executable><directory>" + home
                + "</directory><argument>-o=" + home + "/a" + home + "</argument><environment><name>N</name><value>"
                + home
                + "</value></environment><stdin>" + home + "/i</stdin><stdout>" + home + "/o</stdout><stderr>" + home
                + "/r</stderr><libraryPath>" + home + "/l</libraryPath></job>");

        assertThat(description)
                .isEqualTo(JobDescription.builder("/home/alice/e")
                        .directory("/home/alice")
                        .arguments(List.of("-o=/home/alice/a/home/alice"))
                        .environment(List.of(new EnvironmentVariable("N", "/home/alice")))
                        .stdin("/home/alice/i")
                        .stdout("/home/alice/o")
                        .stderr("/home/alice/r")
                        .libraryPath(List.of("/home/alice/l"))
                        .build());
    }

    @Test
    void aDoubledDollarKeepsTheTextOfAVariable() {
        assertThat(job("<argument>$${GLOBUS_USER_HOME} $$${NOTHING}</argument>").arguments())
                .containsExactly("${GLOBUS_USER_HOME} $${NOTHING}");
    }

    @Test
    void anUnknownVariableIsRefusedWithItsName() {
        Fault fault = refusal("<job>" + DATE + "<stdout>${SCRATCH_SPACE}/o</stdout></job>");

        assertThat(fault.code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(fault.attribute()).isEqualTo("stdout");
        assertThat(fault.sentence()).contains("SCRATCH_SPACE");
    }

    @ParameterizedTest
    @CsvSource({
        "count,0",
        "count,-1",
        "count,1.5",
        "count,2147483648",
        "count,''",
        "hostCount,none",
        "maxTime,-1",
        "maxWallTime,999999999999999999999999999999",
        "maxMemory,1e3",
        "minMemory,-7",
        "jobType,Multiple",
        "queue,''",
        "localuserid,x",
        "nonsense,x"
    })
    void aWrongElementIsRefusedByItsNameAndValue(String name, String value) {
        Fault fault = refusal("<job>" + DATE + "<" + name + ">" + value + "</" + name + "></job>");

        assertThat(fault.code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(fault.attribute()).isEqualTo(name);
        assertThat(fault.sentence()).contains(name);
        if (name.equals("count") && !value.isEmpty()) {
            assertThat(fault.sentence()).contains("'" + value + "'");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<job/>",
                "<job><executable/></job>",
                "<job><executable>a</executable><executable>b</executable></job>",
                "<job><executable><b/></executable></job>",
                "<job><executable>a</executable><environment/></job>",
                "<job><executable>a</executable><environment><name/></environment></job>",
                "<job><executable>a</executable><environment><name>a=b</name></environment></job>",
                "<job><executable>a</executable><environment><name>a</name><name>b</name></environment></job>",
                "<task/>"
            })
    void whatIsNoJobDescriptionIsRefused(String document) {
        assertThat(refusal(document).code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Active", "Done", "Unsubmitted", "stageIn", ""})
    void aHoldAtAnotherStateIsNotSupported(String state) {
        assertThat(refusal("<job>" + DATE + "<holdState>" + state + "</holdState></job>")
                        .code())
                .isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
    }

    @Test
    void eachLimitIsNamedWhereItIsPassed() {
        assertThat(refusal("<job>" + DATE + "<argument/>".repeat(4097) + "</job>")
                        .sentence())
                .contains("4097", "limits.maxArguments = 4096");
        assertThat(refusal("<job>" + DATE + "<environment><name>a</name></environment>".repeat(1025) + "</job>")
                        .sentence())
                .contains("1025", "limits.maxEnvironment = 1024");
        assertThat(refusal("<job>" + DATE + "<argument>" + "ä".repeat(40_000) + "</argument></job>")
                        .sentence())
                .contains("80000", "limits.maxTextBytes = 65536");
        assertThat(refusal("<job>" + DATE + ("<argument>" + "x".repeat(60_000) + "</argument>").repeat(18) + "</job>")
                        .sentence())
                .contains("limits.maxDescriptionBytes = 1048576");
        assertThat(refusal("<job>" + DATE + "<count>10001</count></job>").sentence())
                .contains("10001", "limits.maxCount = 10000");
    }

    @Test
    void theAccountAskedForIsRead() {
        String document = "<job xmlns:t='urn:t'><t:localUserId> alice </t:localUserId></job>";

        assertThat(Jdd.parser()
                        .localUserId(XmlTree.parse(document.getBytes(StandardCharsets.UTF_8), XmlLimits.defaults())))
                .hasValue("alice");
    }
}
