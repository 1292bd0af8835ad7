// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jobgate.identity.Identity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridMapfileTest {

    @TempDir
    Path folder;

    private final AtomicLong nanos = new AtomicLong();

    private GridMapfile map(String... lines) throws IOException {
        Path file = folder.resolve("grid-mapfile");
        Files.write(file, List.of(lines));
        return new GridMapfile(file, Set.of("root"), watch(Duration.ofSeconds(1)));
    }

    private WatchedFile.Watch watch(Duration interval) {
        return new WatchedFile.Watch(interval, nanos::get, Runnable::run);
    }

    /** The accounts that are answered, or the word of another answer. */
    private static List<String> ask(GridMapfile map, String subject) {
        PointDecision decision = map.judge(AuthzRequest.of(new Identity(subject, "tls", false), Action.SUBMIT));
        return decision instanceof PointDecision.Permit permit
                ? permit.accounts()
                : List.of("(" + decision.word() + ")");
    }

    private static List<String> permit(String... accounts) {
        return List.of(accounts);
    }

    @Test
    void answersTheAccountsOfASubjectTheDefaultFirst() throws IOException {
        GridMapfile map =
                map("# people", "", "\"/O=Grid/CN=Alice Ant\" alice,pool1, pool2 # note", "/O=Grid/CN=Bob bob");
        assertThat(ask(map, "/O=Grid/CN=Alice Ant")).isEqualTo(permit("alice", "pool1", "pool2"));
        assertThat(ask(map, "/O=Grid/CN=Bob")).isEqualTo(permit("bob"));
    }

    @Test
    void saysNothingOfASubjectThatIsNotThereAndNamesItAndTheNearest() throws IOException {
        GridMapfile map = map("\"/O=Grid/CN=Alice\" alice", "\"/O=Grid/OU=x/CN=Bob\" bob");
        AuthzRequest request = AuthzRequest.of(new Identity("/O=Grid/CN=alice ", "tls", false), Action.SUBMIT);
        assertThat(map.judge(request))
                .isEqualTo(new PointDecision.Abstain("The subject /O=Grid/CN=alice  is not in the grid-mapfile"));
        assertThat(map.nearest(request)).isEqualTo("the nearest line is of \"/O=Grid/CN=Alice\"");
    }

    @Test
    void comparesValuesExactly() throws IOException {
        GridMapfile map = map("\"/O=Grid/CN=Alice\" alice");
        assertThat(ask(map, "/O=Grid/CN=alice")).containsExactly("(abstain)");
        assertThat(ask(map, "/O=Grid/CN=Alice/CN=proxy")).containsExactly("(abstain)");
    }

    @Test
    void joinsTheLinesOfOneSubject() throws IOException {
        assertThat(ask(map("/O=G/CN=A a,b", "/O=G/CN=A c,a"), "/O=G/CN=A")).isEqualTo(permit("a", "b", "c"));
    }

    @Test
    void takesTheSpellingsOfMailAndUserIdAsOne() throws IOException {
        GridMapfile map = map("\"/O=G/CN=A/Email=a@x.org\" a", "\"/DC=org/USERID=b/CN=B\" b");
        assertThat(ask(map, "/O=G/CN=A/emailAddress=a@x.org")).isEqualTo(permit("a"));
        assertThat(ask(map, "/DC=org/UID=b/CN=B")).isEqualTo(permit("b"));
    }

    @Test
    void readsQuotesBackslashesAndBytesInHex() throws IOException {
        GridMapfile map =
                map("\"/O=G/CN=J\\xC3\\xBCrgen\" j", "\"/O=G/CN=the \\\"cat\\\" \\\\o\" cat", "\"/O=G/CN=Žofie\" z");
        assertThat(ask(map, "/O=G/CN=Jürgen")).isEqualTo(permit("j"));
        assertThat(ask(map, "/O=G/CN=the \"cat\" \\o")).isEqualTo(permit("cat"));
        assertThat(ask(map, "/O=G/CN=Žofie")).isEqualTo(permit("z"));
    }

    @Test
    void leavesOutBrokenLinesOnly() throws IOException {
        GridMapfile map = map(
                "\"/O=G/CN=open alice",
                "/O=G/CN=none",
                "not-a-subject bob",
                "/O=G/CN=dash -rf",
                "/O=G/CN=pool .dteam",
                "/O=G/CN=two a b",
                "/O=G/CN=comma a,,b",
                "\"/O=G/CN=glued\"alice",
                "/O=G/CN=fine fine");
        assertThat(map.size()).isEqualTo(1);
        assertThat(ask(map, "/O=G/CN=fine")).isEqualTo(permit("fine"));
    }

    @Test
    void aLineThatIsNotUtf8SpoilsItselfOnly() throws IOException {
        Path file = folder.resolve("latin1");
        Files.write(
                file, new byte[] {'/', 'C', 'N', '=', (byte) 0xFC, ' ', 'u', '\n', '/', 'C', 'N', '=', 'b', ' ', 'b'});
        GridMapfile map = new GridMapfile(file, Set.of(), watch(Duration.ZERO));
        assertThat(ask(map, "/CN=b")).isEqualTo(permit("b"));
        assertThat(ask(map, "/CN=\u00fc")).containsExactly("(abstain)");
    }

    @Test
    void neverAnswersADeniedAccount() throws IOException {
        GridMapfile map = map("/CN=mixed root,alice", "/CN=only root");
        assertThat(ask(map, "/CN=mixed")).isEqualTo(permit("alice"));
        assertThat(map.judge(AuthzRequest.of(new Identity("/CN=only", "tls", false), Action.SUBMIT)))
                .isEqualTo(new PointDecision.Deny(
                        "The subject /CN=only is mapped only to accounts that no job may run as: root"));
    }

    @Test
    void seesAChangeAfterTheCheckIntervalAndNotBefore() throws IOException {
        GridMapfile map = map("/CN=a a");
        Path next = folder.resolve("next");
        Files.writeString(next, "/CN=b b\n");
        Files.move(next, folder.resolve("grid-mapfile"), StandardCopyOption.REPLACE_EXISTING);
        assertThat(ask(map, "/CN=b")).containsExactly("(abstain)");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(ask(map, "/CN=b")).isEqualTo(permit("b"));
        assertThat(ask(map, "/CN=a")).containsExactly("(abstain)");
    }

    @Test
    void keepsWhatItKnewWhileTheFileCannotBeReadSaysSoAndRecovers() throws IOException {
        GridMapfile map = map("/CN=a a");
        assertThat(map.trouble()).isEmpty();
        Files.delete(folder.resolve("grid-mapfile"));
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(ask(map, "/CN=a")).isEqualTo(permit("a"));
        assertThat(map.trouble()).get().asString().contains("cannot be used", "What it said before holds.");
        Files.writeString(folder.resolve("grid-mapfile"), "/CN=b b\n");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(ask(map, "/CN=b")).isEqualTo(permit("b"));
        assertThat(map.trouble()).isEmpty();
    }

    @Test
    void cannotSayWhileTheFileCouldNeverBeRead() throws IOException {
        GridMapfile map = new GridMapfile(folder.resolve("none"), Set.of(), watch(Duration.ofSeconds(1)));
        assertThat(ask(map, "/CN=a")).containsExactly("(indeterminate)");
        assertThat(map.trouble()).get().asString().contains("Nothing is decided by it.");
    }

    @Test
    void holdsTenThousandSubjects() throws IOException {
        String lines = IntStream.range(0, 10_000)
                .mapToObj(i -> "\"/O=Grid/CN=User " + i + "\" u" + i)
                .collect(Collectors.joining("\n"));
        GridMapfile map = map(lines);
        assertThat(map.size()).isEqualTo(10_000);
        assertThat(ask(map, "/O=Grid/CN=User 9999")).isEqualTo(permit("u9999"));
    }
}
