// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jobgate.job.Gpus;
import org.jobgate.job.JobId;
import org.jobgate.job.Mail;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resource;
import org.jobgate.job.Resources;
import org.jobgate.lrm.LrmCapabilities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What jobs ask of their LRM, over HTTP. */
class ResourcesOfJobsTest extends ApiRoom {

    private static final String ALL = """
            {"slots":8,"slotsPerHost":4,"threadsPerProcess":2,"wholeNodes":true,"gpus":2,"gpuModel":"a100","gpuMode":"exclusiveProcess",\
            "memoryPerSlot":1024,"memory":8192,"cpuTime":60,"fileSize":1,"coreSize":0,"stackSize":65536,"openFiles":100,"processes":50,"dataSize":65536,"lockedMemory":0,"addressSpace":1048576,\
            "nodeFeatures":["ssd","ib"],"hosts":["n1"],"architecture":"x86_64","operatingSystem":"Linux","reservation":"r1",\
            "preCommand":["/bin/pre","a b"],"postCommand":["/bin/post"],\
            "mail":{"addresses":["someone@example.org"],"events":["started","failed"]}}""";

    private static String job(String resources) {
        return "{\"executable\": \"/bin/true\", \"resources\": " + resources + "}";
    }

    @Test
    void allOfThemReachTheLrmAndComeBackAsTheyWereSent() throws Exception {
        String id = submit(ALICE, job(ALL));
        assertThat(get(ALICE, "/jobs/" + id + "/description")
                        .is(200)
                        .json()
                        .get("resources")
                        .toString())
                .isEqualTo(ALL);
        awaitInLrm(id);
        Resources resources =
                Objects.requireNonNull(lrm.descriptionOf(JobId.parse(id)).resources());
        assertThat(resources)
                .isEqualTo(Resources.builder()
                        .slots(8)
                        .slotsPerHost(4)
                        .threadsPerProcess(2)
                        .wholeNodes(true)
                        .gpus(new Gpus(2, "a100", Gpus.Mode.EXCLUSIVE_PROCESS))
                        .memoryPerSlotMiB(1_024L)
                        .memoryMiB(8_192L)
                        .limits(new ProcessLimits(
                                Duration.ofMinutes(1), 1L, 0L, 65_536L, 100, 50, 65_536L, 0L, 1_048_576L))
                        .nodeFeatures(List.of("ssd", "ib"))
                        .hosts(List.of("n1"))
                        .architecture("x86_64")
                        .operatingSystem("Linux")
                        .reservation("r1")
                        .preCommand(List.of("/bin/pre", "a b"))
                        .postCommand(List.of("/bin/post"))
                        .mail(new Mail(List.of("someone@example.org"), List.of(Mail.Event.STARTED, Mail.Event.FAILED)))
                        .build());
        assertThat(resources.asked()).containsOnlyKeys(Resource.values());
    }

    @Test
    void everySubJobAndEveryElementOfAnArrayHasItsOwn() throws Exception {
        String multi = submit(ALICE, "{\"subJobs\": [" + job("{\"slots\": 3}") + ", " + TRUE + "]}");
        assertThat(get(ALICE, "/jobs/" + multi + "/description")
                        .json()
                        .at("/subJobs/0/resources/slots")
                        .asInt())
                .isEqualTo(3);
        post(ALICE, "/jobs", "{\"subJobs\": [" + TRUE + "], \"resources\": {\"slots\": 3}}")
                .isProblem(400, "UNKNOWN_FIELD");
        String array = post(ALICE, "/arrays", "{\"job\": " + job("{\"slots\": 5}") + ", \"indices\": \"7-7\"}")
                .is(201)
                .at("/id");
        org.awaitility.Awaitility.await()
                .until(() -> get(ALICE, "/arrays/" + array + "/elements")
                        .json()
                        .at("/elements/0")
                        .has("job"));
        String element = get(ALICE, "/arrays/" + array + "/elements").at("/elements/0/job");
        assertThat(get(ALICE, "/jobs/" + element + "/description")
                        .json()
                        .at("/resources/slots")
                        .asInt())
                .isEqualTo(5);
    }

    @Test
    void aJobWithoutThemShowsNone() throws Exception {
        for (String resources : List.of("null", "{}", "{\"wholeNodes\": false}")) {
            String id = submit(ALICE, job(resources));
            assertThat(get(ALICE, "/jobs/" + id + "/description").json().has("resources"))
                    .as(resources)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|resources",
                "{\"slots\": 0}|resources.slots",
                "{\"slots\": 10000001}|resources.slots",
                "{\"wholeNodes\": 1}|resources.wholeNodes",
                "{\"gpus\": 1, \"gpuModel\": \"-x\"}|resources.gpuModel",
                "{\"gpuModel\": \"a100\"}|resources.gpuModel",
                "{\"gpuMode\": \"shared\"}|resources.gpuMode",
                "{\"gpus\": 1, \"gpuMode\": \"SHARED\"}|resources.gpuMode",
                "{\"memory\": -1}|resources.memory",
                "{\"memoryPerSlot\": \"1G\"}|resources.memoryPerSlot",
                "{\"stackSize\": 65535}|resources.stackSize",
                "{\"cpuTime\": 0}|resources.cpuTime",
                "{\"nodeFeatures\": [\"a b\"]}|resources.nodeFeatures",
                "{\"hosts\": \"n1\"}|resources.hosts",
                "{\"operatingSystem\": \"Linux;\"}|resources.operatingSystem",
                "{\"preCommand\": [\"\"]}|resources.preCommand",
                "{\"mail\": {\"addresses\": [\"a@b, c@d\"], \"events\": [\"ended\"]}}|resources.mail",
                "{\"mail\": {\"addresses\": [\"a@b\"]}}|resources.mail",
                "{\"mail\": {\"addresses\": [\"a@b\"], \"events\": [\"begun\"]}}|resources.mail.events",
            })
    void whatIsWrongIsNamedAsItWasWritten(String resources, String attribute) throws Exception {
        Answer refused = post(ALICE, "/jobs", job(resources)).isProblem(400, "INVALID_FIELD");
        assertThat(refused.at("/attribute")).isEqualTo(attribute);
        assertThat(refused.at("/detail")).doesNotContainPattern("[a-z]_[a-z]");
    }

    @Test
    void unknownNamesAreRefusedWithTheNearest() throws Exception {
        Answer refused = post(ALICE, "/jobs", job("{\"slotPerHost\": 1}")).isProblem(400, "UNKNOWN_FIELD");
        assertThat(refused.json().get("unknown").toString()).isEqualTo("[\"resources.slotPerHost\"]");
        assertThat(refused.at("/remedy")).contains("slotsPerHost");
        post(ALICE, "/jobs", job("{\"mail\": {\"addresses\": [\"a@b\"], \"events\": [\"ended\"], \"cc\": 1}}"))
                .isProblem(400, "UNKNOWN_FIELD");
    }

    @Test
    void whatTheLrmCannotGiveIsRefusedByItsNameAndListedBefore() throws Exception {
        assertThat(get(ALICE, "/lrms/Fork").json().has("resources")).isFalse();
        lrm.setCapabilities(new LrmCapabilities(
                "fork", List.of(), Set.of(), null, Set.of(Resource.CPU_TIME, Resource.MEMORY_PER_SLOT), null));
        assertThat(get(ALICE, "/lrms/Fork").json().get("resources").toString())
                .isEqualTo("[\"memoryPerSlot\",\"cpuTime\"]");
        submit(ALICE, job("{\"memoryPerSlot\": 5}"));
        Answer refused = post(ALICE, "/jobs", job("{\"memoryPerSlot\": 5, \"slotsPerHost\": 2}"))
                .isProblem(422, "UNSUPPORTED_FEATURE");
        assertThat(refused.at("/attribute")).isEqualTo("resources.slotsPerHost");
    }

    @Test
    void anotherRequestWithTheSameKeyDiffersInThem() throws Exception {
        post(ALICE, "/jobs", job("{\"slots\": 1}"), "Idempotency-Key", "r").is(201);
        post(ALICE, "/jobs", job("{\"slots\": 1}"), "Idempotency-Key", "r").is(200);
        assertThat(post(ALICE, "/jobs", job("{\"slots\": 2}"), "Idempotency-Key", "r")
                        .isProblem(409, "KEY_REUSED")
                        .json()
                        .get("differences")
                        .toString())
                .isEqualTo("[\"resources\"]");
    }
}
