// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.DockerClient;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ComposeContainer;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.ContainerState;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Testcontainers;

/** docker/compose.yaml as a user starts it: the gateway on PostgreSQL, HTCondor in another container, jobs through globusrun-ws. */
@Testcontainers(disabledWithoutDocker = true)
class ComposeIT {

    private static final Duration START_MAX = Duration.ofMinutes(8);

    /** Below the range in which the system gives ports to whoever asks for any. */
    private static final int FIRST_PORT = 18_443;

    private static ComposeContainer compose;

    @BeforeAll
    static void up() throws IOException {
        compose = new ComposeContainer(
                        Checkout.root().resolve("docker/compose.yaml").toFile())
                .withBuild(true)
                .withEnv("JOBGATE_PORT", String.valueOf(freePort()))
                .waitingFor("gateway", Wait.forHealthcheck().withStartupTimeout(START_MAX));
        compose.start();
    }

    @AfterAll
    static void down() {
        if (compose != null) {
            compose.stop();
        }
    }

    private static int freePort() throws IOException {
        // the images are built before it is used: nobody is given one of these by chance meanwhile
        int port = FIRST_PORT;
        while (!isFree(port)) {
            port++;
        }
        return port;
    }

    private static boolean isFree(int port) throws IOException {
        try (var socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (BindException taken) {
            return false;
        }
    }

    private static ContainerState service(String name) {
        return compose.getContainerByServiceName(name).orElseThrow();
    }

    private static ExecResult run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("globusrun-ws"));
        command.addAll(List.of(arguments));
        return service("gateway").execInContainer(command.toArray(String[]::new));
    }

    @Test
    void runsAJobInHtcondorAndTellsItsExitCode() throws Exception {
        ExecResult result = run(
                "-submit", "-F", "localhost:8443", "-Ft", "HTCondor", "-c", "/bin/sh", "-c", "id -un > ran; exit 3");

        assertThat(result.getExitCode())
                .as(result.getStdout() + result.getStderr())
                .isEqualTo(3);
        ExecResult ran = service("htcondor").execInContainer("cat", "/var/lib/jobgate-lab/home/jobgate-a/ran");
        assertThat(ran.getStdout()).isEqualTo("jobgate-a\n");
    }

    @Test
    void losesNoJobWhenTheGatewayIsKilled() throws Exception {
        ExecResult submitted = run(
                "-submit",
                "-b",
                "-q",
                "-F",
                "localhost:8443",
                "-Ft",
                "HTCondor",
                "-o",
                "/tmp/kept.epr",
                "-c",
                "/bin/sh",
                "-c",
                "echo once >> count; sleep 5; exit 7");
        assertThat(submitted.getExitCode()).as(submitted.getStderr()).isZero();

        String id = service("gateway").getContainerId();
        DockerClient engine = DockerClientFactory.instance().client();
        engine.killContainerCmd(id).exec();
        await().atMost(START_MAX)
                .until(() -> Boolean.FALSE.equals(
                        engine.inspectContainerCmd(id).exec().getState().getRunning()));
        engine.startContainerCmd(id).exec();
        awaitGateway();

        ExecResult watched = run("-monitor", "-j", "/tmp/kept.epr");
        assertThat(watched.getExitCode())
                .as(watched.getStdout() + watched.getStderr())
                .isEqualTo(7);
        assertThat(service("htcondor")
                        .execInContainer("cat", "/var/lib/jobgate-lab/home/jobgate-a/count")
                        .getStdout())
                .isEqualTo("once\n");
    }

    private static void awaitGateway() {
        // in a container that has only just been started nothing can be run yet
        await().atMost(START_MAX)
                .ignoreExceptions()
                .pollInterval(Duration.ofSeconds(1))
                .until(() ->
                        service("gateway").execInContainer("jobgate", "status").getExitCode() == 0);
    }
}
