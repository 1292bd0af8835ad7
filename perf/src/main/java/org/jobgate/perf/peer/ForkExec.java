// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jobgate.perf.gateway.Commands;

/** The floor: a process that is started and waited for, with nothing around it. */
public final class ForkExec implements Peer {

    private final Commands commands;

    public ForkExec(Commands commands) {
        this.commands = requireNonNull(commands, "commands is null");
    }

    @Override
    public String name() {
        return "fork+exec";
    }

    @Override
    public Optional<String> absence() {
        return Optional.empty();
    }

    @Override
    public String version() {
        return System.getProperty("os.name") + " " + System.getProperty("os.version");
    }

    @Override
    public boolean does(Work work) {
        return work.delegation() == Work.Delegation.NONE && !work.hasFiles();
    }

    @Override
    public void run(Work work, int number) throws IOException, InterruptedException {
        commands.run(List.of("/bin/true"));
    }

    @Override
    public String remark() {
        return "";
    }

    @Override
    public void close() {
        // nothing of it stays
    }
}
