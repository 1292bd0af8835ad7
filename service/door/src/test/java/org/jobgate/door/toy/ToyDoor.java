// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door.toy;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jobgate.access.Caller;
import org.jobgate.access.JobPermit;
import org.jobgate.door.DoorContext;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.door.ServletMount;
import org.jobgate.identity.Identity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.jobs.JobsBySubject.BulkAnswer;
import org.jobgate.jobs.Submission;

/**
 * The smallest whole door, as an example: lines of text over HTTP (docs/internals/adding-a-door.md walks through it).
 *
 * <pre>
 * POST /toy/jobs          one job in each line: CLIENT-ID EXECUTABLE ARGUMENT...    answers a line for each: ID, or a refusal
 * GET /toy/jobs/ID        answers VERSION STATE; with ?after=VERSION waits until there is a newer one, 20 seconds at most
 * DELETE /toy/jobs/ID     cancels the job and forgets it
 * </pre>
 *
 * A refusal is a line that begins with an exclamation mark: {@code !CODE sentence remedy}.
 */
public final class ToyDoor extends HttpServlet implements FrontDoor {

    public static final String ROOT = "/toy";

    private static final long serialVersionUID = 1L;
    private static final JobOrigin ORIGIN = new JobOrigin("toy", "line");
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    private final transient DoorContext door;

    public ToyDoor(DoorContext door) {
        this.door = requireNonNull(door, "door is null");
    }

    @Override
    public String name() {
        return ORIGIN.door();
    }

    @Override
    public List<Mount> mounts() {
        return List.of(new ServletMount(ROOT, "the lines of the toy", this, List.of("GET", "POST", "DELETE")));
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        // the container has bounded the body
        String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        answer(
                response,
                () -> String.join("\n", submit(caller(request), body.lines().toList())));
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(response, () -> {
            JobId id = id(request);
            String after = request.getParameter("after");
            Optional<Job> job = after == null
                    ? door.jobs().find(caller(request), id)
                    : door.jobs().awaitChange(caller(request), id, version(after), LONGEST_WAIT);
            Job found = job.orElseThrow(() -> unknown(id));
            return found.version() + " " + word(found.state());
        });
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(response, () -> {
            JobId id = id(request);
            return door.jobs().destroy(caller(request), id).map(job -> "gone").orElseThrow(() -> unknown(id));
        });
    }

    private Caller caller(HttpServletRequest request) {
        return door.access().caller((Identity) request.getAttribute(Identity.REQUEST_ATTRIBUTE));
    }

    private static JobId id(HttpServletRequest request) {
        String path = request.getPathInfo();
        try {
            return JobId.parse(path.substring(path.lastIndexOf('/') + 1));
        } catch (IllegalArgumentException e) {
            throw bad("There is no job id at the end of the path.", "Ask for " + ROOT + "/jobs/ID.");
        }
    }

    private static long version(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw bad("The parameter after is not a version.", "Send the number that the last answer began with.");
        }
    }

    /** What is wrong with one line keeps none of the others from being submitted. */
    private List<String> submit(Caller caller, List<String> lines) {
        JobPermit permit = caller.submit();
        List<Submission> submissions = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        for (String line : lines) {
            try {
                submissions.add(submission(permit, line));
                answers.add("");
            } catch (FaultException e) {
                answers.add(line(e.fault()));
            }
        }
        List<BulkAnswer> stored = new ArrayList<>(door.jobs().submitAll(permit, submissions));
        answers.replaceAll(answer -> answer.isEmpty() ? line(stored.removeFirst()) : answer);
        return answers;
    }

    private Submission submission(JobPermit permit, String line) {
        String[] words = line.strip().split(" +");
        if (words.length < 2) {
            throw bad("The line '" + line + "' has no executable.", "Send lines CLIENT-ID EXECUTABLE ARGUMENT...");
        }
        List<String> arguments = List.of(words).subList(2, words.length);
        Owner owner = new Owner(permit.subject(), permit.account(Optional.empty()));
        String lrm = door.jobs().lrms().iterator().next();
        return Submission.of(
                ORIGIN, owner, words[0], lrm, JobDescription.of(words[1], arguments.toArray(String[]::new)));
    }

    private static String line(BulkAnswer answer) {
        return answer.submitted() == null
                ? line(requireNonNull(answer.fault()))
                : answer.submitted().job().id().toString();
    }

    private static String line(Fault fault) {
        return "!" + (fault.later() == null ? "" : "LATER ") + fault.code() + " " + fault.sentence() + " "
                + fault.remedy();
    }

    /** Every state of the core has a word here: a further one does not compile. */
    public static String word(JobState state) {
        return switch (state) {
            case UNSUBMITTED, STAGE_IN, PENDING -> "waits";
            case ACTIVE -> "runs";
            case SUSPENDED -> "rests";
            case STAGE_OUT, CLEAN_UP -> "ends";
            case DONE -> "done";
            case FAILED -> "failed";
            case CANCELLED -> "cancelled";
        };
    }

    private static FaultException unknown(JobId id) {
        return bad("The job " + id + " is not known here.", "Look whether it is yours.");
    }

    private static FaultException bad(String sentence, String remedy) {
        return new FaultException(Fault.of(FaultCode.INVALID_DESCRIPTION, sentence, remedy));
    }

    private static void answer(HttpServletResponse response, Supplier<String> work) throws IOException {
        String text;
        try {
            text = work.get();
        } catch (FaultException e) {
            response.setStatus(e.fault().code() == FaultCode.NOT_AUTHORIZED ? 403 : 400);
            text = line(e.fault());
        }
        response.setContentType("text/plain; charset=utf-8");
        response.getOutputStream().write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
