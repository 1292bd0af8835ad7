// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.cream.CreamRoom.ALICE;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What CREAM's own command line (glite-ce-cream-cli 1.15.4) sent on the wire is answered, each request of it. */
class CreamCapturesTest {

    private static final Pattern REQUEST =
            Pattern.compile("(?s)SOAPAction: (\"[^\"]*\")\\R\\R(<\\?xml.*?</SOAP-ENV:Envelope>)");
    private static final String THEIR_JOB = "CREAM123456789";

    @TempDir
    Path directory;

    private CreamRoom room;
    private final List<String[]> requests = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        Path captures = CreamRoom.shared("captures/cream/glite-ce-cream-cli-1.15.4-requests.txt");
        assumeTrue(Files.exists(captures), "NOT TESTED against a real client: there is no " + captures);
        Matcher found = REQUEST.matcher(Files.readString(captures));
        while (found.find()) {
            requests.add(new String[] {found.group(1), found.group(2)});
        }
        room = new CreamRoom(directory, CreamRoom.settings());
    }

    @AfterEach
    void close() throws Exception {
        if (room != null) {
            room.close();
        }
    }

    @Test
    void everyRequestOfItIsAnswered() {
        for (String delegation : List.of("mydeleg", "95743c36853b9331d619ece8ecfadd6bfc28a321")) {
            room.delegations.put(ALICE + " " + delegation, Instant.now().plusSeconds(3_600));
        }
        room.ask(
                ALICE,
                "setLeaseRequest",
                "<leaseId>myLease</leaseId><leaseTime>" + Instant.now().plusSeconds(3_600) + "</leaseTime>");
        Set<String> told = new LinkedHashSet<>();
        for (String[] request : requests) {
            if (request[1].contains("gridsite") && request[1].contains("<delegation2:")) {
                continue; // GridsiteCapturesTest
            }
            String job = jobFor(request[1]);
            String envelope = request[1]
                    .replace(THEIR_JOB, job)
                    .replaceAll("BatchSystem = \"\\w+\"", "BatchSystem = \"fork\"")
                    .replace(
                            "2026-11-25T03:55:14Z",
                            Instant.now().plusSeconds(3_600).toString());
            Answer answer = room.post(ALICE, envelope, "SOAPAction", request[0]);

            boolean isAdministrators = envelope.contains("acceptNewJobSubmissions");
            assertThat(answer.status()).as(answer.text()).isEqualTo(isAdministrators ? 500 : 200);
            XmlElement body = isAdministrators ? answer.fault() : answer.body();
            CreamRoom.validate(body);
            told.add(body.localName());
            if (!isAdministrators) {
                assertThat(answer.text()).as(envelope).doesNotContain("Fault");
            }
        }

        assertThat(told)
                .containsExactlyInAnyOrder(
                        "JobStatusResponse",
                        "JobInfoResponse",
                        "JobRegisterResponse",
                        "JobStartResponse",
                        "ServiceInfoResponse",
                        "JobListResponse",
                        "JobSuspendResponse",
                        "JobResumeResponse",
                        "JobCancelResponse",
                        "JobPurgeResponse",
                        "setLeaseResponse",
                        "QueryEventResult",
                        "AuthorizationFault");
    }

    /** A job of the state in which the request can be carried out. */
    private String jobFor(String envelope) {
        String more = "<delegationId>mydeleg</delegationId>"
                + (envelope.contains("myLease") ? "<leaseId>myLease</leaseId>" : "");
        boolean isStart = envelope.contains("JobStartRequest") || envelope.contains("JobPurgeRequest");
        String jdl = "[Executable=\"/bin/echo\";BatchSystem=\"fork\";QueueName=\"any\"]";
        String id = room.register(ALICE, jdl, more + (isStart ? "<autoStart>false</autoStart>" : ""));
        String state = isStart ? "REGISTERED" : envelope.contains("JobResumeRequest") ? "HELD" : "IDLE";
        if (state.equals("HELD")) {
            await().until(() -> room.state(ALICE, id).equals("IDLE"));
            room.hold(id);
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> room.state(ALICE, id).equals(state));
        return id;
    }
}
