// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jobgate.access.JobPermit;
import org.jobgate.access.Jobs;
import org.jobgate.door.DoorAddresses;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;
import org.jobgate.job.SubmissionKey;

/**
 * What a submission by a key stands for. The job that has the key, if it is there or has run. A job that was cancelled is followed by a new
 * one, and so is one that failed and was cleaned: HTCondor cancels a job that its user holds, and submits it by the same key when it is released.
 */
final class KeyedJobs {

    /** So often a job may be cancelled and submitted again. */
    private static final int MOST = 1000;

    private final Jobs jobs;

    KeyedJobs(Jobs jobs) {
        this.jobs = requireNonNull(jobs, "jobs is null");
    }

    /**
     * A key as it is used.
     *
     * @param isThere whether a job has it
     */
    record Key(String text, boolean isThere) {}

    /**
     * The key for a submission.
     *
     * @param key as the client says it
     * @throws FaultException of code {@code WRONG_STATE} if the job of the key has run and was cleaned: it is not run again
     */
    Key of(JobPermit permit, String key) {
        for (int attempt = 1; attempt <= MOST; attempt++) {
            String text = attempt == 1 ? key : further(key, attempt);
            Job job = jobs.holderOf(permit, DoorAddresses.ARC, text).orElse(null);
            if (job == null) {
                return new Key(text, false);
            }
            if (!isFollowed(job)) {
                if (job.isGone()) {
                    throw gone(job);
                }
                return new Key(text, true);
            }
        }
        throw new FaultException(Fault.of(
                FaultCode.LIMIT_EXCEEDED,
                "The job of this key was cancelled and submitted again " + MOST + " times.",
                "Submit it by another key."));
    }

    /**
     * Looks once more at the job of a submission that was answered with it: the time of one that was cleaned may have been over in between.
     *
     * @param key as it was used
     * @throws FaultException if the job is gone
     */
    void checkThere(JobPermit permit, String key) {
        jobs.holderOf(permit, DoorAddresses.ARC, key).filter(Job::isGone).ifPresent(job -> {
            throw isFollowed(job)
                    ? new FaultException(Fault.of(
                            FaultCode.NOT_NOW,
                            "The job " + job.id() + " of this key was removed while it was submitted again.",
                            "Submit it once more by the same key."))
                    : gone(job);
        });
    }

    /** Whether its client does not want it any more: one that has run to its end is not run again, and one that is being cancelled is as good as cancelled. */
    private static boolean isFollowed(Job job) {
        return job.state() == JobState.CANCELLED
                || (job.isGone() && job.state() == JobState.FAILED)
                || job.settledOutcome()
                        .filter(outcome -> outcome.outcome() == JobState.CANCELLED)
                        .isPresent();
    }

    private static FaultException gone(Job job) {
        return new FaultException(
                Fault.of(
                        FaultCode.WRONG_STATE,
                        "The job " + job.id() + " of this key is over and was cleaned; it is not run a second time.",
                        "Submit it by another key. In HTCondor such a job is removed (condor_rm), and submitted anew if it is to run again."));
    }

    private static String further(String key, int attempt) {
        String text = key + "#" + attempt;
        return text.length() <= SubmissionKey.MAX_CLIENT_ID ? text : digest(text);
    }

    /** A name of 32 characters for a text. */
    static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
