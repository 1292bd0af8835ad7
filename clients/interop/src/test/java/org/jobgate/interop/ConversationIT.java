// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** CXF's WS-SecureConversation against a gateway that wants protected messages. */
class ConversationIT {

    private static final String JOB = "http://www.globus.org/namespaces/2004/10/gram/job";
    private static final String DESCRIPTION = JOB + "/description";
    private static final String TYPES = JOB + "/types";
    private static final String PROPERTIES =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties-1.2-draft-01.xsd";
    private static final String LIFETIME =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime-1.2-draft-01.xsd";

    @Test
    void aJobIsSubmittedWatchedAndDestroyedInOneContextOfTwoServices() throws Exception {
        try (Gateway gateway = Gateway.startProtected();
                CxfConversation client = new CxfConversation(gateway)) {
            CxfConversation.Port factory = client.port("ManagedJobFactoryService");
            String job = create(factory);
            Object context = requireNonNull(factory.context(), "no context");
            assertThat(create(factory)).isNotEqualTo(job);
            assertThat(factory.context())
                    .as("the second message is of the same context")
                    .isSameAs(context);

            CxfConversation.Port jobs =
                    client.port("ManagedExecutableJobService").in(context);
            awaitDone(jobs, job);
            jobs.call(job, LIFETIME + "/Destroy", "<l:Destroy xmlns:l='" + LIFETIME + "'/>");
            assertThat(gateway.log()).doesNotContain("Refused a message");
            assertThat(jobs.context()).isSameAs(context);

            gateway.restart();
            assertThatThrownBy(() -> create(factory)).hasStackTraceContaining("There is no security context");
            assertThat(create(client.port("ManagedJobFactoryService"))).isNotEmpty();
        }
    }

    /** By curl: the request says nothing of its sender, the certificate of the connection does. */
    @Test
    void aContextIsOpenedOverAConnectionWithAClientCertificateAndNotWithoutOne() throws Exception {
        try (Gateway gateway = Gateway.startProtected()) {
            String trust = "http://docs.oasis-open.org/ws-sx/ws-trust/200512";
            Path request = Files.writeString(
                    gateway.directory().resolve("request.xml"),
                    "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><t:RequestSecurityToken xmlns:t='"
                            + trust + "'><t:RequestType>" + trust
                            + "/Issue</t:RequestType></t:RequestSecurityToken></s:Body></s:Envelope>");
            List<String> post = List.of(
                    "curl",
                    "--silent",
                    "--show-error",
                    "--capath",
                    gateway.trustDirectory().toString(),
                    "--header",
                    "Content-Type: text/xml; charset=utf-8",
                    "--data-binary",
                    "@" + request,
                    gateway.services() + "/DelegationFactoryService");
            List<String> named = new ArrayList<>(post);
            named.addAll(List.of("--cert", gateway.proxy().toString()));

            assertThat(gateway.clients().run(named).output())
                    .contains(
                            "RequestSecurityTokenResponseCollection", "<wsc:Identifier>urn:uuid:", trust + "/RSTR/SCT");
            assertThat(gateway.clients().run(post).output())
                    .contains("wst:FailedAuthentication", "proves its sender by none of them");
            gateway.awaitLog(0, "proves its sender by none of them");
            assertThat(gateway.log()).doesNotContain("BinarySecret");
        }
    }

    private static String create(CxfConversation.Port factory) {
        Element reply = factory.call(
                Gateway.LRM,
                JOB + "/createManagedJob",
                "<j:createManagedJob xmlns:j='" + JOB + "' xmlns:d='" + DESCRIPTION + "'><j:JobID>uuid:"
                        + UUID.randomUUID()
                        + "</j:JobID><d:job><d:executable>/bin/true</d:executable></d:job></j:createManagedJob>");
        return text(reply, JOB, "ResourceID");
    }

    private static void awaitDone(CxfConversation.Port jobs, String job) throws InterruptedException {
        Instant end = Instant.now().plus(Duration.ofMinutes(3));
        String state = "";
        while (!state.equals("Done") && Instant.now().isBefore(end)) {
            Thread.sleep(100);
            state = text(
                    jobs.call(
                            job,
                            PROPERTIES + "/GetResourceProperty",
                            "<p:GetResourceProperty xmlns:p='" + PROPERTIES + "' xmlns:t='" + TYPES
                                    + "'>t:state</p:GetResourceProperty>"),
                    TYPES,
                    "state");
        }
        assertThat(state).isEqualTo("Done");
    }

    private static String text(Element root, String namespace, String name) {
        return root.getElementsByTagNameNS(namespace, name).item(0).getTextContent();
    }
}
