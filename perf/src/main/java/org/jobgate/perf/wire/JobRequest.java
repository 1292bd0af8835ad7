// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job as the harness asks for it.
 *
 * @param key the client's own id, a UUID: the same key names the same job for ever
 * @param terminationTime when the service may forget it
 * @param holdState before which state it is to be held, as GRAM4 names it; absent means it runs
 * @param credential the key of the delegated credential that the job gets; absent means none
 * @param staging its files; absent means none
 * @param directory its working directory; absent means the account's home
 * @param consumer the URL of the notification consumer that is told of its changes; absent means nobody is told
 */
public record JobRequest(
        String key,
        String executable,
        List<String> arguments,
        Instant terminationTime,
        @Nullable String holdState,
        @Nullable String credential,
        @Nullable Staging staging,
        @Nullable String directory,
        @Nullable String consumer) {

    public JobRequest {
        requireNonNull(key, "key is null");
        requireNonNull(executable, "executable is null");
        requireNonNull(terminationTime, "terminationTime is null");
        arguments = List.copyOf(arguments);
    }

    /** A job without credential and files. */
    public JobRequest(
            String key,
            String executable,
            List<String> arguments,
            Instant terminationTime,
            @Nullable String holdState) {
        this(key, executable, arguments, terminationTime, holdState, null, null, null, null);
    }

    /** A job that does nothing. */
    public static JobRequest noOp(String key, Instant terminationTime) {
        return new JobRequest(key, "/bin/true", List.of(), terminationTime, null);
    }

    /** A job that runs until somebody ends it, a day at most. */
    public static JobRequest sleeper(String key, Instant terminationTime) {
        return new JobRequest(key, "/bin/sleep", List.of("86400"), terminationTime, null);
    }

    /** The same job, waiting for its release before it goes to the LRM. */
    public JobRequest held() {
        return new JobRequest(
                key, executable, arguments, terminationTime, "Pending", credential, staging, directory, consumer);
    }

    /** The same job with a delegated credential. */
    public JobRequest with(String delegated) {
        return new JobRequest(
                key, executable, arguments, terminationTime, holdState, delegated, staging, directory, consumer);
    }

    /** The same job with these files. */
    public JobRequest with(Staging files) {
        return new JobRequest(
                key, executable, arguments, terminationTime, holdState, credential, files, directory, consumer);
    }

    /** The same job in this directory, which it finds there. */
    public JobRequest in(String path) {
        requireNonNull(path, "path is null");
        return new JobRequest(
                key, executable, arguments, terminationTime, holdState, credential, staging, path, consumer);
    }

    /** The same job, whose changes of state this notification consumer is told. */
    public JobRequest telling(String url) {
        requireNonNull(url, "url is null");
        return new JobRequest(
                key, executable, arguments, terminationTime, holdState, credential, staging, directory, url);
    }
}
