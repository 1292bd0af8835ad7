// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.Arrays;
import java.util.Optional;

/**
 * A part of a job's description or of its submission, for faults that are about it. Each front door has a name of its own for it, in its
 * own language.
 */
public enum DescriptionPart {
    EXECUTABLE("executable", "executable"),
    DIRECTORY("directory", "directory"),
    ARGUMENT("argument", "argument"),
    ENVIRONMENT("environment", "environment variable"),
    LIBRARY_PATH("libraryPath", "library path"),
    STDIN("stdin", "standard input"),
    STDOUT("stdout", "standard output"),
    STDERR("stderr", "standard error"),
    COUNT("count", "number of processes"),
    HOST_COUNT("hostCount", "number of hosts"),
    JOB_TYPE("jobType", "type of job"),
    QUEUE("queue", "queue"),
    PROJECT("project", "project"),
    MAX_TIME("maxTime", "time"),
    MAX_WALL_TIME("maxWallTime", "wall time"),
    MAX_CPU_TIME("maxCpuTime", "processor time"),
    MAX_MEMORY("maxMemory", "most memory"),
    MIN_MEMORY("minMemory", "least memory"),
    /** Where the job is to be held. */
    HOLD("hold", "place of the hold"),
    /** The files that are fetched before the job. */
    STAGE_IN("stageIn", "files to fetch"),
    /** The files that are sent after the job. */
    STAGE_OUT("stageOut", "files to send"),
    /** The files that are deleted after the job. */
    CLEAN_UP("cleanUp", "files to delete"),
    /** Where one of the files to fetch or to send comes from. */
    TRANSFER_SOURCE("transferSource", "source of a file"),
    /** Where one of the files to fetch or to send goes. */
    TRANSFER_DESTINATION("transferDestination", "destination of a file"),
    /** One of the files to delete. */
    CLEAN_UP_FILE("cleanUpFile", "file to delete"),
    /** That files are sent while the job runs. */
    INCREMENTAL("incremental", "sending of files while the job runs"),
    /** The credential that the job itself uses. */
    JOB_CREDENTIAL("jobCredential", "credential of the job"),
    /** The credential that files are moved with. */
    FILE_CREDENTIAL("fileCredential", "credential for files"),
    /** The local account that the job runs as. */
    ACCOUNT("account", "local account"),
    /** The LRM that the job is for. */
    LRM("lrm", "LRM"),
    /** The id that the client chose for the submission. */
    CLIENT_ID("clientId", "client's id");

    private final String word;
    private final String title;

    DescriptionPart(String word, String title) {
        this.word = word;
        this.title = title;
    }

    /** A short name without spaces, the same in every version: in the administrator's view, and between the gateway and its LRM adapters. */
    public String word() {
        return word;
    }

    /** What people call it, in the middle of a sentence and without an article. */
    public String title() {
        return title;
    }

    /** The part of this {@link #word}. */
    public static Optional<DescriptionPart> of(String word) {
        return Arrays.stream(values()).filter(part -> part.word.equals(word)).findFirst();
    }
}
