// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.JobRequest;
import org.jobgate.perf.wire.RefusedException;

/**
 * A user and the job that is the only one whose state and files this user may read.
 *
 * @param tls what shows the user's proxy
 * @param job its id; it is held before the LRM
 */
record JobOwner(SSLContext tls, String job) {

    JobOwner {
        requireNonNull(tls, "tls is null");
        requireNonNull(job, "job is null");
    }

    /** Gives each user of the lab a job in this directory. */
    static List<JobOwner> ofAll(Lab lab, Path directory) throws IOException, GeneralSecurityException {
        List<JobOwner> owners = new ArrayList<>();
        for (SSLContext tls : lab.tlsOfUsers()) {
            try (GramClient client = lab.client(tls)) {
                JobRequest held = JobRequest.noOp(Load.newKey(), Instant.now().plus(Duration.ofDays(1)))
                        .in(directory.toString())
                        .held();
                owners.add(new JobOwner(tls, client.create(held)));
            } catch (RefusedException e) {
                throw new IOException("the service refused the job that is asked for", e);
            }
        }
        return owners;
    }

    /** Where the directory of so many files is listed. */
    String listing(int files) {
        return "/jobs/" + job + "/files/" + files + "/";
    }
}
