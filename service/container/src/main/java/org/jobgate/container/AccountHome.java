// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the home directories of local accounts as the system does, from every source it has (files, LDAP, ...). */
final class AccountHome {

    private static final Logger LOG = LoggerFactory.getLogger(AccountHome.class);
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@-]{0,255}");
    private static final int HOME_FIELD = 5;
    private static final int MAX_SECONDS = 10;

    private AccountHome() {}

    /** The home of the account; empty if there is no such account or it cannot be asked for. */
    static Optional<String> of(String account) {
        if (!ACCOUNT.matcher(account).matches()) {
            return Optional.empty();
        }
        try {
            Process process = new ProcessBuilder("getent", "passwd", account)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                return Optional.ofNullable(output.readLine())
                        .map(line -> line.split(":", -1))
                        .filter(fields -> fields.length > HOME_FIELD)
                        .map(fields -> fields[HOME_FIELD]);
            } finally {
                if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            }
        } catch (IOException e) {
            LOG.warn("The home of the account {} cannot be asked for", account, e);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
