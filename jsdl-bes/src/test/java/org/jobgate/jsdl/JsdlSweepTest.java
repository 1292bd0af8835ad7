// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobDescription;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Parameter sweeps (GFD.149). */
class JsdlSweepTest {

    private static final String BINDINGS = "<s:NamespaceBinding ns='" + Names.JSDL
            + "' prefix='j'/><s:NamespaceBinding ns='" + Names.POSIX + "' prefix='px'/>";

    private static String node(String path) {
        return "<s:DocumentNode>" + BINDINGS + "<s:Match>" + path + "</s:Match></s:DocumentNode>";
    }

    private static String assigned(String path, String function) {
        return "<s:Assignment>" + node(path) + function + "</s:Assignment>";
    }

    private static String values(String... values) {
        StringBuilder text = new StringBuilder("<f:Values>");
        for (String value : values) {
            text.append("<f:Value>").append(value).append("</f:Value>");
        }
        return text + "</f:Values>";
    }

    private static String loop(String attributes, String exceptions) {
        return "<f:LoopInteger " + attributes + ">" + exceptions + "</f:LoopInteger>";
    }

    private static String document(String sweeps) {
        return Documents.definition(
                "<JobIdentification><JobName>n</JobName></JobIdentification><Application><p:POSIXApplication>"
                        + "<p:Executable>/bin/date</p:Executable><p:Argument>a</p:Argument><p:Argument>b</p:Argument>"
                        + "<p:Environment name='X'>x</p:Environment><p:WallTimeLimit>60</p:WallTimeLimit></p:POSIXApplication></Application>"
                        + "<DataStaging><FileName>in</FileName><CreationFlag>overwrite</CreationFlag>"
                        + "<Source><URI>https://host/in</URI></Source></DataStaging>",
                sweeps);
    }

    private static GroupTemplate group(String document) {
        return Documents.reader()
                .read(document)
                .group(Documents.site(), JobLimits.defaults())
                .template();
    }

    private static List<JobDescription> points(String sweeps) {
        String document = document(sweeps);
        Schemas.validate(document);
        GroupTemplate group = group(document);
        List<JobDescription> points = new ArrayList<>();
        for (int place = 0; place < group.indexes().size(); place++) {
            points.add(group.element(place));
        }
        return points;
    }

    private static List<String> arguments(String sweeps) {
        return points(sweeps).stream()
                .map(job -> String.join(" ", job.arguments()))
                .toList();
    }

    private static Fault refusal(String sweeps) {
        return catchThrowableOfType(FaultException.class, () -> group(document(sweeps)))
                .fault();
    }

    @Test
    void valuesAreTakenOneAfterTheOther() {
        assertThat(arguments("<s:Sweep>" + assigned("//px:Argument[1]", values("1", "2 &lt;", "")) + "</s:Sweep>"))
                .containsExactly("1 b", "2 < b", " b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "start='1' end='3'|1 2 3",
                "start='5' end='1' step='-2'|5 3 1",
                "start='1' end='10' step='4'|1 5 9",
                "start='7' end='7'|7"
            })
    void aLoopOverWholeNumbersHasBothEnds(String attributes, String expected) {
        assertThat(arguments("<s:Sweep>" + assigned("//px:Argument[2]", loop(attributes, "")) + "</s:Sweep>"))
                .containsExactlyElementsOf(List.of(expected.split(" ", -1)).stream()
                        .map(n -> "a " + n)
                        .toList());
    }

    @Test
    void aLoopLeavesOutItsExceptions() {
        String function = loop(
                "start='1' end='6'",
                "<f:Exception>2</f:Exception><f:Exception>3</f:Exception><f:Exception>9</f:Exception>");

        assertThat(arguments("<s:Sweep>" + assigned("//px:Argument[1]", function) + "</s:Sweep>"))
                .containsExactly("1 b", "4 b", "5 b", "6 b");
    }

    @Test
    void aLoopOverDecimalNumbersDoesNotDrift() {
        String function = "<f:LoopDouble start='0' end='1' step='0.1'><f:Exception>0.3</f:Exception></f:LoopDouble>";

        assertThat(arguments("<s:Sweep>" + assigned("//px:Argument[1]", function) + "</s:Sweep>"))
                .containsExactly("0 b", "0.1 b", "0.2 b", "0.4 b", "0.5 b", "0.6 b", "0.7 b", "0.8 b", "0.9 b", "1 b");
    }

    @Test
    void assignmentsOfOneSweepGoTogether() {
        assertThat(arguments("<s:Sweep>" + assigned("//px:Argument[1]", values("1", "2"))
                        + assigned("//px:Argument[2]", values("x", "y")) + "</s:Sweep>"))
                .containsExactly("1 x", "2 y");
        Fault fault = refusal("<s:Sweep>" + assigned("//px:Argument[1]", values("1", "2"))
                + assigned("//px:Argument[2]", values("x")) + "</s:Sweep>");
        assertThat(fault.sentence()).contains("it has 1 values, and the first assignment beside it has 2");
    }

    @Test
    void aSweepInsideIsGoneThroughForEachValue() {
        assertThat(arguments("<s:Sweep>" + assigned("//px:Argument[1]", values("1", "2")) + "<s:Sweep>"
                        + assigned("//px:Argument[2]", values("x", "y", "z")) + "</s:Sweep></s:Sweep>"))
                .containsExactly("1 x", "1 y", "1 z", "2 x", "2 y", "2 z");
    }

    @Test
    void sweepsSideBySideFollowOneAnother() {
        assertThat(arguments("<s:Sweep>" + assigned("//px:Argument[1]", values("1", "2")) + "</s:Sweep><s:Sweep>"
                        + assigned("//px:Argument[2]", values("x")) + "</s:Sweep>"))
                .containsExactly("1 b", "2 b", "a x");
    }

    @Test
    void anythingOfTheJobCanBeSwept() {
        List<JobDescription> points = points("<s:Sweep>"
                + assigned("//px:WallTimeLimit", values("60", "120"))
                + assigned(
                        "/*/j:JobDescription/j:DataStaging[j:FileName='in']/j:Source/j:URI/text()",
                        values("https://host/1", "https://host/2"))
                + assigned("//px:Environment[@name='X']/@name", values("Y", "Z"))
                + assigned(
                        "//j:JobIdentification", values("<j:JobName xmlns:j='" + Names.JSDL + "'>n1</j:JobName>", ""))
                + "</s:Sweep>");

        assertThat(points)
                .extracting(JobDescription::maxWallTime)
                .containsExactly(Duration.ofSeconds(60), Duration.ofSeconds(120));
        assertThat(points)
                .extracting(job -> job.transfers().stageIn().getFirst().source())
                .containsExactly("https://host/1", "https://host/2");
        assertThat(points)
                .extracting(job -> job.environment().getFirst().name())
                .containsExactly("Y", "Z");
        assertThat(points.get(0).extensions()).isNotEmpty();
        assertThat(points.get(1).extensions()).isEmpty();
    }

    @Test
    void whatAValueMakesOfTheDocumentIsCheckedAsTheDocument() {
        Fault fault = refusal("<s:Sweep>" + assigned("//j:FileName", values("ok", "../up")) + "</s:Sweep>");

        assertThat(fault.code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(fault.attribute()).endsWith("/jsdl:DataStaging/jsdl:FileName");
        assertThat(refusal("<s:Sweep>" + assigned("//px:WallTimeLimit", values("-1")) + "</s:Sweep>")
                        .attribute())
                .endsWith("jsdl-posix:WallTimeLimit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//px:Argument[1][position()=1]",
                "/j:JobDefinition/j:JobDescription/j:Application/px:POSIXApplication/px:Argument[1]",
                "//px:Executable/../px:Argument",
                "count(//*)",
                "//*[//*[//*]]",
                "//px:Argument | //px:Executable",
                "id('x')",
                "//nothing",
                "//q:Argument",
                "/j:JobDefinition",
                "/j:JobDefinition/j:JobDescription",
                "//s:Match",
                "",
                "px:Argument",
                "//px:Argument[999999999]"
            })
    void aPathNamesNodesOfTheJobOrIsRefused(String path) {
        String sweep = "<s:Sweep>" + assigned(path, values("1")) + "</s:Sweep>";
        if (path.endsWith("Argument[1]") || path.endsWith("position()=1]")) {
            assertThat(arguments(sweep)).containsExactly("1 b");
        } else {
            assertThat(refusal(sweep).attribute()).contains("/sweep:Match");
        }
    }

    @Test
    void aPathThatLooksAtTooMuchIsRefused() {
        StringBuilder deep = new StringBuilder("//*");
        for (int i = 0; i < 31; i++) {
            deep.append("//*");
        }
        assertThat(arguments("<s:Sweep>" + assigned("//*//px:Argument[1]", values("1")) + "</s:Sweep>"))
                .containsExactly("1 b");
        assertThat(refusal("<s:Sweep>" + assigned(deep.toString(), values("1")) + "</s:Sweep>")
                        .sentence())
                .contains("/sweep:Match");
        assertThat(refusal("<s:Sweep>" + assigned("//px:Argument".repeat(100), values("1")) + "</s:Sweep>")
                        .sentence())
                .contains("at most 1024 are read");
    }

    /** The first sweep exchanges all in which the second one's node lies. */
    @Test
    void aSweepFindsTheDocumentAsItWasBeforeTheOneBesideIt() {
        String content = "<p:Executable xmlns:p='" + Names.POSIX + "'>/bin/true</p:Executable>";

        assertThat(arguments("<s:Sweep>" + assigned("//px:POSIXApplication", values(content)) + "</s:Sweep><s:Sweep>"
                        + assigned("//px:Argument[2]", values("x", "y")) + "</s:Sweep>"))
                .containsExactly("", "a x", "a y");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "//px:POSIXApplication|//px:Argument[2]",
                "//px:Argument[2]|//px:POSIXApplication",
                "//px:POSIXApplication|//px:Environment/@name",
                "//px:Argument[2]|//px:Argument"
            })
    void anAssignmentThatAnotherWouldUndoIsRefused(String one, String other) {
        String content = "<p:Executable xmlns:p='" + Names.POSIX + "'>/bin/true</p:Executable>";
        String first = assigned(one, values(one.endsWith("Application") ? content : "1"));
        String second = assigned(other, values(other.endsWith("Application") ? content : "2"));

        for (String sweep : List.of(
                "<s:Sweep>" + first + second + "</s:Sweep>",
                "<s:Sweep>" + first + "<s:Sweep>" + second + "</s:Sweep></s:Sweep>")) {
            assertThat(refusal(sweep).sentence()).containsAnyOf("at the same time", "inside it");
        }
    }

    /** This one kept a processor busy for 80 seconds; with more nodes and assignments it was hours. */
    @Test
    void aShortDocumentDoesNotAskForHoursOfWork() {
        String arguments = "<p:Argument>z</p:Argument>".repeat(4_000);
        String sweep = "<s:Sweep>" + assigned("//px:Argument[1]", loop("start='1' end='100000'", "")) + "</s:Sweep>";
        String document = Documents.definition(
                "<Application><p:POSIXApplication><p:Executable>/bin/date</p:Executable>" + arguments
                        + "</p:POSIXApplication></Application>",
                sweep);
        long begin = processorTime();

        Fault fault = catchThrowableOfType(FaultException.class, () -> group(document))
                .fault();

        assertThat(fault.code()).isEqualTo(FaultCode.LIMIT_EXCEEDED);
        assertThat(fault.sentence()).contains("too much work");
        Duration taken = Duration.ofNanos(processorTime() - begin);
        LoggerFactory.getLogger(JsdlSweepTest.class).info("refused after {}", taken);
        assertThat(taken).isLessThan(Duration.ofSeconds(30));
    }

    /** Of this thread alone: what else the machine does has no part in it. */
    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    @Test
    void aBillionPointsAreRefusedWithoutBeingLookedAt() {
        String thousand = loop("start='1' end='1000'", "");
        String sweep = "<s:Sweep>" + assigned("//px:Argument[1]", thousand) + "<s:Sweep>"
                + assigned("//px:Argument[2]", thousand) + "<s:Sweep>"
                + assigned("//px:Environment", thousand) + "</s:Sweep></s:Sweep></s:Sweep>";
        long begin = processorTime();
        Fault fault = refusal(sweep);

        assertThat(fault.code()).isEqualTo(FaultCode.LIMIT_EXCEEDED);
        assertThat(fault.sentence()).contains("1000000000", "limits.maxGroupElements");
        assertThat(Duration.ofNanos(processorTime() - begin)).isLessThan(Duration.ofSeconds(10));
        assertThat(Documents.reader().read(document(sweep)).size()).isEqualTo(BigInteger.TEN.pow(9));
        assertThat(refusal("<s:Sweep>"
                                + assigned(
                                        "//px:Argument[1]",
                                        loop("start='-999999999999999999' end='999999999999999999'", ""))
                                + "</s:Sweep>")
                        .code())
                .isEqualTo(FaultCode.LIMIT_EXCEEDED);
    }

    @Test
    void whatDiffersIsBoundedInBytes() {
        JobLimits small = JobLimits.defaults().with(new Limit("limits.maxGroupBytes", 2_000));
        String sweep =
                "<s:Sweep>" + assigned("//px:Argument[1]", loop("start='1000000' end='1001000'", "")) + "</s:Sweep>";

        FaultException refused = catchThrowableOfType(
                FaultException.class,
                () -> Documents.reader().read(document(sweep)).group(Documents.site(), small));

        assertThat(refused).hasMessageContaining("limits.maxGroupBytes");
    }

    @Test
    void tenThousandPointsTakeLittle() {
        String sweep = "<s:Sweep>" + assigned("//px:Argument[1]", loop("start='1' end='100'", "")) + "<s:Sweep>"
                + assigned("//px:Argument[2]", loop("start='1' end='100'", "")) + "</s:Sweep></s:Sweep>";
        long begin = processorTime();
        GroupTemplate group = group(document(sweep));
        Duration taken = Duration.ofNanos(processorTime() - begin);

        assertThat(group.indexes().size()).isEqualTo(10_000);
        assertThat(group.element(9_999).arguments()).containsExactly("100", "100");
        assertThat(group.bytes()).isLessThan(50_000);
        LoggerFactory.getLogger(JsdlSweepTest.class).info("10,000 points were read in {}", taken);
        assertThat(taken).isLessThan(Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<f:LoopInteger start='1' end='3' step='0'/>",
                "<f:LoopInteger start='1' end='3' step='-1'/>",
                "<f:LoopInteger start='x' end='3'/>",
                "<f:LoopInteger start='1'/>",
                "<f:LoopInteger start='1' end='1'><f:Exception>1</f:Exception></f:LoopInteger>",
                "<f:LoopDouble start='0' end='INF' step='1'/>",
                "<f:LoopDouble start='0' end='1'/>",
                "<f:Values/>",
                "<f:Values><f:Value>1</f:Value></f:Values><f:Values><f:Value>1</f:Value></f:Values>",
                ""
            })
    void aFunctionThatIsWrongIsRefused(String function) {
        assertThat(refusal("<s:Sweep>" + assigned("//px:Argument[1]", function) + "</s:Sweep>")
                        .attribute())
                .contains("/sweep:Assignment");
    }
}
