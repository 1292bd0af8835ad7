// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jobgate.soap.SoapFaultException;
import org.junit.jupiter.api.Test;

class PasswordPaceTest {

    private static final String HOME = "192.0.2.1";
    private static final String AWAY = "198.51.100.7";

    /** Stands still until it is moved. */
    private static final class Stopped extends Clock {
        private Instant now = Instant.parse("2026-11-25T12:00:00Z");

        void pass(Duration time) {
            now = now.plus(time);
        }

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

    private final Stopped clock = new Stopped();
    private final PasswordPace pace = new PasswordPace(clock);

    private void wrong(String name, String address, int times) {
        for (int i = 0; i < times; i++) {
            pace.note(name, address, false);
        }
    }

    private void waits(String name, String address) {
        assertThatThrownBy(() -> pace.require(name, address))
                .isInstanceOf(SoapFaultException.class)
                .hasMessageContaining("from this address did not fit");
    }

    private void goes(String name, String address) {
        assertThatCode(() -> pace.require(name, address)).doesNotThrowAnyException();
    }

    @Test
    void aCrowdOfNamesOfAnotherAddressMakesNothingForgotten() {
        wrong("alice", HOME, 10);

        for (int i = 0; i < 30_000; i++) {
            wrong("name" + i, AWAY, 1);
        }

        waits("alice", HOME);
        assertThat(pace.size()).isEqualTo(1 + PasswordPace.NAMES);
    }

    @Test
    void aCrowdOfNamesOfTheSameAddressMakesNothingForgotten() {
        wrong("alice", HOME, 10);

        for (int i = 0; i < 30_000; i++) {
            wrong("name" + i, HOME, 1);
        }

        waits("alice", HOME);
    }

    @Test
    void namesBeyondThoseThatAreRememberedAreSlowedAsIfTheyWereOne() {
        for (int i = 0; i < PasswordPace.NAMES + 8; i++) {
            wrong("name" + i, AWAY, 1);
        }

        waits("new", AWAY);
        goes("new", HOME);
        clock.pass(PasswordPace.LONGEST_WAIT.plus(PasswordPace.LONGEST_WAIT));
        goes("new", AWAY);
        waits("newer", AWAY);
        clock.pass(PasswordPace.REMEMBERED.plus(PasswordPace.LONGEST_WAIT));
        goes("newest", AWAY);
        goes("newest", AWAY);
    }

    @Test
    void whereAllPlacesAreTakenTheAddressWithMostNamesGivesOneUp() {
        PasswordPace small = new PasswordPace(clock, 10);
        small.note("alice", HOME, false);
        for (int i = 0; i < 20; i++) {
            small.note("name" + i, AWAY, false);
        }

        assertThat(small.size()).isEqualTo(10);
        assertThatThrownBy(() -> small.require("alice", HOME)).isInstanceOf(SoapFaultException.class);
        assertThatThrownBy(() -> small.require("name19", AWAY)).isInstanceOf(SoapFaultException.class);
        assertThatCode(() -> small.require("name0", AWAY)).doesNotThrowAnyException();
    }

    @Test
    void allAddressesOfOneNetworkOfIpv6AreOne() {
        wrong("alice", "2001:db8::1", 1);

        waits("alice", "2001:db8:0:0:ffff::2");
        goes("alice", "2001:db8:0:1::1");
    }

    @Test
    void theRightPasswordEndsIt() {
        wrong("alice", HOME, 3);
        waits("alice", HOME);

        pace.note("alice", HOME, true);

        goes("alice", HOME);
        assertThat(pace.size()).isZero();
    }

    @Test
    void anAddressOfWhichAllNamesWereForgottenIsForgottenToo() {
        wrong("alice", HOME, 1);
        clock.pass(PasswordPace.REMEMBERED.plus(PasswordPace.LONGEST_WAIT));

        goes("bob", HOME);
        pace.note("bob", HOME, true);

        assertThat(pace.size()).isZero();
        assertThat(pace.addresses()).isZero();
    }
}
