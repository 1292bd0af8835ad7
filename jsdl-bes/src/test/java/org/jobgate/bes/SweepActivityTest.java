// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;
import static org.jobgate.bes.BesRoom.ALICE;
import static org.jobgate.bes.BesRoom.BOB;
import static org.jobgate.bes.BesWire.creation;
import static org.jobgate.bes.BesWire.vector;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sweep is one activity, and so is each of its points. */
class SweepActivityTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    static Path directory;

    private static BesRoom room;

    @BeforeAll
    static void open() throws Exception {
        room = new BesRoom(directory);
        room.lrm.runByItself();
    }

    @AfterAll
    static void close() throws Exception {
        room.close();
    }

    private static Answer sweep(String extension) {
        return room.post(ALICE, creation("/bin/{value}", "values='a b c'", extension));
    }

    private static XmlElement status(String id) {
        return room.post(ALICE, vector("GetActivityStatuses", id))
                .body()
                .children()
                .getFirst()
                .child("ActivityStatus")
                .orElseThrow();
    }

    private static void awaitState(String id, String state) {
        await().atMost(PATIENCE)
                .until(() -> status(id).attribute("state").orElseThrow().equals(state));
    }

    @Test
    void theAnswerNamesTheSweepAndListsItsPoints() {
        Answer answer = sweep("");
        List<String> ids = answer.all("Activity");

        assertThat(answer.body().children().getFirst().localName()).isEqualTo("ActivityIdentifier");
        assertThat(ids).hasSize(4);
        assertThat(ids.subList(1, 4))
                .containsExactly(ids.getFirst() + "/0", ids.getFirst() + "/1", ids.getFirst() + "/2");
        awaitState(ids.getFirst(), "Finished");
        XmlElement count =
                status(ids.getFirst()).child("Points").orElseThrow().children().getFirst();
        assertThat(count.attribute("state")).contains("Finished");
        assertThat(count.text()).isEqualTo("3");
        ids.subList(1, 4).forEach(point -> awaitState(point, "Finished"));
        assertThat(room.post(BOB, vector("GetActivityStatuses", ids.get(0), ids.get(1)))
                        .all("InvalidActivityIdentifierFault"))
                .hasSize(2);
        assertThat(room.post(ALICE, vector("GetActivityDocuments", ids.get(2))).one("Executable"))
                .isEqualTo("/bin/b");
        assertThat(room.post(ALICE, vector("GetActivityStatuses", ids.getFirst() + "/3"))
                        .all("Fault"))
                .hasSize(1);
    }

    @Test
    void aRepeatedSweepIsTheSame() {
        String id = "<jg:SubmissionId>once</jg:SubmissionId>";

        assertThat(sweep(id).all("Activity")).isEqualTo(sweep(id).all("Activity"));
    }

    @Test
    void terminatingASweepEndsAllItsPoints(@TempDir Path other) throws Exception {
        try (BesRoom still = new BesRoom(other)) {
            String id = still.post(ALICE, creation("/bin/sleep", "values='a b'", ""))
                    .all("Activity")
                    .getFirst();

            Answer one = still.post(ALICE, vector("TerminateActivities", id + "/1"));
            assertThat(one.one("Terminated")).isEqualTo("true");
            await().atMost(PATIENCE).until(() -> state(still, id + "/1").equals("Cancelled"));
            assertThat(state(still, id)).isIn("Pending", "Running");

            assertThat(still.post(ALICE, vector("TerminateActivities", id)).one("Terminated"))
                    .isEqualTo("true");
            await().atMost(PATIENCE).until(() -> state(still, id).equals("Cancelled"));
            assertThat(state(still, id + "/0")).isEqualTo("Cancelled");
        }
    }

    /** Neighbours and others, each second point, one that is not there, and one that is named twice. */
    @Test
    void manyPointsAreLookedAtAndEndedTogether(@TempDir Path other) throws Exception {
        int size = 400;
        try (BesRoom still = new BesRoom(other)) {
            String values = IntStream.range(0, size).mapToObj(Integer::toString).collect(Collectors.joining(" "));
            String id = still.post(ALICE, creation("/bin/sleep", "values='" + values + "'", ""))
                    .all("Activity")
                    .getFirst();
            String[] second = IntStream.concat(IntStream.iterate(0, i -> i < size, i -> i + 2), IntStream.of(0, size))
                    .mapToObj(i -> id + "/" + i)
                    .toArray(String[]::new);

            await().atMost(PATIENCE)
                    .until(() -> still.post(ALICE, vector("GetActivityStatuses", second))
                            .text()
                            .contains("Queued"));
            assertThat(still.calls.taken())
                    .as("what a sweep asks for is read once, and not for each of its points")
                    .containsEntry("groups.template", 1)
                    .doesNotContainKey("description");

            Answer looked = still.post(ALICE, vector("GetActivityStatuses", second));
            assertThat(still.calls.taken()).containsOnly(entry("groups.elements", 1), entry("findAll", 2));
            assertThat(looked.all("ActivityStatus")).hasSize(size / 2 + 1);
            assertThat(looked.body().children().getLast().child("Fault")).isPresent();

            Answer ended = still.post(ALICE, vector("TerminateActivities", second));
            assertThat(still.calls.taken())
                    .containsOnly(
                            entry("groups.cancelAll", 1),
                            entry("groups.elements", 1),
                            entry("findAll", 1),
                            entry("cancelAll", 1));
            assertThat(ended.all("Terminated"))
                    .hasSize(size / 2 + 2)
                    .endsWith("false")
                    .contains("true");
            await().atMost(PATIENCE)
                    .until(() -> still.post(ALICE, vector("GetActivityStatuses", second)).body().children().stream()
                            .limit(size / 2)
                            .allMatch(one -> one.child("ActivityStatus")
                                    .flatMap(status -> status.attribute("state"))
                                    .orElse("")
                                    .equals("Cancelled")));
            assertThat(state(still, id + "/1")).isIn("Pending", "Running");
        }
    }

    private static String state(BesRoom room, String id) {
        return room.post(ALICE, vector("GetActivityStatuses", id))
                .body()
                .children()
                .getFirst()
                .child("ActivityStatus")
                .orElseThrow()
                .attribute("state")
                .orElseThrow();
    }
}
