// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.SoapClient;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.XmlElement;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/** Our own operations of the factory, on many jobs (docs/reference/gram4.md). */
final class BulkService {
    private static final String NAMESPACE = "https://jobgate.org/ns/2026/jobs/gt40";

    private final SoapClient soap;
    private final Epr factory;

    BulkService(SoapClient soap, Epr factory) {
        this.soap = requireNonNull(soap, "soap is null");
        this.factory = requireNonNull(factory, "factory is null");
    }

    /**
     * What was answered for one job.
     *
     * @param job null where it was refused
     * @param explain why it was refused
     */
    record Result(String id, @Nullable Epr job, String explain) {}

    /** One job of a list; the texts as the service says them, empty where it says none. */
    record Listed(Epr job, String id, String state, String submitted, String lrm, String explain) {}

    /**
     * A page of a list.
     *
     * @param next where the next one begins; null where this is the last
     */
    record Page(List<Listed> jobs, @Nullable String next) {}

    /** Jobs of one description, by their ids; the same ids again give the same jobs and start nothing. */
    List<Result> create(String description, Instant termination, Map<String, Map<String, String>> variablesById)
            throws IOException, SoapFaultException {
        StringBuilder body = new StringBuilder(200 + description.length() + 100 * variablesById.size());
        body.append("<createManagedJobs xmlns=\"").append(NAMESPACE).append("\"><template><InitialTerminationTime>");
        body.append(XmlTime.toWire(termination)).append("</InitialTerminationTime>");
        body.append(description).append("</template>");
        variablesById.forEach((id, variables) -> instance(body, id, variables));
        body.append("</createManagedJobs>");
        XmlElement response = soap.call(factory, NAMESPACE + "/createManagedJobs", "", body.toString());
        List<Result> results = new ArrayList<>();
        for (XmlElement result : response.children()) {
            if (result.is(NAMESPACE, "result")) {
                results.add(new Result(
                        text(result, "JobID"), endpoint(result, "managedJobEndpoint"), text(result, "explain")));
            }
        }
        if (results.size() != variablesById.size()) {
            throw new IOException(
                    factory.address() + " answered for " + results.size() + " jobs of " + variablesById.size() + ".");
        }
        return results;
    }

    private static void instance(StringBuilder body, String id, Map<String, String> variables) {
        body.append("<instance><JobID>");
        XmlText.append(body, id);
        body.append("</JobID>");
        variables.forEach((name, value) -> {
            body.append("<variable name=\"");
            XmlText.append(body, name);
            body.append("\">");
            XmlText.append(body, value);
            body.append("</variable>");
        });
        body.append("</instance>");
    }

    /** @param conditions elements of listJobs as pairs of name and text */
    Page list(List<Map.Entry<String, String>> conditions) throws IOException, SoapFaultException {
        StringBuilder body = new StringBuilder(300);
        body.append("<listJobs xmlns=\"").append(NAMESPACE).append("\">");
        conditions.forEach(condition -> {
            body.append('<').append(condition.getKey()).append('>');
            XmlText.append(body, condition.getValue());
            body.append("</").append(condition.getKey()).append('>');
        });
        body.append("</listJobs>");
        XmlElement response = soap.call(factory, NAMESPACE + "/listJobs", "", body.toString());
        List<Listed> jobs = new ArrayList<>();
        for (XmlElement job : response.children()) {
            Epr endpoint = endpoint(job, "managedJobEndpoint");
            if (job.is(NAMESPACE, "job") && endpoint != null) {
                jobs.add(new Listed(
                        endpoint,
                        text(job, "JobID"),
                        text(job, "state"),
                        text(job, "submissionTime"),
                        text(job, "localResourceManager"),
                        text(job, "explain")));
            }
        }
        return new Page(jobs, response.childText(NAMESPACE, "nextCursor"));
    }

    private static String text(XmlElement element, String child) {
        return requireNonNullElse(element.childText(NAMESPACE, child), "");
    }

    private @Nullable Epr endpoint(XmlElement element, String child) throws IOException {
        XmlElement endpoint = element.child(NAMESPACE, child);
        try {
            return endpoint == null ? null : Epr.of(endpoint);
        } catch (XMLStreamException e) {
            throw new IOException(factory.address() + " answered with a broken endpoint reference.", e);
        }
    }
}
