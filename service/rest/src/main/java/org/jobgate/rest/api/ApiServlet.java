// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.access.Access;
import org.jobgate.access.AuditRecords;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.access.Jobs;
import org.jobgate.access.Transfers;
import org.jobgate.files.AccountTrees;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jobgate.language.JobLanguages;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Places;
import org.jobgate.rest.files.PackedPiece;
import org.jspecify.annotations.Nullable;

/** The REST API over HTTP: finds the operation that a request asks for, and says what is wrong with it as a problem document. */
public final class ApiServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** The path below which the API is. */
    public static final String PATH = "/api/v1";

    /** The header in which every answer names its request, as the log does. */
    private static final String REQUEST_HEADER = "Jobgate-Request";

    /** What an answer says of the content that it is about to send: how that is packed, which part it is, what to do with it, what comes next. */
    private static final List<String> OF_CONTENT =
            List.of("Content-Encoding", PackedPiece.HEADER, "Content-Range", "Content-Disposition", "Link");

    private final transient Access access;
    private final transient Routes routes;
    private final transient JobLimits limits;
    private final transient Places waiting;
    private final transient Places followers;

    /**
     * The API.
     *
     * @param delegations absent where credentials cannot be delegated
     * @param transfers absent where no files are moved
     * @param languages in which jobs can be described beside JSON
     * @param records what is on record of jobs
     * @param administration what administrators see and change
     */
    public ApiServlet(
            Access access,
            Jobs jobs,
            AccountTrees trees,
            @Nullable Delegations delegations,
            @Nullable Transfers transfers,
            JobLanguages languages,
            AuditRecords records,
            Administration administration,
            ApiSettings settings,
            Clock clock) {
        this.limits = settings.jobs();
        this.access = requireNonNull(access, "access is null");
        this.waiting = new Places(settings.waiting(), settings.waitingPerOwner());
        this.followers = new Places(settings.followers(), settings.followersPerOwner());
        List<Route> all = new ArrayList<>();
        all.addAll(new ServiceOperations(jobs, settings, languages, waiting, followers, clock).routes());
        all.addAll(new JobOperations(jobs, settings, languages, waiting).routes());
        all.addAll(new SubJobOperations(jobs, settings).routes());
        all.addAll(new BulkOperations(jobs, settings, languages).routes());
        all.addAll(new ArrayOperations(jobs, settings, languages, waiting).routes());
        all.addAll(new HistoryOperations(jobs).routes());
        all.addAll(new DelegationOperations(delegations).routes());
        all.addAll(new TransferOperations(transfers, settings, waiting).routes());
        all.addAll(new AuditOperations(records, waiting).routes());
        all.addAll(new ChangeOperations(jobs, settings, waiting).routes());
        all.addAll(new AdminOperations(administration).routes());
        all.addAll(new EventStreams(jobs, settings, followers).routes());
        all.addAll(new TreeOperations(
                        trees, settings.fileBytes(), new Places(settings.readers(), settings.readersPerOwner()))
                .routes());
        this.routes = new Routes(all);
    }

    /** Streams of events that are open. */
    long followers() {
        return followers.taken();
    }

    /** Requests that wait for a change. */
    long waiting() {
        return waiting.taken();
    }

    /** The operations that are served, as method and path. */
    List<String> operations() {
        return routes.names();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        try {
            answer(request, response);
        } catch (Problem e) {
            refuse(request, response, e);
        } catch (FaultException e) {
            refuse(request, response, FaultProblems.of(e.fault()));
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException, Problem {
        String path = request.getRequestURI().substring(request.getContextPath().length() + PATH.length());
        Routes.Found found = routes.find(request.getMethod(), PathText.segments(path), request.getRequestURI());
        Caller caller = access.caller((Identity) request.getAttribute(Identity.REQUEST_ATTRIBUTE));
        if (caller.isAnonymous() && !found.route().isOpen()) {
            throw Problem.anonymous();
        }
        found.route().operation().answer(new ApiCall(request, response, caller, found.parameters(), limits));
    }

    /** Too late once the answer has begun; then it just ends early. What was said of the content that does not come is said no more. */
    private static void refuse(HttpServletRequest request, HttpServletResponse response, Problem problem)
            throws IOException {
        if (response.isCommitted()) {
            throw new IOException(problem.detail());
        }
        response.resetBuffer();
        OF_CONTENT.forEach(header -> response.setHeader(header, null));
        ApiReply.write(request, response, problem.with("request", response.getHeader(REQUEST_HEADER)));
    }
}
