// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter.chirp;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jobgate.job.ChirpAccess;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.jobs.FilePassword;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;

/**
 * Gives jobs the tickets to Chirp servers that they ask for, beside the credentials that were delegated for them. A job waits outside of
 * all stages until its ticket is there; nothing here waits for a server.
 */
public final class ChirpCredentials implements JobCredentials, AutoCloseable {

    /** What Chirp's tools read the names of ticket files from. */
    static final String TICKET_VARIABLE = "CHIRP_CLIENT_TICKETS";

    /** Ours: host and port of the server. */
    static final String SERVER_VARIABLE = "JOBGATE_CHIRP_SERVER";

    private static final String ATTRIBUTE = "chirp";

    private final JobCredentials others;
    private final ChirpSettings settings;
    private final Set<String> lrms;
    private final TicketWork work;
    private final Clock clock;

    /**
     * Nothing is made before {@link #start}.
     *
     * @param others what gives jobs all other credentials
     * @param lrms those whose jobs have files at the gateway's own site
     */
    public ChirpCredentials(
            JobCredentials others,
            ChirpSettings settings,
            Set<String> lrms,
            TicketMaker maker,
            JobStore store,
            Clock clock) {
        this.others = requireNonNull(others, "others is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.lrms = Set.copyOf(lrms);
        this.clock = requireNonNull(clock, "clock is null");
        this.work = new TicketWork(settings, maker, store, clock);
    }

    /** Takes up what an earlier run of the service has left, and looks after all tickets from now on. */
    public void start() {
        work.start();
    }

    @Override
    public void close() {
        work.close();
    }

    /** What is measured. */
    public TicketFigures figures() {
        return work.figures();
    }

    @Override
    public boolean areWantedBy(JobDescription description) {
        return description.chirp() != null || others.areWantedBy(description);
    }

    @Override
    public Optional<Fault> refusal(Owner owner, JobDescription description) {
        Optional<Fault> fault = others.refusal(owner, description);
        ChirpAccess chirp = description.chirp();
        return fault.isPresent() || chirp == null ? fault : refusal(owner.account(), chirp);
    }

    private Optional<Fault> refusal(String account, ChirpAccess chirp) {
        if (settings.servers().isEmpty()) {
            return Optional.of(Fault.of(
                            FaultCode.UNSUPPORTED_FEATURE,
                            "The job asks for directories of a Chirp server (chirp), and this gateway makes no tickets to any.",
                            "Leave chirp out, or ask the site to name a server in chirpServers.")
                    .about(ATTRIBUTE, null));
        }
        Optional<ChirpServer> server = settings.server(chirp);
        if (server.isEmpty()) {
            return Optional.of(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "There is no Chirp server " + chirp.server() + " here; there are: " + settings.names()
                                    + ".",
                            "Name one of them, or none for the first.")
                    .about(ATTRIBUTE, chirp.server()));
        }
        for (Map.Entry<String, String> right : chirp.rights().entrySet()) {
            String path = right.getKey();
            boolean isToWrite = right.getValue().contains("w");
            if (isToWrite
                    ? !server.get().letsWrite(account, path)
                    : !server.get().lets(account, path)) {
                return Optional.of(Fault.of(
                                FaultCode.NOT_AUTHORIZED,
                                "The site gives jobs of the account " + account + " no tickets to "
                                        + (isToWrite ? "write in " : "read in ") + path + " of the Chirp server "
                                        + server.get().name() + ".",
                                "Use the directories that the site allows (chirpServers.directories, chirpServers.writable).")
                        .about(ATTRIBUTE, path));
            }
        }
        return Optional.empty();
    }

    @Override
    public DoorRecord sealed(JobId job, Owner owner, List<FilePassword> passwords) {
        return others.sealed(job, owner, passwords);
    }

    @Override
    public Placement place(Job job, JobDescription description) {
        Placement placement = others.place(job, description);
        ChirpAccess chirp = description.chirp();
        if (chirp == null || !(placement instanceof Placement.Placed placed)) {
            return placement;
        }
        if (!lrms.contains(job.lrm())) {
            return new Placement.Refused(Fault.of(
                            FaultCode.UNSUPPORTED_FEATURE,
                            "The job asks for a ticket to a Chirp server (chirp), and jobs of " + job.lrm()
                                    + " run where this gateway has no files of theirs.",
                            "Leave chirp out, or use another LRM.")
                    .about(ATTRIBUTE, null));
        }
        // the site may have changed its mind since the job was taken
        Optional<Fault> fault = refusal(job.owner().account(), chirp).or(() -> work.refused(job.id()));
        if (fault.isPresent()) {
            return new Placement.Refused(fault.get());
        }
        Optional<TicketRecords.Tickets> tickets = work.of(job.id())
                .filter(known -> !known.path().isEmpty() && known.expires().isAfter(clock.instant()));
        if (tickets.isEmpty()) {
            ChirpServer server = settings.server(chirp).orElseThrow();
            work.want(job, server.address());
            return new Placement.Waiting("waits for its ticket to the Chirp server " + server.name());
        }
        Map<String, String> environment = new LinkedHashMap<>(placed.environment());
        environment.put(TICKET_VARIABLE, tickets.get().path());
        environment.put(SERVER_VARIABLE, tickets.get().server());
        return new Placement.Placed(environment, placed.warning());
    }

    @Override
    public void remove(Job job) {
        others.remove(job);
        work.remove(job.id());
    }

    @Override
    public Optional<String> path(JobId job) {
        return others.path(job);
    }

    @Override
    public void destroyAfter(Job job, JobDescription description) {
        others.destroyAfter(job, description);
    }

    @Override
    public void onNews(BiConsumer<JobId, String> listener) {
        others.onNews(listener);
        work.onNews(listener);
    }

    @Override
    public void onChange(Consumer<JobId> listener) {
        others.onChange(listener);
        work.onChange(listener);
    }
}
