// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Debian's delegation clients of gridsite: put, ask, renew, destroy. */
@ExtendWith(OneGateway.class)
class GridsiteClientsIT {

    private final Gateway gateway;

    GridsiteClientsIT(Gateway gateway) {
        this.gateway = gateway;
    }

    @BeforeEach
    void needsTheClients() {
        for (String client : List.of("htproxyput", "htproxytime", "htproxyrenew", "htproxydestroy")) {
            requireClient(client);
        }
    }

    private Programs.Result client(String name, String... options) throws Exception {
        return client(gateway, gateway.services() + "/gridsite-delegation", name, options);
    }

    private static Programs.Result client(Gateway gateway, String address, String name, String... options)
            throws Exception {
        String credential = credential(gateway).toString();
        List<String> command = new ArrayList<>(List.of("/usr/bin/" + name, "--cert", credential, "--key", credential));
        command.addAll(List.of("--capath", gateway.trustDirectory().toString()));
        command.addAll(List.of(options));
        command.add(address);
        return gateway.clients().run(command);
    }

    /** Delegates at this address; answers the id. */
    static String delegated(Gateway gateway, String address) throws Exception {
        requireClient("htproxyput");
        Programs.Result put = client(gateway, address, "htproxyput");
        assertThat(put.status()).as(put.output()).isZero();
        return put.output().strip();
    }

    private static void requireClient(String client) {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin", client)),
                "SKIPPED: no " + client + " (Debian: gridsite-clients)");
    }

    /** They read one file with the certificate and a key in the traditional form only (facts/cream.md section 9). */
    private static Path credential(Gateway gateway) throws Exception {
        Path user = gateway.proxy().resolveSibling("user");
        Path file = user.resolve("both.pem");
        if (!Files.exists(file)) {
            String key = gateway.clients()
                    .runWell(List.of(
                            "/usr/bin/openssl",
                            "rsa",
                            "-traditional",
                            "-in",
                            user.resolve("userkey.pem").toString()));
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(
                    file, Files.readString(user.resolve("usercert.pem")) + key.substring(key.indexOf("-----BEGIN")));
        }
        return file;
    }

    private String log() {
        try {
            return gateway.log();
        } catch (IOException e) {
            throw new UncheckedIOException("the gateway's log", e);
        }
    }

    @Test
    void aProxyIsPutAskedForRenewedAndDestroyed() throws Exception {
        Programs.Result put = client("htproxyput");
        assertThat(put.status()).as(put.output()).isZero();
        String id = put.output().strip();
        assertThat(id).matches("[0-9a-f]{16}");

        Programs.Result time = client("htproxytime", "--delegation-id", id);
        // it once found none right after it was put: the log tells whether it was kept, and what took it away
        assertThat(time.status()).as(() -> id + ": " + time.output() + log()).isZero();
        assertThat(time.output()).contains(" UTC ");

        Programs.Result renewed = client("htproxyrenew", "--delegation-id", id);
        assertThat(renewed.status()).as(renewed.output()).isZero();

        Programs.Result destroyed = client("htproxydestroy", "--delegation-id", id);
        assertThat(destroyed.status()).as(destroyed.output()).isZero();

        Programs.Result gone = client("htproxytime", "--delegation-id", id);
        assertThat(gone.status()).isNotZero();
        assertThat(gone.output()).contains("no such delegated credential of yours");
    }
}
