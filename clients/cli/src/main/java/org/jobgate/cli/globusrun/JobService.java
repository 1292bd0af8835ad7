// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.Protocol;
import org.jobgate.cli.wire.SoapClient;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.WaitHeader;
import org.jobgate.cli.wire.XmlElement;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/** The operations of the GRAM4 services that this command uses (facts/gram4.md sections 1.4 to 1.8). */
final class JobService {
    private static final String PROPERTIES_OF_STATE = "<GetMultipleResourceProperties xmlns=\"" + Names.PROPERTIES
            + "\" xmlns:types=\"" + Names.TYPES + "\" xmlns:faults=\"" + Names.FAULTS + "\">"
            + "<ResourceProperty>types:state</ResourceProperty><ResourceProperty>types:holding</ResourceProperty>"
            + "<ResourceProperty>faults:fault</ResourceProperty><ResourceProperty>types:exitCode</ResourceProperty>"
            + "</GetMultipleResourceProperties>";
    private static final String DESTROY = "<Destroy xmlns=\"" + Names.LIFETIME + "\"/>";
    private static final String TERMINATE_ACTION = Names.JOB + "/terminate";
    /** Ends a job of GT 4.2, which has no Destroy (capture 52); the names are translated with the rest. */
    private static final String TERMINATE = "<terminate xmlns=\"" + Names.JOB
            + "/terminate\"><destroyAfterCleanup>true</destroyAfterCleanup><continueNotifying>false</continueNotifying>"
            + "<destroyDelegatedCredentials>false</destroyDelegatedCredentials></terminate>";

    private static final String RELEASE_42 = "<release xmlns=\"" + Names.JOB + "/release\"/>";
    private static final String RELEASE = "<release xmlns=\"" + Names.JOB + "\"/>";
    private static final String DESCRIPTION_PROPERTY = "<GetResourceProperty xmlns=\"" + Names.PROPERTIES
            + "\" xmlns:desc=\"" + Names.DESCRIPTION + "\">desc:serviceLevelAgreement</GetResourceProperty>";

    private static final String REASON_NAMESPACE = "https://jobgate.org/ns/2026/job";
    private static final String REASON_PROPERTY = "<GetResourceProperty xmlns=\"" + Names.PROPERTIES
            + "\" xmlns:jobgate=\"" + REASON_NAMESPACE + "\">jobgate:reason</GetResourceProperty>";

    private final SoapClient soap;
    private boolean knowsReasons = true;

    JobService(SoapClient soap) {
        this.soap = requireNonNull(soap, "soap is null");
    }

    /**
     * A job that was created.
     *
     * @param terminationTime xsd:dateTime; null for never or not said
     */
    record Created(Epr job, @Nullable String terminationTime) {}

    /**
     * Submits. The same id again gives the same job and starts nothing.
     *
     * @param description the element desc:job or desc:multiJob
     */
    Created create(Epr factory, String id, Lifetime lifetime, String description)
            throws IOException, SoapFaultException {
        XmlElement response = soap.call(
                factory,
                protocol ->
                        new SoapClient.Request(Names.CREATE_ACTION, "", creation(protocol, id, lifetime, description)));
        XmlElement endpoint = response.child(Names.JOB, "managedJobEndpoint");
        if (endpoint == null) {
            throw new IOException(factory.address() + " answered without the job's endpoint reference.");
        }
        try {
            return new Created(Epr.of(endpoint), response.childText(Names.JOB, "NewTerminationTime"));
        } catch (XMLStreamException e) {
            throw new IOException(factory.address() + " answered with a broken endpoint reference.", e);
        }
    }

    private static String creation(Protocol protocol, String id, Lifetime lifetime, String description) {
        StringBuilder body = new StringBuilder(300 + description.length());
        body.append("<job:createManagedJob xmlns:job=\"").append(Names.JOB).append("\">");
        // a job of GT 4.2 runs to its end where nothing is said; one that has a termination time is killed then
        if (protocol == Protocol.GT40 || lifetime.isAskedFor()) {
            body.append("<job:InitialTerminationTime>").append(XmlTime.toWire(lifetime.end()));
            body.append("</job:InitialTerminationTime>");
        }
        body.append("<job:JobID>");
        XmlText.append(body, id);
        return body.append("</job:JobID>")
                .append(description)
                .append("</job:createManagedJob>")
                .toString();
    }

    /** The job's state now. */
    JobState state(Epr job) throws IOException, SoapFaultException {
        return JobState.of(soap.call(job, Names.GET_PROPERTIES_ACTION, "", PROPERTIES_OF_STATE));
    }

    /** The job's state as soon as it differs from what was seen, or after the time; a service without our extension answers at once. */
    JobState awaitChange(Epr job, JobState seen, Duration atMost) throws IOException, SoapFaultException {
        String wait = WaitHeader.of(seen.state(), " holding=\"" + seen.holding() + "\"", atMost);
        return JobState.of(soap.call(job, Names.GET_PROPERTIES_ACTION, wait, PROPERTIES_OF_STATE));
    }

    /** Why the job does not go on, in the service's words; empty where there is no reason, or a service that tells none. */
    String reason(Epr job) throws IOException {
        if (!knowsReasons) {
            return "";
        }
        try {
            String reason = soap.call(job, Names.GET_PROPERTY_ACTION, "", REASON_PROPERTY)
                    .childText(REASON_NAMESPACE, "reason");
            return reason == null ? "" : reason.strip();
        } catch (SoapFaultException e) {
            // GT's service has no such property, and a job that is gone no reason: the next question for the state
            // tells that
            knowsReasons = false;
            return "";
        }
    }

    /** Ends the job where it still runs, and removes it. */
    void destroy(Epr job) throws IOException, SoapFaultException {
        soap.call(
                job,
                protocol -> protocol == Protocol.GT40
                        ? new SoapClient.Request(Names.DESTROY_ACTION, "", DESTROY)
                        : new SoapClient.Request(TERMINATE_ACTION, "", TERMINATE));
    }

    void release(Epr job) throws IOException, SoapFaultException {
        soap.call(
                job,
                protocol -> new SoapClient.Request(
                        Names.RELEASE_ACTION, "", protocol == Protocol.GT40 ? RELEASE : RELEASE_42));
    }

    /** The job's description as the service took it, with variables replaced: desc:job or desc:multiJob; null where it tells none. */
    @Nullable
    XmlElement description(Epr job) throws IOException, SoapFaultException {
        XmlElement response = soap.call(job, Names.GET_PROPERTY_ACTION, "", DESCRIPTION_PROPERTY);
        XmlElement agreement = response.child(Names.DESCRIPTION, "serviceLevelAgreement");
        return agreement == null || agreement.children().isEmpty()
                ? null
                : agreement.children().getFirst();
    }
}
