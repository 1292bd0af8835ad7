// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class FailedSignInsTest {

    private Instant now = Instant.parse("2026-11-27T05:00:00Z");
    private final InstantSource time = () -> now;
    private final Clock clock = time.withZone(ZoneOffset.UTC);
    private final FailedSignIns failures = new FailedSignIns(clock);

    private void fail(String address, int times) {
        for (int i = 0; i < times; i++) {
            failures.add(address);
        }
    }

    private void mayTry(String address) {
        assertThatCode(() -> failures.check(address)).as(address).doesNotThrowAnyException();
    }

    private void mustWait(String address) {
        assertThatThrownBy(() -> failures.check(address)).isInstanceOf(SignInException.class);
    }

    @Test
    void anAddressFromWhichManyFailWaitsForTheRestOfTheMinute() {
        fail("192.0.2.1", FailedSignIns.MOST - 1);
        mayTry("192.0.2.1");
        now = now.plusMillis(20_500);
        fail("192.0.2.1", 1);
        assertThatThrownBy(() -> failures.check("192.0.2.1")).isInstanceOfSatisfying(SignInException.class, e -> {
            assertThat(e.status()).isEqualTo(429);
            assertThat(e.code()).isEqualTo("SIGNIN_FAILED_OFTEN");
            assertThat(e.remedy()).isEqualTo("Sign in again in 40 s.");
        });
        mayTry("192.0.2.2");
        now = now.plusSeconds(40);
        mayTry("192.0.2.1");
        fail("192.0.2.1", FailedSignIns.MOST - 1);
        mayTry("192.0.2.1");
    }

    @Test
    void anIpv6NetworkCountsAsOneAddress() {
        for (int i = 0; i < FailedSignIns.MOST; i++) {
            failures.add("[2001:db8:1:2::" + i + "]");
        }
        mustWait("2001:db8:1:2:ffff::1");
        mayTry("2001:db8:1:3::1");
        fail("no:address", FailedSignIns.MOST);
        mustWait("no:address");
    }

    @Test
    void ofManyAddressesThoseAreForgottenWhoseMinuteBeganFirst() {
        fail("192.0.2.1", FailedSignIns.MOST);
        for (int i = 0; i < 1_023; i++) {
            failures.add("10.0." + i / 250 + "." + i % 250);
        }
        mustWait("192.0.2.1");
        failures.add("10.1.0.1");
        mayTry("192.0.2.1");
        assertThat(failures.remembered()).isEqualTo(1_024);
        now = now.plus(FailedSignIns.WITHIN);
        failures.add("10.1.0.2");
        assertThat(failures.remembered()).isEqualTo(1);
    }
}
