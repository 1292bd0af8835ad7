// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.adl.ActivityDraft;
import org.jobgate.adl.ActivityFaults;
import org.jobgate.job.Mail;

/** Reads the attributes that are about what a job asks of the site. */
final class XrslResources {

    private static final ActivityFaults FAULTS = ActivityFaults.XRSL;
    private static final Pattern VERSION = Pattern.compile("(.+?)-(\\d[\\w.+-]*)");
    private static final Set<String> ACCESSES = Set.of("inbound", "outbound");

    private final ActivityDraft draft;
    private final XrslValues values;
    private final XrslDialect dialect;
    private final Set<String> recipients = new LinkedHashSet<>();
    private final Set<Mail.Event> events = new LinkedHashSet<>();

    XrslResources(ActivityDraft draft, XrslValues values, XrslDialect dialect) {
        this.draft = draft;
        this.values = values;
        this.dialect = dialect;
    }

    /** Whether the attribute was one of these. */
    boolean read(Rsl.Relation relation) {
        String name = relation.name();
        switch (name) {
            case "queue" -> queue(relation);
            case "walltime" -> draft.wallTime(period(relation));
            case "cputime" -> draft.cpuTime(period(relation));
            case "gridtime" -> gridtime(relation);
            case "memory" -> draft.memory(name, values.number(relation, 1, Integer.MAX_VALUE));
            case "count" -> draft.slots().slots((int) values.number(relation, 1, Integer.MAX_VALUE));
            case "countpernode" -> draft.slots().perHost((int) values.number(relation, 1, Integer.MAX_VALUE));
            case "exclusiveexecution" -> draft.resources().wholeNodes(values.truth(relation));
            case "runtimeenvironment" -> runtimeEnvironment(relation);
            case "architecture" -> {
                XrslValues.requireEqual(relation);
                draft.resources().architecture(values.single(relation).replace("amd64", "x86_64"));
            }
            case "opsys" -> system(relation);
            case "notify" -> values.list(relation).forEach(this::notification);
            default -> {
                return withoutEffect(relation);
            }
        }
        return true;
    }

    private boolean withoutEffect(Rsl.Relation relation) {
        String name = relation.name();
        switch (name) {
            case "disk" -> {
                values.number(relation, 0, Long.MAX_VALUE);
                draft.note(name + " has no effect here: room on disks is not reserved for single jobs.");
            }
            case "nodeaccess" -> {
                for (String access : values.list(relation)) {
                    if (!ACCESSES.contains(access)) {
                        throw FAULTS.invalid(name, access, "it must be inbound or outbound");
                    }
                }
                draft.note(name + " has no effect here: what a node of the site can reach, each job there can.");
            }
            case "benchmarks" ->
                throw FAULTS.unsupported(
                        name, "times are not counted in units of a benchmark", "Say cputime or walltime instead.");
            default -> {
                return false;
            }
        }
        return true;
    }

    private Duration period(Rsl.Relation relation) {
        return XrslTimes.period(relation.name(), values.single(relation), dialect);
    }

    private void queue(Rsl.Relation relation) {
        if (relation.operator().equals("!=")) {
            draft.note("queue: which one to avoid has no effect here; the default is used.");
            return;
        }
        XrslValues.requireEqual(relation);
        draft.queue(relation.name(), values.single(relation));
    }

    /** Times on a machine of 2.8 GHz; clients turn it into cputime and walltime before they send it. */
    private void gridtime(Rsl.Relation relation) {
        Duration time = period(relation);
        if (dialect == XrslDialect.USER) {
            draft.cpuTime(time);
            draft.wallTime(time);
        } else {
            draft.note("gridtime has no effect here: a client must turn it into cputime and walltime.");
        }
    }

    private void runtimeEnvironment(Rsl.Relation relation) {
        List<String> texts = values.list(relation);
        if (texts.isEmpty() || texts.getFirst().isBlank()) {
            throw FAULTS.invalid(relation.name(), "", "it must name a runtime environment");
        }
        XrslValues.requireEqual(relation);
        String whole = draft.text(relation.name(), texts.getFirst().strip());
        List<String> options = texts.subList(1, texts.size());
        options.forEach(option -> draft.text(relation.name(), option));
        Matcher versioned = VERSION.matcher(whole);
        if (versioned.matches()) {
            draft.runtimeEnvironment(relation.name(), versioned.group(1), versioned.group(2), options, false);
        } else {
            draft.runtimeEnvironment(relation.name(), whole, null, options, false);
        }
    }

    private void system(Rsl.Relation relation) {
        XrslValues.requireEqual(relation);
        String name = values.single(relation);
        if (!name.equalsIgnoreCase("linux")) {
            throw FAULTS.unsupported(
                    relation.name(),
                    "machines are chosen by the family of their system only, and not by " + ActivityFaults.shown(name),
                    "Write linux there, or leave it out.");
        }
        draft.resources().operatingSystem("Linux");
    }

    private void notification(String text) {
        List<String> words = List.of(text.strip().split("\\s+"));
        boolean hasFlags = !words.getFirst().contains("@");
        String flags = hasFlags ? words.getFirst().toLowerCase(Locale.ROOT) : "be";
        List<String> addresses = hasFlags ? words.subList(1, words.size()) : words;
        if (addresses.isEmpty() || !flags.matches("[bqfecd]+")) {
            throw FAULTS.invalid(
                    "notify", text, "it must be letters out of bqfecd and addresses, like be you@example.org");
        }
        if (!draft.rules().sendsMail()) {
            draft.note("notify has no effect here: no mail is sent about jobs.");
            return;
        }
        if (flags.matches(".*[bq].*")) {
            events.add(Mail.Event.STARTED);
        }
        if (flags.matches(".*[fecd].*")) {
            events.addAll(List.of(Mail.Event.ENDED, Mail.Event.FAILED));
        }
        try {
            recipients.addAll(addresses);
            draft.resources().mail(new Mail(List.copyOf(recipients), List.copyOf(events)));
        } catch (IllegalArgumentException e) {
            throw FAULTS.invalid("notify", text, String.valueOf(e.getMessage()));
        }
    }
}
