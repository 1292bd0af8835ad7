// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jobgate.identity.Identity;
import org.jobgate.job.Later;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionPointsTest {

    @TempDir
    Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private final WatchedFile.Watch watch = new WatchedFile.Watch(Duration.ofSeconds(1), nanos::get, Runnable::run);

    private Path file(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }

    private void later() {
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    }

    private static AuthzRequest of(String subject, String... fqans) {
        return AuthzRequest.of(new Identity(subject, "tls", false, List.of(fqans), List.of()), Action.SUBMIT);
    }

    private static AuthzRequest token(Action action, String... scopes) {
        return AuthzRequest.of(new Identity("/CN=t", "token", false, List.of(), List.of(scopes)), action);
    }

    // --- ban list

    @Test
    void bansSubjectsGroupsAndAttributesAndSaysWhy() throws IOException {
        BanList bans = new BanList(
                file(
                        "bans",
                        "# who is out",
                        "\"/O=Grid/CN=Eve Evil\" # stolen key",
                        "fqan:/evil/*",
                        "attribute:status=left"),
                watch);

        assertThat(bans.judge(of("/O=Grid/CN=Eve Evil")))
                .isEqualTo(new PointDecision.Deny("You are banned here: stolen key"));
        assertThat(bans.judge(of("/CN=x", "/good", "/evil/deep/Role=NULL/Capability=NULL"))
                        .word())
                .isEqualTo("deny");
        assertThat(bans.judge(of("/CN=x", "/evilish")).word()).isEqualTo("abstain");
        assertThat(bans.judge(of("/CN=x").with(Map.of("status", List.of("left"))))
                        .word())
                .isEqualTo("deny");
        assertThat(bans.nearest(of("/O=Grid/CN=Eve evil"))).contains("/O=Grid/CN=Eve Evil");
    }

    @Test
    void aBrokenBanListKeepsTheOldOneAndSaysSo() throws IOException {
        Path file = file("bans", "/CN=Eve");
        BanList bans = new BanList(file, watch);
        file("bans", "/CN=Eve", "/CN=Mallory extra words");
        later();
        assertThat(bans.judge(of("/CN=Eve")).word()).isEqualTo("deny");
        assertThat(bans.trouble()).get().asString().contains("line 2", "What it said before holds.");
        file("bans", "/CN=Mallory # mended");
        later();
        assertThat(bans.judge(of("/CN=Eve")).word()).isEqualTo("abstain");
        assertThat(bans.judge(of("/CN=Mallory")).word()).isEqualTo("deny");
        assertThat(bans.trouble()).isEmpty();
    }

    /** As {@code openssl x509 -subject -nameopt compat} writes what is not ASCII: a ban that names nobody is none. */
    @Test
    void aNameInTheFormOfOpensslIsBanned() throws IOException {
        BanList bans = new BanList(
                file("bans", "\"/O=G/CN=J\\xC3\\xBCrgen A\" # left", "/O=G/CN=\\xc5\\xbdofie", "/O=G/2.5.4.97=V1"),
                watch);
        assertThat(bans.judge(of("/O=G/CN=J\u00fcrgen A")).word()).isEqualTo("deny");
        assertThat(bans.judge(of("/O=G/CN=\u017dofie")).word()).isEqualTo("deny");
        assertThat(bans.judge(of("/O=G/organizationIdentifier=V1")).word()).isEqualTo("deny");
        BanList broken = new BanList(file("broken", "/O=G/CN=J\\xFCrgen"), watch);
        assertThat(broken.judge(of("/O=G/CN=b")).word()).isEqualTo("indeterminate");
        assertThat(broken.trouble()).get().asString().contains("line 1", "no bytes of UTF-8");
    }

    @Test
    void withoutAnyGoodBanListNothingCanBeSaid() {
        assertThat(new BanList(folder.resolve("none"), watch).judge(of("/CN=a")).word())
                .isEqualTo("indeterminate");
    }

    // --- FQAN map and pools

    private Path pool(int accounts) throws IOException {
        Path directory = Files.createDirectory(folder.resolve("pool"));
        for (int i = 1; i <= accounts; i++) {
            Files.createFile(directory.resolve("atlas%03d".formatted(i)));
        }
        return directory;
    }

    private static List<String> accounts(PointDecision decision) {
        return decision instanceof PointDecision.Permit permit
                ? permit.accounts()
                : List.of("(" + decision.word() + ")");
    }

    @Test
    void mapsThePrimaryAttributeFirst() throws IOException {
        FqanMap map = new FqanMap(
                file("vomsmap", "\"/atlas/Role=production\" atlasprd", "\"/atlas/*\" atlas", "/cms cms,root"),
                Set.of("root"),
                null,
                watch);

        assertThat(accounts(map.judge(of("/CN=a", "/atlas/Role=production", "/atlas"))))
                .containsExactly("atlasprd", "atlas");
        assertThat(accounts(map.judge(of("/CN=a", "/atlas/Role=NULL/Capability=NULL"))))
                .containsExactly("atlas");
        assertThat(accounts(map.judge(of("/CN=a", "/cms", "/atlas/x")))).containsExactly("cms", "atlas");
        assertThat(accounts(map.judge(of("/CN=a", "/atlasx")))).containsExactly("(abstain)");
        assertThat(accounts(map.judge(of("/CN=a")))).containsExactly("(abstain)");
        assertThat(map.nearest(of("/CN=a", "/atla/Role=production"))).contains("/atlas/Role=production");
    }

    /** A lease that was made when the attribute had no name here: nobody loses an account and its files by an upgrade. */
    @Test
    void aLeaseOfASubjectWithNumbersIsHisUnderTheNamesToo() throws IOException {
        Path directory = pool(2);
        PoolAccounts leases = new PoolAccounts(directory);
        assertThat(leases.lease("atlas", "/O=G/2.5.4.97=V1/CN=a")).contains("atlas001");
        FqanMap map = new FqanMap(file("vomsmap", "/atlas .atlas"), Set.of(), leases, watch);
        assertThat(accounts(map.judge(of("/O=G/organizationIdentifier=V1/CN=a", "/atlas"))))
                .containsExactly("atlas001");
        assertThat(accounts(map.judge(of("/O=G/organizationIdentifier=V2/CN=a", "/atlas"))))
                .containsExactly("atlas002");
    }

    @Test
    void everybodyGetsAnAccountOfHisOwnForGoodUntilThePoolIsEmpty() throws IOException {
        Path directory = pool(2);
        Path file = file("vomsmap", "/atlas .atlas");
        FqanMap map = new FqanMap(file, Set.of(), new PoolAccounts(directory), watch);

        assertThat(accounts(map.judge(of("/CN=a", "/atlas")))).containsExactly("atlas001");
        assertThat(accounts(map.judge(of("/CN=b", "/atlas")))).containsExactly("atlas002");
        assertThat(accounts(map.judge(of("/CN=a", "/atlas")))).containsExactly("atlas001");
        assertThat(map.judge(of("/CN=c", "/atlas")).reason())
                .contains("of the 2 accounts of the pool .atlas 2 are leased");
        // another process on the same directory sees the same leases
        FqanMap restarted = new FqanMap(file, Set.of(), new PoolAccounts(directory), watch);
        assertThat(accounts(restarted.judge(of("/CN=b", "/atlas")))).containsExactly("atlas002");
        Files.delete(directory.resolve(PoolAccounts.leaseName("atlas", "/CN=a")));
        assertThat(accounts(restarted.judge(of("/CN=c", "/atlas")))).containsExactly("atlas001");
    }

    @Test
    void aRehearsalLeasesNothing() throws IOException {
        Path directory = pool(1);
        FqanMap map = new FqanMap(file("vomsmap", "/atlas .atlas"), Set.of(), new PoolAccounts(directory), watch);
        AuthzRequest rehearsal = new AuthzRequest(of("/CN=a", "/atlas").identity(), Action.SUBMIT, Map.of(), true);

        assertThat(accounts(map.judge(rehearsal))).containsExactly("atlas001");
        assertThat(directory.toFile().list()).containsExactly("atlas001");
    }

    @Test
    void noTwoGetTheSameAccountHoweverManyComeAtOnce() throws Exception {
        Path directory = pool(40);
        PoolAccounts one = new PoolAccounts(directory);
        PoolAccounts other = new PoolAccounts(directory);
        List<String> leased = IntStream.range(0, 40)
                .parallel()
                .mapToObj(i ->
                        (i % 2 == 0 ? one : other).lease("atlas", "/CN=" + i).orElse("none"))
                .toList();

        assertThat(leased.stream().filter(account -> !account.equals("none"))).doesNotHaveDuplicates();
        for (int i = 0; i < 40; i++) {
            // a user who met another gateway at the same account is served at the next request
            assertThat(one.lease("atlas", "/CN=" + i)).isPresent();
        }
        assertThat(one.lease("atlas", "/CN=late")).isEmpty();
    }

    @Test
    void aMapWithAPoolNeedsADirectory() throws IOException {
        FqanMap map = new FqanMap(file("vomsmap", "/atlas .atlas"), Set.of(), null, watch);
        assertThat(accounts(map.judge(of("/CN=a", "/atlas")))).containsExactly("(indeterminate)");
        assertThat(map.trouble()).get().asString().contains(".atlas is a pool");
    }

    // --- token scopes

    @Test
    void aTokenAllowsWhatItsScopesSayAndACertificateIsNotAsked() {
        TokenScopes scopes = new TokenScopes(TokenScopes.parse(List.of("submit=compute.create", "query=compute.read")));

        assertThat(scopes.judge(token(Action.SUBMIT, "compute.read", "compute.create"))
                        .word())
                .isEqualTo("abstain");
        assertThat(scopes.judge(token(Action.SUBMIT, "compute.read")).reason())
                .contains("compute.read", "needs one of [compute.create]");
        assertThat(scopes.judge(token(Action.SUBMIT)).word()).isEqualTo("deny");
        assertThat(scopes.judge(token(Action.MANAGE, "compute.create")).word()).isEqualTo("deny");
        assertThat(scopes.judge(of("/CN=a")).word()).isEqualTo("abstain");
        assertThatThrownBy(() -> TokenScopes.parse(List.of("fly=x"))).hasMessageContaining("no action fly");
    }

    // --- time, load, quota

    @ParameterizedTest
    @CsvSource({
        "2026-11-20T20:00:00Z, abstain", // a Friday
        "2026-11-21T07:59:00Z, abstain", // begun on Friday
        "2026-11-21T08:00:00Z, deny",
        "2026-11-22T12:30:00Z, abstain", // Sunday noon
        "2026-11-22T13:00:00Z, deny",
        "2026-11-20T17:59:00Z, deny"
    })
    void aWindowMayRunOverMidnight(String now, String word) {
        TimeWindows windows = new TimeWindows(
                List.of("Mon-Fri 18:00-08:00", "Sun 12:00-13:00"),
                ZoneId.of("UTC"),
                Clock.fixed(Instant.parse(now), ZoneOffset.UTC));
        assertThat(windows.judge(of("/CN=a")).word()).isEqualTo(word);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-20T17:59:00Z, 60", // a Friday, a minute before its window
        "2026-11-20T17:59:59.500Z, 1",
        "2026-11-21T23:50:00Z, 3600", // Saturday: Sunday's begins at noon, which nobody waits for at a stretch
        "2026-11-22T11:30:00Z, 1800"
    })
    void whoComesOutsideOfAWindowIsToldWhenToComeAgain(String now, long seconds) {
        TimeWindows windows = new TimeWindows(
                List.of("Mon-Fri 18:00-08:00", "Sun 12:00-13:00"),
                ZoneId.of("UTC"),
                Clock.fixed(Instant.parse(now), ZoneOffset.UTC));
        assertThat(windows.judge(of("/CN=a")))
                .isInstanceOfSatisfying(
                        PointDecision.Deny.class,
                        deny -> assertThat(deny.later())
                                .isEqualTo(new Later(Later.Room.SERVICE, Duration.ofSeconds(seconds))));
    }

    @Test
    void whoIsRefusedForWhatThereIsAtPresentIsToldWhoseRoomIsUsedUp() {
        assertThat(List.of(
                        new ServerLoad(2, 0, () -> 2.5, () -> 1).judge(of("/CN=a")),
                        new ServerLoad(0, 9, () -> 0, () -> 9).judge(of("/CN=a")),
                        new OwnerQuota(5, subject -> 5).judge(of("/CN=a"))))
                .extracting(opinion -> ((PointDecision.Deny) opinion).later())
                .extracting(later -> Objects.requireNonNull(later).room())
                .containsExactly(Later.Room.SERVICE, Later.Room.SERVICE, Later.Room.OWNER);
    }

    @Test
    void aTimeToComeAgainIsBounded() {
        assertThat(new Later(Later.Room.OWNER, Duration.ofDays(9)).after()).isEqualTo(Later.MOST);
        assertThat(new Later(Later.Room.OWNER, Duration.ofSeconds(-9)).after()).isEqualTo(Later.LEAST);
        assertThat(new Later(Later.Room.OWNER, Duration.ofMillis(1_001)).after())
                .isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aWindowThatIsNoneIsRefused() {
        for (String text : List.of("Mon", "Mon-Fri 25:00-26:00", "Xyz 08:00-09:00", "Mon 8:00-9:00")) {
            assertThatThrownBy(() -> new TimeWindows(List.of(text), ZoneOffset.UTC, Clock.systemUTC()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void loadAndQuotaNameLimitAndCount() {
        assertThat(new ServerLoad(2, 100, () -> 2.5, () -> 1).judge(of("/CN=a")).reason())
                .isEqualTo("The gateway is overloaded: load 2.50 for each processor, limit 2.00. Try again later");
        assertThat(new ServerLoad(2, 100, () -> 1.0, () -> 100)
                        .judge(of("/CN=a"))
                        .reason())
                .isEqualTo("The gateway has 100 live jobs, limit 100. Try again later");
        assertThat(new ServerLoad(0, 0, () -> 99, () -> 9999).judge(of("/CN=a")).word())
                .isEqualTo("abstain");
        assertThat(new OwnerQuota(5, subject -> 5).judge(of("/CN=a")).reason())
                .isEqualTo("You have 5 live jobs here, limit 5. Wait until some have ended");
        assertThat(new OwnerQuota(5, subject -> 4).judge(of("/CN=a")).word()).isEqualTo("abstain");
    }

    // --- attributes, cache

    @Test
    void attributesOfAFileCountAsFqans() throws Exception {
        AttributeFile people = new AttributeFile(
                file("people", "\"/O=Grid/CN=Alice Ant\" fqan=/atlas project=p1 project=p2 # note"), watch);
        AuthzRequest request = of("/O=Grid/CN=Alice Ant");

        assertThat(people.attributes(request)).containsEntry("project", List.of("p1", "p2"));
        assertThat(request.with(people.attributes(request)).fqans()).containsExactly("/atlas");
        assertThat(people.attributes(of("/CN=b"))).isEmpty();
        assertThatThrownBy(() -> new AttributeFile(folder.resolve("none"), watch).attributes(request))
                .isInstanceOf(InformationPoint.UnknownException.class);
    }

    @Test
    void anAnswerIsRememberedForItsCallerAndNotWhenThereWasNone() {
        AtomicInteger asked = new AtomicInteger();
        CachedPoint cached = new CachedPoint(
                request -> asked.incrementAndGet() == 1
                        ? new PointDecision.Indeterminate("x")
                        : new PointDecision.Deny("no"),
                Duration.ofSeconds(1),
                nanos::get);

        assertThat(cached.judge(of("/CN=a")).word()).isEqualTo("indeterminate");
        assertThat(cached.judge(of("/CN=a")).word()).isEqualTo("deny");
        assertThat(cached.judge(of("/CN=a")).word()).isEqualTo("deny");
        assertThat(asked).hasValue(2);
        cached.judge(of("/CN=a", "/atlas"));
        assertThat(asked).hasValue(3);
        later();
        cached.judge(of("/CN=a"));
        assertThat(asked).hasValue(4);
    }

    /** Nothing was leased in the rehearsal; and what a full proxy may, a limited one may not. */
    @Test
    void anAnswerToARehearsalOrToAFullProxyIsNotOneToAnything() {
        AtomicInteger asked = new AtomicInteger();
        CachedPoint cached = new CachedPoint(
                request -> new PointDecision.Permit(List.of("pool" + asked.incrementAndGet()), "member"),
                Duration.ofSeconds(1),
                nanos::get);
        AuthzRequest full = of("/CN=a");

        cached.judge(new AuthzRequest(full.identity(), full.action(), Map.of(), true));
        assertThat(cached.judge(full)).isEqualTo(new PointDecision.Permit(List.of("pool2"), "member"));
        cached.judge(new AuthzRequest(full.identity(), full.action(), Map.of(), true));
        assertThat(asked).as("what is known is told in a rehearsal too").hasValue(2);

        Identity limited =
                new Identity(full.identity().subject(), full.identity().method(), true);
        cached.judge(AuthzRequest.of(limited, full.action()));
        assertThat(asked).hasValue(3);
    }
}
