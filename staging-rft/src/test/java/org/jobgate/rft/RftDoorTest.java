// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.rft.TestDoor.ALICE;
import static org.jobgate.rft.TestDoor.BOB;
import static org.jobgate.rft.TestDoor.KEY;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.wsdl11.WSDLServiceFactory;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** RFT's operations in both generations. */
class RftDoorTest extends RftDoorRoom {

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

    /** A request may have thousands of files, and a client that waits for it asks many times a second. */
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
