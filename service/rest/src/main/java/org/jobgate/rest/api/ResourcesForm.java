// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jobgate.job.Gpus;
import org.jobgate.job.Mail;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resource;
import org.jobgate.job.Resources;
import org.jspecify.annotations.Nullable;

/** Reads what a job asks of its LRM beside its processes (the schema Resources). */
final class ResourcesForm {

    static final String NAME = "resources";

    private static final long MOST_BYTES = 1L << 60;
    private static final int MOST_COUNT = 10_000_000;
    private static final long LEAST_STACK = 65_536;
    private static final long LEAST_DATA = 65_536;
    private static final long LEAST_ADDRESS_SPACE = 1_048_576;

    private ResourcesForm() {}

    /** Asks for the member; null where it is absent. */
    static @Nullable Resources read(Fields description) throws Problem {
        if (!description.has(NAME)) {
            return null;
        }
        Fields fields = new Fields(description.present(NAME), description.path(NAME), description.budget());
        try {
            Resources resources = Resources.builder()
                    .slots(count(fields, "slots"))
                    .slotsPerHost(count(fields, "slotsPerHost"))
                    .threadsPerProcess(count(fields, "threadsPerProcess"))
                    .wholeNodes(Boolean.TRUE.equals(fields.truth("wholeNodes")))
                    .gpus(gpus(fields))
                    .memoryPerSlotMiB(fields.number("memoryPerSlot", 1, Integer.MAX_VALUE))
                    .memoryMiB(fields.number("memory", 1, Integer.MAX_VALUE))
                    .limits(limits(fields))
                    .nodeFeatures(fields.texts("nodeFeatures"))
                    .hosts(fields.texts("hosts"))
                    .architecture(fields.text("architecture"))
                    .operatingSystem(fields.text("operatingSystem"))
                    .reservation(fields.text("reservation"))
                    .preCommand(fields.texts("preCommand"))
                    .postCommand(fields.texts("postCommand"))
                    .mail(mail(fields))
                    .build();
            fields.end();
            return resources;
        } catch (IllegalArgumentException e) {
            throw wrong(fields, description, String.valueOf(e.getMessage()));
        }
    }

    /** The refusal of a value, in the names of this API. */
    private static Problem wrong(Fields fields, Fields description, String message) {
        for (Resource resource : Resource.values()) {
            if (message.startsWith(resource.word() + " ")) {
                String name = name(resource);
                String why = name + message.substring(resource.word().length());
                return Fields.wrong(fields.path(name), Problem.plain(why), "Correct it.");
            }
        }
        return Fields.wrong(description.path(NAME), Problem.plain(message), "Correct it.");
    }

    private static @Nullable Integer count(Fields fields, String name) throws Problem {
        Long number = fields.number(name, 1, MOST_COUNT);
        return number == null ? null : number.intValue();
    }

    private static @Nullable Gpus gpus(Fields fields) throws Problem {
        Integer number = count(fields, "gpus");
        String model = fields.text("gpuModel");
        Gpus.Mode mode = word(fields.path("gpuMode"), fields.text("gpuMode"), Gpus.Mode.values());
        if (number != null) {
            return new Gpus(number, model, mode);
        }
        if (model != null || mode != null) {
            throw Fields.wrong(
                    fields.path(model == null ? "gpuMode" : "gpuModel"),
                    "the job asks for no graphics processors",
                    "Say in gpus how many.");
        }
        return null;
    }

    private static @Nullable ProcessLimits limits(Fields fields) throws Problem {
        ProcessLimits limits = new ProcessLimits(
                fields.seconds("cpuTime", 1),
                fields.number("fileSize", 0, MOST_BYTES),
                fields.number("coreSize", 0, MOST_BYTES),
                fields.number("stackSize", LEAST_STACK, MOST_BYTES),
                count(fields, "openFiles"),
                count(fields, "processes"),
                fields.number("dataSize", LEAST_DATA, MOST_BYTES),
                fields.number("lockedMemory", 0, MOST_BYTES),
                fields.number("addressSpace", LEAST_ADDRESS_SPACE, MOST_BYTES));
        return limits.equals(ProcessLimits.NONE) ? null : limits;
    }

    private static @Nullable Mail mail(Fields fields) throws Problem {
        if (!fields.has("mail")) {
            return null;
        }
        Fields mail = new Fields(fields.present("mail"), fields.path("mail"), fields.budget());
        List<String> addresses = mail.texts("addresses");
        List<Mail.Event> events = new ArrayList<>();
        for (String event : mail.texts("events")) {
            events.add(word(mail.path("events"), event, Mail.Event.values()));
        }
        mail.end();
        return new Mail(addresses, events);
    }

    /** The constant of this word; null where there is none. */
    private static <E extends Enum<E>> @Nullable E word(String path, @Nullable String text, E[] all) throws Problem {
        if (text == null) {
            return null;
        }
        Optional<E> found =
                Arrays.stream(all).filter(one -> camel(one.name()).equals(text)).findFirst();
        return found.orElseThrow(() -> Fields.wrong(
                path,
                Problem.told(text) + " is none",
                "Give one of: "
                        + Arrays.stream(all).map(one -> camel(one.name())).collect(Collectors.joining(", ")) + "."));
    }

    /** What a resource is called here. */
    static String name(Resource resource) {
        return camel(resource.name());
    }

    /** E.g. {@code slotsPerHost} of SLOTS_PER_HOST. */
    static String camel(String constant) {
        String[] words = constant.toLowerCase(Locale.ROOT).split("_", -1);
        return words[0]
                + Arrays.stream(words)
                        .skip(1)
                        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                        .collect(Collectors.joining());
    }
}
