// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.authz.Decision;
import org.jobgate.door.DoorContexts;
import org.jobgate.files.FileChecksum;
import org.jobgate.files.TrialTrees;
import org.jobgate.job.JobId;
import org.jobgate.limits.Limit;
import org.jobgate.soap.Answer;
import org.jobgate.soap.SoapServer;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.DoorRecords;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferEngine;
import org.jobgate.transfer.TransferSettings;
import org.jobgate.transfer.protocol.TransferToken;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jobgate.transfer.server.FileServer;
import org.jobgate.transfer.server.FileServers;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlWriter;
import org.w3c.dom.Element;

/** The door behind a real HTTP server, with a real store, over two trees of the test. Every answer is checked against the schema. */
final class SrmRoom implements AutoCloseable {

    static final String ALICE = "/O=Grid/CN=alice";
    static final String BOB = "/O=Grid/CN=bob";
    private static final String TRANSFER = "transfer";
    static final String NOBODY = "/O=Grid/CN=nobody";
    static final String REST = "https://gate.example.org/api/v1/trees/";

    private static final Schema SCHEMA = schema(Wsdl.document("https://localhost/srm/managerv2"));

    SoapServer server = new SoapServer();
    final TrialTrees trees;
    final MovedClock clock = new MovedClock();
    private final JobStore store;
    private final SrmSettings settings;
    final TrialServers servers;

    /** The ids of credentials that Alice has delegated, and how long each lasts. */
    final Map<String, Duration> delegated = new ConcurrentHashMap<>();

    private TransferEngine engine;
    private final AtomicInteger seen = new AtomicInteger();
    private final FileServers fileServers = new FileServers(
            List.of(new FileServer(null, "/work/account", URI.create("gsiftp://ftp.example.org/pool"))),
            all -> {
                seen.set(all.getFirst().active());
                return all.getFirst();
            },
            url -> {},
            System::nanoTime);
    SrmDoor door;

    /** What the disks of the trees say of themselves. */
    volatile Supplier<Optional<Disks.Size>> disk = () -> Optional.of(new Disks.Size(1000, 400));

    /** What the site's policy says of everybody but {@link #NOBODY}. */
    volatile Decision decision = new Decision.Permit(List.of("account"));

    /** Time that a test moves. */
    static final class MovedClock extends Clock {
        private Duration moved = Duration.ZERO;

        void move(Duration more) {
            moved = moved.plus(more);
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(moved);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    SrmRoom(Path folder) throws IOException {
        this(folder, 50);
    }

    /** @param entries in one listing */
    SrmRoom(Path folder, int entries) throws IOException {
        this.trees = new TrialTrees(folder);
        this.store = TestStores.sqlite(Files.createDirectories(folder.resolve("store")));
        this.settings = settings(entries);
        this.servers = new TrialServers(
                path -> folder.resolve(path.subpath(0, path.getNameCount()).toString()));
        this.engine = engine();
        this.door = open();
        server.publish(door.mounts());
        door.start();
    }

    private SrmSettings settings(int entries) {
        return settings(entries, 1000);
    }

    private SrmSettings settings(int entries, int requests) {
        return new SrmSettings(
                "1.0",
                new Limit("srm.maxListedEntries", entries),
                new Limit("srm.maxPaths", 20),
                new Limit("srm.maxRequests", requests),
                new Limit("srm.maxRequestsPerOwner", 10),
                new Limit("srm.maxRequestSizes", 40_000),
                new Limit("srm.maxRequestSizesPerOwner", 20_000),
                Duration.ofHours(1),
                Duration.ofHours(4),
                Duration.ofMinutes(10),
                FileChecksum.ADLER32,
                1000,
                XmlLimits.defaults(),
                false,
                Optional.of(REST),
                new SpaceLimits(
                        new Limit("srm.maxSpaces", 5),
                        new Limit("srm.maxSpacesPerOwner", 3),
                        new Limit("srm.maxReservedPerOwner", 300),
                        Duration.ofDays(1)),
                account -> Optional.of("/home/" + account),
                (account, tree) -> disk.get());
    }

    private TransferEngine engine() {
        return new TransferEngine(
                TransferSettings.defaults(),
                new Protocols(List.of(servers)),
                new UrlPolicy(true),
                (owner, key) -> new TransferToken(key, "secret", Instant.now().plusSeconds(3600)),
                store,
                Clock.systemUTC(),
                new Random(1));
    }

    /** Another service over the same store and files. */
    void restart() throws Exception {
        door.close();
        server.close();
        engine.close();
        engine = engine();
        server = new SoapServer();
        door = open();
        server.publish(door.mounts());
        door.start();
    }

    private Delegations delegations() {
        return (Delegations) Proxy.newProxyInstance(
                Delegations.class.getClassLoader(), new Class<?>[] {Delegations.class}, (proxy, method, arguments) -> {
                    boolean isAlice = ((Caller) arguments[0]).subject().equals(ALICE);
                    Stream<Delegations.Delegation> all = delegated.entrySet().stream()
                            .filter(one -> isAlice)
                            .map(one -> delegation(one.getKey(), Instant.now().plus(one.getValue())));
                    return switch (method.getName()) {
                        case "find" ->
                            all.filter(one -> one.id().equals(arguments[1])).findFirst();
                        case "list" -> all.toList();
                        default -> throw new IllegalStateException("the door calls " + method);
                    };
                });
    }

    private static Delegations.Delegation delegation(String id, Instant end) {
        return new Delegations.Delegation(id, Delegations.Kind.PROXY, end, end);
    }

    /** Others, of which so many are remembered. */
    Requests requests(int most) {
        return new Requests(store, settings(50, most), clock);
    }

    /** Requests over the same store that the door does not know. */
    Requests requests() {
        return new Requests(store, settings, clock);
    }

    /** Spaces of the same settings in another store. */
    Spaces spaces(DoorRecords records) {
        return new Spaces(records, settings, requests(), clock);
    }

    DoorRecords records() {
        return store;
    }

    /** How many transfers are counted at the server now. */
    int active() {
        try (FileServers.Passage passage = fileServers
                .through(URI.create("file:///work/account/x"), "gsiftp")
                .orElseThrow()) {
            assertThat(passage.url()).isNotNull();
            return seen.get();
        }
    }

    private SrmDoor open() {
        return new SrmDoor(
                settings,
                DoorContexts.at(server.url())
                        .access(new Access(identity ->
                                identity.subject().equals(NOBODY) ? new Decision.Deny("nobody may") : decision))
                        .store(store)
                        .trees(trees)
                        .delegations(delegations())
                        .clock(clock)
                        .make(),
                fileServers,
                new SrmDoor.Copying(engine, new Protocols(List.of(servers))));
    }

    /** Puts other words into the record of a request, as if the service had been killed before it changed them. */
    void rewrite(String token, UnaryOperator<String> change) {
        for (DoorRecord record : store.listRecords(Requests.KIND, "", 1_000)) {
            if (record.id().equals(token)) {
                store.putRecord(new DoorRecord(
                                record.kind(),
                                record.id(),
                                record.job(),
                                record.owner(),
                                change.apply(record.body()),
                                record.created()))
                        .join();
            }
        }
    }

    /** Puts a record of the engine into the store as one that is left of a request to copy. */
    void leaveTransfer(String token) {
        UUID id = UUID.fromString(token.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5"));
        store.putRecord(new DoorRecord(TRANSFER, "srm-" + token + "/0", new JobId(id), ALICE, "{}", clock.instant()))
                .join();
    }

    /** How many records of the engine there are. */
    long transfers() {
        return store.countRecords(TRANSFER);
    }

    /** A new door over the same store, as after a restart of the service. */
    SrmDoor another() {
        SrmDoor made = open();
        made.start();
        return made;
    }

    static Schema schema(byte[] wsdl) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
            Element schema = (Element) factory.newDocumentBuilder()
                    .parse(new ByteArrayInputStream(wsdl))
                    .getElementsByTagNameNS(XMLConstants.W3C_XML_SCHEMA_NS_URI, "schema")
                    .item(0);
            StringBuilder parts = new StringBuilder("<schema xmlns='http://www.w3.org/2001/XMLSchema' xmlns:srm='"
                    + SrmService.NAMESPACE + "'><import namespace='" + SrmService.NAMESPACE + "'/>");
            Wsdl.operations()
                    .forEach(name ->
                            parts.append("<element name='%sResponse' type='srm:%sResponse'/>".formatted(name, name)));
            parts.append("</schema>");
            return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                    .newSchema(
                            new Source[] {new DOMSource(schema), new StreamSource(new StringReader(parts.toString()))});
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static String envelope(String operation, String content) {
        return "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/' xmlns:s='" + SrmService.NAMESPACE
                + "'><S:Body><s:" + operation + "><" + operation + "Request>" + content + "</" + operation
                + "Request></s:" + operation + "></S:Body></S:Envelope>";
    }

    Answer ask(String subject, String operation, String content) {
        return checked(operation, server.post("managerv2", envelope(operation, content), SoapServer.SUBJECT, subject));
    }

    /** The same by Alice. */
    Answer ask(String operation, String content) {
        return ask(ALICE, operation, content);
    }

    /** An answer that is as the schema wants it. */
    static Answer checked(String operation, Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        XmlElement body = answer.body();
        assertThat(body.name().getNamespaceURI()).isEqualTo(SrmService.NAMESPACE);
        assertThat(body.localName()).isEqualTo(operation + "Response");
        XmlElement part = body.children().getFirst();
        String document = XmlWriter.toText(out -> out.copy(part));
        try {
            SCHEMA.newValidator().validate(new StreamSource(new StringReader(document)));
        } catch (org.xml.sax.SAXException | IOException e) {
            throw new AssertionError(e.getMessage() + " in " + document, e);
        }
        return answer;
    }

    /** The code of the whole answer. */
    static String code(Answer answer) {
        return answer.all("statusCode").getFirst();
    }

    /** The code of the first file. */
    static String fileCode(Answer answer) {
        return answer.all("statusCode").get(1);
    }

    static String surls(String... paths) {
        StringBuilder text = new StringBuilder("<arrayOfSURLs>");
        for (String path : paths) {
            text.append("<urlArray>srm://localhost").append(path).append("</urlArray>");
        }
        return text + "</arrayOfSURLs>";
    }

    Path work() throws IOException {
        return requireNonNull(trees.directory("work", "account"));
    }

    @Override
    public void close() throws Exception {
        door.close();
        engine.close();
        server.close();
        store.close();
    }
}
