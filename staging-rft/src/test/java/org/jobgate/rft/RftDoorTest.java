// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.rft.TestDoor.ALICE;
import static org.jobgate.rft.TestDoor.BOB;
import static org.jobgate.rft.TestDoor.KEY;

import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.wsdl11.WSDLServiceFactory;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.xml.sax.SAXException;

/** RFT's operations in both generations; every answer is checked against our schemas. */
class RftDoorTest {

    private static final String FACTORY = "ReliableFileTransferFactoryService";
    private static final String SERVICE = "ReliableFileTransferService";
    private static final String SUBSCRIPTIONS = "ReliableFileTransferSubscriptionService";
    private static final Map<Generation, Schema> SCHEMAS =
            Map.of(Generation.GT40, schema(""), Generation.GT42, schema("gt42/"));

    @TempDir
    Path directory;

    private TestDoor door;

    @BeforeEach
    void open() throws Exception {
        door = new TestDoor(directory);
    }

    @AfterEach
    void close() throws Exception {
        door.close();
    }

    private static Schema schema(String folder) {
        try {
            Source[] sources =
                    List.of("rft.xsd", "resource-properties.xsd", "base-notification.xsd", "keys.xsd").stream()
                            .map(name -> new StreamSource(requireNonNull(
                                            RftDoorTest.class.getResource("/org/jobgate/rft/wsdl/" + folder + name),
                                            name)
                                    .toString()))
                            .toArray(Source[]::new);
            return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(sources);
        } catch (SAXException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void validate(Generation generation, XmlElement element) {
        String document = XmlWriter.toText(out -> out.copy(element));
        try {
            requireNonNull(SCHEMAS.get(generation))
                    .newValidator()
                    .validate(new StreamSource(new StringReader(document)));
        } catch (SAXException | java.io.IOException e) {
            throw new AssertionError(e.getMessage() + " in " + document, e);
        }
    }

    private static String envelope(Generation generation, String key, String body) {
        String header = key.isEmpty()
                ? ""
                : "<r:TransferKey xmlns:r='" + generation.transfer("").getNamespaceURI() + "'>" + key
                        + "</r:TransferKey>";
        return "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Header>" + header
                + "</s:Header><s:Body>" + body + "</s:Body></s:Envelope>";
    }

    private XmlElement answer(Generation generation, String service, String key, String body) throws Exception {
        Answer answer = door.post(ALICE, service, envelope(generation, key, body));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        validate(generation, answer.body());
        return answer.body();
    }

    private XmlElement refused(
            String subject, Generation generation, String service, String key, String body, String fault)
            throws Exception {
        Answer answer = door.post(subject, service, envelope(generation, key, body));
        assertThat(answer.status()).as(answer.text()).isEqualTo(500);
        XmlElement detail = child(answer.body(), "detail").children().getFirst();
        assertThat(detail.localName()).as(answer.text()).isEqualTo(fault);
        return answer.body();
    }

    private static XmlElement child(XmlElement element, String... path) {
        XmlElement at = element;
        for (String name : path) {
            XmlElement parent = at;
            at = at.child(name).orElseThrow(() -> new AssertionError("no " + name + " in " + parent));
        }
        return at;
    }

    private static String rft(Generation generation, String name, String content) {
        return "<" + name + " xmlns='" + generation.transfer("").getNamespaceURI() + "'>" + content + "</" + name + ">";
    }

    private static String credential(Generation generation, String key) {
        return "<transferCredentialEndpoint><a:Address xmlns:a='" + generation.wsa()
                + "'>https://localhost/wsrf/services/DelegationService</a:Address><a:"
                + generation.referenceKeys().getLocalPart() + " xmlns:a='" + generation.wsa()
                + "'><d:DelegationKey xmlns:d='http://www.globus.org/08/2004/delegationService'>" + key
                + "</d:DelegationKey></a:" + generation.referenceKeys().getLocalPart()
                + "></transferCredentialEndpoint>";
    }

    private static String copy(String from, String to) {
        return "<transfer><sourceUrl>gsiftp://a/" + from + "</sourceUrl><destinationUrl>gsiftp://b/" + to
                + "</destinationUrl></transfer>";
    }

    private static String copying(Generation generation, String transfers) {
        return rft(
                generation,
                "createReliableFileTransferRequest",
                "<transferRequest><concurrency>2</concurrency><maxAttempts>1</maxAttempts>"
                        + credential(generation, KEY) + transfers
                        + "<rftOptions><binary>true</binary><sourceSubjectName>null</sourceSubjectName></rftOptions>"
                        + "</transferRequest>");
    }

    private String created(Generation generation, String body) throws Exception {
        XmlElement response = answer(generation, FACTORY, "", body);
        return child(response, "reliableTransferEPR", generation.referenceKeys().getLocalPart(), "TransferKey")
                .text();
    }

    private void put(String name) {
        door.servers.files.put(URI.create("gsiftp://a/" + name), name.getBytes(StandardCharsets.UTF_8));
    }

    private boolean has(String name) {
        return door.servers.files.containsKey(URI.create("gsiftp://b/" + name));
    }

    private XmlElement property(Generation generation, String key, String name) throws Exception {
        String body = "<GetResourceProperty xmlns='" + generation.wsrp() + "' xmlns:r='"
                + generation.transfer("").getNamespaceURI() + "' xmlns:l='" + generation.wsrl() + "'>" + name
                + "</GetResourceProperty>";
        return answer(generation, SERVICE, key, body).children().getFirst();
    }

    private String status(Generation generation, String key) throws Exception {
        return child(property(generation, key, "r:RequestStatusProperty"), "requestStatus")
                .text();
    }

    private void start(Generation generation, String key) throws Exception {
        answer(generation, SERVICE, key, rft(generation, "start", ""));
    }

    private void isOver(Generation generation, String key, String word) {
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(status(generation, key)).isEqualTo(word));
    }

    private static List<String> counts(XmlElement overall) {
        return overall.children().stream()
                .filter(each ->
                        each.localName().startsWith("transfers") && !each.text().equals("0"))
                .map(each -> each.localName() + "=" + each.text())
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aRequestIsMadeStartedWatchedAndDestroyed(Generation generation) throws Exception {
        put("x");
        put("y");
        String key = created(generation, copying(generation, copy("x", "1") + copy("y", "2") + copy("none", "3")));
        assertThat(status(generation, key)).isEqualTo("Pending");
        assertThat(has("1")).isFalse();

        start(generation, key);
        isOver(generation, key, "Failed");

        assertThat(has("1") && has("2")).isTrue();
        XmlElement overall = property(generation, key, "r:OverallStatusProperty");
        assertThat(counts(overall)).containsExactly("transfersFinished=2", "transfersFailed=1");
        assertThat(child(overall, "fault", "rftTransferFaultType", "Description")
                        .text())
                .contains("there is no gsiftp://a/none");
        assertThat(child(property(generation, key, "r:TotalBytes"), "totalBytes")
                        .text())
                .isEqualTo("2");
        refused(ALICE, generation, SERVICE, key, rft(generation, "start", ""), "rftRepeatedlyStartedFault");

        XmlElement one =
                answer(generation, SERVICE, key, rft(generation, "getStatus", "<sourceUrl>gsiftp://a/y</sourceUrl>"));
        assertThat(child(one, "transferStatus", "status").text()).isEqualTo("Finished");
        XmlElement set =
                answer(generation, SERVICE, key, rft(generation, "getStatusSet", "<from>2</from><offset>2</offset>"));
        assertThat(set.children())
                .extracting(each ->
                        child(each, "transferId").text() + child(each, "status").text())
                .containsExactly("2Finished", "3Failed");

        answer(generation, SERVICE, key, "<Destroy xmlns='" + generation.wsrl() + "'/>");
        refused(ALICE, generation, SERVICE, key, rft(generation, "start", ""), "ResourceUnknownFault");
    }

    @ParameterizedTest
    @EnumSource
    void filesAreDeletedAndWhatIsMissingIsGood(Generation generation) throws Exception {
        put("x");
        String key = created(
                generation,
                rft(
                        generation,
                        "createReliableFileTransferRequest",
                        "<deleteRequest>" + credential(generation, KEY)
                                + "<deletion><file>gsiftp://a/x</file></deletion><deletion><file>gsiftp://a/none</file></deletion>"
                                + "</deleteRequest>"));
        start(generation, key);
        isOver(generation, key, "Done");
        assertThat(door.servers.files).isEmpty();
    }

    @Test
    void aCopyIsCheckedWhereThatIsAsked() throws Exception {
        Generation generation = Generation.GT40;
        put("x"); // its MD5 is that of the letter x
        String asked = "<rftOptions><checksum>md5:9dd4e461268c8034f5c8564e155c67a6</checksum></rftOptions></transfer>";
        String good = created(generation, copying(generation, copy("x", "1").replace("</transfer>", asked)));
        start(generation, good);
        isOver(generation, good, "Done");

        String wrong = asked.replace("9dd4", "0000");
        String bad = created(generation, copying(generation, copy("x", "2").replace("</transfer>", wrong)));
        start(generation, bad);
        isOver(generation, bad, "Failed");
        assertThat(has("2")).isFalse();
        XmlElement overall = property(generation, bad, "r:OverallStatusProperty");
        assertThat(child(overall, "fault", "rftTransferFaultType", "Description")
                        .text())
                .contains("the source's md5 is 9dd4e461268c8034f5c8564e155c67a6, and 0000e461");
        for (String nonsense : List.of("crc32", "md5:12", "sha256:xyz")) {
            String body = copying(generation, copy("x", "1").replace("</transfer>", asked))
                    .replaceFirst("md5:[0-9a-f]+", nonsense);
            assertThat(fault(refusedBody(body)).localName()).isEqualTo("BaseFault");
        }
    }

    /** The answer to a client that saw this status and waits. */
    private CompletableFuture<String> awaited(Generation generation, String key, String seen, int millis) {
        String body = "<GetResourceProperty xmlns='" + generation.wsrp() + "' xmlns:r='"
                + generation.transfer("").getNamespaceURI() + "'>r:RequestStatusProperty</GetResourceProperty>";
        String wait = "<w:Wait xmlns:w='https://jobgate.org/ns/2026/wait' timeoutMs='" + millis + "' state='" + seen
                + "'/></s:Header>";
        String message = envelope(generation, key, body).replace("</s:Header>", wait);
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        Answer answer = door.post(ALICE, SERVICE, message);
                        return answer.status() == 200
                                ? child(answer.body().children().getFirst(), "requestStatus")
                                        .text()
                                : answer.text();
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsIsAnsweredWhenTheStatusChanges(Generation generation) throws Exception {
        put("x");
        String key = created(generation, copying(generation, copy("x", "1")));
        assertThat(awaited(generation, key, "Active", 120_000).get(1, TimeUnit.MINUTES))
                .as("what the client saw is past")
                .isEqualTo("Pending");
        assertThat(awaited(generation, key, "Pending", 100).get(1, TimeUnit.MINUTES))
                .as("the time is over")
                .isEqualTo("Pending");

        door.servers.writings.drainPermits();
        CompletableFuture<String> waiting = awaited(generation, key, "Pending", 120_000);
        waitersAre(1);
        start(generation, key);
        assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo("Active");

        CompletableFuture<String> one = awaited(generation, key, "Active", 120_000);
        CompletableFuture<String> two = awaited(generation, key, "Active", 120_000);
        waitersAre(2);
        assertThat(awaited(generation, key, "Active", 120_000).get(1, TimeUnit.MINUTES))
                .as("no place is free")
                .isEqualTo("Active");
        assertThat(List.of(one.isDone(), two.isDone())).containsOnly(false);
        door.servers.writings.release(1_000_000);
        assertThat(one.get(1, TimeUnit.MINUTES)).isEqualTo("Done");
        assertThat(two.get(1, TimeUnit.MINUTES)).isEqualTo("Done");

        CompletableFuture<String> last = awaited(generation, key, "Done", 120_000);
        waitersAre(1);
        answer(generation, SERVICE, key, "<Destroy xmlns='" + generation.wsrl() + "'/>");
        assertThat(last.get(1, TimeUnit.MINUTES)).contains("ResourceUnknownFault");
    }

    private void waitersAre(int number) {
        await().atMost(1, TimeUnit.MINUTES).until(() -> door.waiting.taken() == number);
    }

    @Test
    void whoWaitsIsAnsweredByTheStop() throws Exception {
        put("x");
        String key = created(Generation.GT40, copying(Generation.GT40, copy("x", "1")));
        CompletableFuture<String> waiting = awaited(Generation.GT40, key, "Pending", 120_000);
        waitersAre(1);

        door.endWaits();

        assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo("Pending");
        assertThat(awaited(Generation.GT40, key, "Pending", 120_000).get(1, TimeUnit.MINUTES))
                .isEqualTo("Pending");
    }

    @Test
    void onlyTheOwnerSeesIt() throws Exception {
        put("x");
        String key = created(Generation.GT40, copying(Generation.GT40, copy("x", "1")));
        for (String body : List.of(
                rft(Generation.GT40, "start", ""),
                rft(Generation.GT40, "cancel", ""),
                rft(Generation.GT40, "getStatusSet", ""),
                "<Destroy xmlns='" + Generation.GT40.wsrl() + "'/>")) {
            refused(BOB, Generation.GT40, SERVICE, key, body, "ResourceUnknownFault");
        }
        refused(
                "/O=Grid/CN=nobody",
                Generation.GT40,
                FACTORY,
                "",
                copying(Generation.GT40, copy("x", "1")),
                "BaseFault");
        assertThat(status(Generation.GT40, key)).isEqualTo("Pending");
    }

    @Test
    void whatIsWrongIsRefusedBeforeItIsKept() throws Exception {
        Generation generation = Generation.GT40;
        String without = copying(generation, copy("x", "1")).replaceFirst("<transferCredential.*Endpoint>", "");
        refused(ALICE, generation, FACTORY, "", without, "delegationEPRMissingFault");
        refused(
                ALICE,
                generation,
                FACTORY,
                "",
                copying(generation, copy("x", "1")).replace(KEY, "other"),
                "delegationEPRMissingFault");
        String many = String.join(
                "", IntStream.range(0, 51).mapToObj(i -> copy("x", "" + i)).toList());
        String said = XmlWriter.toText(out -> out.copy(fault(refusedBody(copying(generation, many)))));
        assertThat(said).contains("staging.maxRequestFiles = 50");
        for (String wrong : List.of(
                copying(generation, copy("x/", "1")),
                copying(generation, copy("x", "1")).replace("gsiftp://b", "gopher://b"),
                copying(generation, copy("x", "1")).replace("<binary>true", "<binary>perhaps"),
                copying(generation, copy("x", "1")).replace(">null<", ">nonsense<"),
                copying(generation, copy("x", "1")).replace("binary>", "magic>"))) {
            assertThat(door.post(ALICE, FACTORY, envelope(generation, "", wrong))
                            .status())
                    .as(wrong)
                    .isEqualTo(500);
        }
        for (int i = 0; i < 20; i++) {
            created(generation, copying(generation, copy("x", "1")));
        }
        assertThat(XmlWriter.toText(out -> out.copy(fault(refusedBody(copying(generation, copy("x", "1")))))))
                .contains("staging.maxRequestsPerOwner = 20");
    }

    private XmlElement refusedBody(String body) {
        return door.post(ALICE, FACTORY, envelope(Generation.GT40, "", body)).body();
    }

    private static XmlElement fault(XmlElement body) {
        return child(body, "detail").children().getFirst();
    }

    @ParameterizedTest
    @EnumSource
    void aPartIsCancelledAndTheRestIsMade(Generation generation) throws Exception {
        door.servers.writings.drainPermits();
        for (int i = 0; i < 6; i++) {
            put("" + i);
        }
        String key = created(
                generation,
                copying(
                        generation,
                        String.join(
                                "",
                                IntStream.range(0, 6)
                                        .mapToObj(i -> copy("" + i, "" + i))
                                        .toList())));
        start(generation, key);
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(counts(property(generation, key, "r:OverallStatusProperty")))
                        .containsExactly("transfersActive=2", "transfersPending=4"));

        answer(generation, SERVICE, key, rft(generation, "cancel", "<fromId>2</fromId><toId>4</toId>"));
        door.servers.writings.release(10);
        isOver(generation, key, "Cancelled");

        assertThat(counts(property(generation, key, "r:OverallStatusProperty")))
                .containsExactly("transfersFinished=3", "transfersCancelled=3");
        assertThat(List.of(has("0"), has("1"), has("2"), has("3"), has("4"), has("5")))
                .containsExactly(true, false, false, false, true, true);
    }

    /** A request may have thousands of files; whoever waits for it asks many times a second. */
    @ParameterizedTest
    @EnumSource
    void whoAsksHowItStandsHasItsListOfFilesNotRead(Generation generation) throws Exception {
        door.servers.writings.drainPermits();
        put("x");
        String key = created(generation, copying(generation, copy("x", "x")));
        start(generation, key);
        door.lookups.clear();

        assertThat(status(generation, key)).isEqualTo("Active");
        assertThat(counts(property(generation, key, "r:OverallStatusProperty"))).hasSize(1);
        door.servers.writings.release(1);
        isOver(generation, key, "Done");

        assertThat(door.lookups).isNotEmpty().doesNotContain("rft.request");
    }

    @Test
    void afterARestartWhatWasStartedGoesOnAndTheRestWaits() throws Exception {
        Generation generation = Generation.GT40;
        put("x");
        put("y");
        door.servers.writings.drainPermits();
        door.servers.writings.release(1);
        String waiting = created(generation, copying(generation, copy("x", "waiting")));
        String running = created(generation, copying(generation, copy("x", "1") + copy("y", "2")));
        start(generation, running);
        await().atMost(1, TimeUnit.MINUTES).until(() -> door.servers.files.size() == 3);
        Map<URI, byte[]> files = Map.copyOf(door.servers.files);
        door.close();

        door = new TestDoor(directory, files);
        isOver(generation, running, "Done");
        assertThat(has("1") && has("2")).isTrue();
        assertThat(status(generation, waiting)).isEqualTo("Pending");
        start(generation, waiting);
        isOver(generation, waiting, "Done");
    }

    @ParameterizedTest
    @EnumSource
    void theEndIsSetAndComes(Generation generation) throws Exception {
        String key = created(generation, copying(generation, copy("x", "1")));
        String setting = "<SetTerminationTime xmlns='" + generation.wsrl() + "'><RequestedTerminationTime>%s"
                + "</RequestedTerminationTime></SetTerminationTime>";
        refused(
                ALICE,
                generation,
                SERVICE,
                key,
                String.format(setting, "2999-01-01T00:00:00Z"),
                "UnableToSetTerminationTimeFault");
        String soon = java.time.Instant.now().plusMillis(700).toString();
        XmlElement set = answer(generation, SERVICE, key, String.format(setting, soon));
        assertThat(child(set, "NewTerminationTime").text()).startsWith(soon.substring(0, 19));
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() ->
                        refused(ALICE, generation, SERVICE, key, rft(generation, "start", ""), "ResourceUnknownFault"));
    }

    private static String subscribe(Generation generation, String topic) {
        String expression = "<TopicExpression Dialect='" + generation.simpleTopics() + "' xmlns:r='"
                + generation.transfer("").getNamespaceURI() + "'>r:" + topic + "</TopicExpression>";
        return "<Subscribe xmlns='" + generation.wsnt() + "'><ConsumerReference><a:Address xmlns:a='" + generation.wsa()
                + "'>https://127.0.0.1/x</a:Address></ConsumerReference>"
                + (generation == Generation.GT40 ? expression : "<Filter>" + expression + "</Filter>") + "</Subscribe>";
    }

    @ParameterizedTest
    @EnumSource
    void consumersAreToldToTheEnd(Generation generation) throws Exception {
        put("x");
        put("y");
        String key = created(generation, copying(generation, copy("x", "1") + copy("y", "2")));
        XmlElement subscribed = answer(generation, SERVICE, key, subscribe(generation, "OverallStatusProperty"));
        answer(generation, SERVICE, key, subscribe(generation, "RequestStatusProperty"));
        refused(ALICE, generation, SERVICE, key, subscribe(generation, "RequestStatusProperty"), "BaseFault");
        start(generation, key);

        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(door.messages)
                        .anyMatch(message -> message.contains("transfersFinished>2<"))
                        .anyMatch(message -> message.contains("requestStatus>Done<")));
        assertThat(door.messages)
                .allMatch(message -> message.contains("ResourcePropertyValueChangeNotification")
                        && message.contains(key)
                        && message.contains("ResourcePropertyValueChangeNotificationElementType")
                                == (generation == Generation.GT40));

        String subscription = child(
                        subscribed,
                        "SubscriptionReference",
                        generation.referenceKeys().getLocalPart(),
                        "SubscriptionKey")
                .text();
        String header = "<c:SubscriptionKey xmlns:c='http://www.globus.org/namespaces/2004/06/core'>" + subscription
                + "</c:SubscriptionKey>";
        String destroy = envelope(generation, "", "<Destroy xmlns='" + generation.wsrl() + "'/>")
                .replace("<s:Header>", "<s:Header>" + header);
        assertThat(door.post(BOB, SUBSCRIPTIONS, destroy).status()).isEqualTo(500);
        assertThat(door.post(ALICE, SUBSCRIPTIONS, destroy).status()).isEqualTo(200);
        assertThat(door.post(ALICE, SUBSCRIPTIONS, destroy).status()).isEqualTo(500);
    }

    @ParameterizedTest
    @EnumSource
    void theFactoryAndQueriesTellFigures(Generation generation) throws Exception {
        String names = List.of("ActiveResourceInstances", "TotalNumberOfTransfers", "DelegationServiceEPR").stream()
                .map(name -> "<ResourceProperty>r:" + name + "</ResourceProperty>")
                .reduce("", String::concat);
        XmlElement got = answer(
                generation,
                FACTORY,
                "",
                "<GetMultipleResourceProperties xmlns='" + generation.wsrp() + "' xmlns:r='"
                        + generation.transfer("").getNamespaceURI() + "'>" + names
                        + "</GetMultipleResourceProperties>");
        assertThat(child(got, "ActiveResourceInstances").text()).isEqualTo("0");

        String key = created(generation, copying(generation, copy("x", "1")));
        String query = "<QueryResourceProperties xmlns='" + generation.wsrp()
                + "'><QueryExpression Dialect='http://www.w3.org/TR/1999/REC-xpath-19991116'>/</QueryExpression></QueryResourceProperties>";
        XmlElement all = answer(generation, SERVICE, key, query);
        validate(generation, all.children().getFirst());
        validate(generation, answer(generation, FACTORY, "", query).children().getFirst());
    }

    @ParameterizedTest
    @CsvSource({
        FACTORY + ", wsdl, 4",
        FACTORY + ", wsdl=gt42, 4",
        SERVICE + ", wsdl, 11",
        SERVICE + ", wsdl=gt42, 11",
        SUBSCRIPTIONS + ", wsdl, 4",
        SUBSCRIPTIONS + ", wsdl=gt42, 5"
    })
    void theDescriptionIsServedAndAnotherStackReadsIt(String service, String query, int operations) throws Exception {
        Answer wsdl = door.get(service + "?" + query);
        assertThat(wsdl.status()).isEqualTo(200);
        Bus bus = new CXFBusFactory().createBus();
        try {
            var services = new WSDLServiceFactory(bus, door.baseUrl() + "/" + service + "?" + query).create();
            assertThat(services.getServiceInfos())
                    .singleElement()
                    .satisfies(info ->
                            assertThat(info.getInterface().getOperations()).hasSize(operations));
        } finally {
            bus.shutdown(true);
        }
        assertThat(Set.of(wsdl.text().contains(door.baseUrl() + "/" + service))).containsExactly(true);
    }
}
