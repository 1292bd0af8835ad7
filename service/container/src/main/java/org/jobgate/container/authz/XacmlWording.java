// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.authz;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.xml.namespace.QName;
import org.jobgate.authz.Action;
import org.jobgate.authz.AuthzRequest;
import org.jobgate.authz.PointDecision;
import org.jobgate.xml.XmlWriter;

/**
 * The SAML 2.0 profile of XACML 2.0 with the attributes of the authorization interoperability profile (EDMS 929867, version 1.1), as GUMS and
 * SCAS understand it: SOAP 1.1, document/literal, one XACMLAuthzDecisionQuery in the namespaces of the profile's draft 2, unsigned: TLS with the
 * certificates of both says who asks and who answers.
 */
public final class XacmlWording implements Wording {

    static final String PROTOCOL = "urn:oasis:names:tc:xacml:2.0:profile:saml2.0:v2:schema:protocol";
    static final String CONTEXT = "urn:oasis:names:tc:xacml:2.0:context:schema:os";
    static final String SAML = "urn:oasis:names:tc:SAML:2.0:assertion";
    static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";

    /** What the names of the profile begin with. */
    static final String INTEROP = "http://authz-interop.org/xacml/";

    private static final String STRING = "http://www.w3.org/2001/XMLSchema#string";
    private static final String RESOURCE_ID = "urn:oasis:names:tc:xacml:1.0:resource:resource-id";
    private static final String ACTION_ID = "urn:oasis:names:tc:xacml:1.0:action:action-id";
    private static final String SOAP_ACTION =
            "\"http://www.globus.org/security/XACMLAuthorization/XACMLAuthorizationPortType/AuthorizeRequest\"";
    private static final QName ATTRIBUTE = context("Attribute");
    private static final QName VALUE = context("AttributeValue");

    /**
     * Who asks, and for what kind of resource.
     *
     * @param issuer our own name, as RFC 2253 writes it
     * @param subject our own name in slash form
     * @param authority the name of the authority of our certificate in slash form
     * @param host our own host's name
     * @param resource {@code ce}, {@code se} or {@code wn}
     */
    public record Asker(String issuer, String subject, String authority, String host, String resource) {
        public Asker {
            requireNonNull(issuer, "issuer is null");
            requireNonNull(subject, "subject is null");
            requireNonNull(authority, "authority is null");
            requireNonNull(host, "host is null");
            requireNonNull(resource, "resource is null");
        }
    }

    private final Asker asker;
    private final LocalAccounts accounts;
    private final Clock clock;

    public XacmlWording(Asker asker, LocalAccounts accounts, Clock clock) {
        this.asker = requireNonNull(asker, "asker is null");
        this.accounts = requireNonNull(accounts, "accounts is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    private static QName context(String name) {
        return new QName(CONTEXT, name, "ctx");
    }

    @Override
    public Asked ask(AuthzRequest request) {
        if (!request.identity().subject().startsWith("/")) {
            return Asked.nothing(
                    new PointDecision.Abstain("the service knows certificates only, and the caller came without one"));
        }
        if (request.isRehearsal()) {
            return Asked.nothing(new PointDecision.Indeterminate(
                    "The service is not asked for a rehearsal, for its answer may take an account of a pool"));
        }
        String id = "_" + UUID.randomUUID();
        return Asked.of(
                Map.of("Content-Type", "text/xml; charset=utf-8", "Accept", "text/xml", "SOAPAction", SOAP_ACTION),
                query(request, id),
                answer -> new XacmlAnswer(accounts).read(answer, id));
    }

    private byte[] query(AuthzRequest request, String id) {
        return XmlWriter.toDocument(out -> {
            out.open(new QName(SOAP, "Envelope", "soapenv")).open(new QName(SOAP, "Body", "soapenv"));
            out.open(new QName(PROTOCOL, "XACMLAuthzDecisionQuery", "xacml-samlp"))
                    .attribute("ID", id)
                    .attribute("Version", "2.0")
                    .attribute(
                            "IssueInstant",
                            clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                    .attribute("InputContextOnly", "false")
                    .attribute("ReturnContext", "false")
                    .attribute("CombinePolicies", "true");
            out.element(new QName(SAML, "Issuer", "saml"), asker.issuer());
            out.open(context("Request"));
            subject(out, request);
            out.open(context("Resource"));
            attribute(out, RESOURCE_ID, INTEROP + "resource/resource-type/" + asker.resource());
            attribute(out, INTEROP + "resource/dns-host-name", asker.host());
            attribute(out, INTEROP + "resource/resource-x509-id", asker.subject());
            attribute(out, INTEROP + "resource/resource-x509-issuer", asker.authority());
            out.close();
            out.open(context("Action"));
            attribute(out, ACTION_ID, INTEROP + "action/action-type/" + action(request.action()));
            out.close();
            out.open(context("Environment"));
            for (String known : XacmlAnswer.UNDERSTOOD) {
                attribute(out, INTEROP + "environment/pep-oblig-supported", INTEROP + "obligation/" + known);
            }
            out.close().close().close().close().close();
        });
    }

    /** What the profile has a word for: a job in a queue, or access to files. */
    private static String action(Action action) {
        return action == Action.FILES ? "access" : "queue";
    }

    private static void subject(XmlWriter out, AuthzRequest request) {
        out.open(context("Subject"));
        attribute(out, INTEROP + "subject/subject-x509-id", request.identity().subject());
        List<String> fqans = request.fqans();
        if (!fqans.isEmpty()) {
            String primary = fqans.getFirst();
            attribute(
                    out, INTEROP + "subject/vo", primary.replaceFirst("^/+", "").replaceFirst("/.*$", ""));
            attribute(out, INTEROP + "subject/voms-primary-fqan", whole(primary));
            for (String fqan : withParents(fqans)) {
                attribute(out, INTEROP + "subject/voms-fqan", fqan);
            }
        }
        out.close();
    }

    /** The long form: a service compares texts. */
    private static String whole(String fqan) {
        return (fqan.contains("/Role=") ? fqan : fqan + "/Role=NULL") + "/Capability=NULL";
    }

    /** Membership in a group is one in all groups above it. */
    static Set<String> withParents(List<String> fqans) {
        Set<String> all = new LinkedHashSet<>();
        List<String> groups = new ArrayList<>();
        for (String fqan : fqans) {
            all.add(whole(fqan));
            groups.add(fqan.replaceFirst("/Role=.*$", ""));
        }
        for (String group : groups) {
            for (String above = group; above.lastIndexOf('/') >= 0 && !above.isEmpty(); ) {
                all.add(whole(above));
                above = above.substring(0, above.lastIndexOf('/'));
            }
        }
        return all;
    }

    private static void attribute(XmlWriter out, String id, String value) {
        out.open(ATTRIBUTE).attribute("AttributeId", id).attribute("DataType", STRING);
        out.element(VALUE, value);
        out.close();
    }
}
