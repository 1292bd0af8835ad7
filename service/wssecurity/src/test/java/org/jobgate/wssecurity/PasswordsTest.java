// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.apache.wss4j.dom.WSConstants;
import org.jobgate.identity.Identity;
import org.jobgate.soap.MessageGuard;
import org.jobgate.soap.SoapFaultException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/** Passwords that the site keeps as hashes, and guesses of them. */
class PasswordsTest {

    /** Of "secret word", by the crypt function of the C library (cost 4) and by the argon2 command of Debian. */
    private static final String BCRYPT = "$2b$04$abcdefghijklmnopqrstuuP6/q0obcGuk6SuzN66aTZwHeRCLMzKO";

    private static final String ARGON2 =
            "$argon2id$v=19$m=4096,t=2,p=1$c2FsdHNhbHRzYWx0$Sa5kmniiK6Ff1IU5/BjuoWeHJhBAPZnmYXLo2IdVK8k";

    private static final TestSigner GRID = new TestSigner();

    @TempDir
    Path directory;

    private final Hands clock = new Hands();
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final Executor threads = Thread::startVirtualThread;
    private MessageGuard guard;

    /** A clock that a test moves. */
    private static final class Hands extends Clock {
        private Instant now = Instant.now();

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
    }

    @BeforeEach
    void open() throws Exception {
        Passwords passwords = read("bee\t" + BCRYPT + "\t/O=Test/CN=Bee\nargo\t" + ARGON2
                + "\t/O=Test/CN=Argo\nclear\tsecret word\t/O=Test/CN=Clear\n");
        assertThat(passwords.inClear()).isEqualTo(1);
        guard = guard(passwords);
    }

    private MessageGuard guard(Passwords passwords) {
        return TestMessages.security(
                        GRID, TestMessages.settings(Protection.REQUIRE, false), passwords, GRID.trust(), clock)
                .of(TestMessages.SERVICE)
                .orElseThrow();
    }

    private Passwords read(String lines) throws Exception {
        Path file = directory.resolve("passwords");
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, lines);
        return Passwords.read(file, (account, password) -> {
            asked.add(account);
            return account.equals("alice2") && password.equals("of the account");
        });
    }

    private @Nullable Identity send(String name, String password, String type, String address) {
        Envelope message = TestMessages.named(name, password, type);
        return guard.open(new MessageGuard.Arrived(message.bytes(), null, new X509Certificate[0], true, address))
                .identity();
    }

    private String refusal(String name, String password, String type, String address) {
        return String.valueOf(catchThrowableOfType(SoapFaultException.class, () -> send(name, password, type, address))
                .getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bee", "argo", "clear"})
    void theRightPasswordIsTakenAndAWrongOneRefused(String name) {
        assertThat(send(name, "secret word", WSConstants.PASSWORD_TEXT, "192.0.2.1"))
                .isNotNull();
        assertThat(refusal(name, "secret worD", WSConstants.PASSWORD_TEXT, "192.0.2.1"))
                .contains("do not fit");
    }

    @Test
    void anUnknownNameAndAWrongPasswordLookAlike() {
        for (String type : new String[] {WSConstants.PASSWORD_TEXT, WSConstants.PASSWORD_DIGEST}) {
            String unknown = refusal("nobody", "any", type, "192.0.2.1");
            assertThat(refusal("bee", "any", type, "192.0.2.1")).isEqualTo(unknown);
            assertThat(refusal("clear", "any", type, "192.0.2.1")).isEqualTo(unknown);
            clock.now = clock.now.plusSeconds(2);
        }
    }

    @Test
    void aDigestOfAHashedPasswordIsRefusedWithTheReason() {
        assertThat(refusal("bee", "secret word", WSConstants.PASSWORD_DIGEST, "192.0.2.1"))
                .contains("keeps as a hash", "PasswordText");
        assertThat(send("clear", "secret word", WSConstants.PASSWORD_DIGEST, "192.0.2.1"))
                .isNotNull();
    }

    @Test
    void afterAWrongPasswordTheNextOfThatNameAndAddressWaits() {
        refusal("bee", "wrong", WSConstants.PASSWORD_TEXT, "192.0.2.1");

        assertThat(refusal("bee", "secret word", WSConstants.PASSWORD_TEXT, "192.0.2.1"))
                .contains("looked at in 1 s");
        assertThat(send("bee", "secret word", WSConstants.PASSWORD_TEXT, "192.0.2.2"))
                .isNotNull();
        assertThat(send("argo", "secret word", WSConstants.PASSWORD_TEXT, "192.0.2.1"))
                .isNotNull();

        clock.now = clock.now.plusSeconds(1);
        refusal("bee", "wrong", WSConstants.PASSWORD_TEXT, "192.0.2.1");
        clock.now = clock.now.plusSeconds(1);
        assertThat(refusal("bee", "secret word", WSConstants.PASSWORD_TEXT, "192.0.2.1"))
                .contains("looked at in 1 s");
        clock.now = clock.now.plusSeconds(1);
        assertThat(send("bee", "secret word", WSConstants.PASSWORD_TEXT, "192.0.2.1"))
                .isNotNull();
        assertThat(refusal("bee", "wrong", WSConstants.PASSWORD_TEXT, "192.0.2.1"))
                .contains("do not fit");
    }

    /** They would all be looked at before the first is known to be wrong. */
    @Test
    void ofManyAttemptsAtTheSameMomentOneIsLookedAt() {
        PasswordPace pace = new PasswordPace(clock);
        pace.note("bee", "192.0.2.1", false);
        clock.now = clock.now.plus(PasswordPace.FIRST_WAIT);

        pace.require("bee", "192.0.2.1");

        assertThatThrownBy(() -> pace.require("bee", "192.0.2.1")).isInstanceOf(SoapFaultException.class);
        pace.note("bee", "192.0.2.1", true);
        pace.require("bee", "192.0.2.1");
        pace.require("bee", "192.0.2.1");
    }

    /** Only what the list names is asked for, and by no answer or time can be told what it names. */
    @Test
    void thePasswordOfAnAccountIsAskedForWhereTheListSaysSo() throws Exception {
        Passwords passwords = read("alice\t$pam$alice2\t/O=Test/CN=Alice\nbob\t$pam$\t/O=Test/CN=Bob\nbee\t" + BCRYPT
                + "\t/O=Test/CN=Bee\n");
        assertThat(passwords.accounts()).containsExactly("alice2", "bob");
        assertThat(passwords.inClear()).isZero();
        guard = guard(passwords);

        assertThat(send("alice", "of the account", WSConstants.PASSWORD_TEXT, "192.0.2.1"))
                .isNotNull()
                .extracting(Identity::subject, Identity::method)
                .containsExactly("/O=Test/CN=Alice", "password");
        asked.clear();
        List<String> answers = Stream.of("alice", "bob", "bee", "alice2", "root")
                .map(name -> CompletableFuture.supplyAsync(
                        () -> {
                            long begun = System.nanoTime();
                            String answer = refusal(name, "wrong", WSConstants.PASSWORD_TEXT, "address of " + name);
                            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                                    .isGreaterThanOrEqualTo(PasswordCheck.REFUSED_AFTER);
                            return answer;
                        },
                        threads))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
        assertThat(answers.stream().distinct()).hasSize(1);
        assertThat(asked).containsExactlyInAnyOrder("alice2", "bob");
        assertThat(refusal("alice", "of the account", WSConstants.PASSWORD_TEXT, "address of alice"))
                .contains("looked at in");
        assertThat(asked).hasSize(2);
        assertThat(refusal("alice", "of the account", WSConstants.PASSWORD_DIGEST, "192.0.2.3"))
                .contains("as that of an account", "PasswordText");
        assertThat(asked).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\t$pam$-u root", "a\t$pam$../x", "a b\t$pam$", "a\t$pam$root;id"})
    void whatCannotBeAnAccountIsToldByItsLine(String line) {
        assertThatThrownBy(() -> read(line + "\t/O=c\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 1")
                .hasMessageContaining("local account");
    }

    @Test
    void aPasswordWithoutATypeIsTaken() {
        assertThat(openWithoutType("secret word")).isNotNull();
        assertThatThrownBy(() -> openWithoutType("other word"))
                .isInstanceOf(SoapFaultException.class)
                .hasMessageContaining("do not fit");
    }

    private @Nullable Identity openWithoutType(String password) {
        Envelope message = TestMessages.named("bee", password, WSConstants.PASSWORD_TEXT);
        Element written = (Element) message.document()
                .getElementsByTagNameNS(Names.WSSE, "Password")
                .item(0);
        written.removeAttribute("Type");
        return guard.open(new MessageGuard.Arrived(message.bytes(), null, new X509Certificate[0], true, "192.0.2.1"))
                .identity();
    }

    @Test
    void nobodyWaitsLongerThanTheLongestWait() {
        PasswordPace pace = new PasswordPace(clock);
        for (int i = 0; i < 40; i++) {
            pace.note("bee", "192.0.2.1", false);
        }
        clock.now = clock.now.plus(PasswordPace.LONGEST_WAIT).minus(Duration.ofSeconds(1));
        assertThatThrownBy(() -> pace.require("bee", "192.0.2.1")).isInstanceOf(SoapFaultException.class);
        clock.now = clock.now.plusSeconds(1);
        pace.require("bee", "192.0.2.1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            $2y$31$abcdefghijklmnopqrstuuFxLtp7vI9wE7BYKmWQbGGt3Q0m3xpOe             | cost of the bcrypt hash is 31
            $2y$10$short                                                             | cannot be read
            $argon2i$v=19$m=65536,t=3,p=1$c29tZXNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAA  | cannot be read
            $argon2id$v=19$m=9000000,t=3,p=1$c29tZXNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAA | memory (m) in KiB of the Argon2id hash is 9000000
            $argon2id$v=19$m=64,t=9,p=1$c29tZXNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAA   | hash itself of the Argon2id hash is no base64
            $argon2id$v=19$m=64,t=99,p=1$c29tZXNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAA   | number of passes (t) of the Argon2id hash is 99
            """)
    void aHashThatCannotBeReadOrCostsTooMuchIsToldByItsLine(String hash, String reason) {
        assertThatThrownBy(() -> read("# names\na\t" + hash + "\t/O=c\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining(reason)
                .hasMessageNotContaining(hash);
    }

    @Test
    void bcryptTakesNoPasswordByItsBeginning() {
        assertThat(PasswordHash.parse(BCRYPT).matches("secret word")).isTrue();
        assertThat(PasswordHash.parse(BCRYPT).matches("x".repeat(73))).isFalse();
        assertThat(PasswordHash.parse(BCRYPT)).hasToString("a hash");
    }
}
