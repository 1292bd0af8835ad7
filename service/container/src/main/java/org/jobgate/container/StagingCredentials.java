// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.time.Clock;
import java.util.HexFormat;
import java.util.Optional;
import org.jobgate.delegation.Delegation;
import org.jobgate.delegation.vault.DelegatedCredential;
import org.jobgate.delegation.vault.DelegatedProxy;
import org.jobgate.delegation.vault.DelegatedToken;
import org.jobgate.delegation.vault.VaultListener;
import org.jobgate.job.JobId;
import org.jobgate.jobs.FilePassword;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferCredentials;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.TransferPassword;
import org.jobgate.transfer.protocol.TransferProxy;
import org.jobgate.transfer.protocol.TransferToken;
import org.jspecify.annotations.Nullable;

/** Which delegated credentials and passwords files are moved with. */
final class StagingCredentials {

    private StagingCredentials() {}

    /** What the ids of a delegated credential begin with, however often it is renewed. */
    private static String name(String owner, String key) {
        return owner + " " + key + " ";
    }

    /** Has what was opened with a delegated credential closed when that is renewed, destroyed or over. */
    static VaultListener forgetting(Protocols protocols) {
        return new VaultListener() {
            @Override
            public void renewed(DelegatedCredential credential) {
                protocols.forget(name(credential.owner(), credential.key()));
            }

            @Override
            public void gone(String owner, String key) {
                protocols.forget(name(owner, key));
            }
        };
    }

    private static TransferCredential transferable(DelegatedCredential credential) {
        String name = name(credential.owner(), credential.key());
        return switch (credential) {
            case DelegatedProxy proxy ->
                new TransferProxy(
                        name + HexFormat.of().formatHex(proxy.chain().getFirst().getSignature()),
                        proxy.chain(),
                        proxy.privateKey(),
                        proxy.terminates());
            case DelegatedToken token -> new TransferToken(name + token.expires(), token.token(), token.terminates());
        };
    }

    /** @param delegation absent where nothing can be delegated */
    static TransferCredentials of(@Nullable Delegation delegation, Clock clock) {
        return new TransferCredentials() {
            @Override
            public TransferCredential find(String owner, String key) throws TransferException {
                Optional<DelegatedCredential> found = delegation == null
                        ? Optional.empty()
                        : delegation.vault().find(owner, key);
                DelegatedCredential credential = found.orElseThrow(() -> new TransferException(
                        Kind.PERMANENT,
                        "the delegated credential for it is gone",
                        "Delegate again, and submit again."));
                if (!credential.isUsable(clock.instant())) {
                    throw new TransferException(
                            Kind.TRANSIENT,
                            "the delegated credential for it expired at " + credential.terminates(),
                            "Refresh it before the last attempt (globus-credential-refresh).");
                }
                return transferable(credential);
            }

            @Override
            public TransferCredential password(JobId job, String number) throws TransferException {
                Optional<FilePassword> found = delegation == null
                        ? Optional.empty()
                        : delegation.passwords().find(job, number);
                FilePassword password = found.orElseThrow(() -> new TransferException(
                        Kind.PERMANENT,
                        "the password for it is gone",
                        "Submit the job again, with the names and passwords of its files."));
                return new TransferPassword(job + "/" + number, password.userName(), password.password());
            }
        };
    }
}
