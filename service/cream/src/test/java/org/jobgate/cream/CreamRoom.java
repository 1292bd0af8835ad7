// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.lang.reflect.Proxy;
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
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.xml.XMLConstants;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.authz.Action;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.door.DoorContexts;
import org.jobgate.engine.EngineSettings;
import org.jobgate.engine.FakeLrm;
import org.jobgate.engine.JobEngine;
import org.jobgate.identity.Identity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.soap.Answer;
import org.jobgate.soap.MessageGuards;
import org.jobgate.soap.SoapMount;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlWriter;
import org.w3c.dom.Document;

/** The door before a real engine and store; every answer is checked against the official WSDL where that is beside the checkout. */
final class CreamRoom implements AutoCloseable {

    static final String ALICE = "/O=Test/CN=Alice";
    static final String BOB = "/O=Test/CN=Bob";

    /** Of our own WSDL, and of the official one where that is there. */
    private static final List<Schema> SCHEMAS = schemas();

    final FakeLrm lrm = new FakeLrm("Fork");
    final FilesInPlace files = new FilesInPlace();
    final Directories directories = new Directories();
    final Map<String, Instant> delegations = new ConcurrentHashMap<>();

    /** What the home directories of accounts are below. */
    final AtomicReference<String> homes = new AtomicReference<>("/home/");

    /** The URL of the homes at a file server of the site; empty for none. */
    final AtomicReference<String> fileServer = new AtomicReference<>("");

    /** The account of a subject, where it is not {@code account}. */
    final Map<String, String> accounts = new ConcurrentHashMap<>();

    /** What owners may not do with their own jobs. */
    final Set<Action> objections = ConcurrentHashMap.newKeySet();

    /** What {@link #restart} begins with. */
    JobLimits limits = JobLimits.defaults();

    /** How much later it is for the door. */
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    private final Path directory;
    private final CreamSettings settings;
    JobStore store;
    JobEngine engine;
    private CreamDoor door;
    private CreamHost host;

    CreamRoom(Path directory, CreamSettings settings) throws Exception {
        lrm.suspendsIn(JobState.PENDING, JobState.ACTIVE);
        this.directory = directory;
        this.settings = settings;
        begin();
    }

    private void begin() throws Exception {
        store = TestStores.sqlite(directory);
        engine = new JobEngine(
                store,
                List.of(lrm),
                files,
                null,
                limits,
                EngineSettings.defaults(),
                Clock.systemUTC(),
                new Random(1),
                Interlude.none());
        engine.start();
        host = new CreamHost();
        door = new CreamDoor(
                settings,
                directories.in(
                        DoorContexts.at(host.url())
                                .access(new Access(policy()))
                                .clock(new DoorClock())
                                .jobs(engine)
                                .store(store)
                                .make(),
                        delegations()),
                List.of(),
                query -> Optional.empty(),
                places(homes, fileServer));
        door.mounts().forEach(mount -> ((SoapMount) mount).publish(host.bus(), MessageGuards.NONE));
        door.start();
    }

    static SandboxPlaces places(AtomicReference<String> homes, AtomicReference<String> server) {
        return new SandboxPlaces() {
            @Override
            public Optional<String> home(String account) {
                return Optional.of(homes.get() + account);
            }

            @Override
            public Optional<String> fileServer(String lrm, String directory) {
                return Optional.ofNullable(server.get())
                        .filter(url -> !url.isEmpty())
                        .map(url -> url + lrm + "/"
                                + directory.substring(
                                        requireNonNull(homes.get()).length()));
            }
        };
    }

    private Authorizer policy() {
        return new Authorizer() {
            @Override
            public Decision decide(Identity identity) {
                return new Decision.Permit(List.of(accounts.getOrDefault(identity.subject(), "account")));
            }

            @Override
            public Optional<Decision.Deny> objection(Identity identity, Action action) {
                return objections.contains(action)
                        ? Optional.of(new Decision.Deny("the site said no"))
                        : Optional.empty();
            }
        };
    }

    /** Those that the test has put into {@link #delegations}, by owner and id. */
    private Delegations delegations() {
        return (Delegations) Proxy.newProxyInstance(
                Delegations.class.getClassLoader(), new Class<?>[] {Delegations.class}, (proxy, method, given) -> {
                    String subject = ((Caller) given[0]).subject();
                    Instant end = delegations.get(subject + " " + given[1]);
                    if (method.getName().equals("find")) {
                        return Optional.ofNullable(end)
                                .map(time -> new Delegations.Delegation(
                                        String.valueOf(given[1]), Delegations.Kind.PROXY, time, time));
                    }
                    if (method.getName().equals("put") && given[2].equals("PROXY")) {
                        Instant time = Instant.now().plusSeconds(3_600);
                        delegations.put(subject + " " + given[1], time);
                        return new Delegations.Delegation(String.valueOf(given[1]), Delegations.Kind.PROXY, time, time);
                    }
                    throw new FaultException(Fault.of(
                            FaultCode.CREDENTIAL_UNUSABLE, "No request waits for this proxy.", "Begin again."));
                });
    }

    /** Ends this life of the service and begins the next; the LRM lives on. */
    void restart() throws Exception {
        end();
        begin();
    }

    /** The same after a while in which there is no service: the door's clock is so much later then. */
    void restartAfter(Duration pause) throws Exception {
        end();
        later(pause);
        begin();
    }

    /** Moves the door's clock; what the door waits for by the real time is not moved. */
    void later(Duration time) {
        ahead.accumulateAndGet(time, Duration::plus);
    }

    private final class DoorClock extends Clock {

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("nobody asks for another zone");
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(requireNonNull(ahead.get()));
        }
    }

    private void end() throws Exception {
        host.close();
        door.close();
        engine.stop(Duration.ofSeconds(5));
        store.close();
    }

    @Override
    public void close() throws Exception {
        end();
    }

    /** Those of a site that asks for no delegation. */
    static CreamSettings settings() {
        return new CreamSettings(
                "1.0-test",
                false,
                Duration.ofHours(10),
                Set.of("/O=Test/CN=Admin"),
                Map.of("DONE-OK", Duration.ofDays(10)),
                new Limit("cream.maxListedJobs", 1_000),
                new Limit("cream.maxEvents", 100),
                new Limit("cream.maxLeasesPerOwner", 3),
                JobLimits.defaults(),
                XmlLimits.defaults());
    }

    /** The same, where jobs in this state are kept so long. */
    static CreamSettings keeping(String state, Duration time) {
        CreamSettings usual = settings();
        return new CreamSettings(
                usual.version(),
                usual.requiresDelegation(),
                usual.longestLease(),
                usual.administrators(),
                Map.of(state, time),
                usual.listedJobs(),
                usual.eventsAtOnce(),
                usual.leasesPerOwner(),
                usual.jobs(),
                usual.xml());
    }

    /** The same, where an answer holds so many jobs. */
    static CreamSettings listing(long jobs) {
        CreamSettings usual = settings();
        return new CreamSettings(
                usual.version(),
                usual.requiresDelegation(),
                usual.longestLease(),
                usual.administrators(),
                usual.keep(),
                new Limit("cream.maxListedJobs", jobs),
                usual.eventsAtOnce(),
                usual.leasesPerOwner(),
                usual.jobs(),
                usual.xml());
    }

    /** Purges what is old, as the door does now and then. */
    void purgeOld() {
        door.purgeOld();
    }

    /** The core's id of the job. */
    JobId jobOf(String id) {
        return requireNonNull(store.findRecord(JobBook.KIND, id).orElseThrow().job());
    }

    /** The LRM says that it holds the job. */
    void hold(String id) {
        lrm.tell(jobOf(id), LrmEvent.Kind.SUSPENDED);
    }

    static String envelope(String body) {
        return "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>" + body
                + "</s:Body></s:Envelope>";
    }

    static String element(String name, String content) {
        return "<" + name + " xmlns='" + CreamNames.TYPES + "'>" + content + "</" + name + ">";
    }

    static String text(XmlElement element) {
        return XmlWriter.toText(out -> out.copy(element));
    }

    /** The value of a property of an event or a job. */
    static String property(XmlElement element, String name) {
        return element.children().stream()
                .filter(child -> child.localName().equals("property")
                        && child.child("name").orElseThrow().text().equals(name))
                .map(child -> child.child("value").orElseThrow().text())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no property " + name + " in " + text(element)));
    }

    Answer post(String subject, String envelope, String... headers) {
        return host.post(subject, envelope, headers);
    }

    /** What the services' addresses begin with. */
    String url() {
        return host.url() + CreamDoor.ROOT;
    }

    /** What a GET answers below {@link #url}. */
    String get(String path) {
        return host.get(path);
    }

    /** An answer that is none of a fault. */
    XmlElement ask(String subject, String operation, String content) {
        Answer answer = post(subject, envelope(element(operation, content)));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        XmlElement body = answer.envelope().child("Body").orElseThrow();
        if (body.children().isEmpty()) {
            return body; // the WSDL has two answers that say nothing
        }
        validate(body.children().getFirst());
        return body.children().getFirst();
    }

    /** The typed fault that answers the whole request. */
    XmlElement refused(String subject, String operation, String content) {
        XmlElement fault = post(subject, envelope(element(operation, content))).fault();
        validate(fault);
        return fault;
    }

    /** Registers one job; answers its id. */
    String register(String subject, String jdl, String more) {
        XmlElement result = registered(subject, jdl, more);
        return result.child("jobId")
                .orElseThrow(() -> new AssertionError(text(result)))
                .child("id")
                .orElseThrow()
                .text();
    }

    XmlElement registered(String subject, String jdl, String more) {
        return ask(
                        subject,
                        "JobRegisterRequest",
                        "<jobDescriptionList jobDescriptionId='JobName_1'><JDL>" + jdl + "</JDL>" + more
                                + "</jobDescriptionList>")
                .children()
                .getFirst();
    }

    static String id(String... ids) {
        StringBuilder all = new StringBuilder();
        for (String id : ids) {
            all.append("<jobId><id>")
                    .append(id)
                    .append("</id><creamURL>https://x//ce-cream/services/CREAM2</creamURL></jobId>");
        }
        return all.toString();
    }

    /** The state of one job. */
    String state(String subject, String id) {
        XmlElement result = ask(subject, "JobStatusRequest", id(id)).children().getFirst();
        return result.child("jobStatus")
                .flatMap(status -> status.child("name"))
                .map(XmlElement::text)
                .orElse(text(result));
    }

    static void validate(XmlElement element) {
        String document = text(element);
        try {
            for (Schema schema : SCHEMAS) {
                schema.newValidator().validate(new StreamSource(new StringReader(document)));
            }
        } catch (Exception e) {
            throw new AssertionError(e.getMessage() + " in " + document, e);
        }
    }

    static Path shared(String path) {
        return Path.of(System.getProperty("jobgate.root", "."), "..", "shared", path);
    }

    /** The schemas inside of the WSDLs. */
    private static List<Schema> schemas() {
        Path official = shared("schemas/cream/org.glite.ce-cream2_service.wsdl");
        List<Schema> all = new ArrayList<>();
        try {
            all.add(schema(CreamWsdl.document("https://localhost")));
            if (Files.exists(official)) {
                all.add(schema(Files.readAllBytes(official)));
            }
        } catch (Exception e) {
            throw new IllegalStateException("the schemas cannot be read", e);
        }
        return all;
    }

    private static Schema schema(byte[] wsdl) throws Exception {
        Document document = CreamWsdlTest.parsed(wsdl);
        return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(new DOMSource(CreamWsdlTest.schema(document)));
    }
}
