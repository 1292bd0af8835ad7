// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * GRAM4 4.0 requests as its clients send them (captures/gt4/05 and 12; facts/gt4-wire.md section 4), written by hand so that the load
 * client costs little beside the service it shares the machine with.
 */
public final class GramMessages {

    public static final String FACTORY_PATH = "/wsrf/services/ManagedJobFactoryService";
    public static final String JOB_PATH = "/wsrf/services/ManagedExecutableJobService";

    private static final String JOB_NS = "http://www.globus.org/namespaces/2004/10/gram/job";
    private static final String RP_NS =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties-1.2-draft-01.xsd";
    public static final String CREATE_ACTION = JOB_NS + "/ManagedJobFactoryPortType/createManagedJobRequest";
    public static final String PROPERTIES_ACTION =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties/GetMultipleResourceProperties";

    public static final String DESTROY_ACTION =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime/Destroy";

    private static final String LIFETIME_NS =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime-1.2-draft-01.xsd";

    public static final String DELEGATION_FACTORY_PATH = "/wsrf/services/DelegationFactoryService";
    public static final String DELEGATION_PATH = "/wsrf/services/DelegationService";
    private static final String DELEGATION_NS = "http://www.globus.org/08/2004/delegationService";
    private static final String RFT_NS = "http://www.globus.org/namespaces/2004/10/rft";
    private static final String ADDRESSING_NS = "http://schemas.xmlsoap.org/ws/2004/03/addressing";
    private static final String PKI_PATH =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509PKIPathv1";
    private static final String BASE64 =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary";
    private static final String SECURITY_NS =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    private static final String NOTIFICATION_NS =
            "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd";
    private static final String SIMPLE_TOPIC = "http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple";
    /** Our own operations on many jobs (docs/reference/gram4.md, "Many jobs"). */
    private static final String MANY_NS = "https://jobgate.org/ns/2026/jobs/gt40";

    public static final String CREATE_MANY_ACTION = MANY_NS + "/createManagedJobs";
    public static final String LIST_ACTION = MANY_NS + "/listJobs";
    private static final String WAIT_NS = "https://jobgate.org/ns/2026/wait";
    public static final String PROPERTY_ACTION =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties/GetResourceProperty";
    public static final String DELEGATE_ACTION =
            DELEGATION_NS + "/DelegationFactoryPortType/RequestSecurityTokenRequest";

    private final String baseUrl;
    private final String lrm;
    private final Supplier<UUID> messageIds;

    /**
     * A builder for one service.
     *
     * @param baseUrl scheme, host and port
     * @param lrm the factory's resource, e.g. {@code Fork}
     * @param messageIds where each message's id comes from
     */
    public GramMessages(String baseUrl, String lrm, Supplier<UUID> messageIds) {
        this.baseUrl = requireNonNull(baseUrl, "baseUrl is null");
        this.lrm = requireNonNull(lrm, "lrm is null");
        this.messageIds = requireNonNull(messageIds, "messageIds is null");
    }

    /** {@code createManagedJob} with a JobID, and a subscription where the request names a consumer (captures/gt4/04). */
    public String create(JobRequest request) {
        StringBuilder body = new StringBuilder(512).append("<createManagedJob xmlns=\"" + JOB_NS + "\">");
        wanted(body, request);
        body.append("</createManagedJob>");
        return envelope(FACTORY_PATH, CREATE_ACTION, lrm, body);
    }

    /** Our own {@code createManagedJobs}: many jobs, each with a JobID. */
    public String createMany(List<JobRequest> requests) {
        StringBuilder body =
                new StringBuilder(512 * (1 + requests.size())).append("<createManagedJobs xmlns=\"" + MANY_NS + "\">");
        for (JobRequest request : requests) {
            body.append("<create>");
            wanted(body, request);
            body.append("</create>");
        }
        body.append("</createManagedJobs>");
        return envelope(FACTORY_PATH, CREATE_MANY_ACTION, lrm, body);
    }

    /**
     * Our own {@code listJobs}: how the caller's jobs stand, the oldest first.
     *
     * @param most jobs of one answer
     */
    public String list(int most) {
        StringBuilder body = new StringBuilder(256).append("<listJobs xmlns=\"" + MANY_NS + "\">");
        element(body, "maxJobs", Integer.toString(most));
        body.append("</listJobs>");
        return envelope(FACTORY_PATH, LIST_ACTION, lrm, body);
    }

    private void wanted(StringBuilder body, JobRequest request) {
        body.append("<InitialTerminationTime>")
                .append(request.terminationTime())
                .append("</InitialTerminationTime><JobID>uuid:")
                .append(escape(request.key()))
                .append("</JobID>");
        if (request.consumer() != null) {
            subscription(body, request.consumer());
        }
        body.append("<d:job xmlns:d=\"" + JOB_NS + "/description\">");
        if (request.credential() != null) {
            endpoint(body, "d:jobCredentialEndpoint", request.credential());
        }
        Staging staging = request.staging();
        if (staging != null && staging.credential() != null) {
            endpoint(body, "d:stagingCredentialEndpoint", staging.credential());
        }
        if (request.holdState() != null) {
            body.append("<t:holdState xmlns:t=\"" + JOB_NS + "/types\">")
                    .append(escape(request.holdState()))
                    .append("</t:holdState>");
        }
        element(body, "d:executable", request.executable());
        if (request.directory() != null) {
            element(body, "d:directory", request.directory());
        }
        request.arguments().forEach(argument -> element(body, "d:argument", argument));
        if (staging != null) {
            copies(body, "d:fileStageIn", staging.credential(), staging.in());
            copies(body, "d:fileStageOut", staging.credential(), staging.out());
            deletions(body, staging);
        }
        body.append("</d:job>");
    }

    private static void subscription(StringBuilder body, String consumer) {
        body.append("<n:Subscribe xmlns:n=\"" + NOTIFICATION_NS + "\" xmlns:a=\"" + ADDRESSING_NS
                + "\"><n:ConsumerReference>");
        element(body, "a:Address", consumer);
        body.append("</n:ConsumerReference><n:TopicExpression n:Dialect=\"" + SIMPLE_TOPIC + "\" xmlns:t=\"" + JOB_NS
                + "/types\">t:state</n:TopicExpression></n:Subscribe>");
    }

    private void endpoint(StringBuilder body, String element, String delegated) {
        body.append('<').append(element).append("><a:Address xmlns:a=\"" + ADDRESSING_NS + "\">");
        body.append(escape(baseUrl + DELEGATION_PATH)).append("</a:Address>");
        body.append("<a:ReferenceProperties xmlns:a=\"" + ADDRESSING_NS + "\"><k:DelegationKey xmlns:k=\""
                        + DELEGATION_NS + "\">")
                .append(escape(delegated))
                .append("</k:DelegationKey></a:ReferenceProperties></")
                .append(element)
                .append('>');
    }

    private void copies(StringBuilder body, String element, @Nullable String delegated, List<Staging.Copy> copies) {
        if (copies.isEmpty()) {
            return;
        }
        body.append('<').append(element).append(" xmlns:r=\"" + RFT_NS + "\">");
        if (delegated != null) {
            endpoint(body, "r:transferCredentialEndpoint", delegated);
        }
        for (Staging.Copy copy : copies) {
            body.append("<r:transfer>");
            element(body, "r:sourceUrl", copy.from());
            element(body, "r:destinationUrl", copy.to());
            body.append("</r:transfer>");
        }
        body.append("</").append(element).append('>');
    }

    private void deletions(StringBuilder body, Staging staging) {
        if (staging.cleanUp().isEmpty()) {
            return;
        }
        body.append("<d:fileCleanUp xmlns:r=\"" + RFT_NS + "\">");
        for (String url : staging.cleanUp()) {
            body.append("<r:deletion>");
            element(body, "r:file", url);
            body.append("</r:deletion>");
        }
        body.append("</d:fileCleanUp>");
    }

    /** Asks a delegation factory for the key that it takes credentials over. */
    public String keyToDelegateTo() {
        return envelope(
                DELEGATION_FACTORY_PATH,
                PROPERTY_ACTION,
                "",
                "<GetResourceProperty xmlns=\"" + RP_NS + "\" xmlns:k=\"" + DELEGATION_NS
                        + "\">k:CertificateChain</GetResourceProperty>");
    }

    /** Hands a proxy over, as a PkiPath in base64 (captures/gt4/03). */
    public String delegate(String pkiPath) {
        return envelope(
                DELEGATION_FACTORY_PATH,
                DELEGATE_ACTION,
                "",
                "<RequestSecurityToken xmlns=\"http://schemas.xmlsoap.org/ws/2004/04/trust\"><wsse:BinarySecurityToken"
                        + " xmlns:wsse=\"" + SECURITY_NS + "\" EncodingType=\"" + BASE64 + "\" ValueType=\"" + PKI_PATH
                        + "\">" + pkiPath + "</wsse:BinarySecurityToken></RequestSecurityToken>");
    }

    /** The state, hold, fault and exit code of a job, as clients poll them. */
    public String properties(String jobId) {
        return envelope(JOB_PATH, PROPERTIES_ACTION, jobId, properties());
    }

    /**
     * The same, answered when the job's state is another than the client has seen, or this time is over: our extension (gram4.md).
     *
     * @param seen the state as GRAM4 names it
     * @param atMost in whole milliseconds; the service waits 30 s at most
     */
    public String changedProperties(String jobId, String seen, Duration atMost) {
        String wait = "<w:Wait xmlns:w=\"" + WAIT_NS + "\" soapenv:mustUnderstand=\"0\" timeoutMs=\""
                + atMost.toMillis() + "\" state=\"" + escape(seen).replace("\"", "&quot;") + "\"/>";
        return message(JOB_PATH, PROPERTIES_ACTION, wait + resourceId(jobId), properties());
    }

    private static CharSequence properties() {
        StringBuilder body = new StringBuilder(512)
                .append("<GetMultipleResourceProperties xmlns=\"" + RP_NS + "\" xmlns:t=\"" + JOB_NS
                        + "/types\" xmlns:f=\"" + JOB_NS + "/faults\">");
        for (String name : new String[] {"t:state", "t:holding", "f:fault", "t:exitCode"}) {
            element(body, "ResourceProperty", name);
        }
        return body.append("</GetMultipleResourceProperties>");
    }

    /** WSRF {@code Destroy}: a job that lives is cancelled. */
    public String destroy(String jobId) {
        return envelope(JOB_PATH, DESTROY_ACTION, jobId, "<Destroy xmlns=\"" + LIFETIME_NS + "\"/>");
    }

    /** WSRF {@code Destroy} of a delegated credential. */
    public String destroyCredential(String delegated) {
        return message(
                DELEGATION_PATH,
                DESTROY_ACTION,
                "<k:DelegationKey xmlns:k=\"" + DELEGATION_NS + "\" soapenv:mustUnderstand=\"0\">" + escape(delegated)
                        + "</k:DelegationKey>",
                "<Destroy xmlns=\"" + LIFETIME_NS + "\"/>");
    }

    private String envelope(String path, String action, String resource, CharSequence body) {
        return message(path, action, resource.isEmpty() ? "" : resourceId(resource), body);
    }

    private static String resourceId(String resource) {
        return "<j:ResourceID xmlns:j=\"" + JOB_NS + "\" soapenv:mustUnderstand=\"0\">" + escape(resource)
                + "</j:ResourceID>";
    }

    private String message(String path, String action, String resource, CharSequence body) {
        StringBuilder message = new StringBuilder(2_048)
                .append("<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\""
                        + " xmlns:wsa=\"http://schemas.xmlsoap.org/ws/2004/03/addressing\"><soapenv:Header>");
        header(message, "wsa:MessageID", "uuid:" + messageIds.get());
        header(message, "wsa:To", baseUrl + path);
        header(message, "wsa:Action", action);
        message.append("<wsa:From soapenv:mustUnderstand=\"0\"><wsa:Address>"
                + "http://schemas.xmlsoap.org/ws/2004/03/addressing/role/anonymous</wsa:Address></wsa:From>");
        return message.append(resource)
                .append("</soapenv:Header><soapenv:Body>")
                .append(body)
                .append("</soapenv:Body></soapenv:Envelope>")
                .toString();
    }

    private static void header(StringBuilder out, String name, String text) {
        out.append('<').append(name).append(" soapenv:mustUnderstand=\"0\">").append(escape(text));
        out.append("</").append(name).append('>');
    }

    private static void element(StringBuilder out, String name, String text) {
        out.append('<').append(name).append('>').append(escape(text));
        out.append("</").append(name).append('>');
    }

    /** Text as XML content; a carriage return as a reference, or a parser would turn it into a newline. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\r", "&#13;");
    }
}
