// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.stub;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.HttpsClient;
import org.jobgate.cli.tls.Identification;
import org.jobgate.cli.tls.ServerName;
import org.jobgate.cli.tls.TrustDirectory;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;

/** Tells a consumer of each state of a job, in the form of capture 10; first once with a wrong key. */
final class StubNotifier implements Runnable {
    private static final int STATUS_OK = 200;

    private final StubJob job;
    private final String address;
    private final XmlElement key;
    private final GramStub.Behaviour behaviour;

    StubNotifier(StubJob job, XmlElement consumer, GramStub.Behaviour behaviour) {
        this.job = job;
        this.address = requireNonNull(consumer.childText(Names.WSA, "Address"));
        this.key = requireNonNull(consumer.child(Names.WSA, "ReferenceProperties"))
                .children()
                .getFirst();
        this.behaviour = behaviour;
    }

    @Override
    public void run() {
        try (HttpsClient client = client()) {
            if (post(client, "wrong", "Failed") == STATUS_OK) {
                throw new IllegalStateException("the consumer took a message with a wrong key");
            }
            String told = "";
            while (!told.equals("Done") && !job.isDestroyed()) {
                job.awaitOther(told, false, 10_000);
                String now = job.state();
                if (!now.equals(told) && post(client, key.text(), now) != STATUS_OK) {
                    return;
                }
                told = now;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (CredentialException e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpsClient client() throws CredentialException {
        TrialCertificates own = requireNonNull(behaviour.notifier);
        Credential host = Credential.read(own.hostCertificate(), own.hostKey(), () -> new char[0]);
        return new HttpsClient(
                Identification.of(host),
                new TrustDirectory(own.trust()),
                new ServerName.Subject("/O=Jobgate Trial/CN=Alice Tester"),
                Duration.ofSeconds(10));
    }

    private int post(HttpsClient client, String keyText, String state) throws IOException {
        String envelope = "<s:Envelope xmlns:s=\"" + Names.SOAP + "\"><s:Header><k:NotificationConsumerKey xmlns:k=\""
                + Names.CORE + "\">" + keyText + "</k:NotificationConsumerKey></s:Header><s:Body><n:Notify xmlns:n=\""
                + Names.NOTIFICATION + "\"><n:NotificationMessage><n:Topic Dialect=\"" + Names.SIMPLE_TOPIC
                + "\" xmlns:t=\"" + Names.TYPES + "\">t:state</n:Topic><n:Message><j:stateChangeNotificationMessage"
                + " xmlns:j=\"" + Names.JOB + "\" xmlns:t=\"" + Names.TYPES + "\"><t:state>" + state
                + "</t:state><t:exitCode>" + job.exitCode() + "</t:exitCode><t:holding>false</t:holding>"
                + "</j:stateChangeNotificationMessage></n:Message></n:NotificationMessage></n:Notify></s:Body></s:Envelope>";
        return client.post(address, "", envelope.getBytes(StandardCharsets.UTF_8), true)
                .status();
    }
}
