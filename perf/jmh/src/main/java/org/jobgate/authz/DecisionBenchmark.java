// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jobgate.identity.Identity;
import org.jobgate.jmh.Measured;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One decision with a ban list and a grid-mapfile of so many subjects each, with its line for the log. Budget: 100 us with 10,000. */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DecisionBenchmark extends Measured {

    private static final String SUBJECT = "/DC=org/DC=grid/OU=People/CN=";

    /** Subjects in each file. */
    @Param("10000")
    int entries = 1;

    private Path folder = Path.of("");
    private AuthorizationChain chain =
            new AuthorizationChain(Map.of(), List.of(), CombiningRule.DENY_OVERRIDES, Set.of());
    private int next;

    /** Writes and reads both files. */
    @Setup
    public void files() throws IOException {
        List<String> subjects = new ArrayList<>();
        List<String> bans = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            subjects.add("\"" + SUBJECT + "User Number " + i + "\" u" + i);
            bans.add("\"" + SUBJECT + "Banned Number " + i + "\"");
        }
        folder = Files.createTempDirectory("jobgate-jmh-");
        WatchedFile.Watch watch = new WatchedFile.Watch(Duration.ofSeconds(2), System::nanoTime, Runnable::run);
        Set<Action> all = EnumSet.allOf(Action.class);
        BanList banned = new BanList(Files.write(folder.resolve("bans"), bans), watch);
        GridMapfile map = new GridMapfile(Files.write(folder.resolve("map"), subjects), Set.of("root"), watch);
        chain = new AuthorizationChain(
                Map.of(),
                List.of(Link.of("ban-list", all, banned), Link.of("grid-mapfile", all, map)),
                CombiningRule.DENY_OVERRIDES,
                Set.of("root"));
        if (!(mapped().decision() instanceof Decision.Permit)) {
            throw new IllegalStateException("a mapped subject is not let in: " + mapped().line());
        }
    }

    /** Removes them. */
    @TearDown
    public void clean() throws IOException {
        Files.deleteIfExists(folder.resolve("map"));
        Files.deleteIfExists(folder.resolve("bans"));
        Files.deleteIfExists(folder);
    }

    /** Somebody in the grid-mapfile. */
    @Benchmark
    public AuthzResult mapped() {
        return decide("User Number " + Math.floorMod(next++, entries));
    }

    /** Somebody whom no file names. */
    @Benchmark
    public AuthzResult unknown() {
        return decide("Nobody Number " + Math.floorMod(next++, entries));
    }

    /** Somebody in the ban list. */
    @Benchmark
    public AuthzResult banned() {
        return decide("Banned Number " + Math.floorMod(next++, entries));
    }

    private AuthzResult decide(String name) {
        AuthzResult result = chain.rehearse(new Identity(SUBJECT + name, "tls", false), Action.SUBMIT);
        if (result.line().isEmpty()) {
            throw new IllegalStateException("a decision without its line");
        }
        return result;
    }
}
