// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Zeep's WS-Security (xmlsec signatures, user names) against a gateway that wants it, over connections without a client certificate. */
class ProtectedMessagesIT {

    @TempDir
    Path directory;

    @Test
    void zeepSignsItsMessagesAndComesWithAPassword() throws Exception {
        try (Gateway gateway = Gateway.startProtected()) {
            String python = Zeep.python(gateway.clients());
            Path user = gateway.userCertificate();
            Programs.Result result = gateway.clients()
                    .run(List.of(
                            python,
                            Checkout.file("src/test/python/protected_messages.py")
                                    .toString(),
                            gateway.services(),
                            user.toString(),
                            user.resolveSibling("userkey.pem").toString(),
                            "interop",
                            "interop"));
            assertThat(result.status()).as(result.output()).isZero();
            assertThat(result.output().lines())
                    .allMatch(line -> line.startsWith("ok "), "begins with ok")
                    .endsWith("ok all");
            zeepRunsActivities(gateway, "hashed", "interop");
            zeepRunsActivities(
                    gateway,
                    "sign",
                    user.toString(),
                    user.resolveSibling("userkey.pem").toString());
            gSoapRunsActivities(gateway);
        }
    }

    private static void zeepRunsActivities(Gateway gateway, String... credentials) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Zeep.python(gateway.clients()),
                Checkout.file("src/test/python/bes_activity.py").toString(),
                gateway.bes(),
                BesClientsIT.schemas().toString()));
        command.addAll(List.of(credentials));
        Programs.Result activity = gateway.clients().run(command);
        assertThat(activity.status()).as(activity.output()).isZero();
        assertThat(activity.output().lines()).endsWith("ok all");
    }

    private void gSoapRunsActivities(Gateway gateway) throws Exception {
        GSoapClient client = GSoapClient.ofBes(gateway.clients(), BesClientsIT.schemas(), directory);
        String trust = gateway.trustDirectory().toString();
        Programs.Result activity = client.run(gateway.bes(), "-", trust, "interop", "interop");
        assertThat(activity.status()).as(activity.output()).isZero();
        assertThat(activity.output().lines()).endsWith("ok all");
        Programs.Result wrong = client.run(gateway.bes(), "-", trust, "interop", "guess");
        assertThat(wrong.status()).as(wrong.output()).isEqualTo(1);
        assertThat(wrong.output()).contains("The name and the password do not fit");
    }
}
