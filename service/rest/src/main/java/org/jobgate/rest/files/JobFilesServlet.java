// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jobgate.authz.Action;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.files.AccountFiles;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FilePlace;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.lifecycle.Jobs;

/**
 * The files of jobs, for their owners: GET and HEAD with a range, waiting for more with {@code wait=SECONDS}, and DELETE. Each is done
 * as the account that the job ran as, and only while its owner is still mapped to that account.
 */
public final class JobFilesServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** Bytes of one file that one request holds in memory. */
    static final int CHUNK = 256 * 1024;

    private final transient Jobs jobs;
    private final transient AccountFiles files;
    private final transient Authorizer authorizer;
    private final transient FileDoorSettings settings;
    private final transient ReaderCount readers;
    private final transient Following following;

    /** @param nanoTime a monotonic clock, e.g. {@code System::nanoTime} */
    public JobFilesServlet(
            Jobs jobs, AccountFiles files, Authorizer authorizer, FileDoorSettings settings, LongSupplier nanoTime) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.files = requireNonNull(files, "files is null");
        this.authorizer = requireNonNull(authorizer, "authorizer is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.readers = new ReaderCount(settings.readers(), settings.readersPerOwner());
        this.following = new Following(jobs, files, nanoTime);
    }

    /** Requests that are being answered or that wait. */
    public long readers() {
        return readers.readers();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        try {
            Identity caller = caller(request);
            FileRequest wanted = FileRequest.of(request);
            ReaderCount.Reader reader = readers.enter(caller.subject());
            try {
                answer(request.getMethod(), caller, wanted, response);
            } finally {
                reader.close();
            }
        } catch (FilesUnavailableException e) {
            refuse(response, FileRefusal.unavailable(String.valueOf(e.getMessage())));
        } catch (FaultException e) {
            // of the store: it is away, or closing
            refuse(response, FileRefusal.unavailable(e.fault().sentence()));
        } catch (FileRefusal e) {
            refuse(response, e);
        }
    }

    private static Identity caller(HttpServletRequest request) throws FileRefusal {
        if (request.getAttribute(Identity.REQUEST_ATTRIBUTE) instanceof Identity identity) {
            return identity;
        }
        throw FileRefusal.anonymous();
    }

    private void answer(String method, Identity caller, FileRequest wanted, HttpServletResponse response)
            throws IOException, FileRefusal, FilesUnavailableException {
        Job job = jobs.find(caller.subject(), wanted.job())
                .orElseThrow(() -> FileRefusal.unknownJob(wanted.job().toString()));
        checkAccount(caller, job.owner().account());
        FilePlace place = wanted.place(jobs.description(caller.subject(), job.id())
                .orElseThrow(() -> FileRefusal.unknownJob(wanted.job().toString())));
        switch (method) {
            case "GET", "HEAD" -> read(method.equals("HEAD"), job, place, wanted, response);
            case "DELETE" -> remove(job, place, response);
            default -> throw FileRefusal.notAllowed(method);
        }
    }

    /** Who has been taken off the map since reads nothing any more. */
    private void checkAccount(Identity caller, String account) throws FileRefusal {
        switch (authorizer.decide(caller, Action.FILES)) {
            case Decision.Permit permit -> {
                if (!permit.accounts().contains(account)) {
                    throw FileRefusal.notAuthorized(
                            caller.subject(), "the job ran as " + account + ", to which you are not mapped any more");
                }
            }
            case Decision.Deny deny -> throw FileRefusal.notAuthorized(caller.subject(), deny.reason());
            case Decision.Indeterminate unclear -> throw FileRefusal.unavailable(unclear.reason());
        }
    }

    private void read(boolean isHead, Job job, FilePlace place, FileRequest wanted, HttpServletResponse response)
            throws IOException, FileRefusal, FilesUnavailableException {
        Duration asked = wanted.patience() == null ? Duration.ZERO : wanted.patience();
        Duration wait = asked.compareTo(settings.maxWait()) < 0 ? asked : settings.maxWait();
        Following.Found found = following.find(job, wanted, place, wait, isHead ? 0 : CHUNK);
        if (found.part() == null && wanted.patience() == null) {
            throw FileRefusal.noFile("The job has not started, so its output is not there yet.");
        }
        new FileReply(files, response, wanted, isHead).write(job.owner().account(), place, found);
    }

    private void remove(Job job, FilePlace place, HttpServletResponse response)
            throws FileRefusal, FilesUnavailableException {
        FileAnswer answer = files.remove(job.owner().account(), place);
        if (answer instanceof FileAnswer.Refused refused) {
            throw FileRefusal.of(refused);
        }
        response.setStatus(204);
    }

    /** Too late once the answer has begun; then it just ends early. */
    private static void refuse(HttpServletResponse response, FileRefusal refusal) throws IOException {
        if (response.isCommitted()) {
            throw new IOException(refusal.sentence());
        }
        response.resetBuffer();
        FileErrors.write(response, refusal);
    }
}
