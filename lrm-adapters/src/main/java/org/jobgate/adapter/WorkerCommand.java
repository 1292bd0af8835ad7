// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The command line of a worker. It holds the account's name, which must match a strict pattern, and a random mark; nothing else on it
 * can differ from one worker to the next, so that a sudo rule can name it whole.
 */
final class WorkerCommand {

    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");

    private final LrmSettings settings;
    private final String ownAccount;

    WorkerCommand(LrmSettings settings, String ownAccount) {
        this.settings = requireNonNull(settings, "settings is null");
        this.ownAccount = requireNonNull(ownAccount, "ownAccount is null");
    }

    static boolean isAccountName(String account) {
        return ACCOUNT.matcher(account).matches();
    }

    /**
     * The command for a worker of the account: directly where the account is our own, through sudo otherwise.
     *
     * @throws IllegalArgumentException if the account's name does not match the pattern
     */
    List<String> of(String account, String nonce) {
        if (!isAccountName(account)) {
            throw new IllegalArgumentException("not the name of a local account: '" + account + "'");
        }
        String script = worker().toString();
        String perl = settings.perl().toString();
        if (account.equals(ownAccount)) {
            return List.of(perl, script, nonce);
        }
        return List.of(settings.sudo().toString(), "-n", "-H", "-u", account, "--", perl, script, nonce);
    }

    private Path worker() {
        return settings.perlDirectory().toAbsolutePath().normalize().resolve("jobgate-worker");
    }
}
