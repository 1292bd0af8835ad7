// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Set;
import org.jobgate.lrm.LrmUnavailableException;
import org.junit.jupiter.api.Test;

/** What stands before PAM; PAM itself is asked in AccountsIT of clients/interop. */
class PasswordWorkersTest {

    private static final String OWN = System.getProperty("user.name");

    private static PasswordWorkers workers(String perl) {
        FileSettings settings = new FileSettings(
                LrmRoom.PERL,
                Path.of(perl),
                Path.of("/no/such/sudo"),
                Set.of("denied"),
                Duration.ofSeconds(20),
                Duration.ofMinutes(1));
        return new PasswordWorkers("no-such-service", settings, OWN, new LeftWorkers(), new SecureRandom());
    }

    @Test
    void nobodyIsAskedForAnAccountThatIsDeniedOrHasNoAccountsName() {
        for (String account : new String[] {"denied", "-u root", "a b", ""}) {
            assertThatThrownBy(() -> workers("/no/such/perl").fits(account, "secret"))
                    .isInstanceOf(LrmUnavailableException.class)
                    .hasMessageContaining("nothing may be done as");
        }
    }

    /** PAM would take its service "other" where the one that the site names is not there. */
    @Test
    void whatIsMissingIsSaidAndThePasswordIsNot() {
        assertThatThrownBy(() -> workers("/usr/bin/perl").fits(OWN, "secret"))
                .isInstanceOf(LrmUnavailableException.class)
                .hasMessageContaining("there is no PAM service no-such-service")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> workers("/no/such/perl").fits(OWN, "secret"))
                .hasMessageContaining("could not be started")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> workers("/usr/bin/perl").fits("somebody", "secret"))
                .hasMessageContaining("could not be started")
                .hasMessageContaining("/no/such/sudo");
    }
}
