// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.FileTokens;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Transfer;
import org.jobgate.limits.JobLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sweeps over tokens in files (GFD.149, the file-sweep extension). */
class JsdlFileSweepTest {

    private static final String BINDING = "<s:NamespaceBinding ns='" + Names.JSDL + "' prefix='j'/>";
    private static final String TEMPLATE = "<fs:TemplateFile><FileName>in</FileName></fs:TemplateFile>";

    private static String staged(String name, String where) {
        return "<DataStaging><FileName>" + name + "</FileName>" + where + "</DataStaging>";
    }

    private static String document(String directory, String staging, String sweeps) {
        return Documents.definition(
                "<Application><p:POSIXApplication><p:Executable>/bin/date</p:Executable>" + directory
                        + "</p:POSIXApplication></Application>" + staging,
                sweeps.replace("<fs:FileSweep>", "<fs:FileSweep xmlns:fs='" + Names.FILE_SWEEP + "'>"));
    }

    private static final String FETCHED =
            staged("in", "<CreationFlag>overwrite</CreationFlag><Source><URI>https://host/in</URI></Source>");

    private static String assigned(String templates, String tokens, String... values) {
        return "<s:Assignment><fs:FileSweep>" + templates + tokens + "</fs:FileSweep>" + values(values)
                + "</s:Assignment>";
    }

    private static String values(String... values) {
        return "<f:Values><f:Value>" + String.join("</f:Value><f:Value>", values) + "</f:Value></f:Values>";
    }

    private static String sweep(String inside) {
        return "<s:Sweep>" + inside + "</s:Sweep>";
    }

    private static String token(String value) {
        return "<fs:FileToken value='" + value + "'/>";
    }

    private static List<JobDescription> points(String document) {
        Schemas.validate(document);
        GroupTemplate group = group(document);
        List<JobDescription> points = new ArrayList<>();
        for (int place = 0; place < group.indexes().size(); place++) {
            points.add(group.element(place));
        }
        return points;
    }

    private static GroupTemplate group(String document) {
        return Documents.reader()
                .read(document)
                .group(Documents.site(), JobLimits.defaults())
                .template();
    }

    private static Fault refusal(String document) {
        return catchThrowableOfType(FaultException.class, () -> group(document)).fault();
    }

    private static List<Map<String, String>> tokens(List<JobDescription> points) {
        return points.stream()
                .map(point -> point.transfers().stageIn().getFirst())
                .map(file -> FileTokens.in(file.options())
                        .<Map<String, String>>map(FileTokens::values)
                        .orElse(Map.of()))
                .toList();
    }

    @Test
    void eachPointHasItsFileInADirectoryOfItsOwn() {
        List<JobDescription> points =
                points(document("", FETCHED, sweep(assigned(TEMPLATE, token("@N@") + token("#"), "1", "2 &lt;"))));

        assertThat(tokens(points)).containsExactly(Map.of("@N@", "1", "#", "1"), Map.of("@N@", "2 <", "#", "2 <"));
        assertThat(points).extracting(JobDescription::directory).containsExactly("point-0", "point-1");
        assertThat(points)
                .extracting(point -> point.transfers().stageIn().getFirst().destination())
                .containsExactly("file:///home/alice/point-0/in", "file:///home/alice/point-1/in");
    }

    @Test
    void theDirectoriesAreInTheWorkingDirectory() {
        List<JobDescription> points = points(document(
                "<p:WorkingDirectory>/tmp/w</p:WorkingDirectory>",
                FETCHED,
                sweep(assigned(TEMPLATE, token("@"), "1", "2"))));

        assertThat(points).extracting(JobDescription::directory).containsExactly("/tmp/w/point-0", "/tmp/w/point-1");
    }

    /** With assignments of other kinds, in lock-step and inside one another. */
    @Test
    void itGoesWithOtherAssignments() {
        List<JobDescription> points = points(document(
                "<p:Argument>a</p:Argument>",
                FETCHED,
                sweep("<s:Assignment><s:DocumentNode><s:NamespaceBinding ns='" + Names.POSIX
                        + "' prefix='px'/><s:Match>//px:Argument</s:Match></s:DocumentNode>" + values("x", "y")
                        + "</s:Assignment>" + sweep(assigned(TEMPLATE, token("@N@"), "1", "2")))));

        assertThat(points).extracting(point -> point.arguments().getFirst()).containsExactly("x", "x", "y", "y");
        assertThat(tokens(points))
                .containsExactly(Map.of("@N@", "1"), Map.of("@N@", "2"), Map.of("@N@", "1"), Map.of("@N@", "2"));
    }

    /** A token keeps its default, or itself, while the sweep beside its own is gone through. */
    @Test
    void aTokenThatIsNotSweptHasItsDefault() {
        String withDefault = "<fs:FileToken value='@N@' assignDefault='none'/>";

        assertThat(tokens(points(document(
                        "",
                        FETCHED,
                        sweep(assigned(TEMPLATE, withDefault, "1", "2"))
                                + sweep(assigned(TEMPLATE, token("@M@"), "3"))))))
                .containsExactly(Map.of("@N@", "1"), Map.of("@N@", "2"), Map.of("@N@", "none", "@M@", "3"));
    }

    @Test
    void aFileAtOnePlaceForAllPointsMustBeOneFile() {
        String elsewhere = staged(
                "in",
                "<FilesystemName>TMP</FilesystemName><CreationFlag>overwrite</CreationFlag><Source><URI>https://host/in</URI></Source>");
        String template =
                "<fs:TemplateFile><FileName>in</FileName><FilesystemName>TMP</FilesystemName></fs:TemplateFile>";
        String names = "<s:Assignment><s:DocumentNode>" + BINDING
                + "<s:Match>//j:DataStaging/j:FileName</s:Match></s:DocumentNode>" + values("in1", "in2")
                + "</s:Assignment>";

        Fault fault = refusal(document("", elsewhere, sweep(assigned(template, token("@N@"), "1", "2"))));
        assertThat(fault.code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
        assertThat(fault.sentence()).contains("file:///tmp/in", "different content");

        assertThat(points(document("", elsewhere, sweep(assigned(template, token("@N@"), "1", "2") + names))))
                .extracting(point -> point.transfers().stageIn().getFirst().destination())
                .containsExactly("file:///tmp/in1", "file:///tmp/in2");
    }

    /** The points of the sweep beside fetch the same file to the same place, and nothing is replaced in it for them. */
    @Test
    void aFileThatIsFilledForSomePointsOnlyMustNotBeAtOnePlaceForAll() {
        String elsewhere = staged(
                "in",
                "<FilesystemName>TMP</FilesystemName><CreationFlag>overwrite</CreationFlag><Source><URI>https://host/in</URI></Source>");
        String filled = sweep(assigned(
                "<fs:TemplateFile><FileName>in</FileName><FilesystemName>TMP</FilesystemName></fs:TemplateFile>",
                token("@N@"),
                "1"));
        String beside = sweep("<s:Assignment><s:DocumentNode><s:NamespaceBinding ns='" + Names.POSIX
                + "' prefix='px'/><s:Match>//px:Argument</s:Match></s:DocumentNode>" + values("x", "y")
                + "</s:Assignment>");

        for (String sweeps : List.of(filled + beside, beside + filled)) {
            assertThat(refusal(document("<p:Argument>a</p:Argument>", elsewhere, sweeps))
                            .sentence())
                    .contains("file:///tmp/in", "different content");
        }
    }

    /** Nothing else would make the directory, and the job would not start. */
    @Test
    void aPointWithoutAFetchedFileInADirectoryOfItsOwnHasNone() {
        String elsewhere = staged(
                "in",
                "<FilesystemName>TMP</FilesystemName><CreationFlag>overwrite</CreationFlag><Source><URI>https://host/in</URI></Source>");
        String sweeps = sweep(assigned(
                        "<fs:TemplateFile><FileName>in</FileName><FilesystemName>TMP</FilesystemName></fs:TemplateFile>",
                        token("@N@"),
                        "1",
                        "2")
                + "<s:Assignment><s:DocumentNode>" + BINDING
                + "<s:Match>//j:DataStaging[j:FilesystemName='TMP']/j:FileName</s:Match></s:DocumentNode>"
                + values("in1", "in2") + "</s:Assignment>");
        String beside =
                staged("data", "<CreationFlag>overwrite</CreationFlag><Source><URI>https://host/data</URI></Source>");

        assertThat(points(document("", elsewhere, sweeps)))
                .extracting(JobDescription::directory)
                .containsOnlyNulls();
        assertThat(points(document("<p:WorkingDirectory>w</p:WorkingDirectory>", elsewhere, sweeps)))
                .extracting(JobDescription::directory)
                .containsOnly("w");
        assertThat(points(document("<p:WorkingDirectory>w</p:WorkingDirectory>", elsewhere + beside, sweeps)))
                .extracting(JobDescription::directory)
                .containsExactly("w/point-0", "w/point-1");
    }

    /** A file that goes back to where it came from goes as it is, and is not filled in once more. */
    @Test
    void onlyTheFetchedFileIsFilled() {
        JobDescription point = points(document(
                        "",
                        staged(
                                "in",
                                "<CreationFlag>overwrite</CreationFlag><Source><URI>https://host/in</URI></Source>"
                                        + "<Target><URI>https://host/out</URI></Target>"),
                        sweep(assigned(TEMPLATE, token("@N@"), "1"))))
                .getFirst();

        assertThat(point.transfers().stageIn().getFirst().options()).containsKey(FileTokens.OPTION);
        assertThat(point.transfers().stageOut())
                .containsExactly(new Transfer("file:///home/alice/point-0/in", "https://host/out"));
    }

    /** The document of a point says it, and reading that gives the same job. */
    @Test
    void whatAPointIsCanBeWritten() {
        JobDescription point = points(
                        document("", FETCHED, sweep(assigned(TEMPLATE, token("@ &amp;"), "=&lt;&amp; %"))))
                .getFirst();

        String written = new JsdlWriter(Documents.FILE_SYSTEMS).text(point);

        Schemas.validate(written);
        assertThat(Documents.read(written)).isEqualTo(point);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <fs:TemplateFile><FileName>out</FileName></fs:TemplateFile>|<fs:FileToken value='a'/>|FileName
            <fs:TemplateFile><FileName>../in</FileName></fs:TemplateFile>|<fs:FileToken value='a'/>|FileName
            <fs:TemplateFile><FileName>in</FileName><FilesystemName>TMP</FilesystemName></fs:TemplateFile>|<fs:FileToken value='a'/>|FileName
            <fs:TemplateFile><FileName>in</FileName></fs:TemplateFile>|<fs:FileToken value=''/>|FileToken
            <fs:TemplateFile><FileName>in</FileName></fs:TemplateFile>|<fs:FileToken/>|FileToken
            <fs:TemplateFile><FileName>in</FileName></fs:TemplateFile>|<fs:FileToken value='a' more='b'/>|FileToken
            <fs:TemplateFile><FileName>in</FileName></fs:TemplateFile>|<fs:FileToken value='a' assignDefault='1'/><fs:FileToken value='a' assignDefault='2'/>|FileToken
            <fs:TemplateFile><FileName>in</FileName></fs:TemplateFile>|''|FileSweep
            ''|<fs:FileToken value='a'/>|FileSweep
            """)
    void whatIsWrongIsRefusedByItsPath(String template, String token, String element) {
        assertThat(refusal(document("", FETCHED, sweep(assigned(template, token, "1"))))
                        .attribute())
                .contains("/file-sweep:FileSweep")
                .containsPattern("[:]" + element + "(\\[[0-9]+])?$");
    }

    @Test
    void whatCannotBeFilledIsRefused() {
        String appended =
                staged("in", "<CreationFlag>append</CreationFlag><Source><URI>https://host/in</URI></Source>");
        StringBuilder many = new StringBuilder();
        for (int i = 0; i <= FileTokens.MAX; i++) {
            many.append(token("t" + i));
        }

        assertThat(refusal(document("", appended, sweep(assigned(TEMPLATE, token("@"), "1"))))
                        .attribute())
                .endsWith("/jsdl:DataStaging");
        assertThat(refusal(document("", FETCHED, sweep(assigned(TEMPLATE, many.toString(), "1"))))
                        .sentence())
                .contains("1 to 32 tokens");
        assertThat(refusal(document("", FETCHED, sweep(assigned(TEMPLATE, token("@"), "<FileName>x</FileName>"))))
                        .sentence())
                .contains("replaced by text");
        assertThat(refusal(document(
                                "",
                                FETCHED,
                                sweep(assigned(TEMPLATE, token("@"), "1") + assigned(TEMPLATE, token("@"), "2"))))
                        .sentence())
                .contains("the token '@'", "at the same time");
    }

    @Test
    void howMuchItAsksForIsBounded() {
        String templates = TEMPLATE.repeat(2_000);
        StringBuilder files = new StringBuilder(FETCHED);
        for (int i = 0; i < 10_001; i++) {
            files.append(staged("f" + i, "<CreationFlag>overwrite</CreationFlag>"));
        }

        assertThat(refusal(document("", files.toString(), sweep(assigned(templates, token("@"), "1"))))
                        .code())
                .isEqualTo(FaultCode.LIMIT_EXCEEDED);
    }
}
