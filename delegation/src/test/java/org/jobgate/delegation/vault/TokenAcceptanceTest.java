// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jobgate.delegation.TestGrid.ALICE;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jobgate.delegation.TestClock;
import org.jobgate.delegation.TestTokens;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.junit.jupiter.api.Test;

class TokenAcceptanceTest {

    private final TestClock clock = new TestClock();
    private final TokenAcceptance acceptance = new TokenAcceptance(clock);

    @Test
    void aTokenThatSaysWhenItEndsIsTakenWhoeverIssuedIt() {
        Instant end = clock.instant().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
        String token = TestTokens.until(end);
        TokenAcceptance.Accepted accepted = acceptance.check(ALICE, token);
        assertThat(accepted).isEqualTo(new TokenAcceptance.Accepted(ALICE, token, end));
        assertThat(accepted.toString()).doesNotContain(token);
    }

    @Test
    void whatNoJobCouldUseIsRefusedWithItsReasonAndNotShown() {
        String good = TestTokens.until(clock.instant().plus(Duration.ofHours(1)));
        refused("", "it is empty");
        refused("two words", "characters that no bearer token has");
        refused(good + "\r\nX-Header: 1", "characters that no bearer token has");
        refused("a".repeat(TokenAcceptance.MAX_LENGTH + 1), "at most 16384");
        refused("opaque", "no JSON Web Token");
        refused("e30.bm8ganNvbg.c2ln", "no JSON Web Token");
        refused(TestTokens.until(null), "does not say when it expires");
        refused(TestTokens.until(clock.instant().minusSeconds(1)), "it expires at");
        refused(TestTokens.until(clock.instant().plusSeconds(5)), "it expires at");
    }

    private void refused(String token, String why) {
        assertThatThrownBy(() -> acceptance.check(ALICE, token))
                .hasMessageContaining(why)
                .isInstanceOfSatisfying(FaultException.class, e -> {
                    assertThat(e.fault().code()).isEqualTo(FaultCode.CREDENTIAL_UNUSABLE);
                    assertThat(token.length() < 4 || !e.fault().sentence().contains(token))
                            .isTrue();
                });
    }
}
