// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway that is killed while it stores a sweep or many jobs of CREAM, or between the register and the start of one: the client repeats its
 * request, and none is lost or there twice.
 */
class BesCrashIT {

    private static Gateway gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = Gateway.startWith("cream: { administrators: [ " + Gateway.ADMINISTRATOR + " ] }\n");
    }

    @AfterAll
    static void stop() throws Exception {
        if (gateway != null) {
            gateway.close();
        }
    }

    @Test
    void jobsOfCreamOverlastKillsBetweenRegisterAndStartAndAmongFiveHundredRegisters() throws Exception {
        CreamCrash crash = new CreamCrash(gateway, directory);
        crash.killBetweenRegisterAndStart(20);
        crash.killAmongRegisters(500, 40);
    }

    /** Closed is closed, also after a kill; here and not before the gateway of all, whose other clients go on meanwhile. */
    @Test
    void anAdministratorClosesCreamsDoorByTheCommandAndOpensItAgain() throws Exception {
        assertThat(glite("allowed-submission").output()).contains("is enabled");

        assertThat(glite("disable-submission").status()).isZero();
        assertThat(glite("allowed-submission").output()).contains("is disabled");
        gateway.kill();
        gateway.startAgain();
        assertThat(glite("allowed-submission").output()).as("after kill -9").contains("is disabled");
        Path jdl = Files.writeString(directory.resolve("closed.jdl"), "Executable = \"/bin/true\";");
        String queue = "localhost:" + gateway.port() + "/cream-fork-default";
        Programs.Result refused = glite("job-submit", "-a", "-r", queue, jdl.toString());
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.output()).contains("The CREAM service cannot accept jobs at the moment");

        assertThat(glite("enable-submission").status()).isZero();
        assertThat(glite("allowed-submission").output()).contains("is enabled");
        Programs.Result taken = glite("job-submit", "-a", "-r", queue, jdl.toString());
        assertThat(taken.status()).as(taken.output()).isZero();
    }

    private static Programs.Result glite(String name, String... words) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/glite-ce-" + name).toString()));
        command.addAll(words.length == 0 ? List.of("localhost:" + gateway.port()) : List.of(words));
        return gateway.clients().run(command);
    }

    private static final int MANY = 5_000;
    private static final int FEW = 60;
    private static final Pattern COUNT = Pattern.compile("(\\d+) [A-Z]\\w+");

    @TempDir
    Path directory;

    private static String sweep(Path told, int points) {
        return """
                <JobDefinition xmlns="http://schemas.ggf.org/jsdl/2005/11/jsdl"><JobDescription><Application>
                  <POSIXApplication xmlns="http://schemas.ggf.org/jsdl/2005/11/jsdl-posix">
                    <Executable>/bin/sh</Executable><Argument>-c</Argument><Argument>echo $0 &gt;&gt; %s</Argument><Argument>0</Argument>
                  </POSIXApplication></Application></JobDescription>
                  <s:Sweep xmlns:s="http://schemas.ogf.org/jsdl/2009/03/sweep"><s:Assignment><s:DocumentNode>
                    <s:NamespaceBinding ns="http://schemas.ggf.org/jsdl/2005/11/jsdl-posix" prefix="p"/><s:Match>//p:Argument[3]</s:Match>
                  </s:DocumentNode><f:LoopInteger xmlns:f="http://schemas.ogf.org/jsdl/2009/03/sweep/functions" start="1" end="%d"/>
                  </s:Assignment></s:Sweep></JobDefinition>
                """.formatted(told, points);
    }

    private static Programs.Result bes(String... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Checkout.directory().resolve("bin/bes").toString()));
        command.addAll(List.of(words));
        return gateway.clients().run(command);
    }

    /** The command repeats a request that got no answer, until the gateway is there again. */
    private String createdOverAKill(String name, int points) throws Exception {
        Path document = Files.writeString(directory.resolve(name + ".jsdl"), sweep(directory.resolve(name), points));
        String identifier = directory.resolve(name + ".epr").toString();
        String[] words = {"create", "-F", gateway.bes(), "-I", name, "-o", identifier, document.toString()};
        int logged = gateway.log().length();
        CompletableFuture<Programs.Result> creating = CompletableFuture.supplyAsync(() -> {
            try {
                return bes(words);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        gateway.awaitLog(logged, "action=submit");
        gateway.kill();
        gateway.startAgain();
        Programs.Result created = creating.get(9, TimeUnit.MINUTES);
        // on a slow machine the command has given up before the gateway was there: then it says so, and is called again
        assertThat(created.status()).as(created.output()).isIn(0, 255);
        Programs.Result again = bes(words);
        assertThat(again.status()).as(again.output()).isZero();
        if (created.status() == 0) {
            String first = Files.readString(Path.of(identifier));
            assertThat(bes(words).status()).isZero();
            assertThat(Files.readString(Path.of(identifier))).isEqualTo(first);
        }
        return identifier;
    }

    private List<Integer> told(String name) throws Exception {
        return Files.readAllLines(directory.resolve(name)).stream()
                .map(Integer::valueOf)
                .sorted()
                .toList();
    }

    @Test
    void aKilledGatewayLosesAndDoublesNoPointOfASweep() throws Exception {
        String many = createdOverAKill("many", MANY);
        Programs.Result status = bes("status", many);
        Matcher counts = COUNT.matcher(status.output());
        assertThat(counts.results()
                        .mapToInt(found -> Integer.parseInt(found.group(1)))
                        .sum())
                .as(status.output())
                .isEqualTo(MANY);
        assertThat(bes("terminate", many).status()).isZero();

        String few = createdOverAKill("few", FEW);
        Programs.Result ended = bes("status", "-w", few);

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(told("few")).isEqualTo(IntStream.rangeClosed(1, FEW).boxed().toList());
        if (Files.exists(directory.resolve("many"))) {
            assertThat(told("many")).doesNotHaveDuplicates();
        }
    }
}
