// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LrmChoice;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.wire.Credential;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.HttpReply;
import org.jobgate.perf.wire.JobRequest;
import org.jobgate.perf.wire.RefusedException;
import org.jobgate.perf.wire.Tls;
import picocli.CommandLine.Command;

/**
 * Sends a real gateway everything that a careless or hostile client may send, kills its Perl worker, lets jobs misbehave, and lets one
 * user attack another ({@link Neighbours}). Each must be answered by a fault that says what is wrong, or end as a clear failure of that one
 * job; a good job after each must run.
 */
@Command(name = "hostile", description = "bad input and bad luck: each is answered clearly, and disturbs nothing else")
public final class Hostile extends Scenario {

    /** Of a job that ends at all; a machine that does much else beside it may take its time. */
    private static final Duration TO_END = Duration.ofMinutes(5);

    private final Map<String, String> wrong = new LinkedHashMap<>();
    private int tried;

    /** With default options. */
    public Hostile() {
        super("hostile");
    }

    @Override
    LrmChoice lrm() throws IOException {
        LrmChoice fork = LrmChoice.fork();
        return new LrmChoice(
                fork.name(),
                fork.adapter(),
                fork.account(),
                Neighbours.spool(),
                fork.options(),
                Neighbours.REQUEST_TIMEOUT);
    }

    @Override
    String settings() {
        return Neighbours.SETTINGS;
    }

    @Override
    int users() {
        return Neighbours.USERS;
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report) throws Exception {
        Neighbours.map(lab);
        gateway.start();
        try (GramClient client = lab.client(lab.tls())) {
            runsWell(client, "before anything");
            for (BadInput input : BadInput.all()) {
                send(client, input);
                runsWell(client, "after " + input.name());
            }
            strangers(lab);
            reusedKey(client);
            misbehavingJobs(client);
            deadWorker(lab, client, gateway);
            try (Neighbours neighbours = new Neighbours(lab, gateway, this::check)) {
                neighbours.attack();
            }
            runsWell(client, "after what neighbours did");
            HttpReply health = client.connection().get("/health");
            check("health in the end", health.status() == 200, health.body());
        }
        gateway.stop();
        NeighbourAccounts.tidy();
        report.put("wrong", wrong)
                .count("tried", tried, "things tried", Budget.NONE)
                .count("failures", wrong.size(), "not answered as they must be", Budget.atMost(0));
        wrong.forEach((name, what) -> progress("WRONG: " + name + ": " + what));
        return wrong.isEmpty();
    }

    private void check(String name, boolean good, String otherwise) {
        tried++;
        if (!good) {
            wrong.put(name, otherwise.substring(Math.max(0, otherwise.length() - 400)));
        }
    }

    private void send(GramClient client, BadInput input) throws IOException {
        try {
            HttpReply reply =
                    client.connection().post(input.path(), "", input.message().get());
            boolean good = Integer.toString(reply.status()).matches(input.status())
                    && Pattern.compile(input.says()).matcher(reply.body()).find();
            check(input.name(), good, "status " + reply.status() + ": " + reply.body());
        } catch (SocketException e) {
            check(input.name(), false, "the connection broke before an answer came: " + e.getMessage());
        }
    }

    private void strangers(Lab lab) throws IOException, InterruptedException, GeneralSecurityException {
        Credential stranger = Credential.read(lab.proxyOfStranger());
        try (GramClient client = lab.client(Tls.context(stranger, lab.trustDirectory()))) {
            client.create(request(List.of("exit 0")));
            check("a user without an account", false, "the job was accepted");
        } catch (RefusedException e) {
            String why = String.valueOf(e.getMessage());
            check("a user without an account", why.contains("stranger"), why);
        }
    }

    private void reusedKey(GramClient client) throws IOException, RefusedException {
        JobRequest first = request(List.of("exit 0"));
        String id = client.create(first);
        check("the same request again", client.create(first).equals(id), "another job");
        JobRequest other =
                new JobRequest(first.key(), first.executable(), List.of("-c", "exit 1"), first.terminationTime(), null);
        try {
            client.create(other);
            check("a key used for another job", false, "it was accepted");
        } catch (RefusedException e) {
            check(
                    "a key used for another job",
                    String.valueOf(e.getMessage()).contains(id),
                    String.valueOf(e.getMessage()));
        }
    }

    private void misbehavingJobs(GramClient client) throws IOException, InterruptedException, RefusedException {
        endsAs(client, "a job that kills itself", "kill -9 $$", "Failed", Optional.of(137));
        endsAs(client, "a job that forks away", "setsid sleep 600 & exit 4", "Done", Optional.of(4));
        endsAs(
                client,
                "a job that fills its disk",
                "ulimit -f 1; exec head -c 10000000 /dev/zero > \"$HOME/.jobgate-hostile\"",
                "Failed",
                Optional.of(128 + 25));
        String id = client.create(
                new JobRequest(UUID.randomUUID().toString(), "/no/such/program", List.of(), inAnHour(), null));
        check(
                "a program that is not there",
                "Failed".equals(end(client, id).map(GramClient.JobView::state).orElse("")),
                "not Failed");
    }

    private void endsAs(GramClient client, String name, String script, String state, Optional<Integer> exitCode)
            throws IOException, InterruptedException, RefusedException {
        Optional<GramClient.JobView> end = end(client, client.create(request(List.of(script))));
        check(
                name,
                end.isPresent()
                        && end.get().state().equals(state)
                        && end.get().exitCode().equals(exitCode),
                end.map(Object::toString).orElse("it did not end"));
    }

    /** Kills the Perl worker by its process id while it is needed: the next job must run all the same. */
    private void deadWorker(Lab lab, GramClient client, Gateway gateway) throws IOException, InterruptedException {
        long pid = gateway.pid().orElseThrow(() -> new IOException("the gateway does not run"));
        List<ProcessHandle> workers = gateway.workers();
        check("there is a worker to kill", !workers.isEmpty(), "none found below process " + pid);
        workers.forEach(ProcessHandle::destroyForcibly);
        runsWell(client, "after kill -9 of the Perl worker in " + lab.directory());
    }

    private void runsWell(GramClient client, String when) throws IOException, InterruptedException {
        try {
            Optional<GramClient.JobView> end = end(client, client.create(request(List.of("exit 7"))));
            boolean good = end.isPresent()
                    && end.get().state().equals("Done")
                    && end.get().exitCode().equals(Optional.of(7));
            check("a good job " + when, good, end.map(Object::toString).orElse("it did not end"));
        } catch (RefusedException e) {
            check("a good job " + when, false, String.valueOf(e.getMessage()));
        }
    }

    private static Optional<GramClient.JobView> end(GramClient client, String id)
            throws IOException, InterruptedException {
        List<GramClient.JobView> last = new ArrayList<>();
        boolean ended = Waiting.until(TO_END, () -> {
            try {
                GramClient.JobView view = client.view(id);
                last.add(view);
                return view.state().equals("Done") || view.state().equals("Failed");
            } catch (RefusedException e) {
                throw new IOException("the state of " + id + " was refused: " + e.getMessage(), e);
            }
        });
        return ended ? Optional.of(last.getLast()) : Optional.empty();
    }

    private static JobRequest request(List<String> script) {
        List<String> arguments = new ArrayList<>(List.of("-c"));
        arguments.addAll(script);
        return new JobRequest(UUID.randomUUID().toString(), "/bin/sh", arguments, inAnHour(), null);
    }

    private static Instant inAnHour() {
        return Instant.now().plus(1, ChronoUnit.HOURS);
    }
}
