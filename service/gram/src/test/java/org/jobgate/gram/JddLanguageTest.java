// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.jobgate.gram.multi.OtherFactory;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Resources;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.ReadingContext;
import org.jobgate.limits.JobLimits;
import org.jobgate.xml.XmlLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JddLanguageTest {

    private static final String HERE = "https://gate.example.org:8443";
    private static final String THERE = "https://other.example.org:8443/wsrf/services/ManagedJobFactoryService";

    private final JddLanguage language = new JddLanguage(
            HERE,
            account -> name -> Optional.of(name.equals("GLOBUS_USER_HOME") ? "/home/" + account : "?"),
            XmlLimits.defaults(),
            List.of(new OtherFactory("Elsewhere", THERE, null)));

    private final ReadingContext context = new ReadingContext(
            new LinkedHashSet<>(List.of("Fork", "Slurm", "Elsewhere")),
            wanted -> wanted.map(account -> account.equals("root") ? refused() : account)
                    .orElse("alice"),
            JobLimits.defaults());

    private static String refused() {
        throw new FaultException(Fault.of(FaultCode.NOT_AUTHORIZED, "Not as root.", ""));
    }

    private DescribedJob read(String text) {
        List<DescribedJob> jobs = language.read(text, context);
        assertThat(jobs).hasSize(1);
        return jobs.getFirst();
    }

    private Fault refusal(String text) {
        return catchThrowableOfType(FaultException.class, () -> language.read(text, context))
                .fault();
    }

    private static String factory(String address, String lrm) {
        return "<factoryEndpoint xmlns:a='http://schemas.xmlsoap.org/ws/2004/03/addressing'><a:Address>" + address
                + "</a:Address><a:ReferenceProperties><ResourceID>" + lrm
                + "</ResourceID></a:ReferenceProperties></factoryEndpoint>";
    }

    @Test
    void aJobIsReadWithTheVariablesOfItsAccount() {
        DescribedJob job = read("<?xml version='1.0' encoding='ISO-8859-1'?><job><executable>/bin/echo</executable>"
                + "<argument>${GLOBUS_USER_HOME}/\u00fc</argument><queue>short</queue></job>");
        assertThat(job.description().executable()).isEqualTo("/bin/echo");
        assertThat(job.description().arguments()).containsExactly("/home/alice/\u00fc");
        assertThat(job.description().queue()).isEqualTo("short");
        assertThat(job.lrm()).isNull();
        assertThat(job.account()).isNull();
        assertThat(job.group()).isNull();
    }

    @Test
    void whatItSaysOfItsSubmissionIsTold() {
        String factory = HERE + "/wsrf/services/ManagedJobFactoryService";
        DescribedJob job = read("<job>" + factory(factory, "Slurm")
                + "<localUserId>project</localUserId><executable>${GLOBUS_USER_HOME}/a</executable></job>");
        assertThat(job.lrm()).isEqualTo("Slurm");
        assertThat(job.account()).isEqualTo("project");
        assertThat(job.description().executable()).isEqualTo("/home/project/a");
        assertThat(read("<job>" + factory(THERE, "x").replaceAll("<a:ReferenceP.*Properties>", "")
                                + "<executable>a</executable></job>")
                        .lrm())
                .isEqualTo("Elsewhere");
    }

    @Test
    void aMultiJobHasItsLrmsInItsSubJobs() {
        JobDescription multi = read("<multiJob><executable>/bin/true</executable><job/><job>"
                        + factory(HERE + "/wsrf/services/ManagedJobFactoryService", "Slurm") + "</job></multiJob>")
                .description();
        assertThat(multi.subJobs()).extracting(sub -> sub.lrm()).containsExactly("Fork", "Slurm");
        assertThat(multi.subJobs()).extracting(sub -> sub.account()).containsExactly("alice", "alice");
    }

    @Test
    void whatIsWrongIsNamed() {
        assertThat(refusal("<job><exeutable/></job>").attribute()).isEqualTo("exeutable");
        assertThat(refusal("<job><exeutable/></job>").remedy()).contains("executable");
        assertThat(refusal("<jobs/>").attribute()).isEqualTo("jobs");
        assertThat(refusal("<job>").code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(refusal("").code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        assertThat(refusal("<!DOCTYPE job [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><job>&x;</job>")
                        .sentence())
                .contains("document type declaration");
        assertThat(refusal("<job><localUserId>root</localUserId><executable>a</executable></job>")
                        .code())
                .isEqualTo(FaultCode.NOT_AUTHORIZED);
        assertThat(refusal("<job>" + "<d>".repeat(500)).code()).isEqualTo(FaultCode.LIMIT_EXCEEDED);
        assertThat(refusal("<job>" + factory(HERE + "/x", "Fork") + "<executable>a</executable></job>")
                        .sentence())
                .contains("another gateway");
        assertThat(language.nameOf(DescriptionPart.HOLD)).isEqualTo("holdState");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<job><exec",
                "<?xml version='1.0'?>\n<!-- <jsdl/> -->\n<multiJob>",
                "<d:job xmlns:d='http://www.globus.org/namespaces/2004/10/gram/job/description'>"
            })
    void itRecognizesItsOwn(String beginning) {
        assertThat(language.recognizes(beginning)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[ executable = \"/bin/true\" ]",
                "<jsdl:JobDefinition xmlns:jsdl='http://schemas.ggf.org/jsdl/2005/11/jsdl'>",
                "<job xmlns='urn:somebody:else'>",
                "<!DOCTYPE job><job>",
                "<job"
            })
    void itDoesNotRecognizeOthers(String beginning) {
        assertThat(language.recognizes(beginning)).isFalse();
    }

    @Test
    void whatItWritesItReads() {
        JobDescription job = JobDescription.builder("/bin/echo")
                .arguments(List.of("${HOME}", "<&>"))
                .maxWallTime(Duration.ofMinutes(7))
                .queue("long")
                .build();
        assertThat(read(language.write(job).orElseThrow()).description()).isEqualTo(job);
        JobDescription multi = read("<multiJob><job><executable>a</executable></job></multiJob>")
                .description();
        assertThat(read(language.write(multi).orElseThrow()).description()).isEqualTo(multi);
    }

    @Test
    void whatItHasNoWordsForItDoesNotWrite() {
        JobDescription.Builder job = JobDescription.builder("/bin/true");
        assertThat(language.write(job.maxTime(Duration.ofSeconds(90)).build())).isEmpty();
        assertThat(language.write(job.maxTime(null)
                        .resources(Resources.builder().wholeNodes(true).build())
                        .build()))
                .isEmpty();
    }
}
