// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.List;
import javax.xml.namespace.QName;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.PendingReason;
import org.jobgate.limits.Limit;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Our own {@code listJobs}: the caller's jobs, oldest first, page by page. Of all LRMs: it does not matter which factory is asked. A
 * page can hold fewer jobs than it might and still have a next one.
 */
final class ListJobs implements Operation {

    static final String NAME = "listJobs";

    private final Generation generation;
    private final Addresses addresses;
    private final JobCalls calls;
    private final Jobs jobs;
    private final Limit limit;
    private final Names names;

    ListJobs(GramContext context, Gt4Context gt4, Limit limit) {
        this.generation = gt4.generation();
        this.addresses = gt4.addresses();
        this.calls = new JobCalls(generation, context.access());
        this.jobs = context.jobs();
        this.limit = limit;
        this.names = new Names(generation);
    }

    @Override
    public Reply answer(SoapCall call) {
        Caller caller = calls.caller(call);
        JobListRequest request = JobListRequest.read(call.body(), generation, limit);
        List<Job> found = jobs.list(caller, request.query());
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
        String id = job.id().toString();
        out.open(names.job);
        out.element(names.resourceId, id);
        text(out, names.jobId, clientId(job, id));
        text(out, names.lrm, job.lrm());
        text(out, names.account, job.owner().account());
        text(out, names.state, StateNames.of(job, generation));
        text(out, names.holding, Boolean.toString(job.isHeld()));
        text(out, names.submission, Times.format(job.created()));
        text(out, names.change, Times.format(job.changed()));
        text(out, names.termination, Times.formatNullable(job.terminationTime()));
        JobOutcome outcome = job.outcome();
        Integer exitCode = outcome == null ? null : outcome.exitCode();
        text(out, names.exitCode, exitCode == null ? null : exitCode.toString());
        job.localIds().forEach(local -> text(out, names.localId, local));
        text(out, names.explain, explain(job));
        addresses.job(job).write(out, generation, names.endpoint);
        out.close();
    }

    private static void text(XmlWriter out, QName name, @Nullable String text) {
        if (text != null) {
            out.element(name, text);
        }
    }

    /** Made once: a list has them ten thousand times. */
    private static final class Names {
        private final QName job;
        private final QName resourceId;
        private final QName jobId;
        private final QName lrm;
        private final QName account;
        private final QName state;
        private final QName holding;
        private final QName submission;
        private final QName change;
        private final QName termination;
        private final QName exitCode;
        private final QName localId;
        private final QName explain;
        private final QName endpoint;

        Names(Generation generation) {
            job = generation.extension("job");
            resourceId = generation.job("ResourceID");
            jobId = generation.extension("JobID");
            lrm = generation.extension("localResourceManager");
            account = generation.extension("localUserId");
            state = generation.extension("state");
            holding = generation.extension("holding");
            submission = generation.extension("submissionTime");
            change = generation.extension("changeTime");
            termination = generation.extension("terminationTime");
            exitCode = generation.extension("exitCode");
            localId = generation.extension("localJobId");
            explain = generation.extension("explain");
            endpoint = generation.extension("managedJobEndpoint");
        }
    }

    /** A job that was submitted without a JobID has only the gateway's own id. */
    private static @Nullable String clientId(Job job, String id) {
        String clientId = job.key().clientId();
        boolean isOurs = job.key().door().equals(JobSubmissions.ORIGIN.door());
        return isOurs && !clientId.equals(id) ? clientId : null;
    }

    private static @Nullable String explain(Job job) {
        PendingReason pendingReason = job.pendingReason();
        if (pendingReason != null) {
            return "Not known since " + Times.format(pendingReason.since()) + ": " + pendingReason.because();
        }
        JobOutcome outcome = job.outcome();
        Fault fault = outcome == null ? null : outcome.fault();
        return fault == null ? null : GramFaults.explain(fault);
    }
}
