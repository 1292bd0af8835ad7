// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.jobs.Submission;
import org.jobgate.soap.Answer;
import org.jobgate.soap.Capture;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** XPath over the properties of a job and of a factory. */
class QueryTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String JOB = "ManagedExecutableJobService";
    private static final String XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116";
    private static final Door DOOR = new Door();
    private static final JobId ID = submit(JobDescription.of("/bin/echo", "one", "two"));

    @AfterAll
    static void close() {
        DOOR.close();
    }

    private static JobId submit(JobDescription description) {
        Owner owner = new Owner(Door.ALICE, "alice");
        return DOOR.jobs
                .submit(new Submission(Door.ORIGIN, owner, null, "Fork", description, null))
                .job()
                .id();
    }

    private static Answer query(Generation generation, JobId id, String dialect, String expression) {
        String body = "<q:QueryResourceProperties xmlns:q=\"" + generation.wsrp() + "\"><q:QueryExpression xmlns:t=\""
                + generation.gram() + "/types\" xmlns:d=\"" + generation.gram() + "/description\" Dialect=\"" + dialect
                + "\">" + expression.replace("&", "&amp;").replace("<", "&lt;")
                + "</q:QueryExpression></q:QueryResourceProperties>";
        return DOOR.post(
                JOB,
                generation == Generation.GT40
                        ? Envelopes.of(Envelopes.resource(id.toString()), body)
                        : Envelopes42.toJob(id, body));
    }

    private static Answer query(String expression) {
        return query(Generation.GT40, ID, XPATH, expression);
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void aNodeSetIsAnsweredAsItsElements(Generation generation) {
        XmlElement answer =
                query(generation, ID, XPATH, "//t:state | //d:argument").body();

        assertThat(answer.name()).isEqualTo(generation.properties("QueryResourcePropertiesResponse"));
        assertThat(answer.children().stream().map(XmlElement::text))
                .containsExactlyInAnyOrder("Unsubmitted", "one", "two");
        assertThat(answer.children().stream().map(XmlElement::name))
                .contains(generation.types("state"), generation.description("argument"));
    }

    @Test
    void theQueryOfARealClientAnswersTheWholeDocument() {
        Capture capture = Capture.read("20");
        DOOR.jobs.put(
                Submission.of(Door.ORIGIN, new Owner(Door.ALICE, "alice"), "c", "Fork", JobDescription.of("/bin/date")),
                "11111111-2222-3333-4444-555555555555");

        XmlElement root = DOOR.post(capture.service(), capture.request())
                .body()
                .children()
                .getFirst();

        assertThat(root.name()).isEqualTo(Generation.GT40.exec("managedExecutableJobResourceProperties"));
        assertThat(root.child("state").orElseThrow().text()).isEqualTo("Unsubmitted");
        assertThat(root.child("Topic").orElseThrow().qualifiedName()).contains(Generation.GT40.types("state"));
    }

    @ParameterizedTest
    @CsvSource({
        "count(//d:argument), 2",
        "count(//d:argument) > 1, true",
        "string(//t:state), Unsubmitted",
        "//d:argument/text(), onetwo",
        "1 div 4, 0.25",
        "//*[local-name()='state'], Unsubmitted"
    })
    void otherResultsAreAnsweredAsText(String expression, String text) {
        XmlElement body = query(expression).body();
        String answered = body.children().isEmpty()
                ? body.text()
                : body.children().getFirst().text();

        assertThat(answered).isEqualTo(text);
    }

    @Test
    void anEmptyNodeSetIsAnEmptyAnswer() {
        assertThat(query("//t:nothing").body().children()).isEmpty();
    }

    @Test
    void anotherDialectIsRefused() {
        assertThat(query(Generation.GT40, ID, "urn:xquery", "/*").fault().localName())
                .isEqualTo("UnknownQueryExpressionDialectFault");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "///",
                "//unbound:state",
                "document('file:///etc/passwd')",
                "no-such-function()",
                "$x",
                "//t:state["
            })
    void whatIsNoXPathIsAFaultThatSaysSo(String expression) {
        XmlElement fault = query(expression).fault();

        assertThat(fault.localName()).isIn("InvalidQueryExpressionFault", "QueryEvaluationErrorFault");
        assertThat(fault.child("Description").orElseThrow().text()).isNotBlank();
    }

    @Test
    void anExpressionOverItsLimitsIsRefused() {
        assertThat(query("1" + "+1".repeat(600)).one("faultstring")).contains("gram.maxQueryCharacters = 1024");
        assertThat(query("(".repeat(17) + "1" + ")".repeat(17)).one("faultstring"))
                .contains("gram.maxQueryNesting = 16");
        assertThat(query("-".repeat(500) + "1").one("faultstring")).contains("gram.maxQueryNesting = 16");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "count(//*[count(//*[count(//*[count(//*[count(//*)>0])>0])>0])>0])",
                "//*[//*[//*[//*[//*[//*[. = //*]]]]]]",
                "//*[preceding::*[following::*[preceding::*[. = 'nothing']]]]",
                "count(//node()[string-length(string(/)) > 0][//node()[string-length(string(/)) > 0]])"
            })
    void aBombIsStoppedInABoundedTime(String expression) {
        JobId big = submit(JobDescription.builder("/bin/echo")
                .arguments(Collections.nCopies(1000, "a long argument of a job"))
                .build());
        long begin = System.nanoTime();

        Answer answer = query(Generation.GT40, big, XPATH, expression);

        assertThat(answer.fault().localName()).isEqualTo("QueryEvaluationErrorFault");
        assertThat(answer.one("faultstring")).containsAnyOf("gram.maxQueryVisits", "ms");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void anotherOwnersJobIsUnknown() {
        String body = "<QueryResourceProperties xmlns=\"" + Generation.GT40.wsrp()
                + "\"><QueryExpression>/*</QueryExpression></QueryResourceProperties>";

        Answer answer = DOOR.post(
                JOB, Envelopes.of(Envelopes.resource(ID.toString()), body), "Test-Subject", "/O=H9Test/CN=Bob");

        assertThat(answer.fault().localName()).isEqualTo("ResourceUnknownFault");
    }

    @Test
    void aFactoryCanBeQueriedToo() {
        String body = "<QueryResourceProperties xmlns=\"" + Generation.GT40.wsrp() + "\"><QueryExpression Dialect=\""
                + XPATH + "\">//*[local-name()='GLUECE']/*/*[local-name()='Policy']/@*</QueryExpression>"
                + "</QueryResourceProperties>";

        Answer answer = DOOR.post(FACTORY, Envelopes.of(Envelopes.resource("Fork"), body));

        assertThat(answer.body().text()).isEqualTo("7");
    }
}
