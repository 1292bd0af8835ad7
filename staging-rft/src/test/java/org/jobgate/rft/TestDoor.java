// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jobgate.access.Access;
import org.jobgate.access.AdministratorActs;
import org.jobgate.access.Caller;
import org.jobgate.access.Transfers;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.door.DoorContexts;
import org.jobgate.gt4.WaitPlaces;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.identity.Identity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.Limit;
import org.jobgate.notify.CallbackPolicy;
import org.jobgate.notify.ConsumerClient;
import org.jobgate.notify.Deliveries;
import org.jobgate.notify.DeliverySettings;
import org.jobgate.soap.Answer;
import org.jobgate.soap.SoapServer;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferCredentials;
import org.jobgate.transfer.TransferEngine;
import org.jobgate.transfer.TransferSettings;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferProxy;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jobgate.xml.XmlLimits;

/** The door behind a real HTTP server, with a real engine and store. Who calls is told by the header {@code Test-Subject}. */
final class TestDoor implements AutoCloseable {

    static final String ALICE = "/O=Grid/CN=alice";
    static final String BOB = "/O=Grid/CN=bob";
    static final String ADMINISTRATOR = "/O=Grid/CN=root";
    private static final String NOBODY = "/O=Grid/CN=nobody";

    /** Keys of credentials that there are. */
    static final String KEY = "a-key";

    final MemoryServers servers = new MemoryServers();
    final List<String> messages = new CopyOnWriteArrayList<>();
    private final SoapServer server = new SoapServer();

    /** The kinds of the records that were looked for. */
    final List<String> lookups = new CopyOnWriteArrayList<>();

    /** Told the kind of a record before it is looked for. */
    volatile Consumer<String> beforeLookup = kind -> {};

    /** Which records cannot be written. */
    volatile Predicate<DoorRecord> unwritable = record -> false;

    /** Two places. */
    final WaitPlaces waiting =
            new WaitPlaces(new Limit("limits.maxWaitingRequests", 2), Duration.ofMinutes(2), Interlude.none());

    final JobStore store;
    private final TransferEngine engine;
    private final Deliveries deliveries;
    private final RftDoor door;
    private final Access access;

    TestDoor(Path directory) throws Exception {
        this(directory, Map.of());
    }

    /** @param files that are there from the beginning */
    TestDoor(Path directory, Map<URI, byte[]> files) throws Exception {
        servers.files.putAll(files);
        store = watched(TestStores.sqlite(directory));
        Protocols protocols = new Protocols(List.of(servers));
        TransferCredentials credentials = credentials();
        engine = new TransferEngine(
                TransferSettings.defaults(),
                protocols,
                new UrlPolicy(true),
                credentials,
                store,
                Clock.systemUTC(),
                new Random(1));
        RftSettings settings = new RftSettings(
                new Limit("staging.maxRequests", 100),
                new Limit("staging.maxRequestsPerOwner", 20),
                new Limit("staging.maxRequestFiles", 50),
                new Limit("callbacks.maxSubscriptionsPerJob", 2),
                Duration.ofDays(1),
                XmlLimits.defaults(),
                QueryLimits.defaults(),
                waiting);
        Authorizer authorizer = identity -> identity.subject().equals(NOBODY)
                ? new Decision.Deny("nobody may")
                : new Decision.Permit(List.of("account"));
        access = new Access(authorizer, Set.of(ADMINISTRATOR), AdministratorActs.NONE);
        CallbackPolicy callbacks = new CallbackPolicy(Destinations.ofSite(new OwnPorts()));
        deliveries = new Deliveries(consumers(), callbacks, DeliverySettings.defaults(), Clock.systemUTC());
        deliveries.start();
        door = new RftDoor(
                settings,
                DoorContexts.at(server.url())
                        .access(access)
                        .store(store)
                        .deliveries(deliveries, callbacks)
                        .make(),
                new RftDoor.Transfers(engine, protocols, credentials));
        server.publish(door.mounts());
        door.start();
    }

    private ConsumerClient consumers() {
        return new ConsumerClient() {
            @Override
            public void send(URI address, byte[] envelope) {
                messages.add(new String(envelope, StandardCharsets.UTF_8));
            }

            @Override
            public void close() {
                // it holds nothing
            }
        };
    }

    private static TransferCredentials credentials() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair pair = generator.generateKeyPair();
        X500Name name = new X500Name("CN=alice");
        X509Certificate certificate = new JcaX509CertificateConverter()
                .getCertificate(new JcaX509v3CertificateBuilder(
                                name,
                                BigInteger.ONE,
                                Date.from(Instant.now().minusSeconds(60)),
                                Date.from(Instant.now().plusSeconds(3600)),
                                name,
                                pair.getPublic())
                        .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
        return (owner, key) -> {
            if (!key.equals(KEY)) {
                throw new TransferException(
                        TransferException.Kind.PERMANENT, "the delegated credential for it is gone", "Delegate again.");
            }
            return new TransferProxy(
                    "one",
                    List.of(certificate),
                    pair.getPrivate(),
                    Instant.now().plusSeconds(3600));
        };
    }

    String baseUrl() {
        return server.baseUrl();
    }

    Answer post(String subject, String service, String envelope) {
        return server.post(service, envelope, SoapServer.SUBJECT, subject);
    }

    Answer get(String pathAndQuery) {
        return server.get(pathAndQuery);
    }

    private JobStore watched(JobStore real) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("findRecord")) {
                        lookups.add(String.valueOf(arguments[0]));
                        beforeLookup.accept(String.valueOf(arguments[0]));
                    }
                    if (method.getName().equals("putRecord") && unwritable.test((DoorRecord) arguments[0])) {
                        return CompletableFuture.failedFuture(new FaultException(
                                Fault.of(FaultCode.STORE_UNAVAILABLE, "The disk is full.", "Try again.")));
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The same requests for doors that do not speak SOAP. */
    Transfers transfers() {
        return door.ownTransfers();
    }

    Caller caller(String subject) {
        return access.caller(new Identity(subject, "test", false));
    }

    void endWaits() {
        door.endWaits();
    }

    @Override
    public void close() throws Exception {
        door.close();
        deliveries.close();
        engine.close();
        server.close();
        store.close();
    }
}
