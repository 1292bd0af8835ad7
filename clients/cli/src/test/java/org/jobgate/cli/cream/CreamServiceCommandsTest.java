// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.cli.cream.CreamStub.TYPES;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands for a computing element as a whole: delegations, leases, events, and whether it takes jobs. */
class CreamServiceCommandsTest extends CreamCommandRoom {

    @Test
    void delegateAndRenewSayWhatTheyDid() throws Exception {
        for (String operation : List.of("getProxyReq", "renewProxyReq")) {
            stub.answer(
                    operation,
                    "<d:r xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"><x>" + Requests.pem()
                            + "</x></d:r>");
        }
        stub.answer("putProxy", "<d:putProxyResponse xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"/>");

        assertThat(run(CreamPages.DELEGATE, "-e", stub.contact(), "mine"))
                .as(errors())
                .isZero();
        assertThat(out())
                .isEqualTo(
                        "Proxy with delegation id [mine] succesfully delegated to endpoint [" + stub.contact() + "]\n");
        assertThat(run(CreamPages.RENEW, "-e", stub.contact(), "mine", "yours"))
                .as(errors())
                .isZero();
        assertThat(out().lines()).hasSize(2).allMatch(line -> line.contains("succesfully renewed to endpoint ["));
        assertThat(stub.operations()).endsWith("renewProxyReq", "putProxy", "renewProxyReq", "putProxy");
    }

    @Test
    void aLeaseIsNegotiated() {
        stub.answer(
                "setLease",
                element("setLeaseResponse", "<leaseId>mine</leaseId><leaseTime>2026-11-25T04:00:00Z</leaseTime>"));

        assertThat(run(CreamPages.LEASE, "-e", stub.contact(), "-T", "7200", "mine"))
                .as(errors())
                .isZero();

        assertThat(out())
                .isEqualTo(
                        "You requested lease time [7200] for lease ID [mine]\nCREAM negotiated the lease time to [3600]\n");
        assertThat(stub.request("setLeaseRequest").childText(TYPES, "leaseTime"))
                .isEqualTo("2026-11-25T05:00:00Z");
    }

    @Test
    void theServiceIsShownAndSwitched() {
        stub.answer(
                "ServiceInfo",
                element(
                        "ServiceInfoResponse",
                        "<interfaceVersion>2.1</interfaceVersion><serviceVersion>1.16</serviceVersion><startupTime>2008-01-02T15:55:08Z</startupTime>"
                                + "<doesAcceptNewJobSubmissions>false</doesAcceptNewJobSubmissions><property><name>a</name><value>b</value></property>"));
        stub.answer("acceptNewJobSubmissions", "");

        assertThat(run(CreamPages.INFO, "-L", "2", stub.contact())).as(errors()).isZero();
        assertThat(out()).isEqualTo("""
                        Interface Version  = [2.1]
                        Service Version    = [1.16]
                        Started at         = [Wed Jan  2 15:55:08 2008]
                        Submission enabled = [NO]
                        Service Property   = [a]->[b]
                        """);
        assertThat(run(CreamPages.ALLOWED, stub.contact())).isZero();
        assertThat(out()).isEqualTo("Job Submission to this CREAM CE is disabled\n");
        assertThat(run(CreamPages.ENABLE, stub.contact())).as(errors()).isZero();
        assertThat(stub.request("acceptNewJobSubmissions").text()).isEqualTo("true");
        assertThat(run(CreamPages.DISABLE, stub.contact())).as(errors()).isZero();
        assertThat(stub.request("acceptNewJobSubmissions").text()).isEqualTo("false");
    }

    @Test
    void eventsAreShown() {
        stub.answer(
                "QueryEvent",
                element(
                        "QueryEventResult",
                        "<event><id>5</id><type>JOB_STATUS</type><timestamp>2008-01-22T15:55:08Z</timestamp>"
                                + "<property><name>jobId</name><value>CREAM1</value></property><property><name>type</name><value>10</value></property></event>"
                                + "<queryExecutionTimeInMillis>1</queryExecutionTimeInMillis><dbId>1</dbId>"));

        assertThat(run(CreamPages.EVENTS, "-e", stub.contact(), "-N", "5", "0-"))
                .as(errors())
                .isZero();

        assertThat(out())
                .isEqualTo("EventID=[5]\ntimestamp=[1201017308]\n  \t[jobId]=[" + id("1")
                        + "]\n  \t[status]=[ABORTED]\n\n");
        assertThat(stub.request("QueryEventRequest").childText(TYPES, "maxQueryEventResultSize"))
                .isEqualTo("5");
    }
}
