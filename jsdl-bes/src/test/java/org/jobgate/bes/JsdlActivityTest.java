// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.jobgate.bes.BesRoom.ALICE;
import static org.jobgate.bes.BesRoom.BOB;
import static org.jobgate.bes.BesWire.vector;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.FilePassword;
import org.jobgate.jobs.Submission;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Activities in JSDL as it is, with its sweeps, and the documents that the gateway writes of them. */
class JsdlActivityTest {

    private static final String SWEEP = "<s:Sweep xmlns:s='http://schemas.ogf.org/jsdl/2009/03/sweep'"
            + " xmlns:f='http://schemas.ogf.org/jsdl/2009/03/sweep/functions'><s:Assignment><s:DocumentNode>"
            + "<s:NamespaceBinding ns='http://schemas.ggf.org/jsdl/2005/11/jsdl-posix' prefix='px'/>"
            + "<s:Match>//px:Argument[1]</s:Match></s:DocumentNode>"
            + "<f:LoopInteger start='7' end='9'/></s:Assignment></s:Sweep>";

    @TempDir
    static Path directory;

    private static BesRoom room;

    @BeforeAll
    static void open() throws Exception {
        room = new BesRoom(directory, BesRoom.jsdl());
        room.lrm.runByItself();
    }

    @AfterAll
    static void close() throws Exception {
        room.close();
    }

    private static String creation(String argument, String beside) {
        return "<b:CreateActivity><b:ActivityDocument><j:JobDefinition><j:JobDescription><j:JobIdentification>"
                + "<j:JobName>one</j:JobName></j:JobIdentification><j:Application><p:POSIXApplication"
                + " xmlns:p='http://schemas.ggf.org/jsdl/2005/11/jsdl-posix'><p:Executable>/bin/echo</p:Executable>"
                + "<p:Argument>" + argument + "</p:Argument></p:POSIXApplication></j:Application></j:JobDescription>"
                + beside + "</j:JobDefinition></b:ActivityDocument></b:CreateActivity>";
    }

    private static List<XmlElement> documents(String... ids) {
        return room.post(ALICE, vector("GetActivityDocuments", ids)).body().children();
    }

    @Test
    void theDocumentOfAnActivityMakesTheSameActivityAgain() {
        String id = room.post(ALICE, creation("a &lt; b", "")).one("Activity");

        XmlElement document = documents(id).getFirst().child("JobDefinition").orElseThrow();

        assertThat(text(document)).contains("/bin/echo", "a &lt; b", ">one<");
        String again = room.post(
                        ALICE,
                        "<b:CreateActivity><b:ActivityDocument><j:JobDefinition>"
                                + text(document.children().getFirst())
                                + "</j:JobDefinition></b:ActivityDocument></b:CreateActivity>")
                .one("Activity");
        assertThat(text(documents(again).getFirst().child("JobDefinition").orElseThrow()))
                .isEqualTo(text(document));
    }

    private static String text(XmlElement element) {
        return XmlWriter.toText(out -> out.copy(element));
    }

    @Test
    void aSweepIsAnActivityAndSoAreItsPoints() {
        Answer answer = room.post(ALICE, creation("0", SWEEP));
        List<String> ids = answer.all("Activity");
        String sweep = ids.getFirst();

        assertThat(ids).containsExactly(sweep, sweep + "/0", sweep + "/1", sweep + "/2");
        List<XmlElement> documents = documents(sweep + "/2", sweep, sweep + "/0", sweep + "/3");
        assertThat(text(documents.get(0))).contains(">9<");
        assertThat(text(documents.get(1))).contains("UnsupportedFeatureFault", "a sweep of 3 points");
        assertThat(text(documents.get(2))).contains(">7<");
        assertThat(text(documents.get(3))).contains("InvalidActivityIdentifierFault");
        assertThat(room.post(BOB, vector("GetActivityDocuments", sweep, sweep + "/0"))
                        .all("InvalidActivityIdentifierFault"))
                .hasSize(2);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> room.post(ALICE, vector("GetActivityStatuses", sweep))
                        .text()
                        .contains("state=\"Finished\""));
    }

    /** Nobody holds it, so nobody could let it go on; and the points of a sweep wait for none. */
    @Test
    void anActivityThatWaitsForAnEarlierJobIsNotHeldAndASweepCannotWait() {
        JobId first = room.engine
                .submit(new Submission(
                        new JobOrigin("test", "trial"),
                        new Owner(ALICE, "alice"),
                        null,
                        "Fork",
                        JobDescription.builder("/bin/true")
                                .holdAt(JobState.STAGE_IN)
                                .build(),
                        null))
                .job()
                .id();
        String after = "<o:Job xmlns:o='https://jobgate.org/ns/2026/jsdl'><o:After><o:Job>" + first
                + "</o:Job></o:After></o:Job></j:JobDescription>";
        String id = room.post(ALICE, creation("x", "").replace("</j:JobDescription>", after))
                .one("Activity");

        assertThat(room.post(ALICE, vector("GetActivityStatuses", id)).text())
                .contains("Accepted")
                .doesNotContain("Held");
        assertThat(room.post(ALICE, creation("0", SWEEP).replace("</j:JobDescription>", after))
                        .text())
                .contains("UnsupportedFeatureFault", "cannot wait for earlier jobs");
    }

    private static String staging(String where) {
        return "<j:DataStaging><j:FileName>f</j:FileName><j:CreationFlag>overwrite</j:CreationFlag>" + where
                + "<c:Credential xmlns:c='http://schemas.ogf.org/hpcp/2007/11/ac'><w:UsernameToken xmlns:w='"
                + "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'><w:Username>u"
                + "</w:Username><w:Password>s3cret</w:Password></w:UsernameToken></c:Credential></j:DataStaging>";
    }

    /** This room has an engine without a vault. */
    @Test
    void aPasswordIsRefusedWhereNoneAreKept() {
        String document = creation("x", "")
                .replace(
                        "</j:JobDescription>",
                        staging("<j:Source><j:URI>https://host/in</j:URI></j:Source>") + "</j:JobDescription>");

        Answer answer = room.post(ALICE, document);

        assertThat(answer.text())
                .contains("UnsupportedFeatureFault", "keeps none")
                .doesNotContain("s3cret");
        assertThat(room.post(ALICE, document.replace("</j:JobDefinition>", SWEEP + "</j:JobDefinition>"))
                        .text())
                .contains("UnsupportedFeatureFault", "keeps none")
                .doesNotContain("s3cret");
    }

    /** As one would be made from what the gateway shows of another job. */
    @Test
    void aDescriptionThatOnlyNamesAPasswordIsRefused() {
        JobDescription made = JobDescription.builder("/bin/true")
                .transfers(new TransferList(
                        List.of(new Transfer(
                                "https://host/in", "file:///home/alice/f", Map.of(FilePassword.OPTION, "1"))),
                        List.of(),
                        List.of()))
                .build();

        assertThatThrownBy(() -> room.engine.submit(new Submission(
                        new JobOrigin("test", "trial"), new Owner(ALICE, "alice"), null, "Fork", made, null)))
                .hasMessageContaining("and brings none");
    }

    @Test
    void documentsThatDoNotFitTogetherAreLeftOutByName() {
        String id = room.post(ALICE, creation("x".repeat(60_000), "")).one("Activity");
        String[] often = new String[300];
        Arrays.fill(often, id);

        List<XmlElement> documents = documents(often);

        assertThat(documents).hasSize(300);
        assertThat(documents.getFirst().child("JobDefinition")).isPresent();
        assertThat(text(documents.getLast())).contains("LIMIT_EXCEEDED", "in a request of its own");
    }
}
