// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * The options of jobs that GRAM4's language has no elements for, which stand in {@code extensions} (docs/reference/gram4.md). In a
 * description they are typed, and no extensions.
 *
 * <p>A client sees its description as it was written. So the extensions stay in the description too where {@link #written} would write
 * them otherwise: in another order, more than once, or with attributes.
 */
final class OwnExtensions {

    private static final String HOLD_AGAIN = "holdAgain";
    private static final String STAGE_OUT_ON_FAILURE = "stageOutOnFailure";
    private static final String INCREMENTAL_OUTPUT = "incrementalOutput";

    private static final List<Option> OPTIONS = List.of(
            new Option(HOLD_AGAIN, job -> job.holdAgain() == null ? null : HoldStates.name(job.holdAgain())),
            new Option(STAGE_OUT_ON_FAILURE, job -> text(job.stageOutOnFailure())),
            new Option(INCREMENTAL_OUTPUT, job -> text(job.incrementalOutput())));

    /** @param text what a job says of it, if anything */
    private record Option(String name, Function<JobDescription, @Nullable String> text) {}

    private OwnExtensions() {}

    private static @Nullable String text(@Nullable Boolean value) {
        return value == null ? null : value.toString();
    }

    /**
     * The job with its extensions, and with the options that they hold.
     *
     * @param extensions all that the client wrote, in order; of those with one name the last counts
     * @throws org.jobgate.job.FaultException where the value of an option is wrong: a job that waits where nobody expects it would wait
     *     for ever
     */
    static JobDescription read(JobDescription.Builder job, List<Extension> extensions) {
        List<Extension> others = new ArrayList<>();
        for (Extension extension : extensions) {
            String text = extension.text().strip();
            switch (extension.name()) {
                case HOLD_AGAIN -> job.holdAgain(holdAgain(text));
                case STAGE_OUT_ON_FAILURE -> job.stageOutOnFailure(truth(extension.name(), text));
                case INCREMENTAL_OUTPUT -> job.incrementalOutput(truth(extension.name(), text));
                case ChirpExtension.NAME -> job.chirp(ChirpExtension.read(extension));
                default -> others.add(extension);
            }
        }
        JobDescription typed = job.extensions(others).build();
        return written(typed).equals(extensions)
                ? typed
                : job.extensions(extensions).build();
    }

    /** The extensions of the job as its client sees them: those that it has, and its options where they are not among them. */
    static List<Extension> written(JobDescription job) {
        List<Extension> all = new ArrayList<>(job.extensions());
        for (Option option : OPTIONS) {
            String text = option.text().apply(job);
            if (text != null
                    && job.extensions().stream().noneMatch(other -> other.name().equals(option.name()))) {
                all.add(new Extension(option.name(), Map.of(), text, List.of()));
            }
        }
        if (job.chirp() != null
                && job.extensions().stream().noneMatch(other -> other.name().equals(ChirpExtension.NAME))) {
            all.add(ChirpExtension.written(job.chirp()));
        }
        return all;
    }

    private static JobState holdAgain(String text) {
        return HoldStates.state(text)
                .filter(state -> state != JobState.STAGE_IN)
                .orElseThrow(() -> JddFaults.invalid(HOLD_AGAIN, text, "it must be Pending, StageOut or CleanUp"));
    }

    private static boolean truth(String name, String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw JddFaults.invalid(name, text, "it must be true or false");
        }
        return text.equals("true");
    }
}
