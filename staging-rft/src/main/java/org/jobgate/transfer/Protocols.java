// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Protocol;

/** The protocols that there are, by scheme. */
public final class Protocols implements AutoCloseable {

    private final List<Protocol> all;
    private final Map<String, Protocol> byScheme = new HashMap<>();

    public Protocols(List<Protocol> all) {
        this.all = List.copyOf(all);
        for (Protocol protocol : all) {
            for (String scheme : protocol.schemes()) {
                if (byScheme.put(scheme, protocol) != null) {
                    throw new IllegalArgumentException("two protocols are for " + scheme + ":");
                }
            }
        }
    }

    public Optional<Protocol> find(URI url) {
        return Optional.ofNullable(byScheme.get(Urls.scheme(url)));
    }

    /** Whether a URL names no user, or one where its protocol allows it; a password never is allowed. */
    public boolean allowUserOf(URI url) {
        String user = url.getUserInfo();
        return user == null
                || (user.indexOf(':') < 0 && find(url).map(Protocol::allowsUser).orElse(false));
    }

    /** Why the server of a URL cannot heed the options of a transfer of which it is this end; see {@link Protocol#refusal}. */
    public Optional<String> refusal(URI url, Map<String, String> options, End end) {
        return find(url).flatMap(protocol -> protocol.refusal(options, end));
    }

    /** @throws IllegalArgumentException if there is none; admission sees to it that there is */
    Protocol of(URI url) {
        return find(url)
                .orElseThrow(() -> new IllegalArgumentException("nothing is known of " + Urls.scheme(url) + ":"));
    }

    /** The one that moves files itself between these two, if any. */
    Optional<Protocol> between(URI source, URI destination) {
        return find(source)
                .filter(one -> one.moves(source, destination))
                .or(() -> find(destination).filter(one -> one.moves(source, destination)));
    }

    public Set<String> schemes() {
        return new TreeSet<>(byScheme.keySet());
    }

    /** The schemes of those whose files can be made longer. */
    public Set<String> appending() {
        Set<String> schemes = new TreeSet<>();
        all.stream().filter(Protocol::appends).forEach(protocol -> schemes.addAll(protocol.schemes()));
        return schemes;
    }

    /** Whether bytes can be appended to an existing file, by making it longer or by storing it again. */
    public boolean canAppendTo(URI destination) {
        return find(destination)
                .filter(one -> one.appends() || one.replacesWhole())
                .isPresent();
    }

    /** The schemes of those that take a password of one file. */
    public Set<String> takingPasswords() {
        Set<String> schemes = new TreeSet<>();
        all.stream().filter(Protocol::takesPassword).forEach(protocol -> schemes.addAll(protocol.schemes()));
        return schemes;
    }

    /** Lets go what was opened with a credential; see {@link Protocol#forget}. */
    public void forget(String credential) {
        all.forEach(protocol -> protocol.forget(credential));
    }

    @Override
    public void close() {
        all.forEach(Protocol::close);
    }
}
