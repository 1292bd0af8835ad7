// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.authz.Decision;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.JobLanguages;
import org.jobgate.language.ReadingContext;
import org.junit.jupiter.api.Test;

/** Jobs that are described in other languages than JSON. */
class LanguagesTest extends ApiRoom {

    private static final String TYPE = "text/words";

    /** Each line is a job: its words are {@code name=value}, or else the program and its arguments. */
    private static final class Words implements JobLanguage {

        @Override
        public String name() {
            return "words";
        }

        @Override
        public List<String> mediaTypes() {
            return List.of(TYPE, "application/words");
        }

        @Override
        public boolean recognizes(String beginning) {
            return beginning.startsWith("run ");
        }

        @Override
        public List<DescribedJob> read(String text, ReadingContext context) {
            return text.lines().map(line -> job(line, context)).toList();
        }

        private static DescribedJob job(String line, ReadingContext context) {
            List<String> words = new ArrayList<>(List.of(line.split(" ")));
            if (!words.removeFirst().equals("run")) {
                throw new FaultException(
                        Fault.of(FaultCode.INVALID_DESCRIPTION, "A line is no job.", "Begin it with run.")
                                .about("line", line));
            }
            JobDescription.Builder job = JobDescription.builder(words.removeFirst())
                    .arguments(words.stream()
                            .filter(word -> word.indexOf('=') < 0)
                            .map(word -> word.replace("$LRM", context.defaultLrm())
                                    .replace("$ACCOUNT", context.account(Optional.empty())))
                            .toList());
            DescribedJob described = DescribedJob.of(job.build());
            for (String word : words) {
                String value = word.substring(word.indexOf('=') + 1);
                described = switch (word.split("=", 2)[0]) {
                    case "each" ->
                        DescribedJob.of(GroupTemplate.ofValues(job.build(), List.of(value.split(","))))
                                .withMaxRunning(1);
                    case "lrm" -> described.withLrm(value);
                    case "as" -> described.withAccount(value);
                    case "id" -> described.withClientId(value);
                    case "at" -> DescribedJob.of(job.directory(value).build());
                    default -> described;
                };
            }
            return described;
        }

        @Override
        public Optional<String> write(JobDescription job) {
            return job.directory() != null
                    ? Optional.empty()
                    : Optional.of("run " + job.executable() + " " + String.join(" ", job.arguments()));
        }

        @Override
        public String nameOf(DescriptionPart part) {
            return "the word " + part.word();
        }
    }

    @Override
    JobLanguages languages() {
        return new JobLanguages(List.of(new Words()));
    }

    private Answer send(String path, String type, String text, String... headers) throws Exception {
        return send(request(path, headers)
                .header("Subject", ALICE)
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(text)));
    }

    private Job job(Answer answer) {
        return store.find(JobId.parse(answer.at("/id"))).orElseThrow();
    }

    @Test
    void aJobIsReadInTheLanguageThatItsTypeSays() throws Exception {
        Answer made = send("/jobs", TYPE + "; charset=utf-8", "run /bin/echo \u00fc $LRM $ACCOUNT")
                .is(201);
        assertThat(made.header("Location")).endsWith("/jobs/" + made.at("/id"));
        assertThat(job(made).origin().language()).isEqualTo("words");
        assertThat(job(made).lrm()).isEqualTo("Fork");
        Answer description =
                get(ALICE, "/jobs/" + made.at("/id") + "/description").is(200);
        assertThat(description.json().at("/arguments").toString()).isEqualTo("[\"\u00fc\",\"Fork\",\"alice\"]");
        assertThat(send("/jobs", "text/plain", "run /bin/true").is(201).at("/id"))
                .isNotEmpty();
        assertThat(send("/jobs", "application/words", "run /bin/true").is(201).at("/id"))
                .isNotEmpty();
    }

    @Test
    void theRequestSaysWhatTheTextDoesNot() throws Exception {
        Job made = job(send("/jobs?lrm=Slurm&account=project", TYPE, "run a $LRM $ACCOUNT")
                .is(201));
        assertThat(made.lrm()).isEqualTo("Slurm");
        assertThat(made.owner().account()).isEqualTo("project");
        assertThat(engineArguments(made)).containsExactly("Slurm", "project");
        Job own = job(send("/jobs?lrm=Fork&account=alice", TYPE, "run a lrm=Slurm as=project")
                .is(201));
        assertThat(own.lrm()).isEqualTo("Slurm");
        assertThat(own.owner().account()).isEqualTo("project");
        send("/jobs?lrm=Nowhere", TYPE, "run a").isProblem(422, "UNKNOWN_LRM");
        send("/jobs?account=root", TYPE, "run a").isProblem(403, "NOT_AUTHORIZED");
        send("/jobs", TYPE, "run a as=root").isProblem(403, "NOT_AUTHORIZED");
        send("/jobs?queue=x", TYPE, "run a").isProblem(400, "UNKNOWN_FIELD");
        post(ALICE, "/jobs?queue=long", TRUE).isProblem(400, "UNKNOWN_FIELD");
    }

    private List<String> engineArguments(Job job) {
        return store.description(job.id()).orElseThrow().arguments();
    }

    @Test
    void aRepeatIsTheSameJobByTheIdInTheTextOrTheHeader() throws Exception {
        String first = send("/jobs", TYPE, "run a id=k1").is(201).at("/id");
        assertThat(send("/jobs", TYPE, "run a id=k1").is(200).at("/id")).isEqualTo(first);
        assertThat(send("/jobs", TYPE, "run a", "Idempotency-Key", "k1").is(200).at("/id"))
                .isEqualTo(first);
        assertThat(post(ALICE, "/jobs", "{\"executable\": \"a\"}", "Idempotency-Key", "k1")
                        .is(200)
                        .at("/id"))
                .as("the language makes no difference")
                .isEqualTo(first);
        send("/jobs", TYPE, "run a id=k1", "Idempotency-Key", "k2").isProblem(400, "INVALID_FIELD");
        send("/jobs", TYPE, "run b id=k1").isProblem(409, "KEY_REUSED");
    }

    @Test
    void whatIsWrongIsNamedAsTheLanguageHasIt() throws Exception {
        Answer wrong = send("/jobs", TYPE, "walk a").isProblem(400, "INVALID_DESCRIPTION");
        assertThat(wrong.at("/attribute")).isEqualTo("line");
        Answer lrm = send("/jobs", TYPE, "run a lrm=Nowhere").isProblem(422, "UNKNOWN_LRM");
        assertThat(lrm.at("/attribute")).isEqualTo("the word lrm");
        assertThat(send("/jobs", "text/unknown", "run a")
                        .isProblem(415, "CONTENT_TYPE")
                        .at("/remedy"))
                .contains(TYPE);
        Answer unread = send("/jobs", "application/xml", "<x/>").isProblem(415, "CONTENT_TYPE");
        assertThat(unread.at("/remedy")).contains("application/json", TYPE, "application/words");
        assertThat(unread.header("Accept")).isEqualTo("application/json, text/words, application/words");
        send(request("/jobs")
                        .header("Subject", ALICE)
                        .header("Content-Type", TYPE)
                        .POST(BodyPublishers.ofByteArray("run \u00fc".getBytes(StandardCharsets.ISO_8859_1))))
                .isProblem(400, "BAD_REQUEST");
        send("/jobs/" + submit(ALICE, TRUE) + "/extend", TYPE, "run a").isProblem(415, "CONTENT_TYPE");
    }

    @Test
    void anArrayAndSeveralJobsHaveTheirOwnPlaces() throws Exception {
        assertThat(send("/jobs", TYPE, "run a {value} each=x,y")
                        .isProblem(400, "BAD_REQUEST")
                        .at("/remedy"))
                .contains("/api/v1/arrays");
        assertThat(send("/jobs", TYPE, "run a\nrun b")
                        .isProblem(400, "BAD_REQUEST")
                        .at("/remedy"))
                .contains("/api/v1/bulk/jobs");
        assertThat(send("/arrays", TYPE, "run a").isProblem(400, "BAD_REQUEST").at("/remedy"))
                .contains("/api/v1/jobs");
        Answer array = send("/arrays", TYPE, "run a {value} each=x,y", "Idempotency-Key", "k")
                .is(201);
        assertThat(array.json().at("/count").asInt(array.json().at("/size").asInt()))
                .isEqualTo(2);
        assertThat(array.json().at("/maxRunning").asInt()).isEqualTo(1);
        send("/arrays", TYPE, "run a {value} each=x,y", "Idempotency-Key", "k").is(200);
    }

    @Test
    void manyJobsOfOneTextHaveAnAnswerEach() throws Exception {
        Answer many = send(
                        "/bulk/jobs?lrm=Slurm&fields=lrm",
                        TYPE,
                        "run a\nrun b lrm=Nowhere\nrun c {value} each=1,2\nrun d as=root\nrun e id=k")
                .is(200);
        assertThat(many.json()
                        .at("/results")
                        .valueStream()
                        .map(result -> result.at("/status").asInt()))
                .containsExactly(201, 422, 400, 403, 201);
        assertThat(many.at("/results/0/job/lrm")).isEqualTo("Slurm");
        assertThat(many.at("/results/1/problem/attribute")).isEqualTo("the word lrm");
        send("/bulk/jobs", TYPE, "").isProblem(400, "INVALID_FIELD");
    }

    @Test
    void whoMayNotSubmitIsToldSoBeforeTheTextIsRead() throws Exception {
        decisions.put(ALICE, new Decision.Deny("not today"));
        send("/jobs", TYPE, "walk").isProblem(403, "NOT_AUTHORIZED");
    }

    @Test
    void aDescriptionIsWrittenInTheLanguageThatIsAskedFor() throws Exception {
        String id = submit(ALICE, "{\"executable\": \"/bin/echo\", \"arguments\": [\"\u00fc\"]}");
        Answer written =
                get(ALICE, "/jobs/" + id + "/description", "Accept", TYPE).is(200);
        assertThat(written.text()).isEqualTo("run /bin/echo \u00fc");
        assertThat(written.header("Content-Type")).isEqualToIgnoringCase(TYPE + ";charset=utf-8");
        get(ALICE, "/jobs/" + id + "/description", "Accept", "*/*").is(200).json();
        get(ALICE, "/jobs/" + id + "/description", "Accept", "application/json, " + TYPE)
                .is(200)
                .json();
        String unsaid = submit(ALICE, "{\"executable\": \"/bin/echo\", \"directory\": \"/tmp\"}");
        get(ALICE, "/jobs/" + unsaid + "/description", "Accept", TYPE).isProblem(406, "NOT_ACCEPTABLE");
    }

    @Test
    void theServiceTellsItsLanguages() throws Exception {
        assertThat(get(ALICE, "/info").is(200).json().at("/languages").toString())
                .isEqualTo("{\"json\":[\"application/json\"],\"words\":[\"text/words\",\"application/words\"]}");
    }
}
