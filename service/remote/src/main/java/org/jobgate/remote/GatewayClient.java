// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import javax.xml.namespace.QName;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.limits.Limit;
import org.jobgate.xml.MalformedXmlException;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Calls the other gateway, in the words of GT 4.2: only they can end a job and keep the record of its end ({@code terminate};
 * facts/gram4.md sections 1.4 to 1.7).
 */
final class GatewayClient implements AutoCloseable {

    private static final Generation SPOKEN = Generation.GT42;
    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
    private static final String WSRF = "http://docs.oasis-open.org/wsrf/";
    private static final String GRIDSITE = "http://www.gridsite.org/namespaces/delegation-2";
    private static final int OK = 200;
    private static final int SERVER_ERROR = 500;
    private static final int PAGE = 500;

    /** A list that is longer is given up: then nothing is known. */
    private static final int MAX_PAGES = 200;

    /** The limits of answers; a page of jobs is the largest answer. */
    private static final XmlLimits LIMITS = new XmlLimits(
            new Limit("elements of an answer", 100_000),
            new Limit("depth of an answer", 32),
            new Limit("attributes in an answer", 64),
            new Limit("characters in an answer", 131_072));

    private final GatewaySettings settings;
    private final JobWriter writer;
    private final Exchange exchange;

    GatewayClient(GatewaySettings settings, JobWriter writer, Exchange exchange) {
        this.settings = requireNonNull(settings, "settings is null");
        this.writer = requireNonNull(writer, "writer is null");
        this.exchange = requireNonNull(exchange, "exchange is null");
    }

    /** Submits the job, or finds the one that was submitted under this id; answers its key there. */
    String create(ClientCredential as, JobId tag, JobDescription description)
            throws IOException, GatewayFaultException {
        XmlElement answer = call(
                as,
                settings.factory(),
                SPOKEN.gram() + "/ManagedJobFactoryPortType/createManagedJobRequest",
                settings.lrm(),
                out -> {
                    out.open(SPOKEN.job("createManagedJob"));
                    out.element(SPOKEN.job("JobID"), tag.toString());
                    writer.write(out, description);
                    out.close();
                });
        return answer.child("managedJobEndpoint")
                .map(GatewayClient::key)
                .orElseThrow(() -> new IOException("the answer names no job"));
    }

    private static @Nullable String key(XmlElement endpoint) {
        return endpoint.children().stream()
                .flatMap(part -> part.children().stream())
                .filter(key -> key.localName().equals("ResourceID"))
                .map(XmlElement::trimmedText)
                .filter(GatewayClient::isKey)
                .findFirst()
                .orElse(null);
    }

    /** It becomes part of a header and of an id that is shown. */
    private static boolean isKey(String text) {
        return text.matches("[A-Za-z0-9._-]{1,128}");
    }

    RemoteJob look(ClientCredential as, String key) throws IOException, GatewayFaultException {
        QName request = SPOKEN.properties("GetMultipleResourceProperties");
        return RemoteJob.read(call(
                as,
                settings.jobs(),
                WSRF + "rpw-2/GetMultipleResourceProperties/GetMultipleResourcePropertiesRequest",
                key,
                out -> {
                    out.open(request).binding(SPOKEN.types("state")).binding(SPOKEN.faults("fault"));
                    for (QName name :
                            new QName[] {SPOKEN.types("state"), SPOKEN.types("exitCode"), SPOKEN.faults("fault")}) {
                        out.element(SPOKEN.properties("ResourceProperty"), out.qualified(name));
                    }
                    out.close();
                }));
    }

    /** Has the job ended; its record stays. */
    void terminate(ClientCredential as, String key) throws IOException, GatewayFaultException {
        call(as, settings.jobs(), SPOKEN.gram() + "/terminate/TerminatePortType/terminateRequest", key, out -> {
            out.open(SPOKEN.terminate("terminate"));
            out.element(SPOKEN.terminate("destroyAfterCleanup"), "false");
            out.element(SPOKEN.terminate("continueNotifying"), "true");
            out.element(SPOKEN.terminate("destroyDelegatedCredentials"), "false");
            out.close();
        });
    }

    /** Has the record of an ended job forgotten. */
    void destroy(ClientCredential as, String key) throws IOException, GatewayFaultException {
        call(
                as,
                settings.jobs(),
                WSRF + "rlw-2/ImmediateResourceTermination/DestroyRequest",
                key,
                out -> out.empty(SPOKEN.lifetime("Destroy")));
    }

    /** Asks for a certificate request (PEM) for the caller's credential of this name, which need not be there yet. */
    String proxyRequest(ClientCredential as, String name) throws IOException, GatewayFaultException {
        return delegation(as, "getProxyReq", name, out -> {})
                .child("getProxyReqReturn")
                .map(XmlElement::trimmedText)
                .orElseThrow(() -> new IOException("the answer holds no certificate request"));
    }

    /** Answers the request with a chain (PEM). A credential of this name that was there before is replaced. */
    void putProxy(ClientCredential as, String name, String chain) throws IOException, GatewayFaultException {
        delegation(as, "putProxy", name, out -> out.element(new QName("proxy"), chain));
    }

    /** Has the caller's credential of this name forgotten. */
    void destroyCredential(ClientCredential as, String name) throws IOException, GatewayFaultException {
        delegation(as, "destroy", name, out -> {});
    }

    /** Calls gridsite's delegation service (facts/cream.md section 9). */
    private XmlElement delegation(ClientCredential as, String operation, String name, XmlContent more)
            throws IOException, GatewayFaultException {
        return call(as, settings.delegation(), GRIDSITE + "/" + operation, null, out -> {
            out.open(new QName(GRIDSITE, operation, "d"));
            out.element(new QName("delegationID"), name);
            more.write(out);
            out.close();
        });
    }

    /**
     * The caller's jobs there, by the ids under which they were submitted; asks for nothing to be started.
     *
     * @param since only those that were submitted since
     */
    Map<String, String> keysByJobId(ClientCredential as, Instant since) throws IOException, GatewayFaultException {
        Map<String, String> keys = new HashMap<>();
        String cursor = null;
        for (int page = 0; page < MAX_PAGES; page++) {
            XmlElement answer = list(as, since, cursor);
            for (XmlElement job : answer.children()) {
                job.child("JobID")
                        .map(XmlElement::trimmedText)
                        .ifPresent(id -> job.child("ResourceID")
                                .map(XmlElement::trimmedText)
                                .filter(GatewayClient::isKey)
                                .ifPresent(key -> keys.put(id, key)));
            }
            cursor = answer.child("nextCursor").map(XmlElement::trimmedText).orElse(null);
            if (cursor == null) {
                return keys;
            }
        }
        throw new IOException("it lists more than " + MAX_PAGES * PAGE + " jobs");
    }

    private XmlElement list(ClientCredential as, Instant since, @Nullable String cursor)
            throws IOException, GatewayFaultException {
        return call(
                as,
                settings.factory(),
                SPOKEN.extension("listJobs").getNamespaceURI() + "/listJobs",
                settings.lrm(),
                out -> {
                    out.open(SPOKEN.extension("listJobs"));
                    out.element(SPOKEN.extension("since"), Times.format(since));
                    out.element(SPOKEN.extension("maxJobs"), Integer.toString(PAGE));
                    if (cursor != null) {
                        out.element(SPOKEN.extension("cursor"), cursor);
                    }
                    out.close();
                });
    }

    /** @throws IOException if there was no clear answer */
    private XmlElement call(ClientCredential as, URI address, String action, @Nullable String resource, XmlContent body)
            throws IOException, GatewayFaultException {
        byte[] envelope = XmlWriter.toDocument(out -> envelope(out, address, action, resource, body));
        Exchange.Answer answer = exchange.post(as, address, action, envelope);
        if (answer.status() != OK && answer.status() != SERVER_ERROR) {
            throw new IOException("HTTP status " + answer.status());
        }
        XmlElement content = content(answer);
        if (content.name().equals(new QName(SOAP, "Fault"))) {
            throw GatewayFaultException.of(content);
        }
        return content;
    }

    private static void envelope(
            XmlWriter out, URI address, String action, @Nullable String resource, XmlContent body) {
        out.open(new QName(SOAP, "Envelope", "soapenv")).open(new QName(SOAP, "Header", "soapenv"));
        out.element(SPOKEN.addressing("MessageID"), "uuid:" + UUID.randomUUID());
        out.element(SPOKEN.addressing("To"), address.toString());
        out.element(SPOKEN.addressing("Action"), action);
        if (resource != null) {
            out.open(SPOKEN.job("ResourceID"))
                    .attribute(SPOKEN.addressing("IsReferenceParameter"), "true")
                    .text(resource)
                    .close();
        }
        out.close().open(new QName(SOAP, "Body", "soapenv"));
        body.write(out);
        out.close().close();
    }

    private static XmlElement content(Exchange.Answer answer) throws IOException {
        try {
            return XmlTree.parse(answer.bytes(), LIMITS)
                    .child("Body")
                    .flatMap(body -> body.children().stream().findFirst())
                    .orElseThrow(() -> new IOException("an answer without content, HTTP status " + answer.status()));
        } catch (MalformedXmlException | FaultException e) {
            throw new IOException("HTTP status " + answer.status() + " and no SOAP that can be read", e);
        }
    }

    @Override
    public void close() {
        exchange.close();
    }
}
