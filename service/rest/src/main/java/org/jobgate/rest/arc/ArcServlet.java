// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jobgate.rest.files.FileRefusal;
import org.jobgate.rest.files.JobFileAccess;

/** Finds what a request asks for, and says what is wrong with it in the form that the client asked for. */
final class ArcServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** The path below which the interface is. */
    static final String PATH = "/arex/rest";

    /** The versions that are served; what a client of one of them may ask is a part of what one of the next may. */
    static final List<String> VERSIONS = List.of("1.0", "1.1");

    private static final int MOST_SEGMENTS = 80;

    private final transient Access access;
    private final transient ServiceInfo info;
    private final transient NewJobs newJobs;
    private final transient JobOperations jobs;
    private final transient DelegationOperations delegations;
    private final transient SessionOperations sessions;
    private final transient Diagnoses diagnoses;

    ArcServlet(
            Access access,
            ServiceInfo info,
            NewJobs newJobs,
            JobOperations jobs,
            DelegationOperations delegations,
            SessionOperations sessions,
            Diagnoses diagnoses) {
        this.access = requireNonNull(access, "access is null");
        this.info = requireNonNull(info, "info is null");
        this.newJobs = requireNonNull(newJobs, "newJobs is null");
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.delegations = requireNonNull(delegations, "delegations is null");
        this.sessions = requireNonNull(sessions, "sessions is null");
        this.diagnoses = requireNonNull(diagnoses, "diagnoses is null");
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        Caller caller = access.caller((Identity) request.getAttribute(Identity.REQUEST_ATTRIBUTE));
        ArcCall call = new ArcCall(request, response, caller, "", List.of());
        try {
            String path =
                    request.getRequestURI().substring(request.getContextPath().length() + PATH.length());
            answer(call, segments(path));
        } catch (ArcRefusal e) {
            refuse(call, e);
        } catch (FaultException e) {
            refuse(call, ArcRefusal.of(e.fault()));
        } catch (FileRefusal e) {
            refuse(call, new ArcRefusal(e.status(), e.sentence(), e.remedy()));
        } catch (FilesUnavailableException e) {
            refuse(
                    call,
                    new ArcRefusal(
                            503, "The files cannot be reached now: " + e.getMessage() + ".", "Try again in a moment."));
        } catch (BoundedBody.TooLongException e) {
            refuse(call, new ArcRefusal(413, String.valueOf(e.getMessage()), "Ask in several requests."));
        }
    }

    private static List<String> segments(String path) throws ArcRefusal {
        if (path.indexOf(';') >= 0) {
            throw ArcRefusal.badRequest("The address has a path parameter.", "Encode a semicolon as %3B.");
        }
        List<String> segments = Arrays.asList(path.split("/", MOST_SEGMENTS));
        return segments.size() <= 1 ? List.of() : segments.subList(1, segments.size());
    }

    private void answer(ArcCall bare, List<String> path)
            throws IOException, ArcRefusal, FileRefusal, FilesUnavailableException {
        if (path.isEmpty() || (path.size() == 1 && path.getFirst().isEmpty())) {
            unlessRead(bare);
            List<Element> versions = VERSIONS.stream()
                    .map(version -> Element.leaf("version", version))
                    .toList();
            bare.document(200, Element.of("versions", versions), "version");
            return;
        }
        if (!VERSIONS.contains(path.getFirst())) {
            throw ArcRefusal.notFound("Version Not Supported");
        }
        if (bare.caller().isAnonymous()) {
            throw new ArcRefusal(
                    401,
                    "The request came without a credential that says who sends it.",
                    "Connect with a client certificate or proxy that this gateway trusts, or send a bearer token.");
        }
        List<String> rest = path.subList(1, path.size());
        ArcCall call = new ArcCall(bare.request(), bare.response(), bare.caller(), path.getFirst(), rest);
        switch (rest.isEmpty() ? "" : rest.getFirst()) {
            case "info" -> info(call);
            case "jobs" -> jobs(call);
            case "delegations" -> delegations.answer(call);
            default -> throw ArcRefusal.notFound("There is nothing at this address.");
        }
    }

    private static void unlessRead(ArcCall call) throws ArcRefusal {
        if (!call.isRead()) {
            throw ArcRefusal.method(call.method());
        }
    }

    private void info(ArcCall call) throws IOException, ArcRefusal {
        unlessRead(call);
        if (!call.query("schema").orElse("glue2").equals("glue2")) {
            throw new ArcRefusal(501, "Only the schema glue2 is there.", "Ask with schema=glue2.");
        }
        call.document(200, info.document());
    }

    private void jobs(ArcCall call) throws IOException, ArcRefusal, FileRefusal, FilesUnavailableException {
        List<String> path = call.path();
        if (path.size() == 1 || (path.size() == 2 && path.get(1).isEmpty())) {
            if (call.isRead()) {
                jobs.list(call);
            } else if (call.method().equals("POST")) {
                String action = call.query("action").orElse("");
                if (action.equals("new")) {
                    newJobs.answer(call);
                } else {
                    jobs.act(call, action);
                }
            } else {
                throw ArcRefusal.method(call.method());
            }
            return;
        }
        switch (path.size() > 2 ? path.get(2) : "") {
            case "session" -> sessions.answer(call);
            case "diagnose" -> {
                unlessRead(call);
                diagnoses.answer(call);
            }
            default -> throw ArcRefusal.notFound("A job has session/ and diagnose/, and nothing else.");
        }
    }

    /** Too late once the answer has begun; then it just ends early. HTCondor finds the message only where it has a line of its own, two levels deep. */
    private static void refuse(ArcCall call, ArcRefusal refusal) throws IOException {
        HttpServletResponse response = call.response();
        if (response.isCommitted()) {
            throw new IOException(refusal.message());
        }
        response.resetBuffer();
        refusal.retrySeconds().ifPresent(seconds -> response.setIntHeader("Retry-After", seconds));
        if (Format.of(call.request().getHeader("Accept")) == Format.JSON) {
            call.text(
                    refusal.status(),
                    Format.JSON.contentType(),
                    "{\n\"error\": {\n\"message\": " + JsonForm.quoted(refusal.message()) + "\n}\n}\n");
        } else {
            call.document(refusal.status(), Element.of("error", List.of(Element.leaf("message", refusal.message()))));
        }
        JobFileAccess.dropBody(call.request(), response);
    }
}
