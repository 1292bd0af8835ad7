// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm.LrmJob;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that an LRM gets as one job array are jobs of their own. */
abstract class ArraysContract {

    private static final int MANY = 6;

    /**
     * The LRM whose adapter puts up to a hundred jobs into one array.
     *
     * @param bin where its commands are taken from; null: where they are
     */
    abstract LrmSettings settings(@Nullable Path bin);

    abstract String account();

    /** The command that submits. */
    abstract Path submits();

    /** The other commands that the adapter calls. */
    abstract List<String> otherCommands();

    /** What an element's id looks like: the array's, a mark, and its number. */
    abstract String mark();

    /** The variable in which a program would see the number of its element, and what it sees. */
    abstract Map.Entry<String, String> number();

    /** What keeps a job waiting until it is cancelled. */
    abstract Extension waits();

    /** What the submitting command says, with exit code 1, where it had no answer. */
    abstract String noAnswer();

    private ContractRoom room() throws IOException {
        return new ContractRoom(account(), settings(null));
    }

    private static List<SubmitRequest> requests(ContractRoom room, JobDescription.Builder description) {
        return IntStream.range(0, MANY)
                .mapToObj(i -> new SubmitRequest(room.newTag(), description.build(), false))
                .toList();
    }

    private static List<SubmitRequest> again(List<SubmitRequest> requests) {
        return requests.stream()
                .map(request -> new SubmitRequest(request.tag(), request.description(), true))
                .toList();
    }

    private static List<String> ids(List<SubmitResult> results) {
        return results.stream()
                .map(result -> ((SubmitResult.Accepted) result).localIds().getFirst())
                .toList();
    }

    @Test
    void eachElementIsHeldCancelledFoundAndEndedForItself() throws Exception {
        try (ContractRoom room = room()) {
            Path go = room.directory.resolve("go");
            List<SubmitRequest> requests = requests(
                    room,
                    room.sh("echo \"${" + number().getKey() + "-none}\" >> ran; " + ContractRoom.until(go)
                            + "; exit 4"));

            List<String> ids = ids(room.lrm().submit(room.account, requests));

            assertThat(ids)
                    .doesNotHaveDuplicates()
                    .allMatch(id -> id.matches("[0-9]+" + Pattern.quote(mark()) + "[0-9]+"));
            assertThat(ids.stream()
                            .map(id -> id.substring(0, id.indexOf(mark())))
                            .distinct())
                    .as("one array")
                    .hasSize(1);
            assertThat(ids(room.lrm().submit(room.account, again(requests))))
                    .as("asked for once more")
                    .isEqualTo(ids);
            assertThat(room.lrm()
                            .cancel(
                                    room.account,
                                    List.of(new LrmJob(requests.getFirst().tag(), List.of()))))
                    .containsExactly(new CancelResult.Ending());
            assertThat(room.awaitEnd(requests.getFirst().tag()).cause()).isEqualTo(Cause.CANCELLED);
            assertThat(requests.stream().skip(1))
                    .as("the others live")
                    .noneMatch(request -> room.kinds(request.tag()).contains(Kind.ENDED));
            Files.writeString(go, "");
            for (SubmitRequest request : requests.subList(1, MANY)) {
                assertThat(room.awaitEnd(request.tag()).exitCode()).isEqualTo(4);
                assertThat(room.changes(request.tag()))
                        .startsWith(Kind.QUEUED)
                        .endsWith(Kind.ENDED)
                        .doesNotHaveDuplicates();
            }
            assertThat(room.read("ran").lines().distinct())
                    .as("a job does not see that it is in an array")
                    .containsExactly(number().getValue());
        }
    }

    /** Some LRMs keep nothing of an element that is cancelled while it waits; of the rest of the array they do. */
    @Test
    void elementsThatWaitAreCancelledOneByOneAndAllTogether() throws Exception {
        try (ContractRoom room = room()) {
            List<SubmitRequest> requests = requests(room, room.job("/bin/true").extensions(List.of(waits())));
            assertThat(room.lrm().submit(room.account, requests)).allMatch(SubmitResult.Accepted.class::isInstance);

            room.cancel(requests.get(2).tag());

            assertThat(room.awaitEnd(requests.get(2).tag()).cause()).isEqualTo(Cause.CANCELLED);
            assertThat(requests.stream()
                            .filter(request -> room.kinds(request.tag()).contains(Kind.ENDED)))
                    .as("only this one")
                    .hasSize(1);
            room.lrm()
                    .cancel(
                            room.account,
                            requests.stream()
                                    .map(request -> new LrmJob(request.tag(), List.of()))
                                    .toList());
            for (SubmitRequest request : requests) {
                assertThat(room.awaitEnd(request.tag()).cause()).isEqualTo(Cause.CANCELLED);
                assertThat(room.kinds(request.tag())).doesNotContain(Kind.STARTED);
            }
        }
    }

    /** The worker dies before or after the command has reached the LRM, or the answer is lost. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "touch BEGUN; WAIT; exec SUBMIT \"$@\"",
                "SUBMIT \"$@\"; touch BEGUN; WAIT",
                "touch BEGUN; SUBMIT \"$@\" > /dev/null; echo 'COMPLAINT' >&2; exit 1"
            })
    void aLostAnswerLeavesEachElementOnce(String script) throws Exception {
        try (ContractRoom outer = room()) {
            Path begun = outer.work.resolve("begun");
            Path bin = Files.createDirectory(outer.directory.resolve("bin"));
            for (String each : otherCommands()) {
                Files.createSymbolicLink(bin.resolve(each), submits().resolveSibling(each));
            }
            Files.setPosixFilePermissions(
                    Files.writeString(
                            bin.resolve(submits().getFileName()),
                            "#!/bin/sh\ntest -e " + begun + " && exec " + submits() + " \"$@\"\n"
                                    + script.replace("BEGUN", begun.toString())
                                            .replace("SUBMIT", submits().toString())
                                            .replace("COMPLAINT", noAnswer())
                                            .replace("WAIT", ContractRoom.until(outer.work.resolve("go")))
                                    + "\n"),
                    PosixFilePermissions.fromString("rwxr-xr-x"));
            try (ContractRoom room = new ContractRoom(account(), settings(bin))) {
                List<SubmitRequest> requests = requests(room, room.sh("echo ran >> ran; exit 6"));
                CompletableFuture<List<SubmitResult>> first =
                        CompletableFuture.supplyAsync(() -> room.lrm().submit(room.account, requests));
                await().atMost(ContractRoom.PATIENCE).until(() -> Files.exists(begun));
                List<ProcessHandle> dead = script.contains("exit 1") ? List.of() : room.workers();
                dead.forEach(ProcessHandle::destroyForcibly);
                assertThat(first.get()).hasSize(MANY).allMatch(SubmitResult.Unclear.class::isInstance);
                CompletableFuture<List<SubmitResult>> second =
                        room.beginAgain(dead, () -> room.lrm().submit(room.account, again(requests)));
                outer.letGo();
                assertThat(second.get()).hasSize(MANY).noneMatch(SubmitResult.Refused.class::isInstance);

                await().atMost(ContractRoom.PATIENCE)
                        .pollInSameThread()
                        .pollInterval(Duration.ofMillis(200))
                        .untilAsserted(() -> assertThat(room.lrm().submit(room.account, again(requests)))
                                .allMatch(SubmitResult.Accepted.class::isInstance));

                for (SubmitRequest request : requests) {
                    assertThat(room.awaitEnd(request.tag()).exitCode()).isEqualTo(6);
                }
                assertThat(room.read("ran").lines()).as("each ran once").hasSize(MANY);
            }
        }
    }
}
