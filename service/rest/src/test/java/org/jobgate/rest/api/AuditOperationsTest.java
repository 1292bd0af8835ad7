// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.access.AuditRecords;
import org.jobgate.authz.Action;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Owners see what is on record of their own jobs, administrators that of all. */
class AuditOperationsTest extends ApiRoom {

    private static final String JOB = "01a1f866-0d00-7cb8-866a-eef9382fdaaa";

    private final List<String> asked = new ArrayList<>();

    @Override
    AuditRecords records() {
        return new AuditRecords() {
            @Override
            public Optional<Map<String, Object>> job(String id) {
                return id.equals(JOB) ? Optional.of(Map.of("job", id, "subject", ALICE)) : Optional.empty();
            }

            @Override
            public List<Map<String, Object>> jobs(
                    @Nullable String subject, Instant since, @Nullable String after, int limit) {
                asked.add("jobs " + subject + " " + since + " " + after + " " + limit);
                return List.of(
                        BOB.equals(subject)
                                ? Map.of("job", JOB, "subject", BOB, "description", "x".repeat(MOST_TEXT))
                                : Map.of("job", JOB, "subject", ALICE, "wall_ms", 5));
            }

            @Override
            public List<Map<String, Object>> usage(
                    List<String> by, @Nullable String subject, Instant since, Instant until) {
                asked.add("usage " + by + " " + subject);
                return List.of(Map.of("month", "2026-11", "jobs", 3));
            }

            @Override
            public List<Map<String, Object>> acts(Instant since, int limit) {
                return List.of(Map.of("who", "root", "what", "POST /drain"));
            }
        };
    }

    @Test
    void anOwnerSeesTheOwnAndNothingElse() throws Exception {
        Answer own = get(ALICE, "/audit/jobs?limit=1&since=2026-11-01T00:00:00Z&cursor=a");
        assertThat(own.status()).isEqualTo(200);
        assertThat(own.json().at("/jobs/0/wall_ms").asInt()).isEqualTo(5);
        assertThat(own.json().path("next").asString()).isEqualTo(JOB);
        assertThat(get(ALICE, "/usage?by=month,vo").json().at("/rows/0/jobs").asInt())
                .isEqualTo(3);
        assertThat(asked).containsExactly("jobs " + ALICE + " 2026-11-01T00:00:00Z a 1", "usage [month, vo] " + ALICE);
        for (String path : List.of(
                "/audit/jobs?all=true",
                "/audit/jobs?owner=/CN=x",
                "/usage?all=true",
                "/usage?owner=/CN=x",
                "/audit/acts")) {
            assertThat(get(ALICE, path).status()).as(path).isEqualTo(403);
        }
        assertThat(get(ALICE, "/audit/jobs/" + JOB).status()).isEqualTo(200);
        assertThat(get(BOB, "/audit/jobs/" + JOB).status())
                .as("it looks like one that never was")
                .isEqualTo(404);
        assertThat(asked).hasSize(2);
    }

    @Test
    void aPageThatEndsEarlyHasANextOne() throws Exception {
        assertThat(get(BOB, "/audit/jobs").json().path("next").asString()).isEqualTo(JOB);
        assertThat(get(ALICE, "/audit/jobs").json().has("next")).isFalse();
    }

    @Test
    void anAdministratorSeesAllUnlessThePolicyObjects() throws Exception {
        assertThat(get(ADMINISTRATOR, "/audit/jobs?all=true").status()).isEqualTo(200);
        assertThat(get(ADMINISTRATOR, "/usage?by=user&owner=" + ALICE).status()).isEqualTo(200);
        assertThat(asked).containsExactly("jobs null 1970-01-01T00:00:00Z null 100", "usage [user] " + ALICE);
        assertThat(get(ADMINISTRATOR, "/audit/jobs/" + JOB).status()).isEqualTo(200);
        assertThat(get(ADMINISTRATOR, "/audit/acts").json().at("/acts/0/what").asString())
                .isEqualTo("POST /drain");
        forbidden.add(Action.QUERY);
        assertThat(get(ADMINISTRATOR, "/audit/jobs?all=true").status()).isEqualTo(403);
        assertThat(get(ADMINISTRATOR, "/audit/acts").status()).isEqualTo(403);
    }

    @Test
    void whatCannotBeMeantIsRefused() throws Exception {
        for (String path : List.of(
                "/usage?by=colour",
                "/usage?by=",
                "/usage?by=,",
                "/audit/jobs?cursor=",
                "/usage?since=yesterday",
                "/audit/jobs?all=perhaps",
                "/audit/jobs?all=true&owner=/CN=x",
                "/audit/jobs?limit=0",
                "/audit/jobs/x",
                "/audit/acts?who=root")) {
            assertThat(get(ADMINISTRATOR, path).status()).as(path).isIn(400, 404);
        }
        assertThat(asked).isEmpty();
    }
}
