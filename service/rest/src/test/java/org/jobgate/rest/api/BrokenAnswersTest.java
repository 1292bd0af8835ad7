// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.time.Instant;
import java.util.AbstractList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jobgate.access.AuditRecords;
import org.jobgate.files.AccountTree;
import org.jobgate.files.AccountTrees;
import org.jobgate.files.ExportedTree;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.TrialTrees;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Answers that fail half-way: packed, more than 64 KiB of them are so small that nothing is sent yet, and they become problem documents. */
class BrokenAnswersTest extends ApiRoom {

    private static final int ROWS = 2_000;

    private static final class FailingRows extends AbstractList<Map<String, Object>> {
        @Override
        public Map<String, Object> get(int index) {
            if (index == ROWS - 1) {
                throw new FaultException(Fault.of(FaultCode.STORE_UNAVAILABLE, "The disk is full.", "Try again."));
            }
            return Map.of("description", "x".repeat(60));
        }

        @Override
        public int size() {
            return ROWS;
        }
    }

    @Override
    AuditRecords records() {
        return new AuditRecords() {
            @Override
            public Optional<Map<String, Object>> job(String id) {
                return Optional.empty();
            }

            @Override
            public List<Map<String, Object>> jobs(
                    @Nullable String subject, Instant since, @Nullable String after, int limit) {
                return List.of();
            }

            @Override
            public List<Map<String, Object>> usage(
                    List<String> by, @Nullable String subject, Instant since, Instant until) {
                return new FailingRows();
            }

            @Override
            public List<Map<String, Object>> acts(Instant since, int limit) {
                return List.of();
            }
        };
    }

    /** The second piece of a long list cannot be read, where a test says so. */
    @Override
    JobStore store(JobStore real) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (self, method, arguments) -> {
                    if (method.getName().equals("list")
                            && isBroken.get()
                            && ((JobQuery) arguments[0]).after() != null) {
                        throw new FaultException(Fault.of(FaultCode.STORE_UNAVAILABLE, "The disk is gone.", "Wait."));
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private final AtomicBoolean isBroken = new AtomicBoolean();

    @Test
    void aPageThatFailsNamesNoNextOne() throws Exception {
        String many = "{\"jobs\":[" + String.join(",", Collections.nCopies(100, TRUE)) + "]}";
        for (int i = 0; i < 6; i++) {
            post(ALICE, "/bulk/jobs", many).is(200);
        }
        String page = "/jobs?fields=state&limit=550";
        assertThat(get(ALICE, page, "Accept-Encoding", "gzip").is(200).header("Link"))
                .contains("rel=\"next\"");
        isBroken.set(true);
        Answer problem = get(ALICE, page, "Accept-Encoding", "gzip").isProblem(503, "STORE_UNAVAILABLE");
        isBroken.set(false);
        assertThat(problem.header("Link")).isEmpty();
    }

    /** Only the first piece of a file can be read. */
    @Override
    AccountTrees trees(TrialTrees real) {
        return new AccountTrees() {
            @Override
            public List<ExportedTree> all() {
                return real.all();
            }

            @Override
            public Optional<AccountTree> find(String name, String account) {
                return real.find(name, account).map(BrokenAnswersTest::failing);
            }
        };
    }

    private static AccountTree failing(AccountTree real) {
        return (AccountTree) Proxy.newProxyInstance(
                AccountTree.class.getClassLoader(), new Class<?>[] {AccountTree.class}, (self, method, arguments) -> {
                    if (method.getName().equals("read") && (Long) arguments[1] > 1_000) {
                        throw new FilesUnavailableException("the account does not answer");
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void aPackedListThatFailsBecomesAProblemThatIsNotPacked() throws Exception {
        Answer problem = get(ALICE, "/usage", "Accept-Encoding", "gzip").isProblem(503, "STORE_UNAVAILABLE");
        assertThat(problem.header("Content-Encoding")).isEmpty();
        assertThat(problem.response().headers().allValues("Vary")).containsExactly("Accept-Encoding");
        assertThat(problem.header("Content-Length"))
                .isEqualTo(Integer.toString(problem.response().body().length));
    }

    @Test
    void aPackedPartOfAFileThatFailsBecomesAProblemThatIsNeitherPackedNorAPart() throws Exception {
        Files.write(trees.directory("work", "alice").resolve("zeros"), new byte[1_000_000]);
        Answer problem = get(ALICE, "/trees/work/content/zeros", "Jobgate-Encoding", "gzip", "Range", "bytes=10-");
        problem.isProblem(503, "FILES_UNAVAILABLE");
        assertThat(problem.header("Jobgate-Encoding")).isEmpty();
        assertThat(problem.header("Content-Range")).isEmpty();
        assertThat(problem.header("Content-Disposition")).isEmpty();
    }
}
