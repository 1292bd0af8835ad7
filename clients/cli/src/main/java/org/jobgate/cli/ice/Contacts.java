// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jobgate.cli.cream.CreamClient;
import org.jobgate.cli.cream.CreamConfig;
import org.jobgate.cli.cream.CreamDelegation;
import org.jobgate.cli.cream.CreamException;
import org.jobgate.cli.cream.Endpoint;
import org.jobgate.cli.cream.SandboxFiles;
import org.jobgate.cli.proxy.UserProxy;
import org.jobgate.cli.tls.HttpsClient;
import org.jobgate.cli.tls.Identification;
import org.jobgate.cli.tls.ServerName;
import org.jobgate.cli.tls.TrustDirectory;
import org.jobgate.cli.wire.PlainSoap;

/** The connections of one thread: to each computing element one for each owner, kept for the next request. */
final class Contacts implements AutoCloseable {

    private static final int KEPT = 8;
    private static final int STREAMS = 4;

    private final TrustDirectory trusted;
    private final Duration timeout;
    private final Clock clock;
    private final Map<String, Contact> open = new LinkedHashMap<>(KEPT, 0.75f, true);

    Contacts(TrustDirectory trusted, Duration timeout, Clock clock) {
        this.trusted = requireNonNull(trusted, "trusted is null");
        this.timeout = requireNonNull(timeout, "timeout is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** One computing element as one owner sees it. */
    record Contact(
            Endpoint endpoint,
            UserProxy proxy,
            HttpsClient http,
            CreamClient cream,
            CreamDelegation delegation,
            SandboxFiles files) {}

    /** The way there for whom the proxy says. */
    Contact to(String endpoint, UserProxy proxy) throws CreamException {
        String name = endpoint + " " + proxy.owner();
        Contact known = open.get(name);
        if (known != null
                && known.proxy()
                        .credential()
                        .chain()
                        .getFirst()
                        .equals(proxy.credential().chain().getFirst())) {
            return known;
        }
        if (known != null) {
            known.http().close();
        }
        HttpsClient http =
                new HttpsClient(Identification.of(proxy.credential()), trusted, new ServerName.Host(), timeout);
        PlainSoap soap = new PlainSoap(http, null);
        Contact contact = new Contact(
                Places.parse(endpoint),
                proxy,
                http,
                new CreamClient(soap, CreamConfig.usual()),
                new CreamDelegation(soap, CreamConfig.usual(), proxy.credential(), clock, new SecureRandom()),
                new SandboxFiles(
                        http,
                        Map.of("X509_USER_PROXY", proxy.credential().source().toString()),
                        STREAMS));
        open.put(name, contact);
        if (open.size() > KEPT) {
            String eldest = open.keySet().iterator().next();
            requireNonNull(open.remove(eldest), eldest).http().close();
        }
        return contact;
    }

    @Override
    public void close() {
        open.values().forEach(contact -> contact.http().close());
        open.clear();
    }
}
