// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** CREAM2 with clients that others wrote: zeep on the official WSDL, and Debian's delegation client of gridsite. */
@ExtendWith(OneGateway.class)
class CreamIT {

    private final Gateway gateway;

    CreamIT(Gateway gateway) {
        this.gateway = gateway;
    }

    @Test
    void zeepAndGridsitesClientRunJobs() throws Exception {
        Path wsdl = Checkout.directory()
                .toAbsolutePath()
                .normalize()
                .resolveSibling("shared")
                .resolve("schemas/cream/org.glite.ce-cream2_service.wsdl");
        assumeTrue(Files.exists(wsdl), "SKIPPED: the official WSDL of CREAM2 is not beside the checkout, at " + wsdl);
        String url = gateway.services().replaceFirst("/wsrf/services$", "");
        String delegation = GridsiteClientsIT.delegated(gateway, url + "/ce-cream/services/gridsite-delegation");

        Programs.Result result = gateway.clients()
                .run(List.of(
                        Zeep.python(gateway.clients()),
                        Checkout.file("src/test/python/cream.py").toString(),
                        url,
                        wsdl.toString(),
                        delegation));

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines()).endsWith("ok all");
    }

    /** Old HTTP, a client that asks before it sends, and a request whose Body is empty, as CREAM's own command line sends it. */
    @Test
    void curlSendsWhatOldClientsSend() throws Exception {
        String proxy = gateway.proxy().toString();
        Programs.Result result = gateway.clients()
                .run(List.of(
                        "curl",
                        "--silent",
                        "--show-error",
                        "--http1.0",
                        "--header",
                        "Expect: 100-continue",
                        "--header",
                        "Content-Type: text/xml; charset=utf-8",
                        "--header",
                        "SOAPAction: \"http://glite.org/2007/11/ce/cream/JobList\"",
                        "--cert",
                        proxy,
                        "--key",
                        proxy,
                        "--capath",
                        gateway.trustDirectory().toString(),
                        "--data",
                        "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Header/><e:Body></e:Body></e:Envelope>",
                        gateway.services().replaceFirst("/wsrf/services$", "//ce-cream/services/CREAM2")));

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("JobListResponse");
    }
}
