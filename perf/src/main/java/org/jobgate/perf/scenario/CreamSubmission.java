// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.wire.CreamClient;
import org.jobgate.perf.wire.ProxySigner;
import org.jobgate.perf.wire.RefusedException;
import org.jobgate.perf.wire.Staging;
import org.jspecify.annotations.Nullable;

/** Jobs by CREAM2, registered and started by one request. */
final class CreamSubmission implements Submission {

    private final String lrm;
    private final @Nullable Sandbox sandbox;
    private final @Nullable String shared;
    private final Queue<String> delegated = new ConcurrentLinkedQueue<>();

    private CreamSubmission(String lrm, @Nullable Sandbox sandbox, @Nullable String shared) {
        this.lrm = requireNonNull(lrm, "lrm is null");
        this.sandbox = sandbox;
        this.shared = shared;
    }

    /** Jobs with one credential, delegated now, and 10 KB in and out. */
    static CreamSubmission sharing(Lab lab, String lrm, Sandbox sandbox) throws IOException, GeneralSecurityException {
        try (CreamClient client = client(lab)) {
            return new CreamSubmission(lrm, sandbox, client.delegate(lab.signer(), Submitters.DELEGATED));
        } catch (RefusedException e) {
            throw new IOException("the service refused a delegation", e);
        }
    }

    /** Jobs without files, with a credential for each request, which is destroyed after the run. */
    static CreamSubmission delegatingAnew(String lrm) {
        return new CreamSubmission(lrm, null, null);
    }

    private static CreamClient client(Lab lab) throws IOException, GeneralSecurityException {
        return new CreamClient(lab.connection(lab.tls()));
    }

    @Override
    public Session open(Lab lab) throws IOException, GeneralSecurityException {
        return new Connected(client(lab), lab.signer());
    }

    @Override
    public void tidy(Lab lab) throws IOException, RefusedException, GeneralSecurityException {
        try (CreamClient client = client(lab)) {
            for (String id = delegated.poll(); id != null; id = delegated.poll()) {
                client.destroyDelegation(id);
            }
        }
    }

    /** The description of one job; words and URLs of the harness have neither quotes nor backslashes. */
    static String jdl(String lrm, @Nullable Staging files) {
        StringBuilder jdl = new StringBuilder("[ Executable = \"/bin/true\"; BatchSystem = \"")
                .append(lrm)
                .append("\"; QueueName = \"default\";");
        if (files != null) {
            String from = files.in().getFirst().from();
            Staging.Copy out = files.out().getFirst();
            jdl.append(" InputSandbox = { \"").append(from).append("\" };");
            jdl.append(" OutputSandbox = { \"").append(from.substring(from.lastIndexOf('/') + 1));
            jdl.append("\" }; OutputSandboxDestURI = { \"").append(out.to()).append("\" };");
        }
        return jdl.append(" ]").toString();
    }

    private final class Connected implements Session {
        private final CreamClient client;
        private final ProxySigner signer;

        Connected(CreamClient client, ProxySigner signer) {
            this.client = client;
            this.signer = signer;
        }

        @Override
        public Taken submit(int number) throws IOException, RefusedException, GeneralSecurityException {
            String credential = shared;
            if (credential == null) {
                credential = client.delegate(signer, Submitters.DELEGATED);
                delegated.add(credential);
            }
            List<String> jdls = new ArrayList<>();
            for (int i = 0; i < number; i++) {
                jdls.add(jdl(lrm, sandbox == null ? null : sandbox.inAndOut(credential, Load.newKey())));
            }
            CreamClient.Registered registered = client.register(jdls, credential);
            return new Taken(registered.taken(), registered.refusal());
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }
}
