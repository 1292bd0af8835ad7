// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jobgate.job.Mail;
import org.jspecify.annotations.Nullable;

/** Reads the element {@code Application}: the program and what belongs to it. */
final class AdlApplication {

    private static final Set<String> SINGLE = Set.of(
            "Executable",
            "Input",
            "Output",
            "Error",
            "ExpirationTime",
            "WipeTime",
            "LoggingDirectory",
            "Rerun",
            "Priority",
            "StartTime",
            "AccessControl",
            "DryRun");
    private static final Set<String> MANY = Set.of(
            "PreExecutable", "PostExecutable", "Environment", "RemoteLogging", "Notification", "CredentialService");
    private static final Set<String> STATES = Set.of(
            "ACCEPTED",
            "PREPROCESSING",
            "PROCESSING",
            "PROCESSING-ACCEPTING",
            "PROCESSING-QUEUED",
            "PROCESSING-RUNNING",
            "POSTPROCESSING",
            "TERMINAL");

    private final ActivityDraft draft;
    private final Set<String> addresses = new LinkedHashSet<>();
    private final Set<Mail.Event> events = new LinkedHashSet<>();

    private AdlApplication(ActivityDraft draft) {
        this.draft = draft;
    }

    static void read(ActivityDraft draft, AdlElement part) {
        AdlApplication reading = new AdlApplication(draft);
        AdlValues.each(part, SINGLE, MANY, reading::element);
        if (!reading.addresses.isEmpty() && !reading.events.isEmpty()) {
            try {
                draft.resources().mail(new Mail(List.copyOf(reading.addresses), List.copyOf(reading.events)));
            } catch (IllegalArgumentException e) {
                throw ActivityFaults.ADL.invalid("Notification", "", String.valueOf(e.getMessage()));
            }
        }
    }

    private void element(AdlElement element) {
        String name = element.name();
        switch (name) {
            case "Executable" -> executable(element);
            case "PreExecutable" -> {
                Command command = command(element);
                draft.before(name, command.words(), command.code());
            }
            case "PostExecutable" -> {
                Command command = command(element);
                draft.after(name, command.words(), command.code());
            }
            case "Input" -> draft.stdin(name, AdlValues.word(element));
            case "Output" -> draft.stdout(name, AdlValues.word(element));
            case "Error" -> draft.stderr(name, AdlValues.word(element));
            case "Environment" -> environment(element);
            case "Notification" -> notification(element);
            case "ExpirationTime" -> draft.startBefore(name, AdlValues.time(element), element.isOptional());
            case "WipeTime" -> draft.keepFor(wipeTime(element));
            case "StartTime" -> draft.startAfter(name, AdlValues.time(element));
            default -> withoutEffect(element);
        }
    }

    private void withoutEffect(AdlElement element) {
        String name = element.name();
        switch (name) {
            case "DryRun" -> {
                if (AdlValues.truth(element)) {
                    throw ActivityFaults.ADL.unsupported(
                            name, "a job that is not to be run is not taken", "Leave it out.");
                }
            }
            case "Rerun" -> {
                if (AdlValues.number(element, 0, Integer.MAX_VALUE) > 0) {
                    draft.note(name + " has no effect here: to run a failed job once more, submit it once more.");
                }
            }
            case "Priority" -> {
                AdlValues.number(element, 0, Integer.MAX_VALUE);
                draft.note(name + " has no effect here: the order of jobs is the site's.");
            }
            case "LoggingDirectory" -> AdlValues.word(element); // what it would hold, diagnose shows
            case "AccessControl" -> draft.note(name + " has no effect here: nobody but its owner reaches the job.");
            case "RemoteLogging" -> {
                AdlValues.each(element, Set.of("ServiceType", "URL"), Set.of(), AdlValues::word);
                AdlValues.oneOf(AdlValues.needed(element, "ServiceType"), Set.of("SGAS", "APEL"));
                draft.note(name + " has no effect here: the site accounts for jobs itself.");
            }
            default -> {
                AdlValues.word(element);
                draft.note(name + " has no effect here: a delegated credential is renewed by the client.");
            }
        }
    }

    /**
     * A program with its arguments.
     *
     * @param code that it must end with; absent where any is good
     */
    private record Command(List<String> words, @Nullable Integer code) {}

    private void executable(AdlElement element) {
        draft.executable("Path", AdlValues.word(AdlValues.needed(element, "Path")));
        AdlValues.each(element, Set.of("Path", "FailIfExitCodeNotEqualTo"), Set.of("Argument"), child -> {
            switch (child.name()) {
                case "Argument" -> draft.argument("Argument", AdlValues.text(child));
                case "FailIfExitCodeNotEqualTo" -> draft.successCode((int) AdlValues.number(child, 0, 255));
                default -> {
                    // the path, which is read
                }
            }
        });
    }

    private Command command(AdlElement element) {
        List<String> words = new ArrayList<>();
        List<Integer> codes = new ArrayList<>();
        words.add(draft.program("Path", AdlValues.word(AdlValues.needed(element, "Path"))));
        AdlValues.each(element, Set.of("Path", "FailIfExitCodeNotEqualTo"), Set.of("Argument"), child -> {
            switch (child.name()) {
                case "Argument" -> words.add(draft.text("Argument", AdlValues.text(child)));
                case "FailIfExitCodeNotEqualTo" -> codes.add((int) AdlValues.number(child, 0, 255));
                default -> {
                    // the path, which is read
                }
            }
        });
        return new Command(words, codes.isEmpty() ? null : codes.getFirst());
    }

    private void environment(AdlElement element) {
        AdlValues.each(element, Set.of("Name", "Value"), Set.of(), child -> {
            // both are read below
        });
        draft.environment(
                element.name(),
                AdlValues.word(AdlValues.needed(element, "Name")),
                AdlValues.text(AdlValues.needed(element, "Value")));
    }

    /** By the standard a time, by ARC a length of time: seconds, or as XML Schema writes durations. */
    private Duration wipeTime(AdlElement element) {
        String word = AdlValues.word(element);
        if (word.startsWith("P")) {
            try {
                Duration length = Duration.parse(word);
                if (!length.isNegative()) {
                    return length;
                }
            } catch (DateTimeException e) {
                throw ActivityFaults.ADL.invalid(element.name(), word, "it must be a length of time like P7D or PT12H");
            }
        }
        if (word.indexOf('T') > 0) {
            Instant now = draft.rules().clock().instant();
            Duration left = Duration.between(now, AdlValues.time(element));
            return left.isNegative() ? Duration.ZERO : left;
        }
        return AdlValues.seconds(element);
    }

    private void notification(AdlElement element) {
        AdlValues.each(element, Set.of("Protocol"), Set.of("Recipient", "OnState"), child -> AdlValues.word(child));
        String protocol = AdlValues.word(AdlValues.needed(element, "Protocol"));
        List<AdlElement> recipients = AdlValues.all(element, "Recipient");
        if (!protocol.equals("email")) {
            if (element.isOptional()) {
                draft.note("Notification by " + ActivityFaults.shown(protocol) + " has no effect here.");
                return;
            }
            throw ActivityFaults.ADL.unsupported(
                    "Protocol", "nobody is notified by " + ActivityFaults.shown(protocol), "Write email there.");
        }
        if (recipients.isEmpty()) {
            throw ActivityFaults.ADL.invalid(element.name(), "", "it must hold at least one Recipient");
        }
        if (!draft.rules().sendsMail()) {
            draft.note("Notification has no effect here: no mail is sent about jobs.");
            return;
        }
        recipients.forEach(address -> addresses.add(AdlValues.word(address)));
        List<AdlElement> states = AdlValues.all(element, "OnState");
        if (states.isEmpty()) {
            events.addAll(List.of(Mail.Event.ENDED, Mail.Event.FAILED));
        }
        states.forEach(this::onState);
    }

    private void onState(AdlElement state) {
        switch (AdlValues.oneOf(state, STATES)) {
            case "PROCESSING", "PROCESSING-RUNNING" -> events.add(Mail.Event.STARTED);
            case "POSTPROCESSING", "TERMINAL" -> events.addAll(List.of(Mail.Event.ENDED, Mail.Event.FAILED));
            default -> draft.note("OnState: mail is sent when a job starts and when it is over, at no other time.");
        }
    }
}
