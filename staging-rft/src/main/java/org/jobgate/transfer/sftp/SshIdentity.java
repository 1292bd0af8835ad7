// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.jobgate.transfer.file.SmallFiles;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who an account is to SSH servers, and which of them it knows: from its own {@code ~/.ssh}, as ssh(1) has it.
 *
 * @param keys without a passphrase; none where it shows a password instead
 */
record SshIdentity(List<KeyPair> keys, KnownHosts hosts) {

    private static final Logger LOG = LoggerFactory.getLogger(SshIdentity.class);
    private static final List<String> NAMES = List.of("id_ed25519", "id_ecdsa", "id_rsa");
    private static final String DIRECTORY = ".ssh/";

    SshIdentity {
        keys = List.copyOf(keys);
    }

    static SshIdentity of(SmallFiles files, String account) throws TransferException {
        List<KeyPair> keys = new ArrayList<>();
        for (String name : NAMES) {
            Optional<byte[]> file = files.read(account, DIRECTORY + name);
            if (file.isPresent()) {
                keys.addAll(read(name, file.get()));
            }
        }
        if (keys.isEmpty()) {
            throw new TransferException(
                    Kind.PERMANENT,
                    "the account " + account + " has no private key without a passphrase in ~/.ssh ("
                            + String.join(", ", NAMES) + ")",
                    "Make one as that account (ssh-keygen -t ed25519 -N ''), and add its public half to authorized_keys at the server.");
        }
        return new SshIdentity(keys, hosts(files, account));
    }

    /** For a login with a password: the account's keys are not even read. */
    static SshIdentity withoutKeys(SmallFiles files, String account) throws TransferException {
        return new SshIdentity(List.of(), hosts(files, account));
    }

    private static KnownHosts hosts(SmallFiles files, String account) throws TransferException {
        return KnownHosts.parse(files.read(account, DIRECTORY + "known_hosts").orElse(new byte[0]));
    }

    /** None if it is locked with a passphrase, or no key. */
    private static List<KeyPair> read(String name, byte[] file) {
        List<KeyPair> keys = new ArrayList<>();
        try {
            Iterable<KeyPair> read = SecurityUtils.loadKeyPairIdentities(
                    null, NamedResource.ofName(name), new ByteArrayInputStream(file), FilePasswordProvider.EMPTY);
            if (read != null) {
                read.forEach(keys::add);
            }
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            // what the parser says could repeat the file
            LOG.debug(
                    "{} of an account cannot be used as a key: {}",
                    name,
                    e.getClass().getSimpleName());
        } finally {
            Arrays.fill(file, (byte) 0);
        }
        return keys;
    }

    /** Without anything secret. */
    @Override
    public String toString() {
        return keys.size() + " keys";
    }
}
