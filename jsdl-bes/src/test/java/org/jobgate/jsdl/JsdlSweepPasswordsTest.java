// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Transfer;
import org.jobgate.jobs.FilePassword;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.LrmCapabilities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names and passwords for files (GFD.135) in parameter sweeps. */
class JsdlSweepPasswordsTest {

    private static final JsdlSite SITE = new JsdlSite(Documents.FILE_SYSTEMS, LrmCapabilities.UNKNOWN, true);

    private static String credential(String user, String password) {
        return "<a:Credential><w:UsernameToken><w:Username>" + user + "</w:Username><w:Password>" + password
                + "</w:Password></w:UsernameToken></a:Credential>";
    }

    private static String staging(String name, String end, String credential) {
        return "<DataStaging><FileName>" + name + "</FileName><CreationFlag>overwrite</CreationFlag><" + end
                + "><URI>https://host/" + name + "</URI></" + end + ">" + credential + "</DataStaging>";
    }

    private static String document(String sweeps) {
        return Documents.definition(
                "<Application><p:POSIXApplication><p:Executable>/bin/date</p:Executable><p:Argument>a</p:Argument>"
                        + "<p:Argument>b</p:Argument></p:POSIXApplication></Application>"
                        + staging("in", "Source", credential("reader", "s3cret"))
                        + staging("out", "Target", credential("writer", "0ther")),
                sweeps);
    }

    private static String assigned(String function, String... paths) {
        StringBuilder text = new StringBuilder("<s:Assignment>");
        for (String path : paths) {
            text.append("<s:DocumentNode><s:NamespaceBinding ns='" + Names.JSDL
                    + "' prefix='j'/><s:NamespaceBinding ns='"
                    + Names.POSIX + "' prefix='p'/><s:NamespaceBinding ns='" + Names.WSSE
                    + "' prefix='w'/><s:NamespaceBinding ns='" + Names.CREDENTIAL + "' prefix='a'/><s:Match>" + path
                    + "</s:Match></s:DocumentNode>");
        }
        return text + function + "</s:Assignment>";
    }

    private static String values(String... values) {
        return "<f:Values><f:Value>" + String.join("</f:Value><f:Value>", values) + "</f:Value></f:Values>";
    }

    private static JsdlSweep sweep(String assignments) {
        return Documents.reader()
                .read(document("<s:Sweep>" + assignments + "</s:Sweep>"))
                .group(SITE, JobLimits.defaults());
    }

    private static Fault refusal(String assignments) {
        return catchThrowableOfType(FaultException.class, () -> sweep(assignments))
                .fault();
    }

    private static List<JobDescription> points(JsdlSweep sweep) {
        List<JobDescription> points = new ArrayList<>();
        for (int place = 0; place < sweep.template().indexes().size(); place++) {
            points.add(sweep.template().element(place));
        }
        return points;
    }

    private static FilePassword of(JsdlSweep sweep, Transfer copy) {
        int number = Integer.parseInt(copy.options().get(FilePassword.OPTION));
        return sweep.passwords().get(number - 1);
    }

    @Test
    void allPointsHaveTheOneOfTheirFileKeptOnce() {
        JsdlSweep sweep = sweep(assigned("<f:LoopInteger start='1' end='500'/>", "//p:Argument[1]"));

        assertThat(sweep.passwords())
                .containsExactly(new FilePassword("reader", "s3cret"), new FilePassword("writer", "0ther"));
        for (JobDescription point : points(sweep)) {
            assertThat(of(sweep, point.transfers().stageIn().getFirst()).userName())
                    .isEqualTo("reader");
            assertThat(of(sweep, point.transfers().stageOut().getFirst()).userName())
                    .isEqualTo("writer");
        }
        assertThat(requireNonNull(sweep.template().variants()).variants())
                .as("they differ in nothing else")
                .hasSize(1);
        assertThat(sweep.template().toString() + sweep).doesNotContain("s3cret", "0ther");
    }

    @Test
    void pointsMayHaveTheirOwn() {
        JsdlSweep sweep = sweep(
                assigned(values("one", "two", "one"), "//j:DataStaging[1]/a:Credential/w:UsernameToken/w:Password"));

        assertThat(points(sweep))
                .extracting(point ->
                        of(sweep, point.transfers().stageIn().getFirst()).password())
                .containsExactly("one", "two", "one");
        assertThat(points(sweep))
                .extracting(point ->
                        of(sweep, point.transfers().stageOut().getFirst()).password())
                .containsOnly("0ther");
        assertThat(sweep.passwords()).hasSize(3);
    }

    /** A point whose first file has no credential must not take that of another file for its second. */
    @Test
    void aPointWithoutOneKeepsTheNumbersOfTheOthers() {
        String plain =
                "<FileName>in</FileName><CreationFlag>overwrite</CreationFlag><Source><URI>https://host/x</URI></Source>";
        JsdlSweep sweep = sweep(assigned(values(plain + credential("own", "m1ne"), plain), "//j:DataStaging[1]"));

        assertThat(of(sweep, points(sweep).getFirst().transfers().stageIn().getFirst())
                        .password())
                .isEqualTo("m1ne");
        assertThat(points(sweep).get(1).transfers().stageIn().getFirst().options())
                .isEmpty();
        assertThat(points(sweep))
                .extracting(point ->
                        of(sweep, point.transfers().stageOut().getFirst()).password())
                .containsOnly("0ther");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "//w:Password|//p:Argument[1]|t0psecret",
                "//p:Argument[1]|//w:Username|t0psecret",
                "//w:UsernameToken|//p:Argument[1]|<w:Username>u</w:Username><w:Password>t0psecret</w:Password>",
                "//p:Argument[1]|//p:Argument[2]|<w:Password>t0psecret</w:Password>",
                "//a:Credential|//p:POSIXApplication|<w:UsernameToken><w:Username>u</w:Username><w:Password>t0psecret</w:Password></w:UsernameToken>",
                "//j:DataStaging[1]|//p:Argument[1]|<FileName>x</FileName><a:Credential><w:Password>t0psecret</w:Password></a:Credential>",
                "//j:FileName|//j:URI|<a:Credential><w:Password>t0psecret</w:Password></a:Credential>"
            })
    void aPasswordIsPutIntoNoOtherElement(String one, String other, String value) {
        Fault fault = refusal(assigned(values(value), one, other));

        assertThat(fault.code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(fault.sentence()).contains("may stand in no other element");
        assertThat(fault.toString()).doesNotContain("t0psecret");
    }

    /** What is wrong with a credential is said without what it holds, whichever of its parts is wrong. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "//w:UsernameToken|t0psecret",
                "//w:Password|<w:Nonce>t0psecret</w:Nonce>",
                "//w:Username|t0p&#10;secret",
                "//w:Password/@Type|t0psecret",
                "//a:Credential|t0psecret"
            })
    void aWrongCredentialIsNotShown(String path, String value) {
        JsdlDocument document = Documents.reader()
                .read(document("<s:Sweep>" + assigned(values(value), path) + "</s:Sweep>")
                        .replace("<w:Password>s3cret", "<w:Password Type='#PasswordText'>s3cret"));

        Fault fault = catchThrowableOfType(FaultException.class, () -> document.group(SITE, JobLimits.defaults()))
                .fault();

        assertThat(fault.attribute()).contains("a");
        assertThat(fault.toString()).doesNotContain("t0p", "s3cret", "0ther");
    }

    @Test
    void anAttributeThatIsNotKnownDoesNotShowThePasswordBesideIt() {
        String text = document("").replace("<w:Password>s3cret", "<w:Password Kind='x'>s3cret");

        Fault fault = catchThrowableOfType(
                        FaultException.class,
                        () -> Documents.reader().read(text).job(SITE))
                .fault();

        assertThat(fault.sentence()).contains("no attribute Kind");
        assertThat(fault.toString()).doesNotContain("s3cret");
    }

    @Test
    void aSweepHasABoundedNumber() {
        Fault fault = refusal(assigned("<f:LoopInteger start='1' end='1001'/>", "//w:Password"));

        assertThat(fault.code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
        assertThat(fault.sentence()).contains("at most 1000 names and passwords");
    }
}
