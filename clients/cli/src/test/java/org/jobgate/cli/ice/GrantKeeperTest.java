// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.cli.cream.CreamStub;
import org.jobgate.cli.cream.Requests;
import org.jobgate.cli.proxy.UserProxy;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.tls.TrustDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The delegated proxy and the lease of an owner's jobs at a computing element are there as long as they are needed. */
class GrantKeeperTest {

    private static final Duration LEASE = Duration.ofHours(5);
    private static final Duration RENEW_BEFORE = Duration.ofHours(1);

    @TempDir
    static Path shared;

    private static TrialCertificates certificates;

    @TempDir
    Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final Clock clock = new Clock() {
        @Override
        public Instant instant() {
            return requireNonNull(now.get());
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
    private CreamStub stub;
    private QueueFile file;
    private Grants grants;
    private GrantKeeper keeper;
    private Contacts contacts;
    private Contacts.Contact contact;
    private String owner;

    /** The most that the computing element gives. */
    private Duration longest = LEASE.multipliedBy(2);

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    @BeforeEach
    void open() throws Exception {
        stub = new CreamStub(certificates.serverContext());
        stub.answer("setLease", asked -> {
            Instant wanted = Instant.parse(requireNonNull(asked.childText(CreamStub.TYPES, "leaseTime")));
            Instant most = clock.instant().plus(longest);
            return "<setLeaseResponse xmlns=\"" + CreamStub.TYPES + "\"><leaseId>x</leaseId><leaseTime>"
                    + (wanted.isAfter(most) ? most : wanted) + "</leaseTime></setLeaseResponse>";
        });
        for (String operation : new String[] {"getProxyReq", "renewProxyReq"}) {
            stub.answer(
                    operation,
                    "<d:" + operation + "Response xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"><x>"
                            + Requests.pem() + "</x></d:" + operation + "Response>");
        }
        stub.answer("putProxy", "<d:putProxyResponse xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"/>");
        file = QueueFile.open(folder.resolve("queue"));
        grants = new Grants(file);
        keeper = new GrantKeeper(grants, clock, RENEW_BEFORE, LEASE);
        TrustDirectory trusted =
                TrustDirectory.find(Map.of("X509_CERT_DIR", certificates.trust().toString()), folder);
        contacts = new Contacts(trusted, Duration.ofSeconds(20), clock);
        UserProxy proxy = UserProxy.read(certificates.proxy());
        owner = proxy.owner();
        contact = contacts.to(stub.contact(), proxy);
    }

    @AfterEach
    void close() {
        contacts.close();
        file.close();
        stub.close();
    }

    private void passes(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    private int leases() {
        return stub.requests("setLeaseRequest").size();
    }

    private Instant leasedUntil() {
        return Instant.ofEpochMilli(keeper.known(contact).leasedUntil());
    }

    @Test
    void aLeaseIsProlongedWhenHalfOfItIsOverAndNotBefore() throws Exception {
        Grants.Grant first = keeper.keep(contact);
        assertThat(first).isNotNull();
        assertThat(leasedUntil()).isAfter(clock.instant().plus(LEASE).minusSeconds(1));
        passes(LEASE.dividedBy(2).minusMinutes(1));
        Grants.Grant second = keeper.keep(contact);
        assertThat(second).isNotNull();
        assertThat(leases()).isEqualTo(1);

        passes(Duration.ofMinutes(2));
        Grants.Grant third = keeper.keep(contact);
        assertThat(third).isNotNull();
        assertThat(leases()).isEqualTo(2);
        assertThat(leasedUntil()).isAfter(clock.instant().plus(LEASE).minusSeconds(1));
    }

    /** It was asked for anew before every request, for what was left was always less than half of what had been wanted. */
    @Test
    void aLeaseThatTheSiteShortensIsProlongedWhenHalfOfThatIsOver() throws Exception {
        longest = Duration.ofHours(1);
        for (int i = 0; i < 5; i++) {
            Grants.Grant grant = keeper.keep(contact);
            assertThat(grant).isNotNull();
            passes(Duration.ofMinutes(5));
        }
        assertThat(leases()).isEqualTo(1);

        passes(Duration.ofMinutes(10));
        Grants.Grant grant = keeper.keep(contact);
        assertThat(grant).isNotNull();
        assertThat(leases()).isEqualTo(2);
        assertThat(leasedUntil()).isAfter(clock.instant().plus(longest).minusSeconds(1));
    }

    @Test
    void oneProxyIsDelegatedForAllJobsAndRenewedBeforeItsEnd() throws Exception {
        for (int i = 0; i < 3; i++) {
            Grants.Grant grant = keeper.keep(contact);
            assertThat(grant).isNotNull();
        }
        assertThat(stub.requests("getProxyReq")).hasSize(1);
        assertThat(stub.requests("renewProxyReq")).isEmpty();

        // what is there ends soon, and the owner's proxy is a newer one
        grants.delegated(
                owner,
                contact.endpoint().toString(),
                clock.millis() + RENEW_BEFORE.minusMinutes(1).toMillis());
        for (int i = 0; i < 3; i++) {
            Grants.Grant grant = keeper.keep(contact);
            assertThat(grant).isNotNull();
        }

        assertThat(stub.requests("renewProxyReq")).hasSize(1);
        assertThat(stub.requests("putProxy")).hasSize(2);
        assertThat(keeper.known(contact).delegatedUntil())
                .isEqualTo(contact.proxy().end().toEpochMilli());
    }
}
