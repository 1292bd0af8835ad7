// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jobgate.lrm.LrmUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands before PAM; PAM itself is asked in AccountsIT of clients/interop. */
class PasswordWorkersTest {

    private static final String OWN = System.getProperty("user.name");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static PasswordWorkers workers(String perl) {
        return workers(perl, Path.of("/no/such/sudo"));
    }

    private static PasswordWorkers workers(String perl, Path sudo) {
        FileSettings settings = new FileSettings(
                LrmRoom.PERL, Path.of(perl), sudo, Set.of("denied"), Duration.ofMinutes(5), Duration.ofMinutes(1));
        return new PasswordWorkers("no-such-service", settings, OWN, new LeftWorkers(), new SecureRandom(), PATIENCE);
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

    /** Whoever owns an account can stop its processes, which we cannot end. */
    @Test
    void anAccountWhoseChecksHangKeepsNoOtherWaiting(@TempDir Path directory) throws Exception {
        Path stop = directory.resolve("stop");
        Path sudo = Files.createFile(
                directory.resolve("sudo"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(sudo, """
                #!/bin/sh
                if [ "$4" = hanging ]; then
                  : > "%s/begun-$$"
                  while [ ! -e "%s" ]; do sleep 0.1; done
                  exit 1
                fi
                shift 5
                exec "$@"
                """.formatted(directory, stop));
        PasswordWorkers workers = workers("/usr/bin/perl", sudo);
        List<CompletableFuture<Throwable>> hanging = new ArrayList<>();
        for (int i = 0; i < 2 * PasswordWorkers.AT_ONCE; i++) {
            CompletableFuture<Throwable> answer = new CompletableFuture<>();
            hanging.add(answer);
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> answer.complete(catchThrowable(() -> workers.fits("hanging", "secret"))));
        }
        try {
            await().atMost(PATIENCE).until(() -> begun(directory) >= PasswordWorkers.OF_ONE);
            assertThatThrownBy(() -> workers.fits("other", "secret"))
                    .hasMessageContaining("there is no PAM service no-such-service");
            assertThat(hanging).noneMatch(CompletableFuture::isDone);
            assertThat(begun(directory)).isEqualTo(PasswordWorkers.OF_ONE);
        } finally {
            Files.createFile(stop);
        }
        for (CompletableFuture<Throwable> answer : hanging) {
            assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(LrmUnavailableException.class);
        }
    }

    private static long begun(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("begun-"))
                    .count();
        }
    }
}
