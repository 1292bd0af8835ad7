// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host keys that an account trusts: its {@code known_hosts}, of the form of OpenSSH's sshd(8), names hashed or not. Lines that cannot
 * be read say nothing, as to ssh; certificates of hosts ({@code @cert-authority}) are not supported.
 */
final class KnownHosts {

    private static final Logger LOG = LoggerFactory.getLogger(KnownHosts.class);

    /** What is known of a host's key. */
    enum Verdict {
        /** It is the host's. */
        TRUSTED,
        /** Nothing is known of the host. */
        UNKNOWN,
        /** The host has other keys. */
        CHANGED,
        /** It is no longer to be trusted. */
        REVOKED
    }

    private final List<KnownHostEntry> entries;

    private KnownHosts(List<KnownHostEntry> entries) {
        this.entries = entries;
    }

    static KnownHosts parse(byte[] file) {
        List<KnownHostEntry> entries = new ArrayList<>();
        for (String line : new String(file, StandardCharsets.UTF_8).lines().toList()) {
            String text = line.strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                try {
                    entries.add(KnownHostEntry.parseKnownHostEntry(text));
                } catch (RuntimeException e) {
                    LOG.debug("a line of known_hosts cannot be read", e);
                }
            }
        }
        return new KnownHosts(entries);
    }

    private List<KnownHostEntry> of(String host, int port) {
        return entries.stream()
                .filter(entry -> !"cert-authority".equals(entry.getMarker()))
                .filter(entry -> entry.isHostMatch(host, port))
                .toList();
    }

    /** The types of the keys that are known of a host, e.g. {@code ssh-ed25519}. */
    Set<String> types(String host, int port) {
        Set<String> types = new LinkedHashSet<>();
        for (KnownHostEntry entry : of(host, port)) {
            if (!"revoked".equals(entry.getMarker())) {
                types.add(entry.getKeyEntry().getKeyType());
            }
        }
        return types;
    }

    Verdict verdict(String host, int port, PublicKey key) {
        List<KnownHostEntry> about = of(host, port);
        boolean isTrusted = false;
        for (KnownHostEntry entry : about) {
            PublicKey known = key(entry);
            if (known != null && KeyUtils.compareKeys(known, key)) {
                if ("revoked".equals(entry.getMarker())) {
                    return Verdict.REVOKED;
                }
                isTrusted = true;
            }
        }
        return isTrusted ? Verdict.TRUSTED : about.isEmpty() ? Verdict.UNKNOWN : Verdict.CHANGED;
    }

    private static @Nullable PublicKey key(KnownHostEntry entry) {
        try {
            return entry.getKeyEntry().resolvePublicKey(null, PublicKeyEntryResolver.IGNORING);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            LOG.debug("a key of known_hosts cannot be read", e);
            return null;
        }
    }
}
