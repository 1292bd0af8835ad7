// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.cream.CreamStub;
import org.jobgate.cli.proxy.UserProxy;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.tls.TrustDirectory;
import org.jobgate.cli.wire.XmlElement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a computing element does not do for one owner, or for one job, is no reason to leave others alone. */
class OneOwnersTroubleTest {

    private static final String FAULT =
            "<s:Fault><faultcode>s:Server</faultcode><faultstring>no room in a table</faultstring></s:Fault>";

    @TempDir
    static Path shared;

    private static TrialCertificates certificates;

    @TempDir
    Path folder;

    private Instant now = Instant.now();
    private final Clock clock = new Clock() {
        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    };
    private final List<String> said = new ArrayList<>();
    private final Outages outages = new Outages(clock, 100, 2);
    private CreamStub stub;
    private QueueFile file;
    private JobQueue queue;
    private JobChanges changes;
    private Poller poller;
    private Submitter submitter;
    private Contacts contacts;
    private String owner;

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    @BeforeEach
    void open() throws Exception {
        stub = new CreamStub(certificates.serverContext());
        stub.answer("setLease", element("setLeaseResponse", "<leaseId>x</leaseId>"));
        stub.answer("ServiceInfo", element("ServiceInfoResponse", ""));
        file = QueueFile.open(folder.resolve("queue"));
        queue = new JobQueue(file);
        changes = new JobChanges(file);
        LiveJobs live = new LiveJobs(file);
        TrustDirectory trusted =
                TrustDirectory.find(Map.of("X509_CERT_DIR", certificates.trust().toString()), folder);
        Users users = new Users(live, clock, Duration.ofHours(1), null, trusted, said::add);
        Grants grants = new Grants(file);
        GrantKeeper keeper = new GrantKeeper(grants, clock, Duration.ofSeconds(1), Duration.ofHours(5));
        contacts = new Contacts(trusted, Duration.ofSeconds(20), clock);
        poller = new Poller(changes, live, outages, users, keeper, clock, said::add);
        submitter = new Submitter(changes, outages, users, keeper, contacts, clock, said::add);
        owner = UserProxy.read(certificates.proxy()).owner();
        // delegated already
        Grants.Grant unused = grants.of(owner, stub.contact(), clock.millis());
        grants.delegated(owner, stub.contact(), clock.millis() + 86_400_000);
    }

    @AfterEach
    void close() {
        contacts.close();
        file.close();
        stub.close();
    }

    private static String element(String name, String content) {
        return "<" + name + " xmlns=\"" + CreamStub.TYPES + "\">" + content + "</" + name + ">";
    }

    private void add(String id, String... elsewhere) {
        List<String> places = new ArrayList<>(List.of(stub.contact() + "/cream-pbs-long"));
        places.addAll(List.of(elsewhere));
        JobRequest request = new JobRequest(
                id, owner, certificates.proxy().toString(), null, places, "[ Executable = \"/bin/true\"; ]", 0, 0);
        assertThat(queue.add(List.of(request), clock.millis())).isEmpty();
    }

    private List<QueuedJob> take() {
        return queue.take(100, clock.millis(), (who, where) -> 0);
    }

    private void registered(String... ids) {
        for (String id : ids) {
            add(id);
            changes.registered(
                    List.of(new JobChanges.Registered(take().getFirst(), id, null, true, clock.millis())),
                    clock.millis());
        }
    }

    private void round() {
        poller.round(new LiveJobs.Share(owner, stub.contact()), contacts);
    }

    private String status(String id) {
        List<String> lines = new ArrayList<>();
        assertThat(new Overview(file).jobs(List.of(id), lines::add)).isEmpty();
        return lines.getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {FAULT, "HTTP 400", "HTTP 403", "HTTP 404", "HTTP 413", "HTTP 429", "HTTP 200", ""})
    void eventsThatOneOwnerDoesNotGetKeepNoOthersWaiting(String answer) {
        registered("CREAM1");
        stub.answer("QueryEvent", answer);

        round();

        assertThat(stub.operations()).contains("QueryEventRequest");
        assertThat(outages.opens("another", stub.contact())).as(said.toString()).isZero();
        assertThat(outages.opens(stub.contact())).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {FAULT, "HTTP 400", "HTTP 200", ""})
    void jobsThatOneOwnerCannotRegisterWaitAndKeepNoOthersWaiting(String answer) {
        add("one");
        add("two");
        stub.answer("JobRegister", answer);

        submitter.work(take());

        assertThat(stub.operations()).contains("JobRegisterRequest");
        assertThat(outages.opens(owner, stub.contact())).as(said.toString()).isPositive();
        assertThat(outages.opens("another", stub.contact())).isZero();
        assertThat(status("one")).startsWith("one\tSENDING");
    }

    private static final String OTHER = "other.example.org:8443";

    /** No service has seen the request, so nothing can run twice. */
    @ParameterizedTest
    @ValueSource(strings = {"HTTP 403", "HTTP 404", "HTTP 405", "HTTP 410", "HTTP 425", "HTTP 429"})
    void jobsThatAreNotLetInGoToTheirNextQueueAtOnce(String answer) {
        add("one", OTHER + "/cream-pbs-long");
        add("pinned");
        stub.answer("JobRegister", answer);
        List<QueuedJob> jobs =
                queue.take(100, clock.millis(), (who, where) -> where.equals(OTHER) ? Long.MAX_VALUE : 0);

        submitter.work(jobs);

        assertThat(jobs).hasSize(2);
        assertThat(status("one")).as(said.toString()).startsWith("one\tQUEUED\t1");
        assertThat(outages.opens("another", stub.contact())).isZero();
        List<QueuedJob> next = queue.take(100, clock.millis(), outages);
        assertThat(next).extracting(QueuedJob::id).containsExactly("one");
        assertThat(next.getFirst().endpoint()).isEqualTo(OTHER);
        assertThat(next.getFirst().key()).isNotEqualTo(jobs.getFirst().key());
    }

    /** An answer was lost before: it may be there. */
    @Test
    void aJobThatMayBeThereGoesNowhereElseThoughItIsNotLetInAnyMore() {
        add("one", OTHER + "/cream-pbs-long");
        JobQueue.Openings here = (who, where) -> where.equals(OTHER) ? Long.MAX_VALUE : 0;
        stub.answer("JobRegister", "HTTP 503");
        submitter.work(queue.take(100, clock.millis(), here));
        stub.answer("JobRegister", "HTTP 403");

        submitter.work(queue.take(100, clock.millis() + 60_000, here));

        assertThat(stub.requests("JobRegisterRequest")).hasSize(2);
        assertThat(status("one")).startsWith("one\tSENDING");
        assertThat(queue.take(100, clock.millis() + 600_000, (who, where) -> 0))
                .extracting(QueuedJob::endpoint)
                .containsExactly(stub.contact());
    }

    /** On a kept connection: that it cannot be reached for a second sending does not say that it did not work on the first. */
    @Test
    void aJobWhoseElementDiesWithTheRequestKeepsItsPlaceAndItsKey() {
        add("one", OTHER + "/cream-pbs-long");
        stub.answer("JobRegister", request -> {
            stub.close();
            return "";
        });
        List<QueuedJob> jobs =
                queue.take(100, clock.millis(), (who, where) -> where.equals(OTHER) ? Long.MAX_VALUE : 0);

        submitter.work(jobs);

        assertThat(stub.operations()).contains("ServiceInfoRequest", "JobRegisterRequest");
        assertThat(status("one")).as(said.toString()).startsWith("one\tSENDING");
        assertThat(queue.take(100, clock.millis() + 600_000, (who, where) -> 0))
                .extracting(QueuedJob::endpoint, QueuedJob::key)
                .containsExactly(tuple(stub.contact(), jobs.getFirst().key()));
    }

    private static String taken(XmlElement request, int most) {
        StringBuilder results = new StringBuilder();
        int number = 0;
        for (XmlElement job : request.children()) {
            results.append("<result jobDescriptionId=\"").append(job.attribute("", "jobDescriptionId"));
            results.append("\">");
            results.append(
                    ++number <= most
                            ? "<jobId><id>CREAM" + number + "</id><creamURL>https://x/</creamURL></jobId>"
                            : "<GenericFault><MethodName>JobRegister</MethodName><Timestamp>2026-11-26T12:00:00Z</Timestamp>"
                                    + "<ErrorCode>0</ErrorCode><Description>The CREAM service cannot accept jobs at the moment"
                                    + "</Description><FaultCause>load1 is 52</FaultCause></GenericFault>");
            results.append("</result>");
        }
        return element("JobRegisterResponse", results.toString());
    }

    /** That is no failure of the jobs: they are asked for again after pauses that grow, and no attempt of theirs is counted. */
    @Test
    void jobsThatAreToComeLaterDoAndThePausesGrow() {
        for (String id : List.of("one", "two", "three")) {
            add(id);
        }
        stub.answer("JobRegister", request -> taken(request, 1));

        submitter.work(take());

        assertThat(status("one")).as(said.toString()).startsWith("one\tREGISTERED");
        assertThat(status("two")).startsWith("two\tQUEUED\t1").contains("load1 is 52");
        stub.answer("JobRegister", request -> taken(request, 0));
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            long opens = outages.opens(owner, stub.contact());
            pauses.add(opens - clock.millis());
            now = now.plusMillis(opens - clock.millis());
            submitter.work(queue.take(100, clock.millis(), outages));
        }
        assertThat(pauses).containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 16_000L);
        assertThat(status("three")).startsWith("three\tQUEUED\t1");
        assertThat(outages.opens("another", stub.contact())).isZero();
    }

    @Test
    void anElementThatTakesNoJobsOfOneOwnerIsStillAskedForTheJobsThatItHas() {
        add("one");
        String closed = "<s:Fault><faultcode>s:Server</faultcode><faultstring>closed</faultstring><detail>"
                + element("JobSubmissionDisabledFault", "<MethodName>jobRegister</MethodName>") + "</detail></s:Fault>";
        stub.answer("JobRegister", closed);

        submitter.work(take());

        assertThat(outages.opens(owner, stub.contact())).isPositive();
        assertThat(outages.opens(stub.contact())).isZero();
        assertThat(status("one")).startsWith("one\tQUEUED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP 500", "HTTP 502", "HTTP 503"})
    void anElementInTroubleIsLeftAloneByAll(String answer) {
        registered("CREAM1");
        stub.answer("QueryEvent", answer);

        round();

        assertThat(outages.opens("another", stub.contact())).isPositive();
    }

    @Test
    void anElementThatIsAwayIsLeftAloneByAll() {
        registered("CREAM1");
        stub.close();

        round();

        assertThat(outages.opens("another", stub.contact())).isPositive();
    }

    @Test
    void whatCannotBeCancelledOrDelegatedKeepsLeaseAndEventsFromNobody() throws Exception {
        registered("CREAM1", "CREAM2", "CREAM3");
        assertThat(new Cancellations(file).cancel(List.of("CREAM1", "CREAM2", "CREAM3"), clock.millis()))
                .isEmpty();
        new Grants(file).delegated(owner, stub.contact(), 0);
        stub.answer("JobCancel", request -> ids(request).contains("CREAM2") ? FAULT : element("JobCancelResponse", ""));
        stub.answer(
                "QueryEvent",
                element(
                        "QueryEventResponse",
                        "<dbId>7</dbId><event><id>1</id><type>JOB_STATUS</type><timestamp>2026-11-25T15:56:08Z</timestamp>"
                                + "<property><name>jobId</name><value>CREAM3</value></property>"
                                + "<property><name>type</name><value>5</value></property></event>"));

        round();

        assertThat(stub.operations())
                .as(said.toString())
                .contains("getProxyReq", "setLeaseRequest", "JobStatusRequest");
        assertThat(cancelled()).contains(List.of("CREAM1"), List.of("CREAM3"));
        assertThat(status("CREAM3")).startsWith("CREAM3\tCANCELLED");
        assertThat(outages.opens("another", stub.contact())).isZero();
    }

    private List<List<String>> cancelled() {
        return stub.requests("JobCancelRequest").stream()
                .map(OneOwnersTroubleTest::ids)
                .toList();
    }

    private static List<String> ids(XmlElement request) {
        return request.children().stream()
                .map(job -> String.valueOf(job.childText(CreamStub.TYPES, "id")))
                .toList();
    }

    /** A file that only this machine has trouble with. */
    @Test
    void aFileThatCannotBeReadIsNoTroubleOfTheElement() throws Exception {
        Path data = Files.writeString(folder.resolve("data"), "x");
        add("plain");
        JobRequest request = new JobRequest(
                "withFile",
                owner,
                certificates.proxy().toString(),
                null,
                List.of(stub.contact() + "/cream-pbs-long"),
                "[ Executable = \"/bin/true\"; InputSandbox = { \"" + data + "\" }; ]",
                0,
                0);
        assertThat(queue.add(List.of(request), clock.millis())).isEmpty();
        stub.answer("JobRegister", asked -> {
            // gone while it is asked
            data.toFile().delete();
            StringBuilder results = new StringBuilder();
            int number = 0;
            for (XmlElement job : asked.children()) {
                results.append("<result jobDescriptionId=\"").append(job.attribute("", "jobDescriptionId"));
                results.append("\"><jobId><id>CREAM").append(++number).append("</id><creamURL>https://");
                results.append(stub.contact())
                        .append("/x</creamURL><property><name>CREAMInputSandboxURI</name><value>https://");
                results.append(stub.contact()).append("/isb</value></property></jobId></result>");
            }
            return element("JobRegisterResponse", results.toString());
        });
        stub.answer("JobStart", element("JobStartResponse", ""));

        submitter.work(take());

        assertThat(stub.operations()).as(said.toString()).contains("JobStartRequest");
        assertThat(outages.opens(owner, stub.contact())).isZero();
        assertThat(status("withFile")).startsWith("withFile\tREGISTERED");
    }
}
