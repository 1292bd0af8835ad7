// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Zeep's WS-Security (xmlsec signatures, user names) against a gateway that wants it, over connections without a client certificate. */
class ProtectedMessagesIT {

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
            Programs.Result activity = gateway.clients()
                    .run(List.of(
                            python,
                            Checkout.file("src/test/python/bes_activity.py").toString(),
                            gateway.bes(),
                            BesClientsIT.schemas().toString(),
                            "hashed",
                            "interop"));
            assertThat(activity.status()).as(activity.output()).isZero();
            assertThat(activity.output().lines()).endsWith("ok all");
        }
    }
}
