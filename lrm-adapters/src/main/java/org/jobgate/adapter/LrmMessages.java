// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jobgate.adapter.WireValue.Bytes;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Evidence;
import org.jobgate.job.Extension;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.ResourceUse;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.JobSideText;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmUse;
import org.jobgate.lrm.SubmitResult;
import org.jobgate.lrm.SuspendResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The words of the core, to and from the words of the adapters (the POD of {@code Jobgate::Adapter}). What comes from there may have been
 * written by a job of the account: it is bounded and stripped, and sentences say which account told them.
 */
final class LrmMessages {

    private static final Logger log = LoggerFactory.getLogger(LrmMessages.class);

    private static final String HOOK_BEFORE = "hook_before";
    private static final String HOOK_AFTER = "hook_after";
    private static final int MAX_NAME = 128;
    private static final int MAX_IDS = 10_000;
    private static final int MAX_ID = 1_024;
    private static final int MAX_VALUE = 4_096;
    private static final int MAX_HOSTS_TEXT = ResourceUse.MAX_HOSTS * (ResourceUse.MAX_NAME + 1);

    private static final Set<FaultCode> OURS = Set.of(
            FaultCode.KEY_REUSED,
            FaultCode.UNKNOWN_LRM,
            FaultCode.INVALID_TERMINATION_TIME,
            FaultCode.CREDENTIAL_UNUSABLE,
            FaultCode.LIFETIME_EXPIRED,
            FaultCode.CANCELLED_BY_USER,
            FaultCode.CANCELLED_BY_ADMINISTRATOR,
            FaultCode.STAGING_FAILED,
            FaultCode.NOT_NOW,
            FaultCode.SHUTTING_DOWN,
            FaultCode.STORE_UNAVAILABLE,
            FaultCode.INTERNAL);

    private LrmMessages() {}

    /**
     * A description as adapters read it, encoded.
     *
     * @param options of the LRM: scripts of the site that are read before and after each job are told with the job
     */
    static byte[] description(JobDescription job, Map<String, String> options) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("executable", job.executable());
        put(fields, "directory", job.directory());
        fields.put("arguments", job.arguments());
        fields.put(
                "environment",
                job.environment().stream()
                        .map(variable -> List.of(variable.name(), variable.value()))
                        .toList());
        put(fields, "stdin", job.stdin());
        put(fields, "stdout", job.stdout());
        put(fields, "stderr", job.stderr());
        fields.put("count", job.count());
        put(fields, "host_count", job.hostCount());
        fields.put("job_type", job.jobType());
        fields.put("library_path", job.libraryPath());
        put(fields, "queue", job.queue());
        put(fields, "project", job.project());
        put(fields, "max_time", ResourceFields.seconds(job.maxTime()));
        put(fields, "max_wall_time", ResourceFields.seconds(job.maxWallTime()));
        put(fields, "max_cpu_time", ResourceFields.seconds(job.maxCpuTime()));
        put(fields, "max_memory_mib", job.maxMemoryMiB());
        put(fields, "min_memory_mib", job.minMemoryMiB());
        if (job.resources() != null) {
            fields.put("resources", ResourceFields.of(job.resources()));
        }
        if (!job.extensions().isEmpty()) {
            fields.put(
                    "extensions",
                    job.extensions().stream().map(LrmMessages::extension).toList());
        }
        put(fields, HOOK_BEFORE, options.get(HOOK_BEFORE));
        put(fields, HOOK_AFTER, options.get(HOOK_AFTER));
        return Wire.encode(fields);
    }

    private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    private static Map<String, Object> extension(Extension extension) {
        return Map.of(
                "name", extension.name(),
                "attributes", extension.attributes(),
                "text", extension.text(),
                "children",
                        extension.children().stream()
                                .map(LrmMessages::extension)
                                .toList());
    }

    /** Events, in order. One that cannot be understood is logged and left out: it must not hold up those of other jobs. */
    static List<LrmEvent> events(String account, List<WireValue> values) {
        List<LrmEvent> events = new ArrayList<>(values.size());
        for (WireValue value : values) {
            if (value instanceof Fields fields) {
                event(account, fields).ifPresent(events::add);
            }
        }
        return events;
    }

    private static Optional<LrmEvent> event(String account, Fields fields) {
        try {
            JobId tag = JobId.parse(fields.text("tag", ""));
            LrmEvent.Kind kind = LrmEvent.Kind.valueOf(fields.text("is", "").toUpperCase(Locale.ROOT));
            Instant at = Instant.ofEpochMilli(fields.number("at", 0));
            LrmEvent.End end = kind == LrmEvent.Kind.ENDED ? end(account, fields) : null;
            return Optional.of(new LrmEvent(tag, ids(fields), kind, at, end, note(account, fields.text("note"))));
        } catch (IllegalArgumentException e) {
            log.warn(
                    "an event from account {} was not understood: {} ({})",
                    account,
                    JobSideText.line(String.valueOf(fields.values()), JobSideText.MAX_SENTENCE),
                    JobSideText.line(String.valueOf(e.getMessage()), JobSideText.MAX_SENTENCE));
            return Optional.empty();
        }
    }

    /** The LRM's ids of a job: no more than a job may have processes, none longer than a name, in one line. */
    private static List<String> ids(Fields fields) {
        return fields.texts("ids").stream()
                .limit(MAX_IDS)
                .map(id -> JobSideText.line(id, MAX_ID))
                .filter(id -> !id.isEmpty())
                .toList();
    }

    private static @Nullable String note(String account, @Nullable String text) {
        String line = text == null ? "" : JobSideText.line(text, JobSideText.MAX_SENTENCE);
        return line.isEmpty() ? null : JobSideText.sentence(account, line);
    }

    private static LrmEvent.End end(String account, Fields fields) {
        Long wall = fields.number("wall");
        return new LrmEvent.End(
                LrmEvent.Cause.valueOf(fields.text("cause", "")),
                integer(fields.number("exit")),
                integer(fields.number("signal")),
                wall == null ? null : Duration.ofMillis(Math.max(0, wall)),
                fields.has("fault") ? fault(account, fields) : null,
                evidence(fields),
                used(fields));
    }

    private static @Nullable ResourceUse used(Fields fields) {
        Long slots = fields.number("slots");
        ResourceUse used = new ResourceUse(
                millis(fields.number("cpu")),
                millis(fields.number("user_cpu")),
                millis(fields.number("system_cpu")),
                fields.number("peak_memory"),
                slots == null ? null : Math.clamp(slots, 0, ResourceUse.MAX_SLOTS),
                Stream.of(head(fields.text("hosts", ""), MAX_HOSTS_TEXT).split(",", ResourceUse.MAX_HOSTS + 1))
                        .map(host -> JobSideText.line(host, ResourceUse.MAX_NAME))
                        .filter(host -> !host.isEmpty())
                        .toList(),
                name(fields.text("queue")),
                "job".equals(fields.text("measured")) ? ResourceUse.Source.JOB : ResourceUse.Source.LRM);
        return used.isEmpty() ? null : used;
    }

    /** The resources that a job used, by the LRM's accounting; empty if that has none. */
    private static Optional<LrmUse> use(Fields fields) {
        ResourceUse used = used(fields);
        Duration wall = millis(fields.number("wall"));
        return used == null
                ? Optional.empty()
                : Optional.of(new LrmUse(used, wall == null || wall.isNegative() ? null : wall));
    }

    /** What an LRM's accounting says that these jobs used; what it says of others is left out. */
    static Map<JobId, LrmUse> uses(Fields answer, List<Lrm.LrmJob> jobs) {
        Map<String, JobId> asked = new HashMap<>();
        jobs.forEach(job -> asked.put(job.tag().toString(), job.tag()));
        Map<JobId, LrmUse> used = new HashMap<>();
        for (WireValue value : answer.items("used")) {
            JobId tag = value instanceof Fields fields ? asked.get(fields.text("tag", "")) : null;
            if (tag != null && value instanceof Fields fields) {
                use(fields).ifPresent(use -> used.put(tag, use));
            }
        }
        return used;
    }

    private static @Nullable Duration millis(@Nullable Long number) {
        return number == null ? null : Duration.ofMillis(number);
    }

    private static @Nullable String name(@Nullable String text) {
        String line = text == null ? "" : JobSideText.line(text, MAX_NAME);
        return line.isEmpty() ? null : line;
    }

    private static String head(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max);
    }

    private static @Nullable Integer integer(@Nullable Long number) {
        return number == null ? null : Integer.valueOf(number.intValue());
    }

    /** The fault in these fields. */
    static Fault fault(String account, Fields fields) {
        Fault fault = Fault.of(
                code(account, fields.text("fault", "")),
                JobSideText.sentence(account, fields.text("sentence", "The LRM gave no reason.")),
                JobSideText.line(fields.text("remedy", ""), JobSideText.MAX_SENTENCE));
        Evidence evidence = evidence(fields);
        Fault about = fields.has("attribute")
                ? about(fault, JobSideText.line(fields.text("attribute", ""), MAX_NAME), value(fields.text("value")))
                : fault;
        return evidence == null ? about : about.with(evidence);
    }

    /** Adapters name parts of the description by their words, and what only they know by names of their own. */
    private static Fault about(Fault fault, String word, @Nullable String value) {
        return DescriptionPart.of(word).map(part -> fault.about(part, value)).orElseGet(() -> fault.about(word, value));
    }

    /** As long as a path may be. */
    private static @Nullable String value(@Nullable String text) {
        return text == null ? null : JobSideText.lines(text, MAX_VALUE);
    }

    /** What happens in the gateway, or was asked for there, nobody else can tell. */
    private static FaultCode code(String account, String name) {
        FaultCode code = Arrays.stream(FaultCode.values())
                .filter(value -> value.name().equals(name))
                .findFirst()
                .orElse(null);
        if (code == null || OURS.contains(code)) {
            log.warn(
                    "account {} gave the fault code '{}', which no LRM adapter may give",
                    account,
                    JobSideText.line(name, MAX_NAME));
            return FaultCode.LRM_REFUSED;
        }
        return code;
    }

    private static @Nullable Evidence evidence(Fields fields) {
        String command = fields.text("command");
        return command == null
                ? null
                : new Evidence(
                        JobSideText.line(command, JobSideText.MAX_SENTENCE),
                        integer(fields.number("command_exit")),
                        JobSideText.lines(fields.text("output", ""), Evidence.OUTPUT_LIMIT));
    }

    /** What became of one submitted job. */
    static SubmitResult submitResult(String account, WireValue value) {
        if (value instanceof Fields fields) {
            if (fields.values().get("refused") instanceof Fields refused) {
                return new SubmitResult.Refused(fault(account, refused));
            }
            List<String> ids = ids(fields);
            if (!ids.isEmpty()) {
                return new SubmitResult.Accepted(ids);
            }
            if (fields.has("unclear")) {
                return new SubmitResult.Unclear(
                        JobSideText.sentence(account, fields.text("unclear", "")), isAlone(fields));
            }
        }
        return new SubmitResult.Unclear(notUnderstood(account, value));
    }

    /** What became of one cancelled job. */
    static CancelResult cancelResult(String account, WireValue value) {
        String word = value instanceof Bytes bytes ? bytes.text() : "";
        if (word.equals("ending")) {
            return new CancelResult.Ending();
        }
        if (word.equals("not_there")) {
            return new CancelResult.NotThere();
        }
        String because = value instanceof Fields fields ? fields.text("unclear") : null;
        if (because == null) {
            return new CancelResult.Unclear(notUnderstood(account, value));
        }
        return new CancelResult.Unclear(
                JobSideText.sentence(account, because), value instanceof Fields fields && isAlone(fields));
    }

    /** What became of the wish to suspend or resume one job. */
    static SuspendResult suspendResult(String account, WireValue value) {
        String word = value instanceof Bytes bytes ? bytes.text() : "";
        if (word.equals("done")) {
            return new SuspendResult.Done();
        }
        if (word.equals("not_there")) {
            return new SuspendResult.NotThere();
        }
        if (value instanceof Fields fields && fields.values().get("refused") instanceof Fields refused) {
            return new SuspendResult.Refused(fault(account, refused));
        }
        String because = value instanceof Fields fields ? fields.text("unclear") : null;
        if (because == null) {
            return new SuspendResult.Unclear(notUnderstood(account, value));
        }
        return new SuspendResult.Unclear(
                JobSideText.sentence(account, because), value instanceof Fields fields && isAlone(fields));
    }

    private static String notUnderstood(String account, WireValue value) {
        return JobSideText.sentence(account, "the adapter's answer was not understood: " + value);
    }

    /** Whether the adapter says that its LRM answers, and that only this job waits. */
    private static boolean isAlone(Fields fields) {
        return "1".equals(fields.text("alone"));
    }
}
