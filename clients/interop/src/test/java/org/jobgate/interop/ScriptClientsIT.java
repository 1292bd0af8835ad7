// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The life of jobs with clients in Python (zeep) and Perl (SOAP::Lite), each one program that checks what it is answered. */
@ExtendWith(OneGateway.class)
class ScriptClientsIT {

    private final Gateway gateway;

    ScriptClientsIT(Gateway gateway) {
        this.gateway = gateway;
    }

    @Test
    void zeepLivesWithTheServedWsdl() throws Exception {
        lives(Zeep.python(gateway.clients()), "src/test/python/life_of_a_job.py");
    }

    @Test
    void zeepUsesTheNewerGenerationMultiJobsAndOurOwnOperations() throws Exception {
        lives(Zeep.python(gateway.clients()), "src/test/python/newer_generation.py");
    }

    @Test
    void perlsSoapLiteUsesTheNewerGenerationAndOurOwnOperations() throws Exception {
        requireSoapLite();
        lives("/usr/bin/perl", "src/test/perl/newer_generation.pl");
    }

    @Test
    void perlsSoapLiteLives() throws Exception {
        requireSoapLite();
        lives("/usr/bin/perl", "src/test/perl/life_of_a_job.pl");
    }

    private void requireSoapLite() throws IOException, InterruptedException {
        Programs.Result modules =
                gateway.clients().run(List.of("/usr/bin/perl", "-MSOAP::Lite", "-MIO::Socket::SSL", "-e", "1"));
        assumeTrue(
                modules.status() == 0,
                "SKIPPED: Perl has no SOAP::Lite (Debian: libsoap-lite-perl libio-socket-ssl-perl): "
                        + modules.output());
    }

    private void lives(String interpreter, String script) throws Exception {
        Programs.Result result = gateway.clients()
                .run(List.of(interpreter, Checkout.file(script).toString(), gateway.services(), Gateway.LRM));
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines())
                .allMatch(line -> line.startsWith("ok "), "begins with ok")
                .endsWith("ok all");
    }
}
