// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jobgate.access.Caller;
import org.jobgate.access.Delegations;
import org.jobgate.access.Jobs;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.PendingReason;
import org.jobgate.store.Change;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/** Writes jobs as CREAM's clients read them. */
final class JobViews {

    private final String url;
    private final Jobs jobs;
    private final CommandLog log;
    private final Leases leases;
    private final Sandboxes sandboxes;
    private final @Nullable Delegations delegations;
    private final CreamSettings settings;

    JobViews(
            String url,
            Jobs jobs,
            CommandLog log,
            Leases leases,
            Sandboxes sandboxes,
            @Nullable Delegations delegations,
            CreamSettings settings) {
        this.url = requireNonNull(url, "url is null");
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.log = requireNonNull(log, "log is null");
        this.leases = requireNonNull(leases, "leases is null");
        this.sandboxes = requireNonNull(sandboxes, "sandboxes is null");
        this.delegations = delegations;
        this.settings = requireNonNull(settings, "settings is null");
    }

    /** What the command line prints as the id of a job: the whole URL. */
    String fullId(String id) {
        return url + "/" + id;
    }

    /** The type JobId, without properties. */
    void jobId(XmlWriter out, String element, String id) {
        openId(out, element, id);
        out.close();
    }

    private void openId(XmlWriter out, String element, String id) {
        out.open(CreamNames.types(element));
        out.element(CreamNames.types("id"), id);
        out.element(CreamNames.types("creamURL"), url);
    }

    /**
     * The id of a job that was just registered, with where its files are brought and fetched.
     *
     * @param lrm whose job it is
     * @param database told where the client is one that asks for events
     */
    void registered(XmlWriter out, CreamJob kept, String lrm, @Nullable String database) {
        openId(out, "jobId", kept.id());
        property(out, "CREAMInputSandboxURI", sandboxes.inputUrl(kept, lrm));
        property(out, "CREAMOutputSandboxURI", sandboxes.outputUrl(kept, lrm));
        if (database != null) {
            property(out, "DB_ID", database);
        }
        out.close();
    }

    /** The type Property. */
    static void property(XmlWriter out, String name, String value) {
        out.open(CreamNames.types("property"));
        out.element(CreamNames.types("name"), name);
        out.element(CreamNames.types("value"), value);
        out.close();
    }

    /** How the job stands now. What is asked for it is asked here, before anything is written. */
    XmlContent status(String element, Caller caller, Job job, CreamJob kept) {
        CreamState state = CreamState.of(job);
        Instant since = job.ended() != null && state.isTerminal() ? job.ended() : job.changed();
        return status(element, caller, job, kept, state, since);
    }

    private XmlContent status(String element, Caller caller, Job job, CreamJob kept, CreamState state, Instant since) {
        Optional<Integer> exitCode =
                state.isTerminal() ? job.settledOutcome().map(JobOutcome::exitCode) : Optional.empty();
        Optional<String> failure =
                state.isTerminal() && state != CreamState.CANCELLED ? FailureTexts.reason(job) : Optional.empty();
        Optional<String> description = description(caller, job, kept, state);
        return out -> {
            out.open(CreamNames.types(element));
            jobId(out, "jobId", kept.id());
            out.element(CreamNames.types("name"), state.word());
            out.element(CreamNames.types("timestamp"), CreamNames.time(since));
            exitCode.ifPresent(code -> out.element(CreamNames.types("exitCode"), Integer.toString(code)));
            failure.ifPresent(text -> out.element(CreamNames.types("failureReason"), text));
            description.ifPresent(text -> out.element(CreamNames.types("description"), text));
            out.close();
        };
    }

    /** Says who cancelled the job, which output was cut, or why the job waits at present. */
    private Optional<String> description(Caller caller, Job job, CreamJob kept, CreamState state) {
        if (state == CreamState.CANCELLED) {
            return log.cancelledBy(kept).or(() -> FailureTexts.reason(job));
        }
        if (state.isTerminal() && kept.boundsOutput()) {
            return jobs.history(caller, job.id()).flatMap(FailureTexts::cut);
        }
        PendingReason pendingReason = job.pendingReason();
        return pendingReason != null && !state.isTerminal() && state == CreamState.of(job)
                ? Optional.of(pendingReason.because())
                : Optional.empty();
    }

    /** Everything about the job, with its description. */
    XmlContent info(Caller caller, Job job, CreamJob kept, String jdl) {
        String delegation = delegation(caller, kept);
        String lease = kept.lease();
        Optional<Instant> leased = lease == null ? Optional.empty() : leases.find(kept.owner(), lease);
        List<XmlContent> history = history(caller, job, kept);
        List<Command> commands = log.of(kept, job);
        return out -> {
            out.open(CreamNames.types("jobInfo"));
            facts(out, caller, job, kept, delegation, jdl);
            leased.ifPresent(time -> Leases.write(out, "lease", requireNonNull(lease), time));
            history.forEach(status -> status.write(out));
            for (int i = 0; i < commands.size(); i++) {
                command(out, commands.get(i), job, i + 1);
            }
            out.close();
        };
    }

    private void facts(XmlWriter out, Caller caller, Job job, CreamJob kept, String delegation, String jdl) {
        boolean isAdministrator = caller.isAdministrator(settings.administrators());
        String localId = job.localIds().isEmpty() ? CreamNames.NOT_AVAILABLE : String.join(" ", job.localIds());
        jobId(out, "jobId", kept.id());
        out.element(CreamNames.types("GridJobId"), requireNonNullElse(kept.gridJob(), CreamNames.NOT_AVAILABLE));
        out.element(
                CreamNames.types("LRMSAbsLayerJobId"),
                isAdministrator ? job.lrm() + "/" + localId : CreamNames.RESERVED);
        out.element(CreamNames.types("LRMSJobId"), isAdministrator ? localId : CreamNames.RESERVED);
        out.element(
                CreamNames.types("delegationProxyId"), requireNonNullElse(kept.delegation(), CreamNames.NOT_AVAILABLE));
        out.element(CreamNames.types("delegationProxyInfo"), delegation);
        out.element(CreamNames.types("workerNode"), workerNode(job));
        out.element(CreamNames.types("localUser"), job.owner().account());
        out.element(CreamNames.types("workingDirectory"), isAdministrator ? kept.directory() : CreamNames.RESERVED);
        out.element(CreamNames.types("CREAMInputSandboxURI"), sandboxes.inputUrl(kept, job.lrm()));
        out.element(CreamNames.types("CREAMOutputSandboxURI"), sandboxes.outputUrl(kept, job.lrm()));
        out.element(CreamNames.types("JDL"), jdl);
        out.element(CreamNames.types("type"), "normal");
    }

    /** The hosts on which it ran: its LRM tells them with its end. */
    private static String workerNode(Job job) {
        return job.settledOutcome()
                .map(JobOutcome::used)
                .map(used -> String.join(" ", used.hosts()))
                .filter(hosts -> !hosts.isEmpty())
                .orElse(CreamNames.NOT_AVAILABLE);
    }

    private String delegation(Caller caller, CreamJob kept) {
        String id = kept.delegation();
        return id == null || delegations == null
                ? CreamNames.NOT_AVAILABLE
                : delegations
                        .find(caller, id)
                        .map(found -> "[ valid to=\"" + CreamNames.time(found.expires()) + "\"; holder DN=\""
                                + kept.owner() + "\"; ]")
                        .orElse(CreamNames.NOT_AVAILABLE);
    }

    private List<XmlContent> history(Caller caller, Job job, CreamJob kept) {
        List<Change> changes = jobs.history(caller, job.id()).orElse(List.of());
        List<CreamState.Entry> entries = CreamState.history(job, changes);
        return entries.isEmpty()
                ? List.of(status("status", caller, job, kept))
                : entries.stream()
                        .map(entry -> status(
                                "status",
                                caller,
                                job,
                                kept,
                                entry.state(),
                                entry.change().at()))
                        .toList();
    }

    private static void command(XmlWriter out, Command command, Job job, int number) {
        Command.Progress progress = command.progress(job);
        String description = command.description();
        out.open(CreamNames.types("lastCommand"));
        out.element(CreamNames.types("id"), Integer.toString(number));
        out.element(CreamNames.types("name"), command.name().name());
        out.element(CreamNames.types("category"), "JOB_MANAGEMENT");
        out.element(CreamNames.types("status"), progress.status().word());
        if (description != null) {
            out.element(CreamNames.types("description"), description);
        }
        String reason = progress.reason();
        if (reason != null) {
            out.element(CreamNames.types("failureReason"), reason);
        }
        String at = CreamNames.time(command.at());
        out.element(CreamNames.types("creationTime"), at);
        out.element(CreamNames.types("startSchedulingTime"), at);
        out.element(CreamNames.types("startProcessingTime"), at);
        Instant end = progress.end();
        if (end != null) {
            out.element(CreamNames.types("executionCompletedTime"), CreamNames.time(end));
        }
        out.close();
    }
}
