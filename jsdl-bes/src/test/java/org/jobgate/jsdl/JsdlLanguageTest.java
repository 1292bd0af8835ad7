// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguages;
import org.jobgate.language.ReadingContext;
import org.jobgate.limits.JobLimits;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.xml.XmlLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsdlLanguageTest {

    private final JsdlLanguage language = new JsdlLanguage(
            XmlLimits.defaults(),
            lrm -> LrmCapabilities.UNKNOWN,
            account -> account.equals("nobody")
                    ? Optional.empty()
                    : Optional.of(FileSystems.of("/home/" + account, "/scratch/" + account)));
    private final ReadingContext context =
            new ReadingContext(Set.of("Fork"), wanted -> wanted.orElse("alice"), JobLimits.defaults());

    private DescribedJob read(String document) {
        List<DescribedJob> jobs = language.read(document, context);
        assertThat(jobs).hasSize(1);
        return jobs.getFirst();
    }

    @Test
    void theAccountOfTheDocumentHasItsFileSystems() {
        DescribedJob job = read(Documents.posix(
                "<p:WorkingDirectory filesystemName='HOME'>w</p:WorkingDirectory><p:UserName>bob</p:UserName>", ""));

        assertThat(job.account()).isEqualTo("bob");
        assertThat(job.description().directory()).isEqualTo("/home/bob/w");
        assertThat(job.lrm()).isNull();
    }

    @Test
    void anAccountWithoutAHomeHasNoFilesThere() {
        String nobody = "<p:UserName>nobody</p:UserName>";
        String file = "<DataStaging><FileName>f</FileName><CreationFlag>overwrite</CreationFlag>"
                + "<Target><URI>https://host/f</URI></Target></DataStaging>";

        assertThat(read(Documents.posix(nobody, "")).account()).isEqualTo("nobody");
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> read(Documents.posix(nobody, file)))
                .withMessageContaining("home directory");
    }

    @Test
    void aSweepIsAGroup() {
        DescribedJob job = read(
                Documents.definition(
                        "<Application><p:POSIXApplication><p:Executable>/bin/date</p:Executable><p:Argument>1</p:Argument>"
                                + "</p:POSIXApplication></Application>",
                        "<s:Sweep><s:Assignment><s:DocumentNode><s:NamespaceBinding ns='" + Names.POSIX
                                + "' prefix='p'/><s:Match>//p:Argument</s:Match></s:DocumentNode>"
                                + "<f:LoopInteger start='1' end='3'/></s:Assignment></s:Sweep><jg:Lrm>Fork</jg:Lrm><jg:ClientId>c</jg:ClientId>"));

        assertThat(job.lrm()).isEqualTo("Fork");
        assertThat(job.clientId()).isEqualTo("c");
        assertThat(job.group()).isNotNull();
        assertThat(job.description().arguments()).containsExactly("1");
    }

    /** A command of the host is run for it. */
    @Test
    void theGroupOfTheAccountIsLookedUpOnceForAllPoints() {
        List<String> asked = new ArrayList<>();
        JsdlLanguage grouped = new JsdlLanguage(
                XmlLimits.defaults(),
                lrm -> LrmCapabilities.UNKNOWN,
                account -> Optional.of(FileSystems.of("/home/" + account, "/scratch/" + account)),
                account -> {
                    asked.add(account);
                    return Optional.of("physics");
                },
                false);

        List<DescribedJob> jobs = grouped.read(
                Documents.definition(
                        "<Application><p:POSIXApplication><p:Executable>/bin/date</p:Executable><p:Argument>1</p:Argument>"
                                + "<p:GroupName>physics</p:GroupName></p:POSIXApplication></Application>",
                        "<s:Sweep><s:Assignment><s:DocumentNode><s:NamespaceBinding ns='" + Names.POSIX
                                + "' prefix='p'/><s:Match>//p:Argument</s:Match></s:DocumentNode>"
                                + "<f:LoopInteger start='1' end='100'/></s:Assignment></s:Sweep>"),
                context);

        assertThat(jobs).hasSize(1);
        assertThat(asked).containsExactly("alice");
    }

    @Test
    void whatIsWrittenIsReadAsItWas() {
        JobDescription job = read(Documents.staging("<FileName>in</FileName><CreationFlag>overwrite</CreationFlag>"
                        + "<Source><URI>https://host/in</URI></Source>"))
                .description();
        String text = language.write(job).orElseThrow();

        Schemas.validate(text);
        assertThat(read(text).description()).isEqualTo(job);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<JobDefinition xmlns='http://schemas.ggf.org/jsdl/2005/11/jsdl'>",
                "<?xml version='1.0'?>\n<!-- a\nb -->\n<j:JobDefinition xmlns:a='b' xmlns:j='http://schemas.ggf.org/jsdl/2005/11/jsdl'",
                "  <JobDefinition xmlns='http://schemas.ggf.org/jsdl/2005/06/jsdl'/>"
            })
    void aDocumentIsRecognizedByItsRoot(String beginning) {
        assertThat(language.recognizes(beginning)).isTrue();
        assertThat(new JobLanguages(List.of(language)).find("application/xml", beginning))
                .contains(language);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<job><executable>/bin/date</executable></job>",
                "<JobDefinition xmlns='urn:x'/>",
                "<ActivityDescription xmlns='http://www.eu-emi.eu/es/2010/12/adl'/>",
                "<!-- http://schemas.ggf.org/jsdl/2005/11/jsdl --><job/>"
            })
    void otherTextsAreNot(String beginning) {
        assertThat(language.recognizes(beginning)).isFalse();
    }
}
