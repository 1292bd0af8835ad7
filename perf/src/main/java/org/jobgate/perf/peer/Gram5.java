// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.perf.gateway.Commands;
import org.jobgate.perf.gateway.LabGrid;

/**
 * GRAM5 of Debian ({@code docker/lab/gram5}) by its own command line client, {@code globusrun}, as the lab's user.
 */
public final class Gram5 implements Peer {

    private static final String SUBJECT = "/O=Grid/OU=lab/CN=gridftp-gram5";
    private static final String DEFAULT_PORT = "2119";
    private static final int CONNECT_MS = 2_000;

    private final String service;
    private final LabGrid grid;
    private final Commands commands;
    private final Path files;

    /**
     * One of its services.
     *
     * @param service {@code poll} or {@code seg}
     * @param files a directory of the lab's user that has a file {@code 10k}
     */
    public Gram5(String service, LabGrid grid, Commands commands, Path files) {
        this.service = requireNonNull(service, "service is null");
        this.grid = requireNonNull(grid, "grid is null");
        this.commands = requireNonNull(commands, "commands is null");
        this.files = requireNonNull(files, "files is null");
    }

    @Override
    public String name() {
        return "GRAM5 " + service;
    }

    private static int port() {
        return Integer.parseInt(System.getenv().getOrDefault("JOBGATE_LAB_GRAM5_PORT", DEFAULT_PORT));
    }

    @Override
    public Optional<String> absence() {
        try (Socket probe = new Socket()) {
            probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), CONNECT_MS);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    "nothing listens on port " + port() + " (" + e.getMessage() + "); as root: docker/lab/gram5 up");
        }
    }

    @Override
    public String version() throws IOException, InterruptedException {
        return "globus-gram-job-manager " + Programs.packageVersion("globus-gram-job-manager");
    }

    @Override
    public boolean does(Work work) {
        return work.delegation() != Work.Delegation.SHARED;
    }

    @Override
    public void run(Work work, int number) throws IOException, InterruptedException {
        commands.run(grid.account().words(command(work, number)));
    }

    /** The command of one job. */
    List<String> command(Work work, int number) {
        List<String> command = new ArrayList<>(List.of("globusrun", "-q", "-r"));
        command.add("localhost:" + port() + "/jobmanager-fork-" + service + ":" + SUBJECT);
        command.add(description(work, number));
        return command;
    }

    private String description(Work work, int number) {
        Path brought = files.resolve(name().replace(' ', '-') + "-in." + number);
        StringBuilder rsl = new StringBuilder("&(executable=/bin/true)");
        if (work.in()) {
            rsl.append("(file_stage_in=(")
                    .append(LabGrid.near(files.resolve("10k")))
                    .append(' ')
                    .append(brought)
                    .append("))");
        }
        if (work.out()) {
            rsl.append("(file_stage_out=(")
                    .append(brought)
                    .append(' ')
                    .append(LabGrid.far(files.resolve(name().replace(' ', '-') + "-out." + number)))
                    .append("))");
        }
        return rsl.toString();
    }

    @Override
    public String remark() {
        return name() + " delegates a credential with every job: it has no job without.";
    }

    @Override
    public void close() {
        // nothing of it is ours
    }
}
