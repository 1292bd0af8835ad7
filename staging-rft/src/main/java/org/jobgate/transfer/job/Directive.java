// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.OutputOptions;
import org.jobgate.job.Resources;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.transfer.OutputQuota;
import org.jobgate.transfer.TransferRequest;
import org.jobgate.transfer.TransferTask;
import org.jobgate.transfer.Urls;
import org.jspecify.annotations.Nullable;

/** The parts of a job description that ask for files to be moved. */
enum Directive {
    STAGE_IN(DescriptionPart.STAGE_IN, "in", CredentialUse.STAGE_IN),
    STAGE_OUT(DescriptionPart.STAGE_OUT, "out", CredentialUse.STAGE_OUT),
    CLEAN_UP(DescriptionPart.CLEAN_UP, "clean", CredentialUse.CLEAN_UP);

    private final DescriptionPart part;
    private final String word;
    private final CredentialUse credentialUse;

    Directive(DescriptionPart part, String word, CredentialUse credentialUse) {
        this.part = part;
        this.word = word;
        this.credentialUse = credentialUse;
    }

    DescriptionPart part() {
        return part;
    }

    String requestOf(JobId job) {
        return job + "-" + word;
    }

    /** The key of what the job's files of this part are moved with: its own credential, or the one for all files; absent where none is named. */
    @Nullable
    String credential(JobDescription description) {
        return description
                .credential(credentialUse)
                .or(() -> description.credential(CredentialUse.FILES))
                .map(NamedCredential::key)
                .orElse(null);
    }

    Map<String, String> options(TransferList files) {
        return switch (this) {
            case STAGE_IN -> files.stageInOptions();
            case STAGE_OUT -> files.stageOutOptions();
            case CLEAN_UP -> files.cleanUpOptions();
        };
    }

    private List<Transfer> copies(TransferList files) {
        return switch (this) {
            case STAGE_IN -> files.stageIn();
            case STAGE_OUT -> files.stageOut();
            case CLEAN_UP -> List.of();
        };
    }

    TransferRequest request(Job job, JobDescription prepared) {
        TransferList files = prepared.transfers();
        Map<String, String> options = options(files);
        return new TransferRequest(
                requestOf(job.id()),
                job.id(),
                job.owner().subject(),
                job.owner().account(),
                credential(prepared),
                tasks(job.id(), prepared),
                this == CLEAN_UP ? 1 : number(options, "concurrency"),
                number(options, "maxAttempts"),
                options.getOrDefault("allOrNone", "false").equals("true"),
                job.lrm(),
                false);
    }

    /** The request for one of the copies alone. */
    String requestOf(JobId job, int index) {
        return requestOf(job) + "-" + index;
    }

    /** What follows one of the copies while the job runs. */
    static String followingOf(JobId job, int index) {
        return job + "-live-" + index;
    }

    /** Each copy that is to be followed while the job runs, as a request of its own: none has to do with another one. */
    List<TransferRequest> followed(Job job, JobDescription prepared) {
        TransferRequest all = request(job, prepared);
        List<TransferRequest> each = new ArrayList<>();
        for (int i = 0; i < all.tasks().size(); i++) {
            TransferTask task = all.tasks().get(i);
            if (IncrementalOutput.isAsked(task.options()) || task.options().containsKey(OutputOptions.SLICES)) {
                each.add(new TransferRequest(
                        followingOf(job.id(), i),
                        all.job(),
                        all.owner(),
                        all.account(),
                        all.credential(),
                        List.of(task.followed(requestOf(job.id()) + "/" + i)),
                        1,
                        0,
                        false));
            }
        }
        return each;
    }

    /** Each task of the request as a request of its own, in order. */
    List<TransferRequest> eachAlone(Job job, JobDescription prepared) {
        TransferRequest all = request(job, prepared);
        List<TransferRequest> each = new ArrayList<>();
        for (int i = 0; i < all.tasks().size(); i++) {
            each.add(new TransferRequest(
                    requestOf(job.id(), i),
                    all.job(),
                    all.owner(),
                    all.account(),
                    all.credential(),
                    List.of(all.tasks().get(i)),
                    1,
                    all.maxAttempts(),
                    false));
        }
        return each;
    }

    private static int number(Map<String, String> options, String name) {
        return Integer.parseInt(options.getOrDefault(name, "0"));
    }

    private List<TransferTask> tasks(JobId job, JobDescription prepared) {
        TransferList files = prepared.transfers();
        List<TransferTask> tasks = new ArrayList<>();
        for (Transfer copy : copies(files)) {
            URI destination = Urls.parse(copy.destination());
            TransferTask task = new TransferTask(
                    Urls.parse(copy.source()),
                    destination,
                    merged(options(files), copy.options()),
                    this == STAGE_IN && isProgram(destination, prepared));
            tasks.add(this == STAGE_OUT ? task.after(followingOf(job, tasks.size()) + "/0") : task);
        }
        String most = options(files).get(OutputOptions.MOST_BYTES);
        if (this == STAGE_OUT && most != null) {
            OutputQuota quota = new OutputQuota(tasks, Long.parseLong(most));
            tasks.replaceAll(task -> task.within(quota));
        }
        if (this == CLEAN_UP) {
            files.cleanUp().forEach(file -> tasks.add(TransferTask.deletion(Urls.parse(file), options(files))));
        }
        return tasks;
    }

    /** What one transfer says goes before what its request says; its own count of attempts goes by another name. */
    static Map<String, String> merged(Map<String, String> ofAll, Map<String, String> ofOne) {
        Map<String, String> options = new HashMap<>(ofAll);
        options.remove("maxAttempts");
        options.putAll(ofOne);
        String attempts = options.remove("attempts");
        if (attempts != null) {
            options.put("maxAttempts", attempts);
        }
        return options;
    }

    static boolean isProgram(URI destination, JobDescription job) {
        if (!Urls.scheme(destination).equals("file") || OnlyTransfers.is(job)) {
            return false;
        }
        String path = destination.getPath();
        String directory = job.directory();
        return programs(job)
                .anyMatch(program ->
                        path.equals(program) || (directory != null && path.equals(directory + "/" + program)));
    }

    /** What is run of a job: its program, and the commands before and after it. */
    private static Stream<String> programs(JobDescription job) {
        Resources resources = job.resources();
        return resources == null
                ? Stream.of(job.executable())
                : Stream.of(List.of(job.executable()), resources.preCommand(), resources.postCommand())
                        .filter(words -> !words.isEmpty())
                        .map(List::getFirst);
    }
}
