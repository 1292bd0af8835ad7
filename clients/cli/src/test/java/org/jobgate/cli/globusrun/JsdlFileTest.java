// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files for -f that hold JSDL. */
class JsdlFileTest {
    private static final String JSDL = "http://schemas.ggf.org/jsdl/2005/11/jsdl";
    private static final String POSIX = "http://schemas.ggf.org/jsdl/2005/11/jsdl-posix";

    private static String document(String application, String more) {
        return "<?xml version='1.0'?><!-- by hand --><j:JobDefinition xmlns:j='" + JSDL + "' xmlns:p='" + POSIX
                + "' xmlns:jg='https://jobgate.org/ns/2026/jsdl' id='one'><j:JobDescription><j:Application>"
                + application + "</j:Application>" + more + "</j:JobDescription></j:JobDefinition>";
    }

    private static final String ECHO =
            "<p:POSIXApplication><p:Executable>/bin/echo</p:Executable><p:Argument>a  &lt;b\n</p:Argument></p:POSIXApplication>";

    private static String qualified(String document) throws XMLStreamException {
        return JobDescriptionFile.qualified(document.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> problems(String document) throws Exception {
        return DescriptionCheck.problems(qualified(document), new OwnNames(false));
    }

    @Test
    void goesAsItIsAmongTheExtensionsOfAJob() throws Exception {
        XmlElement job = JobDescriptionFile.parsed(qualified(document(ECHO, "")));

        assertThat(job.is(Names.DESCRIPTION, "job")).isTrue();
        XmlElement jsdl = requireNonNull(JobDescriptionFile.jsdl(job));
        assertThat(jsdl.attribute("", "id")).isEqualTo("one");
        XmlElement application = requireNonNull(requireNonNull(
                        requireNonNull(jsdl.child(JSDL, "JobDescription")).child(JSDL, "Application"))
                .child(POSIX, "POSIXApplication"));
        assertThat(requireNonNull(application.child(POSIX, "Argument")).text()).isEqualTo("a  <b\n");
    }

    @Test
    void aJobWithAnExecutableIsNone() throws Exception {
        String job = "<job><executable>/bin/true</executable><extensions><JobDefinition xmlns='" + JSDL
                + "'/></extensions></job>";

        assertThat(JobDescriptionFile.jsdl(JobDescriptionFile.parsed(qualified(job))))
                .isNull();
    }

    @Test
    void anotherRootOfThatNameIsRefused() {
        assertThatThrownBy(() -> qualified("<JobDefinition xmlns='urn:x'/>"))
                .hasMessageContaining("JobDefinition of JSDL is needed");
    }

    @Test
    void itsOutputCanBeStreamedAndItsFilesHaveTheJobsCredential() throws Exception {
        String staging = "<j:DataStaging><j:FileName>a</j:FileName><j:CreationFlag>overwrite</j:CreationFlag>"
                + "<j:Source><j:URI>gsiftp://h/a</j:URI></j:Source></j:DataStaging>";
        String streamed =
                StreamedDescription.of(qualified(document(ECHO, staging)), "uuid:11111111-1111-1111-1111-111111111111");
        CredentialedDescription credentialed = new CredentialedDescription(streamed);
        assertThat(credentialed.isStaging()).isTrue();
        assertThat(new CredentialedDescription(qualified(document(ECHO, ""))).isStaging())
                .isFalse();

        XmlElement job = JobDescriptionFile.parsed(credentialed.with(null, null, Epr.factory("https://h/f", "Fork")));
        assertThat(job.childText(Names.DESCRIPTION, "stdout"))
                .isEqualTo("${GLOBUS_USER_HOME}/11111111-1111-1111-1111-111111111111.stdout");
        assertThat(job.childText(Names.TYPES, "holdState")).isEqualTo("CleanUp");
        assertThat(job.child(Names.DESCRIPTION, "stagingCredentialEndpoint")).isNotNull();
        assertThat(JobDescriptionFile.jsdl(job)).isNotNull();
    }

    @Test
    void itsLrmIsTheFactorys(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("job.jsdl");
        Files.writeString(
                file, document(ECHO, "").replace("</j:JobDefinition>", "<jg:Lrm>Condor</jg:Lrm></j:JobDefinition>"));

        Epr factory = Submission.of(CommandLine.parse("-submit", "-f", file.toString()), Clock.systemUTC())
                .factory();
        Epr asked = Submission.of(
                        CommandLine.parse("-submit", "-Ft", "Slurm", "-f", file.toString()), Clock.systemUTC())
                .factory();

        assertThat(factory.resourceId()).isEqualTo("Condor");
        assertThat(asked.resourceId()).isEqualTo("Slurm");
    }

    @Test
    void aGoodDocumentIsValid() throws Exception {
        assertThat(
                        problems(
                                document(
                                        ECHO,
                                        "<j:Resources><j:TotalCPUCount><j:Exact>2</j:Exact></j:TotalCPUCount></j:Resources>"
                                                + "<j:DataStaging><j:FileName>a</j:FileName><j:CreationFlag>overwrite</j:CreationFlag></j:DataStaging>")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<p:POSIXApplication/>|needs an Executable",
                "<p:POSIXApplication><p:Executable>x</p:Executable><p:WalltimeLimit>1</p:WalltimeLimit></p:POSIXApplication>|WalltimeLimit is not known. Did you mean WallTimeLimit?",
                "<p:POSIXApplication><p:Executable>x</p:Executable><p:MemoryLimit>-1</p:MemoryLimit></p:POSIXApplication>|MemoryLimit is -1; a number from 0",
                "<p:POSIXApplication><p:Executable>x</p:Executable><p:MemoryLimit>much</p:MemoryLimit></p:POSIXApplication>|not a number",
                "<p:HPCProfileApplication><p:Executable>x</p:Executable></p:HPCProfileApplication>|write it in http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa",
                "<j:ApplicationName>x</j:ApplicationName>|needs one POSIXApplication",
                "<p:POSIXApplication/><p:POSIXApplication/>|holds 2",
                "<p:POSIXApplication><p:Executable>x</p:Executable></p:POSIXApplication></j:Application><j:Resource/><j:Application>|Resource is not known. Did you mean Resources?",
                "<p:POSIXApplication><p:Executable>x</p:Executable></p:POSIXApplication></j:Application><j:DataStaging/><j:Application>|DataStaging needs a FileName"
            })
    void whatIsWrongIsNamed(String application, String said) throws Exception {
        assertThat(problems(document(application, "")))
                .anySatisfy(problem -> assertThat(problem).contains(said));
    }

    @Test
    void aDraftAndASweepAreToldWhatToDo() throws Exception {
        assertThat(problems(document(ECHO, "").replace("2005/11/jsdl'", "2005/06/jsdl'")))
                .singleElement()
                .asString()
                .contains("draft", JSDL);
        String sweep = "<s:Sweep xmlns:s='http://schemas.ogf.org/jsdl/2009/03/sweep'/></j:JobDefinition>";
        assertThat(problems(document(ECHO, "").replace("</j:JobDefinition>", sweep)))
                .singleElement()
                .asString()
                .contains("bes create");
    }
}
