// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.FilePassword;
import org.jspecify.annotations.Nullable;

/** What of the files of a job cannot be left to another gateway. All else is for that gateway to judge, which knows its protocols. */
final class FilesThere {

    /** Scheme and authority of a URL, whose rest may be such that it cannot be parsed. */
    private static final Pattern HEAD = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)");

    private FilesThere() {}

    static Optional<Fault> refusal(JobDescription description, JobWriter writer) {
        Optional<Fault> password = password(description);
        if (password.isPresent()) {
            return password;
        }
        if (FilePassword.areIn(description)) {
            return unsupported(
                    "its files are to be moved with a name and a password, which are kept sealed at this gateway only",
                    "Use a delegated credential for them, or submit the job to that gateway itself.");
        }
        if (isHeldLater(description.holdAt()) || isHeldLater(description.holdAgain())) {
            return unsupported(
                    "it is to be held before files are moved that the other gateway moves",
                    "Hold it before its files are fetched, or before it runs.");
        }
        boolean namesCredential = description.credentials().stream().anyMatch(one -> one.use() != CredentialUse.JOB);
        if (namesCredential && description.credential(CredentialUse.JOB).isEmpty()) {
            return Optional.of(Fault.of(
                            FaultCode.CREDENTIAL_UNUSABLE,
                            "The job is for another gateway and names a delegated credential for its files, and none for the job.",
                            "Name one for the job too: credentials of files can be given on only by their owner.")
                    .about(DescriptionPart.JOB_CREDENTIAL, null));
        }
        return writer.unsaidOption(description.transfers())
                .flatMap(option -> unsupported(
                        "that cannot be told the option " + option + " of its files",
                        "Leave the option out, or submit the job to that gateway itself."));
    }

    /** What a job says is stored and shown as it is, here and there. */
    private static Optional<Fault> password(JobDescription description) {
        TransferList files = description.transfers();
        Stream<Optional<Fault>> copies = Stream.of(files.stageIn(), files.stageOut())
                .flatMap(List::stream)
                .flatMap(copy -> Stream.of(
                        password(DescriptionPart.TRANSFER_SOURCE, copy.source()),
                        password(DescriptionPart.TRANSFER_DESTINATION, copy.destination())));
        Stream<Optional<Fault>> deletions =
                files.cleanUp().stream().map(file -> password(DescriptionPart.CLEAN_UP_FILE, file));
        Stream<Optional<Fault>> streams = Stream.of(
                password(DescriptionPart.EXECUTABLE, description.executable()),
                password(DescriptionPart.STDIN, description.stdin()),
                password(DescriptionPart.STDOUT, description.stdout()),
                password(DescriptionPart.STDERR, description.stderr()));
        return Stream.of(copies, deletions, streams)
                .flatMap(all -> all)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<Fault> password(DescriptionPart part, @Nullable String text) {
        Matcher url = HEAD.matcher(text == null ? "" : text.strip());
        String authority = url.lookingAt() ? url.group(1) : "";
        int at = authority.lastIndexOf('@');
        String user = authority.substring(0, Math.max(at, 0)).toLowerCase(Locale.ROOT);
        // a colon may be written as its code
        return user.contains(":") || user.contains("%3a")
                ? Optional.of(Fault.of(
                                FaultCode.INVALID_DESCRIPTION,
                                "The " + part.title()
                                        + " of the job is wrong: a URL must not name a user or hold a password.",
                                "Correct it and submit again.")
                        .about(part, authority.substring(at + 1)))
                : Optional.empty();
    }

    private static boolean isHeldLater(@Nullable JobState state) {
        return state == JobState.STAGE_OUT || state == JobState.CLEAN_UP;
    }

    private static Optional<Fault> unsupported(String because, String remedy) {
        return Optional.of(
                Fault.of(FaultCode.UNSUPPORTED_FEATURE, "The job is for another gateway, and " + because + ".", remedy)
                        .about(DescriptionPart.STAGE_IN, null));
    }
}
