// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobDescriptionFileTest {
    private static XmlElement qualified(String document) throws XMLStreamException {
        return JobDescriptionFile.parsed(JobDescriptionFile.qualified(document.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> names(XmlElement element) {
        return element.children().stream()
                .map(child ->
                        "{" + child.namespace().substring(child.namespace().lastIndexOf('/') + 1) + "}" + child.name())
                .toList();
    }

    @Test
    void putsEachElementIntoItsNamespace() throws Exception {
        XmlElement job = qualified("""
                <?xml version="1.0"?><!-- a comment --><job><localUserId>a</localUserId><holdState>CleanUp</holdState>
                <executable>/bin/x</executable><environment><name>A</name><value>1</value></environment>
                <fileStageIn><maxAttempts>3</maxAttempts><transferCredentialEndpoint><Address>u</Address>
                <ReferenceProperties><DelegationKey>k</DelegationKey></ReferenceProperties></transferCredentialEndpoint>
                <transfer><sourceUrl>s</sourceUrl></transfer></fileStageIn>
                <extensions><nodes a="1">n</nodes></extensions></job>""");
        assertThat(job.is(Names.DESCRIPTION, "job")).isTrue();
        assertThat(names(job))
                .containsExactly(
                        "{types}localUserId",
                        "{types}holdState",
                        "{description}executable",
                        "{description}environment",
                        "{description}fileStageIn",
                        "{description}extensions");
        XmlElement environment = requireNonNull(job.child(Names.DESCRIPTION, "environment"));
        assertThat(names(environment)).containsExactly("{description}name", "{description}value");
        XmlElement stageIn = requireNonNull(job.child(Names.DESCRIPTION, "fileStageIn"));
        assertThat(names(stageIn))
                .containsExactly("{rft}maxAttempts", "{rft}transferCredentialEndpoint", "{rft}transfer");
        XmlElement endpoint = stageIn.children().get(1);
        assertThat(names(endpoint)).containsExactly("{addressing}Address", "{addressing}ReferenceProperties");
        assertThat(names(endpoint.children().get(1))).containsExactly("{delegationService}DelegationKey");
        assertThat(names(requireNonNull(job.child(Names.DESCRIPTION, "extensions"))))
                .containsExactly("{}nodes");
    }

    @Test
    void leavesWhatIsQualifiedAlone() throws Exception {
        XmlElement job = qualified("<d:job xmlns:d='" + Names.DESCRIPTION + "' xmlns:t='" + Names.TYPES
                + "'><t:holdState>Pending</t:holdState><d:executable>x</d:executable>"
                + "<d:extensions><v:a xmlns:v='urn:v' v:q='1'><b/></v:a></d:extensions></d:job>");
        assertThat(names(job))
                .containsExactly("{types}holdState", "{description}executable", "{description}extensions");
        XmlElement vendor = job.children().get(2).children().getFirst();
        assertThat(vendor.namespace()).isEqualTo("urn:v");
        assertThat(vendor.attribute("urn:v", "q")).isEqualTo("1");
        assertThat(vendor.children().getFirst().namespace()).isEmpty();
    }

    @Test
    void keepsTextToTheLetter() throws Exception {
        XmlElement job =
                qualified("<job><executable>x</executable><argument> a&#13;&#10;<![CDATA[<b> & ]]>\"c\" </argument>"
                        + "<argument/></job>");
        assertThat(job.children().get(1).text()).isEqualTo(" a\r\n<b> & \"c\" ");
        assertThat(job.children().get(2).text()).isEmpty();
    }

    @Test
    void readsSubJobs() throws Exception {
        XmlElement multi = qualified("<multiJob><job><factoryEndpoint><wsa:Address xmlns:wsa='" + Names.WSA
                + "'>u</wsa:Address></factoryEndpoint><executable>x</executable></job></multiJob>");
        assertThat(names(multi)).containsExactly("{description}job");
        assertThat(names(multi.children().getFirst()))
                .containsExactly("{description}factoryEndpoint", "{description}executable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<job>",
                "<task/>",
                "<job><a></job>",
                "<!DOCTYPE job [<!ENTITY x 'y'>]><job><executable>&x;</executable></job>",
                "<!DOCTYPE job SYSTEM 'file:///etc/passwd'><job/>"
            })
    void refusesWhatIsNoDescription(String document) {
        assertThatThrownBy(() -> qualified(document)).isInstanceOf(XMLStreamException.class);
    }

    @Test
    void readsLargeDescriptions() throws Exception {
        String argument = "<argument>" + "a&amp;b&lt;&#13;".repeat(30) + "</argument>";
        XmlElement job = qualified("<job><executable>x</executable>" + argument.repeat(20_000) + "</job>");
        assertThat(job.children()).hasSize(20_001);
        assertThat(job.children().getLast().text()).isEqualTo("a&b<\r".repeat(30));
    }

    @Test
    void makesAJobOfACommand() throws Exception {
        XmlElement job = JobDescriptionFile.parsed(JobDescriptionFile.ofCommand(List.of("/bin/a b", "<", "")));
        assertThat(job.children().stream().map(XmlElement::text)).containsExactly("/bin/a b", "<", "");
    }

    /** What the service makes of these, Substitution reads back: one dollar sign fewer before each variable. */
    @Test
    void noWordOfACommandIsAVariable() throws Exception {
        XmlElement job = JobDescriptionFile.parsed(JobDescriptionFile.ofCommand(List.of(
                "/bin/${HOME}", "${PATH}", "$${PATH}", "a${B}c${D_1.x}", "$", "${}", "${1}", "$HOME", "${a b}")));
        assertThat(job.children().stream().map(XmlElement::text))
                .containsExactly(
                        "/bin/$${HOME}",
                        "$${PATH}",
                        "$$${PATH}",
                        "a$${B}c$${D_1.x}",
                        "$",
                        "${}",
                        "${1}",
                        "$HOME",
                        "${a b}");
    }

    @Test
    void checkNamesEveryProblem() throws Exception {
        String bad =
                JobDescriptionFile.qualified(("<job><directory>a</directory><directory>b</directory><count>0</count>"
                                + "<maxTime>x</maxTime><jobType>big</jobType><environment><name>A</name></environment><colour>red</colour>"
                                + "<holdState>Active</holdState></job>")
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(DescriptionCheck.problems(bad, new OwnNames(false)))
                .hasSize(8)
                .anyMatch(problem -> problem.contains("executable is missing"));
        String good = JobDescriptionFile.qualified(
                "<job><executable>x</executable><argument>1</argument><argument>2</argument><count>2</count></job>"
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(DescriptionCheck.problems(good, new OwnNames(false))).isEmpty();
    }
}
