// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the members of a description of a job (the schema JobRequest, without where and as whom it runs). */
final class DescriptionForm {

    private DescriptionForm() {}

    /** Asks for each member of a description. */
    static JobDescription read(Fields fields) throws Problem {
        try {
            return JobDescription.builder(executable(fields))
                    .arguments(fields.texts("arguments"))
                    .directory(fields.text("directory"))
                    .environment(environment(fields))
                    .stdin(fields.text("stdin"))
                    .stdout(fields.text("stdout"))
                    .stderr(fields.text("stderr"))
                    .count(orOne(fields.count("count")))
                    .hostCount(fields.count("hostCount"))
                    .jobType(jobType(fields))
                    .libraryPath(fields.texts("libraryPath"))
                    .queue(fields.text("queue"))
                    .project(fields.text("project"))
                    .maxTime(fields.seconds("maxTimeSeconds", 1))
                    .maxWallTime(fields.seconds("maxWallTimeSeconds", 1))
                    .maxCpuTime(fields.seconds("maxCpuTimeSeconds", 1))
                    .maxMemoryMiB(fields.number("maxMemoryMiB", 1, Integer.MAX_VALUE))
                    .minMemoryMiB(fields.number("minMemoryMiB", 1, Integer.MAX_VALUE))
                    .resources(ResourcesForm.read(fields))
                    .chirp(ChirpForm.read(fields))
                    .holdAt(holdable(fields, "holdAt"))
                    .transfers(transfers(fields))
                    .holdAgain(holdable(fields, "holdAgain"))
                    .stageOutOnFailure(fields.truth("stageOutOnFailure"))
                    .incrementalOutput(fields.truth("incrementalOutput"))
                    .credentials(credentials(fields))
                    .extensions(extensions(fields, "extensions"))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new Problem(
                    400,
                    "INVALID_FIELD",
                    "The description cannot be used: " + Problem.plain(String.valueOf(e.getMessage())) + ".",
                    "Correct it.");
        }
    }

    /** A job without one only moves files. */
    private static String executable(Fields fields) throws Problem {
        boolean isOnlyTransfers = !fields.has("executable") && fields.has("stageIn");
        return isOnlyTransfers ? "" : fields.needed("executable");
    }

    private static int orOne(@Nullable Integer count) {
        return count == null ? 1 : count;
    }

    private static List<EnvironmentVariable> environment(Fields fields) throws Problem {
        List<EnvironmentVariable> variables = new ArrayList<>();
        for (Map.Entry<String, String> member : fields.map("environment").entrySet()) {
            variables.add(new EnvironmentVariable(member.getKey(), member.getValue()));
        }
        return variables;
    }

    private static JobType jobType(Fields fields) throws Problem {
        String text = fields.text("jobType");
        if (text == null) {
            return JobType.MULTIPLE;
        }
        for (JobType type : JobType.values()) {
            if (word(type).equals(text)) {
                return type;
            }
        }
        throw Fields.wrong(
                fields.path("jobType"),
                Problem.told(text) + " is no type of jobs",
                "Give one of: "
                        + Arrays.stream(JobType.values())
                                .map(DescriptionForm::word)
                                .collect(Collectors.joining(", ")) + ".");
    }

    static String word(JobType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    /** A state at which a job can be held; null where the member is absent. */
    static @Nullable JobState holdable(Fields fields, String name) throws Problem {
        String text = fields.text(name);
        if (text == null) {
            return null;
        }
        return StateWord.parse(text)
                .filter(JobState::isHoldable)
                .orElseThrow(() -> Fields.wrong(
                        fields.path(name),
                        "a job cannot be held at " + Problem.told(text),
                        "Give one of: StageIn, Pending, StageOut, CleanUp."));
    }

    private static TransferList transfers(Fields fields) throws Problem {
        return new TransferList(
                transfers(fields, "stageIn"),
                transfers(fields, "stageOut"),
                fields.texts("cleanUp"),
                fields.map("stageInOptions"),
                fields.map("stageOutOptions"),
                fields.map("cleanUpOptions"));
    }

    private static List<Transfer> transfers(Fields fields, String name) throws Problem {
        List<Transfer> transfers = new ArrayList<>();
        for (JsonNode node : fields.list(name)) {
            Fields transfer = new Fields(node, fields.path(name) + "[" + transfers.size() + "]", fields.budget());
            transfers.add(
                    new Transfer(transfer.needed("source"), transfer.needed("destination"), transfer.map("options")));
            transfer.end();
        }
        return transfers;
    }

    private static List<NamedCredential> credentials(Fields fields) throws Problem {
        List<NamedCredential> credentials = new ArrayList<>();
        for (Map.Entry<String, String> member : fields.map("credentials").entrySet()) {
            CredentialUse use = Arrays.stream(CredentialUse.values())
                    .filter(one -> word(one).equals(member.getKey()))
                    .findFirst()
                    .orElseThrow(() -> Fields.wrong(
                            fields.path("credentials"),
                            Problem.told(member.getKey()) + " is no use of a credential",
                            "Name it one of: job, files, stageIn, stageOut, cleanUp."));
            credentials.add(NamedCredential.of(use, member.getValue()));
        }
        return credentials;
    }

    /** As the members of a request are written: {@code stageIn}. */
    static String word(CredentialUse use) {
        String state = use.name().toLowerCase(Locale.ROOT);
        int place = state.indexOf('_');
        return place < 0
                ? state
                : state.substring(0, place)
                        + Character.toUpperCase(state.charAt(place + 1))
                        + state.substring(place + 2);
    }

    private static List<Extension> extensions(Fields fields, String name) throws Problem {
        List<Extension> extensions = new ArrayList<>();
        for (JsonNode node : fields.list(name)) {
            Fields extension = new Fields(node, fields.path(name) + "[" + extensions.size() + "]", fields.budget());
            String text = extension.text("text");
            extensions.add(new Extension(
                    extension.needed("name"),
                    extension.map("attributes"),
                    text == null ? "" : text.strip(),
                    extensions(extension, "children")));
            extension.end();
        }
        return extensions;
    }
}
