// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.perf.gateway.Commands;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;

/** The gateway that is measured, by its own command line client: a process for each job. */
public final class Ourselves implements Peer {

    private final Lab lab;
    private final Commands commands;
    private final Path files;
    private boolean isDelegated;

    /**
     * The gateway of a lab.
     *
     * @param commands run the clients
     * @param files a directory of the jobs' account that has a file {@code 10k}
     */
    public Ourselves(Lab lab, Commands commands, Path files) {
        this.lab = requireNonNull(lab, "lab is null");
        this.commands = requireNonNull(commands, "commands is null");
        this.files = requireNonNull(files, "files is null");
    }

    @Override
    public String name() {
        return "Jobgate";
    }

    @Override
    public Optional<String> absence() {
        return Optional.empty();
    }

    @Override
    public String version() {
        return "the commit above";
    }

    @Override
    public boolean does(Work work) {
        return true;
    }

    @Override
    public void run(Work work, int number) throws IOException, InterruptedException {
        if (work.delegation() == Work.Delegation.SHARED && !isDelegated) {
            commands.run(delegate());
            isDelegated = true;
        }
        if (work.hasFiles()) {
            Files.writeString(description(), job(work, number));
        }
        commands.run(command(work));
    }

    private List<String> delegate() {
        String tool = lab.checkout()
                .directory()
                .resolve("bin/globus-credential-delegate")
                .toString();
        return List.of(
                tool,
                "-s",
                lab.url() + "/wsrf/services/DelegationFactoryService",
                credential().toString());
    }

    /** The command of one job. */
    List<String> command(Work work) {
        List<String> command = new ArrayList<>(List.of(lab.checkout().globusrun(), "-submit", "-F", lab.url()));
        String what = work.hasFiles() ? "-S" : "-J";
        switch (work.delegation()) {
            case NONE -> {}
            case PER_JOB -> command.add(what);
            case SHARED -> command.addAll(List.of(what + "f", credential().toString()));
        }
        command.addAll(work.hasFiles() ? List.of("-f", description().toString()) : List.of("-c", "/bin/true"));
        return command;
    }

    private Path credential() {
        return lab.directory().resolve("shared.epr");
    }

    private Path description() {
        return lab.directory().resolve("job.xml");
    }

    /** The description of one job. */
    String job(Work work, int number) {
        Path brought = files.resolve("jobgate-in." + number);
        StringBuilder job = new StringBuilder("<job><executable>/bin/true</executable>");
        if (work.in()) {
            transfer(job, "fileStageIn", LabGrid.near(files.resolve("10k")), "file://" + brought);
        }
        if (work.out()) {
            transfer(job, "fileStageOut", "file://" + brought, LabGrid.far(files.resolve("jobgate-out." + number)));
        }
        return job.append("</job>\n").toString();
    }

    private static void transfer(StringBuilder job, String element, String from, String to) {
        job.append('<').append(element).append("><transfer><sourceUrl>").append(from);
        job.append("</sourceUrl><destinationUrl>").append(to).append("</destinationUrl></transfer></");
        job.append(element).append('>');
    }

    @Override
    public String remark() {
        return "";
    }

    @Override
    public void close() {
        // the lab ends the gateway
    }
}
