// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.doctor;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.LrmConfig;
import org.jobgate.job.Reason;

/** Whether each LRM can be used: its adapter and the programs that this calls are there, and the batch system answers. */
final class LrmFindings {

    /** For all questions to one LRM. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The share of that time that the adapter may take for each question: a third. */
    private static final String CALL_SECONDS = "call_seconds=45";

    private static final int CONNECT_MILLIS = 10_000;
    private static final int HTTPS = 443;

    private final List<LrmConfig> lrms;
    private final Path home;

    LrmFindings(List<LrmConfig> lrms, Path home) {
        this.lrms = requireNonNull(lrms, "lrms is null");
        this.home = requireNonNull(home, "home is null");
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        Adapters adapters = new Adapters(home);
        for (LrmConfig lrm : lrms) {
            String area = "LRM " + lrm.name();
            try {
                Optional<String> problem = adapters.problem(lrm);
                if (problem.isPresent()) {
                    findings.add(Finding.bad(area, "adapter " + lrm.adapter() + ": " + problem.get(), "correct lrms"));
                } else if (lrm.adapter().equals(Adapters.GATEWAY)) {
                    findings.add(gateway(area, lrm.optionsByName()));
                } else {
                    findings.addAll(probed(area, lrm));
                }
            } catch (ConfigurationException e) {
                findings.add(Finding.bad(area, String.join("; ", e.problems()), "install Jobgate anew"));
            }
        }
        return findings;
    }

    /** The adapter itself knows what it needs, and asks for it as it does for jobs. */
    private List<Finding> probed(String area, LrmConfig lrm) {
        Path probe = home.resolve("perl/jobgate-probe").toAbsolutePath().normalize();
        List<String> command =
                new ArrayList<>(List.of(lrm.perl().toString(), probe.toString(), lrm.perlAdapter(), CALL_SECONDS));
        lrm.optionsByName().forEach((name, value) -> command.add(name + "=" + value));
        Programs.Result said = Programs.run(command, PATIENCE);
        List<Finding> findings = new ArrayList<>();
        said.output().lines().forEach(line -> {
            String[] parts = line.split("\t", -1);
            if (parts.length == 2 && parts[0].equals("ok")) {
                findings.add(Finding.good(area, parts[1]));
            } else if (parts.length == 3 && parts[0].equals("bad")) {
                findings.add(Finding.bad(area, parts[1], parts[2]));
            }
        });
        if (!said.isWell() || findings.isEmpty()) {
            findings.add(Finding.bad(
                    area,
                    "it cannot be asked: " + said.output().lines().findFirst().orElse(lrm.perl() + " says nothing"),
                    "run as this account: " + String.join(" ", command.subList(0, 3))));
        }
        return findings;
    }

    private static Finding gateway(String area, Map<String, String> options) {
        String url = options.getOrDefault("url", "");
        try {
            URI uri = URI.create(url);
            if (uri.getHost() == null) {
                return Finding.bad(
                        area, "its option url is no address: " + url, "say options: [\"url=https://HOST:PORT\"]");
            }
            try (Socket socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? HTTPS : uri.getPort()),
                        CONNECT_MILLIS);
            }
            return Finding.good(area, "the gateway " + url + " can be connected to");
        } catch (IllegalArgumentException | IOException e) {
            return Finding.bad(
                    area,
                    "the gateway " + url + " cannot be connected to: " + Reason.of(e),
                    "see whether it runs, and whether this machine may reach it");
        }
    }
}
