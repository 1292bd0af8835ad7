// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.List;
import org.jobgate.authz.Action;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gram.soap.Reply;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.wsrf.Actions;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.gram.wsrf.Times;
import org.jobgate.gram.xml.XmlWriter;
import org.jobgate.job.Doubt;
import org.jobgate.job.Ending;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.lifecycle.Jobs;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Our own {@code listJobs}: the caller's jobs, oldest first, page by page. Of all LRMs: it does not matter which factory is asked. A
 * page can hold fewer jobs than it might and still have a next one.
 */
final class ListJobs implements Operation {

    static final String NAME = "listJobs";

    private final Generation generation;
    private final Addresses addresses;
    private final Callers callers;
    private final Jobs jobs;
    private final Limit limit;

    ListJobs(Site site, Speech speech, Limit limit) {
        this.generation = speech.generation();
        this.addresses = speech.addresses();
        this.callers = new Callers(generation, site.authorizer());
        this.jobs = site.jobs();
        this.limit = limit;
    }

    @Override
    public Reply answer(SoapCall call) {
        String subject = callers.owner(call, Action.QUERY).subject();
        JobListRequest request = JobListRequest.read(call.body(), generation, limit);
        List<Job> found = jobs.list(subject, request.query());
        boolean isFull = found.size() == request.query().limit();
        JobId last = isFull ? found.getLast().id() : null;
        List<Job> listed = found.stream().filter(request::matches).toList();
        return new Reply(Actions.extension(generation, NAME + "Response"), out -> write(out, listed, last));
    }

    private void write(XmlWriter out, List<Job> listed, @Nullable JobId last) {
        out.open(generation.extension(NAME + "Response"));
        out.binding(generation.addressing("Address")).binding(generation.job("ResourceID"));
        listed.forEach(job -> write(out, job));
        if (last != null) {
            out.element(generation.extension("nextCursor"), JobCursor.write(last));
        }
        out.close();
    }

    private void write(XmlWriter out, Job job) {
        out.open(generation.extension("job"));
        out.element(generation.job("ResourceID"), job.id().toString());
        text(out, "JobID", clientId(job));
        text(out, "localResourceManager", job.lrm());
        text(out, "localUserId", job.owner().account());
        text(out, "state", StateNames.of(job, generation));
        text(out, "holding", Boolean.toString(job.holding()));
        text(out, "submissionTime", Times.format(job.created()));
        text(out, "changeTime", Times.format(job.changed()));
        text(out, "terminationTime", Times.formatNullable(job.terminationTime()));
        Ending ending = job.ending();
        Integer exitCode = ending == null ? null : ending.exitCode();
        text(out, "exitCode", exitCode == null ? null : exitCode.toString());
        job.localIds().forEach(id -> text(out, "localJobId", id));
        text(out, "explain", explain(job));
        addresses.job(job).write(out, generation, generation.extension("managedJobEndpoint"));
        out.close();
    }

    private void text(XmlWriter out, String name, @Nullable String text) {
        if (text != null) {
            out.element(generation.extension(name), text);
        }
    }

    /** A job that was submitted without a JobID has only the gateway's own id. */
    private static @Nullable String clientId(Job job) {
        String id = job.key().clientId();
        return id.equals(job.id().toString()) ? null : id;
    }

    private static @Nullable String explain(Job job) {
        Doubt doubt = job.doubt();
        if (doubt != null) {
            return "Not known since " + Times.format(doubt.since()) + ": " + doubt.because();
        }
        Ending ending = job.ending();
        Fault fault = ending == null ? null : ending.fault();
        return fault == null ? null : GramFaults.explain(fault);
    }
}
