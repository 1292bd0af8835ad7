// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Transfer;
import org.jobgate.soap.Capture;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JddStagingTest {

    private static final String DELEGATION = "https://gate:8443/wsrf/services/DelegationService";
    private static final String CREDENTIAL = "<%1$s><Address>" + DELEGATION + "</Address>"
            + "<ReferenceProperties><DelegationKey>%2$s</DelegationKey></ReferenceProperties></%1$s>";

    private static String job(String content) {
        return "<job><executable>/bin/date</executable>" + content + "</job>";
    }

    private static String in(String source, String destination) {
        return "<fileStageIn><transfer><sourceUrl>" + source + "</sourceUrl><destinationUrl>" + destination
                + "</destinationUrl></transfer></fileStageIn>";
    }

    private static Fault refusal(String content) {
        FaultException refused = catchThrowableOfType(FaultException.class, () -> Jdd.parse(job(content)));
        assertThat(refused).as(content).isNotNull();
        assertThat(refused.fault().code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
        return refused.fault();
    }

    @Test
    void filesOptionsAndCredentialsAreKeptAndRenderedAsTheyWere() {
        JobDescription description = Jdd.parse(job(CREDENTIAL.formatted("jobCredentialEndpoint", "k1")
                + CREDENTIAL.formatted("stagingCredentialEndpoint", "k2")
                + "<fileStageIn><concurrency>2</concurrency><maxAttempts>5</maxAttempts>"
                + CREDENTIAL.formatted("transferCredentialEndpoint", "k3?a")
                + "<transfer><sourceUrl>gsiftp://a:2811/b//c</sourceUrl>"
                + "<destinationUrl>file:///${GLOBUS_USER_HOME}/in</destinationUrl><attempts>3</attempts>"
                + "<rftOptions><binary>0</binary></rftOptions></transfer>"
                + "<rftOptions><sourceSubjectName>/CN=x</sourceSubjectName></rftOptions><allOrNone>true</allOrNone>"
                + "</fileStageIn><fileStageOut><transfer><sourceUrl>file:///out/</sourceUrl>"
                + "<destinationUrl>https://b/out/</destinationUrl></transfer></fileStageOut>"
                + "<fileCleanUp><maxAttempts>4</maxAttempts><deletion><file>file:////tmp/job/</file></deletion>"
                + "</fileCleanUp>"));

        assertThat(description.transfers().stageIn())
                .containsExactly(new Transfer(
                        "gsiftp://a:2811/b/c", "file:///home/alice/in", Map.of("attempts", "3", "binary", "false")));
        assertThat(description.transfers().stageInOptions())
                .isEqualTo(Map.of(
                        "concurrency", "2", "maxAttempts", "5", "sourceSubjectName", "/CN=x", "allOrNone", "true"));
        assertThat(description.transfers().cleanUp()).isEqualTo(List.of("file:///tmp/job/"));
        assertThat(description.credentials())
                .containsExactly(
                        new NamedCredential(CredentialUse.JOB, "k1", DELEGATION),
                        new NamedCredential(CredentialUse.FILES, "k2", DELEGATION),
                        new NamedCredential(CredentialUse.STAGE_IN, "k3?a", DELEGATION));
        assertThat(Jdd.parse(Jdd.render(description))).isEqualTo(description);
        assertThat(Jdd.render(description)).contains(">k3?a<").doesNotContain("DelegationService?");
    }

    /** What may not stand in a URL is encoded when the file is moved, as it is for RFT; the job is shown as it was submitted. */
    @Test
    void namesInUrlsMayBeWhatFilesAreNamed() {
        JobDescription description = Jdd.parse(job(in("https://a/b//c|d ä", "file:///x//[1]")));
        assertThat(description.transfers().stageIn())
                .containsExactly(new Transfer("https://a/b/c|d ä", "file:///x/[1]"));
    }

    @ParameterizedTest
    @CsvSource({
        "gsiftp://a/b, file://host/b, destinationUrl, must not name a host",
        "gsiftp:///b, file:///b, sourceUrl, must name a host",
        "gsiftp:x, file:///b, sourceUrl, must be a URL",
        "/etc/passwd, file:///b, sourceUrl, must be a URL",
        "gsiftp://a/%zz, file:///b, sourceUrl, must be a URL",
    })
    void aWrongUrlIsRefusedByNameValueAndRule(String source, String destination, String element, String rule) {
        Fault fault = refusal(in(source, destination));

        assertThat(fault.attribute()).isEqualTo(element);
        assertThat(fault.sentence()).contains(rule);
    }

    @ParameterizedTest
    @CsvSource({
        "<fileStageIn/>, fileStageIn",
        "<fileCleanUp><deletion/></fileCleanUp>, deletion",
        "<fileCleanUp><maxAttempts>many</maxAttempts></fileCleanUp>, maxAttempts",
        "<fileStageIn><deletion><file>file:///a</file></deletion></fileStageIn>, deletion",
        "<fileCleanUp><allOrNone>true</allOrNone></fileCleanUp>, allOrNone",
        "<fileStageOut><rftOptions><dcau>maybe</dcau></rftOptions></fileStageOut>, dcau",
        "<fileStageOut><rftOptions><colour>red</colour></rftOptions></fileStageOut>, colour",
    })
    void aWrongRequestIsRefusedByName(String content, String element) {
        assertThat(refusal(content).attribute()).isEqualTo(element);
    }

    @ParameterizedTest
    @CsvSource({
        "<fileStageIn><transfr/></fileStageIn>, transfr, transfer",
        "<fileStageIn><transfer><sourceURL>file:///a</sourceURL></transfer></fileStageIn>, sourceURL, sourceUrl",
        "<fileStageOut><maxAttempt>2</maxAttempt></fileStageOut>, maxAttempt, maxAttempts",
        "<fileStageOut><rftOptions><dcua>true</dcua></rftOptions></fileStageOut>, dcua, dcau",
    })
    void theNearestNameOfAMisspeltElementIsTold(String content, String misspelt, String meant) {
        Fault fault = refusal(content);
        assertThat(fault.attribute()).isEqualTo(misspelt);
        assertThat(fault.remedy()).startsWith("Did you mean " + meant + "? ");
    }

    @ParameterizedTest
    @CsvSource({"06", "53"})
    void whatRealClientsSendIsKept(String capture) {
        byte[] request = Capture.read(capture).request().getBytes(StandardCharsets.UTF_8);
        XmlElement job = XmlTree.parse(request, XmlLimits.defaults())
                .child("Body")
                .flatMap(body -> body.child("createManagedJob"))
                .flatMap(create -> create.child("job"))
                .orElseThrow();
        JobDescription description = Jdd.parser().parse(job, name -> Optional.of("/home/alice"));

        assertThat(description.transfers().stageIn())
                .extracting(Transfer::destination)
                .containsExactly("file:///home/alice/a");
        assertThat(description.transfers().stageOut()).hasSize(1);
        assertThat(description.transfers().cleanUp()).containsExactly("file:///home/alice/a");
        assertThat(description.credentials()).hasSize(5);
        assertThat(description.extensions()).hasSize(2);
    }
}
