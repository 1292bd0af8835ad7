// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.peer.Arex;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.wire.ArcClient;
import org.jobgate.perf.wire.RefusedException;

/**
 * A service with ARC's REST interface: our gateway, or an A-REX of the lab.
 *
 * @param name of the service
 * @param arex the A-REX; empty for our own
 * @param connections makes a client with a connection of its own, which is not made yet
 */
record ArcSide(String name, Optional<Arex> arex, Supplier<ArcClient> connections) {

    /** Where the figures of A-REX are from that stand beside ours: nobody else has published any of this interface. */
    static final String BEFORE = "A-REX 7 on such a machine, as this project's tasks quote it";

    private static final int IDS = 200;

    ArcSide {
        requireNonNull(name, "name is null");
        requireNonNull(arex, "arex is null");
        requireNonNull(connections, "connections is null");
    }

    boolean isOurs() {
        return arex.isEmpty();
    }

    /**
     * Our own first, then each A-REX that is there; one that is not is told.
     *
     * @param files a directory of the lab's user
     */
    static List<ArcSide> all(Lab lab, Report report, Path files)
            throws IOException, InterruptedException, GeneralSecurityException {
        SSLContext tls = lab.tls();
        List<ArcSide> sides = new ArrayList<>();
        sides.add(new ArcSide("Jobgate", Optional.empty(), () -> new ArcClient(lab.connection(tls))));
        Map<String, String> versions = new LinkedHashMap<>();
        LabGrid grid = LabGrid.require();
        for (Arex.Kind kind : Arex.Kind.values()) {
            Arex arex = new Arex(kind, grid, files);
            Optional<String> absence = arex.absence();
            if (absence.isPresent()) {
                Scenario.progress("SKIPPED: " + arex.name() + " is not measured: " + absence.get());
                report.note(arex.name() + " was skipped: " + absence.get());
            } else {
                versions.put(arex.name(), arex.version());
                report.note(kind.backEnd());
                sides.add(new ArcSide(
                        arex.name(), Optional.of(arex), () -> new ArcClient(Lab.connection(tls, arex.port()))));
            }
        }
        report.put("versions", versions);
        return sides;
    }

    /** So many clients, not connected yet. */
    Workers<ArcClient> workers(int number) {
        List<ArcClient> clients = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            clients.add(connections.get());
        }
        return new Workers<>(clients);
    }

    /** Creates so many jobs that wait for a file, by requests of many. */
    List<String> waiting(int number) throws IOException, RefusedException {
        List<String> ids = new ArrayList<>();
        try (ArcClient client = connections.get()) {
            while (ids.size() < number) {
                int some = Math.min(IDS, number - ids.size());
                ids.addAll(client.create(Collections.nCopies(some, waitingJob())));
            }
        }
        return ids;
    }

    static String waitingJob() {
        return ArcClient.adl(List.of("/bin/true"), true);
    }

    /** Leaves no job of a turn behind: an A-REX looks at each that it has, again and again. */
    void remove(List<String> ids) throws IOException, RefusedException {
        try (ArcClient client = connections.get()) {
            for (int from = 0; from < ids.size(); from += IDS) {
                client.remove(List.copyOf(ids.subList(from, Math.min(ids.size(), from + IDS))));
            }
        }
    }
}
