// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jobgate.delegation.TestGrid.ALICE;
import static org.jobgate.delegation.TestGrid.BOB;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jobgate.delegation.TestClock;
import org.jobgate.delegation.TestGrid;
import org.jobgate.delegation.TestTokens;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.limits.Limit;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VaultTest {

    private static final TestGrid GRID = new TestGrid();
    private static final KeyPair KEYS = TestGrid.keys();
    private static final Duration HALF_DAY = Duration.ofHours(12);

    private final TestClock clock = new TestClock();
    private final SecureRandom random = new SecureRandom();
    private final ChainAcceptance acceptance = new ChainAcceptance(GRID.check(), clock);

    @TempDir
    private Path directory;

    private JobStore store;
    private Vault vault;

    @BeforeEach
    void open() {
        store = TestStores.sqlite(directory);
        vault = vault(VaultSettings.defaults());
    }

    private Vault vault(VaultSettings settings) {
        return Vault.open(store, SiteKey.in(directory.resolve("site.key"), random), settings, clock);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private DelegatedCredential delegate(String key, Duration lifetime) {
        return vault.put(
                key,
                acceptance.check(ALICE, GRID.proxyOfAlice(KEYS.getPublic(), lifetime), KEYS.getPublic()),
                KEYS.getPrivate());
    }

    @Test
    void whatIsDelegatedIsThereAfterARestart() {
        DelegatedCredential delegated = delegate("k1", HALF_DAY);
        store.close();
        open();
        assertThat(vault.find(ALICE, "k1")).contains(delegated);
        assertThat(vault.size()).isEqualTo(1);
    }

    @Test
    void aCredentialIsItsOwnersOnly() {
        delegate("k1", HALF_DAY);
        assertThat(vault.find(BOB, "k1")).isEmpty();
        assertThat(vault.destroy(BOB, "k1")).isFalse();
        assertThat(vault.endAt(BOB, "k1", clock.instant())).isEmpty();
        assertThat(vault.find(ALICE, "k1")).isPresent();
    }

    @Test
    void theStoreHoldsNothingThatCanBeUsed() {
        delegate("k1", HALF_DAY);
        String body = store.listRecords(Vault.KIND, "", 10).getFirst().body();
        byte[] sealed = Base64.getDecoder().decode(body.split(";", 4)[3]);
        byte[] privateKey = KEYS.getPrivate().getEncoded();
        assertThat(indexOf(sealed, Arrays.copyOfRange(privateKey, 40, 80))).isNegative();
        assertThat(vault.find(ALICE, "k1").orElseThrow().toString())
                .doesNotContain(KEYS.getPrivate().toString());
    }

    private DelegatedCredential delegateToken(String key, Duration lifetime) {
        return vault.put(
                key,
                new TokenAcceptance(clock)
                        .check(ALICE, TestTokens.until(clock.instant().plus(lifetime))));
    }

    @Test
    void aTokenIsKeptSealedToo() {
        DelegatedCredential delegated = delegateToken("t1", HALF_DAY);
        String body = store.listRecords(Vault.KIND, "", 10).getFirst().body();
        byte[] sealed = Base64.getDecoder().decode(body.split(";", 4)[3]);
        byte[] secret = ((DelegatedToken) delegated).token().getBytes(StandardCharsets.US_ASCII);
        assertThat(indexOf(sealed, Arrays.copyOfRange(secret, 10, 30))).isNegative();
        assertThat(delegated.toString()).doesNotContain(new String(secret, StandardCharsets.US_ASCII));
        store.close();
        open();
        assertThat(vault.find(ALICE, "t1")).contains(delegated);
        assertThatThrownBy(delegated::asProxy).hasMessageContaining("is a token");
    }

    @Test
    void aTokensRecordThatIsGivenOutAsAProxysDoesNotOpen() {
        delegateToken("t1", HALF_DAY);
        DoorRecord record = store.listRecords(Vault.KIND, "", 10).getFirst();
        String body = "1" + record.body().substring(1);
        store.putRecord(new DoorRecord(Vault.KIND, record.id(), null, ALICE, body, record.created()))
                .join();
        assertThatThrownBy(() -> vault.find(ALICE, "t1")).isInstanceOf(FaultException.class);
    }

    @Test
    void aTokenIsRenewedByATokenOnlyAndAProxyByAProxy() {
        delegateToken("t1", Duration.ofHours(1));
        DelegatedCredential renewed = delegateToken("t1", HALF_DAY);
        assertThatThrownBy(() -> delegate("t1", HALF_DAY)).hasMessageContaining("cannot take the place");
        assertThat(vault.find(ALICE, "t1")).contains(renewed);
        DelegatedCredential proxy = delegate("k1", HALF_DAY);
        assertThatThrownBy(() -> delegateToken("k1", HALF_DAY)).hasMessageContaining("cannot take the place");
        assertThat(vault.find(ALICE, "k1")).contains(proxy);
    }

    private static int indexOf(byte[] all, byte[] part) {
        for (int at = 0; at + part.length <= all.length; at++) {
            if (Arrays.equals(all, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        return -1;
    }

    @Test
    void aRecordPutInAnothersPlaceDoesNotOpen() {
        delegate("k1", HALF_DAY);
        DoorRecord record = store.listRecords(Vault.KIND, "", 10).getFirst();
        store.putRecord(new DoorRecord(
                        Vault.KIND, SealedRecords.id(BOB, "k1"), null, BOB, record.body(), record.created()))
                .join();
        assertThatThrownBy(() -> vault.find(BOB, "k1"))
                .isInstanceOfSatisfying(
                        FaultException.class,
                        e -> assertThat(e.fault().code()).isEqualTo(FaultCode.CREDENTIAL_UNUSABLE));
    }

    @Test
    void aRenewalKeepsTheKeyAndIsTold() {
        List<DelegatedCredential> told = new ArrayList<>();
        vault.listen(told::add);
        delegate("k1", Duration.ofHours(1));
        assertThat(told).isEmpty();
        DelegatedCredential renewed = delegate("k1", HALF_DAY);
        assertThat(told).containsExactly(renewed);
        assertThat(vault.find(ALICE, "k1")).contains(renewed);
        assertThat(vault.size()).isEqualTo(1);
    }

    @Test
    void anExpiredCredentialWaitsADayForItsRenewal() {
        delegate("k1", Duration.ofHours(1));
        clock.advance(Duration.ofHours(2));
        vault.sweep();
        assertThat(vault.find(ALICE, "k1").orElseThrow().isUsable(clock.instant()))
                .isFalse();
        clock.advance(Duration.ofDays(1));
        vault.sweep();
        assertThat(vault.find(ALICE, "k1")).isEmpty();
        assertThat(store.countRecords(Vault.KIND)).isZero();
        assertThat(vault.size()).isZero();
    }

    @Test
    void aCredentialEndsWhenItsOwnerSaysSo() {
        delegate("k1", HALF_DAY);
        Instant end = clock.instant().plusSeconds(60).truncatedTo(ChronoUnit.MILLIS);
        assertThat(vault.endAt(ALICE, "k1", end).orElseThrow().terminates()).isEqualTo(end);
        assertThat(vault.terminates(ALICE, "k1")).contains(end);
        clock.advance(Duration.ofSeconds(61));
        assertThat(vault.find(ALICE, "k1")).isEmpty();
        vault.sweep();
        assertThat(store.countRecords(Vault.KIND)).isZero();
    }

    @Test
    void aCredentialCannotBeKeptLongerThanItsProxy() {
        DelegatedCredential delegated = delegate("k1", HALF_DAY);
        assertThatThrownBy(() -> vault.endAt(ALICE, "k1", delegated.expires().plusSeconds(1)))
                .isInstanceOfSatisfying(
                        FaultException.class,
                        e -> assertThat(e.fault().code()).isEqualTo(FaultCode.INVALID_TERMINATION_TIME));
        vault.endAt(ALICE, "k1", clock.instant().plusSeconds(60));
        assertThat(vault.endAt(ALICE, "k1", null).orElseThrow().terminates()).isEqualTo(delegated.expires());
    }

    @Test
    void anOwnerMayHaveSoManyAndNoMore() {
        VaultSettings defaults = VaultSettings.defaults();
        vault = vault(new VaultSettings(
                defaults.credentials(),
                new Limit("delegation.maxCredentialsPerOwner", 2),
                defaults.keepExpired(),
                defaults.warnBefore(),
                defaults.requestLifetime()));
        delegate("k1", HALF_DAY);
        delegate("k2", HALF_DAY);
        delegate("k2", HALF_DAY); // a renewal is none more
        assertThatThrownBy(() -> delegate("k3", HALF_DAY)).hasMessageContaining("maxCredentialsPerOwner");
        vault.destroy(ALICE, "k1");
        assertThat(delegate("k3", HALF_DAY)).isNotNull();
    }

    @Test
    void chainsThatAreNoDelegationAreRefusedWithTheReason() {
        KeyPair other = TestGrid.keys();
        assertRefused(GRID.proxyOfAlice(other.getPublic(), HALF_DAY), "another key");
        assertRefused(GRID.proxyOfBob(KEYS.getPublic(), HALF_DAY), "speaks for " + BOB);
        assertRefused(GRID.proxyOfAlice(KEYS.getPublic(), Duration.ofSeconds(-5)), "expires at");
        assertRefused(new TestGrid().proxyOfAlice(KEYS.getPublic(), HALF_DAY), "broken chain");
        X509Certificate own = GRID.aliceCertificate();
        assertThatThrownBy(() -> acceptance.check(ALICE, List.of(own), own.getPublicKey()))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("no proxy");
    }

    private void assertRefused(List<X509Certificate> chain, String why) {
        assertThatThrownBy(() -> acceptance.check(ALICE, chain, KEYS.getPublic()))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aLimitedProxyStaysLimited() {
        var chain = GRID.limitedProxyOfAlice(KEYS.getPublic(), HALF_DAY);
        vault.put("k1", acceptance.check(ALICE, chain, KEYS.getPublic()), KEYS.getPrivate());
        assertThat(vault.find(ALICE, "k1").orElseThrow().asProxy().limited()).isTrue();
    }

    @Test
    void aMissingSiteKeyIsNoticedAtTheStart() throws Exception {
        delegate("k1", HALF_DAY);
        Files.delete(directory.resolve("site.key"));
        assertThatThrownBy(() -> vault(VaultSettings.defaults())).hasMessageContaining("site key");
    }

    @Test
    void aSiteKeyThatOthersCanReadIsRefused() throws Exception {
        Path file = directory.resolve("site.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> SiteKey.in(file, random)).hasMessageContaining("chmod 600");
    }

    @Test
    void theServiceKeyIsTheSameAfterARestart() {
        try (KeyPool keys = new KeyPool(1, random)) {
            SiteKey siteKey = SiteKey.in(directory.resolve("site.key"), random);
            ServiceKey made = ServiceKey.in(store, siteKey, keys, clock, random);
            assertThat(ServiceKey.in(store, siteKey, keys, clock, random)).isEqualTo(made);
        }
    }

    @Test
    void keysWaitForASignatureOnlySoLong() {
        PendingKeys pending = new PendingKeys(
                new Limit("delegation.maxPendingKeys", 1),
                new Limit("delegation.maxPendingKeysPerOwner", 1),
                Duration.ofMinutes(5),
                clock);
        pending.put(ALICE, "k1", KEYS);
        assertThat(pending.find(ALICE, "k1")).contains(KEYS);
        assertThat(pending.find(BOB, "k1")).isEqualTo(Optional.empty());
        assertThatThrownBy(() -> pending.put(ALICE, "k2", KEYS)).hasMessageContaining("maxPendingKeys");
        clock.advance(Duration.ofMinutes(6));
        assertThat(pending.find(ALICE, "k1")).isEmpty();
        pending.put(ALICE, "k2", KEYS);
    }
}
