// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * How accounts are reached for their files.
 *
 * @param perlDirectory where {@code jobgate-worker} and its {@code lib} are
 * @param perl the interpreter
 * @param sudo the program that runs a worker as another account
 * @param deniedAccounts accounts that nothing is ever done as
 * @param answerTimeout how long an account's answer is waited for: a file system may hang
 * @param idleEnd after which time without requests an account's worker is ended
 */
public record FileSettings(
        Path perlDirectory,
        Path perl,
        Path sudo,
        Set<String> deniedAccounts,
        Duration answerTimeout,
        Duration idleEnd) {

    public FileSettings {
        requireNonNull(perlDirectory, "perlDirectory is null");
        requireNonNull(perl, "perl is null");
        requireNonNull(sudo, "sudo is null");
        deniedAccounts = Set.copyOf(deniedAccounts);
        if (!answerTimeout.isPositive() || !idleEnd.isPositive()) {
            throw new IllegalArgumentException("answerTimeout and idleEnd must be above 0");
        }
    }

    /** The same, as the one who starts workers needs them. */
    LrmSettings ofWorkers() {
        return LrmSettings.defaults("files", "files", perlDirectory)
                .withPerl(perl)
                .withSudo(sudo)
                .withDeniedAccounts(deniedAccounts)
                .withRequestTimeout(answerTimeout)
                .withIdleEnd(idleEnd);
    }
}
