// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobId;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm.LrmJob;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.LrmUse;
import org.jobgate.lrm.SubmitResult;
import org.jobgate.lrm.SuspendResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the gateway asks of the workers of an LRM about many jobs of one account at once, split into requests of a size that lets others have
 * their turn. A job of which the worker gives no clear answer is answered as unclear.
 */
final class WorkerCalls {

    private static final Logger log = LoggerFactory.getLogger(WorkerCalls.class);

    /** Encoded descriptions in one request; a frame may be larger, but then others wait for it. */
    private static final int MAX_REQUEST_BYTES = 8 * 1024 * 1024;

    private static final int MAX_TAGS = 1000;

    private final LrmSettings settings;
    private final Function<String, WorkerSupervisor> supervisors;
    private final IntSupplier batchLimit;

    /**
     * Asks nothing yet.
     *
     * @param supervisors the worker of an account, started where there is none
     * @param batchLimit how many jobs one request may have at most at present
     */
    WorkerCalls(LrmSettings settings, Function<String, WorkerSupervisor> supervisors, IntSupplier batchLimit) {
        this.settings = requireNonNull(settings, "settings is null");
        this.supervisors = requireNonNull(supervisors, "supervisors is null");
        this.batchLimit = requireNonNull(batchLimit, "batchLimit is null");
    }

    private WorkerSupervisor supervisor(String account) {
        return requireNonNull(supervisors.apply(account), "no worker");
    }

    /** Why no job may run as this account; null where jobs may. */
    @Nullable
    Fault refusal(String account) {
        if (WorkerCommand.isAccountName(account) && !settings.deniedAccounts().contains(account)) {
            return null;
        }
        return Fault.of(
                FaultCode.NOT_AUTHORIZED,
                "Jobs may not run as the local account '" + account + "' in the LRM " + settings.name() + ".",
                "Ask the site's administrator to map you to another account.");
    }

    List<SubmitResult> submit(String account, List<SubmitRequest> requests) {
        Fault refusal = refusal(account);
        if (refusal != null) {
            return requests.stream()
                    .<SubmitResult>map(request -> new SubmitResult.Refused(refusal))
                    .toList();
        }
        List<SubmitResult> results = new ArrayList<>(requests.size());
        for (List<Map<String, Object>> batch : batches(requests)) {
            results.addAll(answers(
                    account,
                    "submit",
                    batch,
                    value -> LrmMessages.submitResult(account, value),
                    SubmitResult.Unclear::new));
        }
        return results;
    }

    /** Split by number and by size. */
    private List<List<Map<String, Object>>> batches(List<SubmitRequest> requests) {
        List<List<Map<String, Object>>> batches = new ArrayList<>();
        List<Map<String, Object>> batch = new ArrayList<>();
        int bytes = 0;
        for (SubmitRequest request : requests) {
            byte[] description = LrmMessages.description(request.description(), settings.options());
            if (batch.size() == batchLimit.getAsInt()
                    || (!batch.isEmpty() && bytes + description.length > MAX_REQUEST_BYTES)) {
                batches.add(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(Map.of("tag", request.tag(), "description", description, "may_exist", request.mayExist()));
            bytes += description.length;
        }
        if (!batch.isEmpty()) {
            batches.add(batch);
        }
        return batches;
    }

    private <R> List<R> answers(
            String account,
            String operation,
            List<Map<String, Object>> jobs,
            Function<WireValue, R> read,
            Function<String, R> unclear) {
        String why;
        try {
            List<WireValue> answers =
                    supervisor(account).ask(operation, Map.of("jobs", jobs)).items("answers");
            if (answers.size() == jobs.size()) {
                return answers.stream().map(read).toList();
            }
            why = "the adapter gave " + answers.size() + " answers for " + jobs.size() + " jobs";
        } catch (LrmUnavailableException e) {
            why = String.valueOf(e.getMessage());
        }
        R answer = unclear.apply(why);
        return jobs.stream().map(job -> answer).toList();
    }

    List<CancelResult> cancel(String account, List<LrmJob> jobs) {
        if (!WorkerCommand.isAccountName(account)) {
            return jobs.stream()
                    .<CancelResult>map(job -> new CancelResult.NotThere())
                    .toList();
        }
        List<CancelResult> results = new ArrayList<>(jobs.size());
        for (int from = 0; from < jobs.size(); from += batchLimit.getAsInt()) {
            List<LrmJob> some = jobs.subList(from, Math.min(jobs.size(), from + batchLimit.getAsInt()));
            results.addAll(answers(
                    account,
                    "cancel",
                    fields(some),
                    value -> LrmMessages.cancelResult(account, value),
                    CancelResult.Unclear::new));
        }
        return results;
    }

    /** Asks for one of {@code suspend}, {@code hold} and {@code resume}. */
    List<SuspendResult> wish(String operation, String account, List<LrmJob> jobs) {
        if (!WorkerCommand.isAccountName(account)) {
            return jobs.stream()
                    .<SuspendResult>map(job -> new SuspendResult.NotThere())
                    .toList();
        }
        List<SuspendResult> results = new ArrayList<>(jobs.size());
        for (int from = 0; from < jobs.size(); from += batchLimit.getAsInt()) {
            List<LrmJob> some = jobs.subList(from, Math.min(jobs.size(), from + batchLimit.getAsInt()));
            results.addAll(answers(
                    account,
                    operation,
                    fields(some),
                    value -> LrmMessages.suspendResult(account, value),
                    SuspendResult.Unclear::new));
        }
        return results;
    }

    Map<JobId, List<LrmEvent>> lookup(String account, Collection<JobId> tags) throws LrmUnavailableException {
        if (!WorkerCommand.isAccountName(account)) {
            return Map.of();
        }
        Map<JobId, List<LrmEvent>> found = new HashMap<>();
        List<JobId> all = List.copyOf(tags);
        for (int from = 0; from < all.size(); from += MAX_TAGS) {
            List<JobId> some = all.subList(from, Math.min(all.size(), from + MAX_TAGS));
            Fields answer = supervisor(account).ask("lookup", Map.of("tags", some));
            List<WireValue> values = answer.items("events");
            List<LrmEvent> events = LrmMessages.events(account, values);
            if (events.size() != values.size()) {
                throw new LrmUnavailableException("the adapter's answer to a lookup was not understood");
            }
            Set<JobId> asked = Set.copyOf(some);
            events.stream()
                    .filter(event -> asked.contains(event.tag()))
                    .forEach(event -> found.computeIfAbsent(event.tag(), tag -> new ArrayList<>())
                            .add(event));
        }
        return found;
    }

    Map<JobId, LrmUse> used(String account, List<LrmJob> jobs) throws LrmUnavailableException {
        return jobs.isEmpty() || !WorkerCommand.isAccountName(account)
                ? Map.of()
                : LrmMessages.uses(supervisor(account).ask("used", Map.of("jobs", fields(jobs))), jobs);
    }

    void forget(String account, List<LrmJob> jobs) {
        if (!WorkerCommand.isAccountName(account)) {
            return;
        }
        for (int from = 0; from < jobs.size(); from += MAX_TAGS) {
            List<LrmJob> some = jobs.subList(from, Math.min(jobs.size(), from + MAX_TAGS));
            try {
                supervisor(account).ask("forget", Map.of("jobs", fields(some)));
            } catch (LrmUnavailableException e) {
                // what is not forgotten now is forgotten by its age
                log.warn(
                        "{} jobs of account {} were not forgotten in {}: {}",
                        some.size(),
                        account,
                        settings.name(),
                        e.getMessage());
            }
        }
    }

    private static List<Map<String, Object>> fields(List<LrmJob> jobs) {
        return jobs.stream()
                .map(job -> Map.<String, Object>of("tag", job.tag(), "ids", job.localIds()))
                .toList();
    }
}
