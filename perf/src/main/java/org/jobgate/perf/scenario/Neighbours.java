// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.jobgate.perf.scenario.NeighbourAccounts.ATTACKERS;
import static org.jobgate.perf.scenario.NeighbourAccounts.SPOOL;
import static org.jobgate.perf.scenario.NeighbourAccounts.VICTIMS;
import static org.jobgate.perf.scenario.NeighbourJobs.end;
import static org.jobgate.perf.scenario.NeighbourJobs.shell;
import static org.jobgate.perf.scenario.NeighbourJobs.state;
import static org.jobgate.perf.scenario.NeighbourJobs.withInput;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Account;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.wire.Credential;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.RefusedException;
import org.jobgate.perf.wire.Staging;
import org.jobgate.perf.wire.Tls;
import org.jspecify.annotations.Nullable;

/**
 * Attacks of one user on another. The attacker writes records about the other's job, stops the worker of the own account, sends files very
 * slowly, makes the gateway fetch from itself, and deletes through a link. The other's jobs must run as before.
 *
 * <p>If the harness may use two accounts of the lab, each user has one. If not, both share the harness's own account, and the report names
 * the attacks that were left out.
 */
final class Neighbours implements AutoCloseable {

    /** The user who attacks; the other one must notice nothing. */
    static final int ATTACKER = 1;

    static final int VICTIM = 2;
    static final int USERS = 3;

    /** How long a transfer that moves nothing may last here; one that drips may last one and a half times that, before it is measured. */
    static final Duration IDLE_TIMEOUT = Duration.ofSeconds(4);

    static final String SETTINGS = "staging: { idleTimeout: " + IDLE_TIMEOUT.toSeconds() + "s }";

    private static final Duration TO_END = Duration.ofMinutes(5);

    /** So long the gateway leaves a stopped worker as it is: whoever waits for that takes longer than is allowed, also on a slow machine. */
    static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(30);

    /** A machine under load may stand still for longer than a quick job takes. */
    private static final Duration STANDSTILL = Duration.ofSeconds(20);

    private static final int TIMED_JOBS = 5;
    private static final int JOBS_OF_A_CROWD = 20;
    private static final int DRIPPING = 30;

    /** Is told of each thing tried: its name, whether all was well, and what was not. */
    interface Verdict {
        void check(String name, boolean good, String otherwise);
    }

    private final Lab lab;
    private final Gateway gateway;
    private final Verdict verdict;
    private final boolean twoAccounts;
    private final GramClient attacker;
    private final GramClient victim;

    Neighbours(Lab lab, Gateway gateway, Verdict verdict) throws IOException, GeneralSecurityException {
        this.lab = lab;
        this.gateway = gateway;
        this.verdict = verdict;
        this.twoAccounts = twoAccounts();
        List<SSLContext> users = lab.tlsOfUsers();
        this.attacker = lab.client(users.get(ATTACKER));
        this.victim = lab.client(users.get(VICTIM));
    }

    /** Whether we may run jobs as two accounts of the lab. */
    static boolean twoAccounts() {
        if (!System.getProperty("user.name").equals("root") || !Files.isExecutable(Path.of("/usr/bin/sudo"))) {
            return false;
        }
        try {
            return Files.isDirectory(ATTACKERS.home()) && Files.isDirectory(VICTIMS.home());
        } catch (IOException notThere) {
            Scenario.progress(String.valueOf(notThere.getMessage()));
            return false;
        }
    }

    /** The spool that accounts other than ours can have too. */
    static String spool() {
        return "~/" + SPOOL;
    }

    /** Gives the two users an account each. To be called before the gateway starts. */
    static void map(Lab lab) throws IOException {
        if (twoAccounts()) {
            lab.mapUser(ATTACKER, ATTACKERS.name());
            lab.mapUser(VICTIM, VICTIMS.name());
        }
    }

    void attack() throws Exception {
        try (DrippingSite site = new DrippingSite(
                Tls.context(Credential.read(lab.hostCertificate(), lab.hostKey()), lab.trustDirectory()),
                lab.url() + "/metrics")) {
            // the spools of both are there from now on
            end(attacker, attacker.create(shell("exit 0")), TO_END);
            end(victim, victim.create(shell("exit 0")), TO_END);
            fetchFromTheGateway(site);
            deleteThroughALink();
            drip(site);
            if (twoAccounts) {
                leadADeletionAstray();
                stopTheWorker();
                // last: after a user writes into the event file of the own account, the gateway learns late of that
                // user's jobs
                forgeRecords();
            } else {
                Scenario.progress("left out, for they need root, sudo and the lab's accounts " + ATTACKERS.name()
                        + " and " + VICTIMS.name() + ": forged records, a stopped worker, a link of another account");
            }
        }
    }

    // --- requests to the gateway itself

    private void fetchFromTheGateway(DrippingSite site) throws IOException, InterruptedException, RefusedException {
        Path good = place(ATTACKERS, "fetched-good");
        Optional<GramClient.JobView> control =
                end(attacker, attacker.create(withInput(site.good(), good, "exit 7")), TO_END);
        verdict.check(
                "a file of a good site",
                control.isPresent() && control.get().exitCode().equals(Optional.of(7)) && Files.exists(good),
                control.map(Object::toString).orElse("it did not end"));
        Map<String, String> sources = Map.of(
                "the gateway's own metrics",
                lab.url() + "/metrics",
                "the same by address",
                lab.url().replace("localhost", "127.0.0.1") + "/metrics",
                "the same by a redirect",
                site.elsewhere(),
                "the metadata service of a cloud",
                "http://169.254.169.254/latest/meta-data/");
        Map<String, Path> fetched = new LinkedHashMap<>();
        Map<String, String> ids = new LinkedHashMap<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = place(ATTACKERS, "fetched-" + fetched.size());
            fetched.put(source.getKey(), file);
            try {
                ids.put(source.getKey(), attacker.create(withInput(source.getValue(), file, "exit 0")));
            } catch (RefusedException e) {
                verdict.check("a file from " + source.getKey(), true, "");
            }
        }
        for (Map.Entry<String, String> one : ids.entrySet()) {
            Optional<GramClient.JobView> end = end(attacker, one.getValue(), TO_END);
            Path file = fetched.get(one.getKey());
            boolean isThere = file != null && Files.exists(file);
            verdict.check(
                    "a file from " + one.getKey(),
                    end.isPresent() && end.get().state().equals("Failed") && !isThere,
                    end.map(Object::toString).orElse("it did not end") + (isThere ? ", and the file is there" : ""));
        }
    }

    // --- records about a job of another account

    private void forgeRecords() throws IOException, InterruptedException, RefusedException {
        String prey = victim.create(shell("sleep 600"));
        boolean runs = Waiting.until(TO_END, () -> state(victim, prey).equals("Active"));
        long now = Instant.now().toEpochMilli();
        String lines = Stream.of(
                        "1;0;is=suspended;tag=%1$s;at=%2$d;note=forged",
                        "1;0;is=requeued;tag=%1$s;at=%2$d;note=forged",
                        "4;0;is=ended;tag=%1$s;at=%2$d;cause=CANCELLED",
                        "8;0;is=ended;tag=%1$s;at=%2$d;cause=EXITED;exit=0")
                .map(rest -> "001;" + now / 1000 + ";" + prey + ";" + rest.formatted(prey, now))
                .collect(Collectors.joining("\\n", "", "\\n"));
        String forger = attacker.create(shell(
                "cd \"$HOME/" + SPOOL + "\" && for f in events.*.log; do printf '" + lines + "' >> $f; done; exit 7"));
        Optional<GramClient.JobView> forged = end(attacker, forger, TO_END);
        verdict.check(
                "there are forged records",
                runs && forged.isPresent() && forged.get().exitCode().equals(Optional.of(7)),
                "the victim runs: " + runs + ", the attacker's job: " + forged);
        // it learns of the appended records with the next event
        boolean areRefused = Waiting.until(TO_END, Duration.ofSeconds(1), () -> {
            try {
                var unused = attacker.create(shell("exit 0"));
            } catch (RefusedException e) {
                throw new IOException("the attacker's job was refused: " + e.getMessage(), e);
            }
            return log().contains("speaks of job " + prey + " and is refused");
        });
        verdict.check("forged records are refused and logged", areRefused, "the log does not name " + prey);
        verdict.check(
                "records about a job of another account",
                state(victim, prey).equals("Active"),
                "the job is " + state(victim, prey) + " by records that another account wrote");
        victim.destroy(prey);
    }

    // --- a worker that is stopped

    private void stopTheWorker() throws IOException, InterruptedException, RefusedException {
        Duration before = timed();
        // the attacker's job stops the workers of its account that belong to this installation; the pattern does
        // not match its own text
        String stopper =
                attacker.create(shell("kill -STOP $(grep -la '" + lab.checkout().directory()
                        + ".*/jobgate-worke[r]' /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3) 2>/dev/null; touch stopped-"
                        + ProcessHandle.current().pid()));
        Path sign =
                ATTACKERS.home().resolve("stopped-" + ProcessHandle.current().pid());
        try {
            boolean isStopped = Waiting.until(TO_END, () -> Files.exists(sign));
            verdict.check("there is a stopped worker", isStopped, "the job " + stopper + " did not stop it");
            List<String> crowd = new ArrayList<>();
            for (int i = 0; i < JOBS_OF_A_CROWD; i++) {
                crowd.add(attacker.create(shell("exit 0")));
            }
            Duration most = before.multipliedBy(4).plus(STANDSTILL);
            Duration beside = timed();
            verdict.check(
                    "a stopped worker of another account",
                    beside.compareTo(most) <= 0,
                    TIMED_JOBS + " jobs took " + beside + ", and " + before + " before; at most " + most);
            var unused = gateway.signalWorkers("CONT");
            for (String id : crowd) {
                Optional<GramClient.JobView> end = end(attacker, id, TO_END.multipliedBy(2));
                verdict.check(
                        "a job whose worker goes on",
                        end.isPresent() && end.get().state().equals("Done"),
                        end.map(Object::toString).orElse("it did not end"));
            }
        } finally {
            var unused = gateway.signalWorkers("CONT");
            Files.deleteIfExists(sign);
        }
    }

    private Duration timed() throws IOException, InterruptedException, RefusedException {
        Instant began = Instant.now();
        for (int i = 0; i < TIMED_JOBS; i++) {
            Optional<GramClient.JobView> end = end(victim, victim.create(shell("exit 7")), TO_END);
            verdict.check(
                    "a good job of another account",
                    end.isPresent() && end.get().exitCode().equals(Optional.of(7)),
                    end.map(Object::toString).orElse("it did not end"));
        }
        return Duration.between(began, Instant.now());
    }

    // --- a deletion through a link

    private void deleteThroughALink() throws IOException, InterruptedException, RefusedException {
        Path place = place(ATTACKERS, "links");
        Path kept = place.resolve("target/kept");
        String make = "mkdir -p " + place + "/target " + place + "/own && touch " + kept + " && ln -s " + place
                + "/target " + place + "/own/link && ln -s " + kept + " " + place + "/own/name && exit 7";
        Staging own = new Staging(null, List.of(), List.of(), List.of("file://" + place + "/own/"));
        Optional<GramClient.JobView> end =
                end(attacker, attacker.create(shell(make).with(own)), TO_END);
        verdict.check(
                "a directory with links is deleted",
                end.isPresent() && !Files.exists(place.resolve("own")) && Files.exists(place.resolve("target")),
                end.map(Object::toString).orElse("it did not end") + ", or the directory is still there");
        verdict.check("a deletion of a directory with links", Files.exists(kept), "what a link leads to was deleted");
    }

    /** In a directory for all, a link that the attacker made lies on the way to what the victim's job deletes. */
    private void leadADeletionAstray() throws IOException, InterruptedException, RefusedException {
        Path kept = place(VICTIMS, "kept");
        Path forAll = Path.of("/tmp/jobgate-hostile-" + ProcessHandle.current().pid());
        try {
            Optional<GramClient.JobView> link = end(
                    attacker,
                    attacker.create(shell("mkdir " + forAll + " && chmod 777 " + forAll + " && ln -s "
                            + kept.getParent() + " " + forAll + "/link && exit 7")),
                    TO_END);
            Staging through = new Staging(null, List.of(), List.of(), List.of("file://" + forAll + "/link/kept"));
            Optional<GramClient.JobView> deletion =
                    end(victim, victim.create(shell("touch " + kept).with(through)), TO_END);
            verdict.check(
                    "a link of another account lies on the way",
                    link.isPresent() && Files.isSymbolicLink(forAll.resolve("link")) && deletion.isPresent(),
                    "the link: " + link + ", the deletion: " + deletion);
            verdict.check(
                    "a deletion through a link of another account", Files.exists(kept), "what it leads to was deleted");
        } finally {
            Files.deleteIfExists(forAll.resolve("link"));
            Files.deleteIfExists(forAll);
        }
    }

    private String log() throws IOException {
        return Files.readString(lab.state().resolve("logs/jobgate.log"));
    }

    // --- sites that drip

    private void drip(DrippingSite one) throws Exception {
        try (DrippingSite other = new DrippingSite(
                Tls.context(Credential.read(lab.hostCertificate(), lab.hostKey()), lab.trustDirectory()),
                lab.url() + "/metrics")) {
            Path local = place(VICTIMS, "local");
            Duration near = fetched("file://" + local, place(VICTIMS, "near-1"), "echo good > " + local);
            Duration far = fetched(one.good(), place(VICTIMS, "far-1"), null);
            List<SSLContext> users = lab.tlsOfUsers();
            List<String> crowd = new ArrayList<>();
            try (GramClient second = lab.client(users.getFirst())) {
                for (int i = 0; i < JOBS_OF_A_CROWD; i++) {
                    for (DrippingSite site : List.of(one, other)) {
                        crowd.add(attacker.create(
                                withInput(site.drip(), place(ATTACKERS, "drip-" + crowd.size()), "exit 0")));
                        var unused = second.create(
                                withInput(site.drip(), lab.work().resolve("drip-" + crowd.size()), "exit 0"));
                    }
                }
                Waiting.Question isFull = () -> one.dripping() + other.dripping() >= DRIPPING - 2;
                verdict.check(
                        "sites that drip hold all places",
                        Waiting.until(TO_END, isFull),
                        one.dripping() + " and " + other.dripping());
                Duration mostNear = near.multipliedBy(4).plusSeconds(2);
                Duration nearBeside = Waiting.shortest(
                        mostNear,
                        isFull,
                        attempt -> fetched("file://" + local, place(VICTIMS, "near-beside-" + attempt), null));
                verdict.check(
                        "a local copy beside sites that drip",
                        nearBeside.compareTo(mostNear) <= 0,
                        "it took " + nearBeside + ", and " + near + " before");
                Duration most = far.multipliedBy(4)
                        .plusSeconds(2)
                        .plus(IDLE_TIMEOUT.multipliedBy(3).dividedBy(2));
                Duration farBeside = Waiting.shortest(
                        most, isFull, attempt -> fetched(one.good(), place(VICTIMS, "far-beside-" + attempt), null));
                verdict.check(
                        "a file of a good site beside sites that drip",
                        farBeside.compareTo(most) <= 0,
                        "it took " + farBeside + ", and " + far + " before; at most " + most);
            }
            for (String id : crowd) {
                attacker.destroy(id);
            }
        }
    }

    /**
     * How long it takes until a job of the victim has its input.
     *
     * @param before what a job of the attacker does first, not counted
     */
    private Duration fetched(String from, Path to, @Nullable String before)
            throws IOException, InterruptedException, RefusedException {
        if (before != null) {
            end(victim, victim.create(shell(before)), TO_END);
        }
        Instant began = Instant.now();
        Optional<GramClient.JobView> end =
                end(victim, victim.create(withInput(from, to, "grep -q good " + to + " && exit 7")), TO_END);
        verdict.check(
                "a good job with a file of " + from.substring(0, from.indexOf(':')),
                end.isPresent() && end.get().exitCode().equals(Optional.of(7)),
                end.map(Object::toString).orElse("it did not end"));
        return Duration.between(began, Instant.now());
    }

    /** A path of that account's own. */
    private Path place(Account account, String name) throws IOException {
        return (twoAccounts ? account.home().resolve(SPOOL) : lab.work()).resolve(name);
    }

    @Override
    public void close() throws IOException {
        attacker.close();
        victim.close();
    }
}
