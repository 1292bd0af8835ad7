// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import org.jobgate.access.Caller;
import org.jobgate.authz.Decision;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileRefusedException;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.limits.Limit;

/** A request for a file that is turned away: the status of HTTP, a word for programs, what is wrong, and what to do. */
public final class FileRefusal extends Exception {

    private static final long serialVersionUID = 1L;
    private static final String NAMES =
            "Names of files are stdout, stderr, and files/ with a path below the job's directory.";

    private final int status;
    private final String code;
    private final String remedy;

    FileRefusal(int status, String code, String sentence, String remedy) {
        super(sentence, null, false, false);
        this.status = status;
        this.code = requireNonNull(code, "code is null");
        this.remedy = requireNonNull(remedy, "remedy is null");
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }

    /** A word for programs. */
    public String code() {
        return code;
    }

    /** What is wrong. */
    public String sentence() {
        return String.valueOf(getMessage());
    }

    /** What to do. */
    public String remedy() {
        return remedy;
    }

    static FileRefusal anonymous() {
        return new FileRefusal(
                401,
                "NOT_AUTHENTICATED",
                "The request came without a credential that says who sends it.",
                "Connect with a client certificate or proxy that this gateway trusts.");
    }

    /** The same for a job of somebody else, one that is gone, and one that never was. */
    static FileRefusal unknownJob(String id) {
        return new FileRefusal(
                404, "JOB_UNKNOWN", "There is no job " + id + ".", "Check the job's id: the last part of its handle.");
    }

    static FileRefusal unknownName(String path) {
        return new FileRefusal(404, "NOT_FOUND", "A job has nothing at " + path + ".", NAMES);
    }

    static FileRefusal noFile(String sentence) {
        return new FileRefusal(404, "NOT_FOUND", sentence, NAMES);
    }

    static FileRefusal notAllowed(String method) {
        return new FileRefusal(
                405,
                "METHOD_NOT_ALLOWED",
                "Files of jobs cannot be used with " + method + ".",
                "Use GET, HEAD, PUT or DELETE; a directory (its address ends with a slash) is listed with GET.");
    }

    static FileRefusal notAuthorized(String subject, String reason) {
        return new FileRefusal(
                403,
                "NOT_AUTHORIZED",
                subject + " may not use the files of jobs here: " + reason + ".",
                "Ask the site's administrator to be admitted.");
    }

    /**
     * Refuses a caller who may not use the files of this account, as the site's policy stands now.
     *
     * @throws FileRefusal that says why
     */
    static void unlessPermitted(Caller caller, String account) throws FileRefusal {
        switch (caller.filesOf(account)) {
            case Decision.Permit permitted -> {}
            case Decision.Deny deny -> {
                if (deny.later() != null) {
                    throw unavailable(deny.reason());
                }
                throw notAuthorized(caller.subject(), deny.reason());
            }
            case Decision.Indeterminate unclear -> throw unavailable(unclear.reason());
        }
    }

    /** What the policy or the store refuses: the store is away, or closing. */
    static FileRefusal of(Fault fault) {
        return fault.code() == FaultCode.NOT_AUTHORIZED
                ? new FileRefusal(403, "NOT_AUTHORIZED", fault.sentence(), fault.remedy())
                : unavailable(fault.sentence());
    }

    static FileRefusal badRequest(String sentence) {
        return new FileRefusal(400, "BAD_REQUEST", sentence, "Correct the request.");
    }

    static FileRefusal busy(String sentence) {
        return new FileRefusal(503, "LIMIT_EXCEEDED", sentence, "Try again in a moment.");
    }

    static FileRefusal unavailable(String why) {
        return new FileRefusal(
                503, "FILES_UNAVAILABLE", "The files cannot be reached now: " + why + ".", "Try again in a moment.");
    }

    static FileRefusal replaced() {
        return new FileRefusal(
                412,
                "FILE_REPLACED",
                "The file is not the one that was read before: another one has its name now.",
                "Read it from the beginning.");
    }

    static FileRefusal exists(String sentence) {
        return new FileRefusal(412, "EXISTS", sentence, "Name another file, or leave out If-None-Match.");
    }

    static FileRefusal changed() {
        return new FileRefusal(
                412,
                "CHANGED",
                "The file is not as If-Match says: it was changed, replaced or removed.",
                "Read it anew, and decide then.");
    }

    /** The account has no room; what was sent so far is kept, so that it can go on where it stopped. */
    static FileRefusal full(String sentence) {
        return new FileRefusal(507, "NO_SPACE", sentence, "Make room, or ask the site's administrator for a quota.");
    }

    /** More than the site lets a job bring. */
    static FileRefusal overQuota(long value, String what, Limit limit) {
        return new FileRefusal(
                507,
                "LIMIT_EXCEEDED",
                "With this file the job would have " + value + " " + what + "; the limit is " + limit.name() + " = "
                        + limit.value() + ".",
                "Delete files of the job that it does not need, or have large ones staged in from a server.");
    }

    static FileRefusal tooLarge(long bytes, Limit limit) {
        return new FileRefusal(
                413,
                "LIMIT_EXCEEDED",
                "The file has " + bytes + " bytes or more; the limit is " + limit.name() + " = " + limit.value() + ".",
                "Have it staged in from a server, or ask the site's administrator.");
    }

    static FileRefusal over() {
        return new FileRefusal(
                409,
                "JOB_OVER",
                "The job is over or given up, so nothing can be put into its directory.",
                "Submit another job.");
    }

    /** @param kept how many bytes are there of the unfinished file; told in a header as well */
    static FileRefusal shorter(long kept, long offset) {
        return new FileRefusal(
                409,
                "UPLOAD_SHORTER",
                "Of the unfinished file there are " + kept + " bytes; byte " + offset + " cannot come next.",
                "Go on at byte " + kept + ", or send the whole file.");
    }

    static FileRefusal superseded() {
        return new FileRefusal(
                409,
                "UPLOAD_SUPERSEDED",
                "Another request has begun to put the same file.",
                "Send a file once at a time.");
    }

    /** What the account itself refuses. */
    public static FileRefusal of(FileRefusedException refused) {
        return of(new FileAnswer.Refused(refused.reason(), refused.sentence()));
    }

    static FileRefusal of(FileAnswer.Refused refused) {
        return switch (refused.reason()) {
            case NOT_FOUND -> noFile(refused.sentence());
            case NOT_PERMITTED ->
                new FileRefusal(
                        403, "NOT_PERMITTED", refused.sentence(), "Change the file's permissions, or name another.");
            case NOT_A_FILE ->
                new FileRefusal(409, "NOT_A_FILE", refused.sentence(), "Name a regular file, by its own name.");
            case NOT_A_DIRECTORY ->
                new FileRefusal(409, "NOT_A_DIRECTORY", refused.sentence(), "Name a directory, by its own name.");
            case EXISTS -> exists(refused.sentence());
            case NOT_EMPTY ->
                new FileRefusal(409, "NOT_EMPTY", refused.sentence(), "Remove what is in the directory first.");
            case NO_SPACE, QUOTA -> full(refused.sentence());
            case FAILED -> new FileRefusal(503, "FILES_UNAVAILABLE", refused.sentence(), "Try again in a moment.");
        };
    }
}
