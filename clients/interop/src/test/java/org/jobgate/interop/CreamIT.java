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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CREAM2 with clients that others wrote: zeep on the official WSDL and on ours, gSOAP on the official one, and Debian's delegation client of gridsite. */
@ExtendWith(OneGateway.class)
class CreamIT {

    private final Gateway gateway;

    CreamIT(Gateway gateway) {
        this.gateway = gateway;
    }

    private String url() {
        return gateway.services().replaceFirst("/wsrf/services$", "");
    }

    private static Path officialWsdl() {
        Path wsdl = Checkout.directory()
                .toAbsolutePath()
                .normalize()
                .resolveSibling("shared")
                .resolve("schemas/cream/org.glite.ce-cream2_service.wsdl");
        assumeTrue(Files.exists(wsdl), "SKIPPED: the official WSDL of CREAM2 is not beside the checkout, at " + wsdl);
        return wsdl;
    }

    private String delegated() throws Exception {
        return GridsiteClientsIT.delegated(gateway, url() + "/ce-cream/services/gridsite-delegation");
    }

    /** The first time by the official description, the second time by the service's own. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void zeepAndGridsitesClientRunJobs(boolean isOfficial) throws Exception {
        String wsdl = isOfficial ? officialWsdl().toString() : url() + "/ce-cream/services/CREAM2?wsdl";

        Programs.Result result = gateway.clients()
                .run(List.of(
                        Zeep.python(gateway.clients()),
                        Checkout.file("src/test/python/cream.py").toString(),
                        url(),
                        wsdl,
                        delegated(),
                        isOfficial ? "" : url() + "/ce-cream/services/gridsite-delegation?wsdl"));

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines()).endsWith("ok all");
    }

    @Test
    void gSoapRunsJobsByTheOfficialWsdl(@TempDir Path directory) throws Exception {
        Programs.Result result = GSoapClient.ofCream(gateway.clients(), officialWsdl(), directory)
                .run(
                        url() + "/ce-cream/services/CREAM2",
                        gateway.proxy().toString(),
                        gateway.trustDirectory().toString(),
                        delegated());

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
