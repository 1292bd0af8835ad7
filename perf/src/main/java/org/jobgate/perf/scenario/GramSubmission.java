// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.JobRequest;
import org.jobgate.perf.wire.ProxySigner;
import org.jobgate.perf.wire.RefusedException;
import org.jspecify.annotations.Nullable;

/** Jobs by GRAM4, each by a request of its own. */
final class GramSubmission implements Submission {

    private static final Duration JOB_LIFETIME = Duration.ofDays(1);

    private final @Nullable Sandbox sandbox;
    private final @Nullable String shared;
    private final Queue<String> delegated = new ConcurrentLinkedQueue<>();

    private GramSubmission(@Nullable Sandbox sandbox, @Nullable String shared) {
        this.sandbox = sandbox;
        this.shared = shared;
    }

    /** Jobs with one credential, delegated now, and 10 KB in and out. */
    static GramSubmission sharing(Lab lab, Sandbox sandbox) throws IOException, GeneralSecurityException {
        try (GramClient client = lab.client(lab.tls())) {
            return new GramSubmission(sandbox, client.delegate(lab.signer(), Submitters.DELEGATED));
        } catch (RefusedException e) {
            throw new IOException("the service refused a delegation", e);
        }
    }

    /** Jobs without files, with a credential each, which is destroyed after the run: an owner may have only so many at once. */
    static GramSubmission delegatingAnew() {
        return new GramSubmission(null, null);
    }

    @Override
    public Session open(Lab lab) throws IOException, GeneralSecurityException {
        return new Connected(lab.client(lab.tls()), lab.signer(), Instant.now().plus(JOB_LIFETIME));
    }

    @Override
    public void tidy(Lab lab) throws IOException, RefusedException, GeneralSecurityException {
        try (GramClient client = lab.client(lab.tls())) {
            for (String key = delegated.poll(); key != null; key = delegated.poll()) {
                client.destroyCredential(key);
            }
        }
    }

    private final class Connected implements Session {
        private final GramClient client;
        private final ProxySigner signer;
        private final Instant end;

        Connected(GramClient client, ProxySigner signer, Instant end) {
            this.client = requireNonNull(client, "client is null");
            this.signer = requireNonNull(signer, "signer is null");
            this.end = requireNonNull(end, "end is null");
        }

        @Override
        public Taken submit(int number) throws IOException, RefusedException, GeneralSecurityException {
            if (number != 1) {
                throw new IllegalArgumentException("createManagedJob makes one job, not " + number);
            }
            String credential = shared;
            if (credential == null) {
                credential = client.delegate(signer, Submitters.DELEGATED);
                delegated.add(credential);
            }
            String key = Load.newKey();
            JobRequest job = JobRequest.noOp(key, end).with(credential);
            String unused = client.create(sandbox == null ? job : job.with(sandbox.inAndOut(credential, key)));
            return new Taken(1, null);
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }
}
