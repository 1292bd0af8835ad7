// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.jobgate.delegation.TestGrid.ALICE;
import static org.jobgate.delegation.TestGrid.BOB;

import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.access.Delegations.Delegation;
import org.jobgate.access.Delegations.Kind;
import org.jobgate.access.Delegations.Request;
import org.jobgate.authz.Action;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.delegation.TestClock;
import org.jobgate.delegation.TestGrid;
import org.jobgate.delegation.TestTokens;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VaultDelegationsTest {

    private static final TestGrid GRID = new TestGrid();

    private final TestClock clock = new TestClock();
    private final Set<Action> forbidden = EnumSet.noneOf(Action.class);
    private final AtomicInteger ids = new AtomicInteger();
    private final KeyPool keys = new KeyPool(2, new SecureRandom());

    @TempDir
    private Path directory;

    private JobStore store;
    private Delegations delegations;
    private Caller alice;
    private Caller bob;

    @BeforeEach
    void open() {
        store = TestStores.sqlite(directory);
        delegations = opened();
        Access access = new Access(new Authorizer() {
            @Override
            public Decision decide(Identity identity) {
                return forbidden.contains(Action.DELEGATE)
                        ? new Decision.Deny("not here")
                        : new Decision.Permit(List.of("account"));
            }

            @Override
            public Optional<Decision.Deny> objection(Identity identity, Action action) {
                return forbidden.contains(action)
                        ? Optional.of(new Decision.Deny("not with this token"))
                        : Optional.empty();
            }
        });
        alice = access.caller(new Identity(ALICE, "test", false));
        bob = access.caller(new Identity(BOB, "test", false));
    }

    private Delegations opened() {
        PendingKeys pending = new PendingKeys(
                new Limit("delegation.maxPendingKeys", 5),
                new Limit("delegation.maxPendingKeysPerOwner", 3),
                Duration.ofMinutes(5),
                clock);
        return new VaultDelegations(
                Vault.open(
                        store,
                        SiteKey.in(directory.resolve("site.key"), new SecureRandom()),
                        VaultSettings.defaults(),
                        clock),
                keys,
                pending,
                new ChainAcceptance(GRID.check(), clock),
                new TokenAcceptance(clock),
                () -> "new-" + ids.incrementAndGet());
    }

    @Test
    void aTokenIsKeptAndOnlyATokenOfItsOwnerIsReplaced() {
        Delegations all = opened();
        Instant soon = clock.instant().plusSeconds(600).truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
        Delegation kept = all.token(alice, null, TestTokens.until(soon)).orElseThrow();
        assertThat(kept.kind()).isEqualTo(Kind.TOKEN);
        assertThat(kept.expires()).isEqualTo(soon);
        assertThat(all.token(bob, kept.id(), TestTokens.until(soon))).isEmpty();
        assertThat(all.token(alice, "never", TestTokens.until(soon))).isEmpty();
        Instant later = soon.plusSeconds(600);
        assertThat(all.token(alice, kept.id(), TestTokens.until(later))
                        .orElseThrow()
                        .expires())
                .isEqualTo(later);
        assertThat(all.list(alice, null, 10)).extracting(Delegation::id).containsExactly(kept.id());
        assertThatThrownBy(() -> all.token(alice, null, "nonsense"))
                .isInstanceOf(FaultException.class)
                .hasMessageNotContaining("nonsense");
    }

    @AfterEach
    void close() {
        keys.close();
        store.close();
    }

    private static PublicKey keyOf(Request request) throws Exception {
        try (PEMParser parser = new PEMParser(new StringReader(request.pem()))) {
            return new JcaPKCS10CertificationRequest((PKCS10CertificationRequest) parser.readObject()).getPublicKey();
        }
    }

    private static String pem(List<X509Certificate> chain) throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter out = new JcaPEMWriter(text)) {
            for (X509Certificate certificate : chain) {
                out.writeObject(certificate);
            }
        }
        return text.toString();
    }

    private Delegation delegate(String id) throws Exception {
        Request request = delegations.request(alice, id);
        return delegations.put(alice, id, pem(GRID.proxyOfAlice(keyOf(request), Duration.ofHours(1))));
    }

    private static FaultCode code(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(FaultException.class, call).fault().code();
    }

    @Test
    void aSignedRequestIsADelegationThatIsRenewedShortenedAndDestroyed() throws Exception {
        Request request = delegations.request(alice);
        assertThat(request.id()).isEqualTo("new-1");
        assertThat(delegations.find(alice, "new-1")).as("nothing is signed yet").isEmpty();
        List<X509Certificate> chain = GRID.proxyOfAlice(keyOf(request), Duration.ofHours(1));
        Delegation made = delegations.put(alice, "new-1", pem(chain));
        assertThat(made.kind()).isEqualTo(Kind.PROXY);
        assertThat(made.terminates())
                .isEqualTo(made.expires())
                .isEqualTo(chain.getFirst().getNotAfter().toInstant());
        assertThat(delegations.find(alice, "new-1")).contains(made);
        assertThat(delegations.certificates(alice, "new-1").orElseThrow())
                .isEqualTo(pem(chain))
                .doesNotContain("PRIVATE KEY");

        Request again = delegations.renew(alice, "new-1").orElseThrow();
        assertThat(keyOf(again)).isNotEqualTo(keyOf(request));
        Delegation longer = delegations.put(alice, "new-1", pem(GRID.proxyOfAlice(keyOf(again), Duration.ofHours(9))));
        assertThat(longer.expires()).isAfter(made.expires());

        Instant soon = clock.instant().plusSeconds(60);
        assertThat(delegations.endAt(alice, "new-1", soon).orElseThrow().terminates())
                .isEqualTo(soon);
        assertThat(delegations.destroy(alice, "new-1")).isTrue();
        assertThat(delegations.find(alice, "new-1")).isEmpty();
        assertThat(delegations.destroy(alice, "new-1")).isFalse();
    }

    @Test
    void whatLastsAsLongStaysAndTheKeyOfAnUnansweredRequestIsUsedAgain() throws Exception {
        Request first = delegations.requestAgain(alice, "asked");
        Request again = delegations.requestAgain(alice, "asked");
        assertThat(keyOf(again)).isEqualTo(keyOf(first));
        String chain = pem(GRID.proxyOfAlice(keyOf(again), Duration.ofHours(2)));
        Delegation kept = delegations.putLonger(alice, "asked", "kept", chain);
        assertThat(kept.id()).isEqualTo("kept");
        assertThat(delegations.list(alice, null, 9)).containsExactly(kept);
        assertThatThrownBy(() -> delegations.putLonger(alice, "asked", "kept", chain))
                .hasMessageContaining("No key waits");

        Request next = delegations.requestAgain(alice, "asked");
        assertThat(keyOf(next)).isNotEqualTo(keyOf(first));
        assertThat(delegations.putLonger(
                        alice, "asked", "kept", pem(GRID.proxyOfAlice(keyOf(next), Duration.ofHours(1)))))
                .isEqualTo(kept);
        assertThat(delegations.certificates(alice, "kept")).contains(chain);

        Request last = delegations.requestAgain(alice, "asked");
        Delegation longer =
                delegations.putLonger(alice, "asked", "kept", pem(GRID.proxyOfAlice(keyOf(last), Duration.ofHours(3))));
        assertThat(longer.expires()).isAfter(kept.expires());
        assertThat(delegations.find(alice, "kept")).contains(longer);
    }

    @Test
    void nobodySeesWhatIsSomebodyElses() throws Exception {
        delegate("mine");
        assertThat(delegations.find(bob, "mine")).isEmpty();
        assertThat(delegations.certificates(bob, "mine")).isEmpty();
        assertThat(delegations.renew(bob, "mine")).isEmpty();
        assertThat(delegations.endAt(bob, "mine", null)).isEmpty();
        assertThat(delegations.destroy(bob, "mine")).isFalse();
        assertThat(delegations.list(bob, null, 10)).isEmpty();
        Request request = delegations.request(alice, "next");
        String chain = pem(GRID.proxyOfAlice(keyOf(request), Duration.ofHours(1)));
        assertThat(code(() -> delegations.put(bob, "next", chain)))
                .as("the request is Alice's")
                .isEqualTo(FaultCode.CREDENTIAL_UNUSABLE);
        assertThat(delegations.put(alice, "next", chain).id()).isEqualTo("next");
    }

    @Test
    void delegationsAreListedInPagesAlsoAfterARestart() throws Exception {
        for (String id : List.of("c", "a", "b")) {
            delegate(id);
        }
        delegations = opened();
        assertThat(delegations.list(alice, null, 2)).extracting(Delegation::id).containsExactly("a", "b");
        assertThat(delegations.list(alice, "b", 2)).extracting(Delegation::id).containsExactly("c");
        clock.advance(Duration.ofDays(3));
        assertThat(delegations.list(alice, null, 2)).as("all are over").isEmpty();
    }

    @Test
    void oneOwnerHasOnlySoManyRequestsThatWait() {
        for (int i = 0; i < 3; i++) {
            delegations.request(alice);
        }
        assertThatThrownBy(() -> delegations.request(alice)).hasMessageContaining("delegation.maxPendingKeysPerOwner");
        delegations.request(alice, "new-1"); // in the place of the one that waits
        delegations.request(bob);
        assertThat(delegations.destroy(alice, "new-2"))
                .as("a request is given up")
                .isTrue();
        delegations.request(alice);
        clock.advance(Duration.ofMinutes(6));
        delegations.request(alice);
    }

    @Test
    void whatCannotBeDoneIsSaidWithTheReason() throws Exception {
        assertThatThrownBy(() -> delegations.request(alice, "a b/../c")).hasMessageContaining("cannot be used");
        assertThatThrownBy(() -> delegations.request(alice, "")).hasMessageContaining("cannot be used");
        assertThatThrownBy(() -> delegations.put(alice, "x", "")).hasMessageContaining("No key waits");
        delegations.request(alice, "x");
        assertThatThrownBy(() -> delegations.put(alice, "x", "none")).hasMessageContaining("cannot be read");
        String other = pem(GRID.proxyOfAlice(TestGrid.keys().getPublic(), Duration.ofHours(1)));
        assertThatThrownBy(() -> delegations.put(alice, "x", other)).hasMessageContaining("another key");
        String ofBob = pem(GRID.proxyOfBob(keyOf(delegations.request(alice, "x")), Duration.ofHours(1)));
        assertThatThrownBy(() -> delegations.put(alice, "x", ofBob)).hasMessageContaining("speaks for");
    }

    @Test
    void thePolicyIsAskedBeforeAnythingIsDone() throws Exception {
        delegate("mine");
        forbidden.addAll(List.of(Action.DELEGATE, Action.QUERY, Action.MANAGE));
        assertThat(code(() -> delegations.request(alice))).isEqualTo(FaultCode.NOT_AUTHORIZED);
        assertThat(code(() -> delegations.request(alice, "x"))).isEqualTo(FaultCode.NOT_AUTHORIZED);
        assertThat(code(() -> delegations.renew(alice, "mine"))).isEqualTo(FaultCode.NOT_AUTHORIZED);
        assertThat(code(() -> delegations.put(alice, "mine", ""))).isEqualTo(FaultCode.NOT_AUTHORIZED);
        assertThat(code(() -> delegations.find(alice, "mine"))).isEqualTo(FaultCode.NOT_AUTHORIZED);
        assertThat(code(() -> delegations.list(alice, null, 1))).isEqualTo(FaultCode.NOT_AUTHORIZED);
        assertThat(code(() -> delegations.certificates(alice, "mine"))).isEqualTo(FaultCode.NOT_AUTHORIZED);
        assertThat(code(() -> delegations.endAt(alice, "mine", null))).isEqualTo(FaultCode.NOT_AUTHORIZED);
        assertThat(code(() -> delegations.destroy(alice, "mine"))).isEqualTo(FaultCode.NOT_AUTHORIZED);
    }
}
