// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.List;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.PlainSoap;
import org.jobgate.cli.wire.XmlElement;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/** The operations of CREAM2. For one thread, as its connection is. */
public final class CreamClient {

    public static final String TYPES = "http://glite.org/2007/11/ce/cream/types";
    private static final String ACTIONS = "http://glite.org/2007/11/ce/cream/";

    private final PlainSoap soap;
    private final CreamConfig config;

    public CreamClient(PlainSoap soap, CreamConfig config) {
        this.soap = requireNonNull(soap, "soap is null");
        this.config = requireNonNull(config, "config is null");
    }

    /**
     * Which jobs an operation is for; all of the caller's jobs if it names none.
     *
     * @param from,to times as the service reads them
     */
    public record Filter(
            List<String> ids,
            List<String> states,
            @Nullable String from,
            @Nullable String to,
            @Nullable String delegation,
            @Nullable String lease) {

        public static Filter of(List<String> ids) {
            return new Filter(ids, List.of(), null, null, null, null);
        }
    }

    /**
     * A job that is to be registered.
     *
     * @param key by which its result is found
     */
    public record Description(
            String key,
            String jdl,
            String delegation,
            @Nullable String lease,
            boolean starts) {}

    private @Nullable XmlElement call(Endpoint endpoint, String operation, String body) throws CreamException {
        try {
            return soap.call(endpoint.url(config.service()), ACTIONS + operation, body);
        } catch (PlainSoap.FaultException e) {
            throw new CreamException(CreamFaults.ofSoap(e.fault()), e);
        } catch (IOException e) {
            throw new CreamException(Sentence.of(e.getMessage()), e);
        }
    }

    private XmlElement answer(Endpoint endpoint, String operation, String body) throws CreamException {
        XmlElement answer = call(endpoint, operation, body);
        if (answer == null) {
            String nothing = endpoint + " answered " + operation + " with nothing.";
            throw new CreamException(nothing, new ProtocolException(nothing));
        }
        return answer;
    }

    private static String element(String name, @Nullable String text) {
        return text == null ? "" : "<" + name + ">" + XmlText.escaped(text) + "</" + name + ">";
    }

    private static String request(String name, String content) {
        return "<" + name + " xmlns=\"" + TYPES + "\">" + content + "</" + name + ">";
    }

    private String filter(Endpoint endpoint, Filter filter) {
        StringBuilder content = new StringBuilder();
        for (String id : filter.ids()) {
            content.append("<jobId>").append(element("id", id));
            content.append(element("creamURL", endpoint.url(config.service()))).append("</jobId>");
        }
        filter.states().forEach(state -> content.append(element("status", state)));
        content.append(element("fromDate", filter.from())).append(element("toDate", filter.to()));
        content.append(element("delegationId", filter.delegation())).append(element("leaseId", filter.lease()));
        return content.toString();
    }

    /** One result for each description. */
    public List<XmlElement> register(Endpoint endpoint, List<Description> jobs) throws CreamException {
        StringBuilder content = new StringBuilder();
        for (Description job : jobs) {
            content.append("<jobDescriptionList jobDescriptionId=\"").append(XmlText.escaped(job.key()));
            content.append("\">").append(element("JDL", job.jdl())).append(element("delegationId", job.delegation()));
            content.append(element("leaseId", job.lease()));
            content.append(element("autoStart", Boolean.toString(job.starts()))).append("</jobDescriptionList>");
        }
        return answer(endpoint, "JobRegister", request("JobRegisterRequest", content.toString()))
                .children();
    }

    /** JobStart, JobCancel, JobPurge, JobSuspend, JobResume, JobStatus or JobInfo: one result for each job. */
    public List<XmlElement> jobs(Endpoint endpoint, String operation, Filter filter) throws CreamException {
        return answer(endpoint, operation, request(operation + "Request", filter(endpoint, filter)))
                .children();
    }

    public List<XmlElement> list(Endpoint endpoint) throws CreamException {
        return answer(endpoint, "JobList", request("JobListRequest", "")).children();
    }

    public XmlElement serviceInfo(Endpoint endpoint, int verbosity) throws CreamException {
        return answer(endpoint, "ServiceInfo", request("ServiceInfoRequest", Integer.toString(verbosity)));
    }

    public void accept(Endpoint endpoint, boolean isOn) throws CreamException {
        XmlElement unused =
                call(endpoint, "AcceptNewJobSubmissions", request("acceptNewJobSubmissions", Boolean.toString(isOn)));
    }

    /** The lease as the service has granted it. */
    public XmlElement lease(Endpoint endpoint, String id, String until) throws CreamException {
        return answer(
                endpoint, "setLease", request("setLeaseRequest", element("leaseId", id) + element("leaseTime", until)));
    }

    public XmlElement events(Endpoint endpoint, String from, @Nullable String to, int most, List<String> states)
            throws CreamException {
        return events(endpoint, new Events(from, to, null, most, states));
    }

    /**
     * Which events are asked for, the oldest first.
     *
     * @param from,to numbers of events
     * @param since a time as the service reads it; null for the beginning
     * @param states of these only; empty for all
     */
    public record Events(
            String from, @Nullable String to, @Nullable String since, int most, List<String> states) {}

    public XmlElement events(Endpoint endpoint, Events wanted) throws CreamException {
        StringBuilder content = new StringBuilder(element("fromEventId", wanted.from()));
        content.append(element("toEventId", wanted.to())).append(element("fromDate", wanted.since()));
        content.append(element("eventType", "JOB_STATUS"));
        content.append(element("maxQueryEventResultSize", Integer.toString(wanted.most())));
        content.append(element("verbosityLevel", "0"));
        for (String state : wanted.states()) {
            content.append("<property>").append(element("name", "STATUS")).append(element("value", state));
            content.append("</property>");
        }
        return answer(endpoint, "QueryEvent", request("QueryEventRequest", content.toString()));
    }

    /** The whole id of a job, as users know it. */
    public static String fullId(Endpoint endpoint, @Nullable XmlElement jobId) {
        if (jobId == null) {
            return endpoint.url("");
        }
        String id = String.valueOf(jobId.childText(TYPES, "id"));
        String url = jobId.childText(TYPES, "creamURL");
        String base = url == null || !url.startsWith("https://") ? endpoint.url("") : url;
        int path = base.indexOf('/', "https://".length());
        return (path < 0 ? base : base.substring(0, path)) + "/" + id;
    }
}
