// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Gpus;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Mail;
import org.jobgate.job.ProcessLimits;
import org.jobgate.job.Resource;
import org.jobgate.job.Resources;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The part of the contract that is about what a job asks of its LRM beside its processes: each resource has its effect, which is seen in the
 * job or in what the LRM says of it, or the job is refused by the name of the resource.
 */
abstract class LrmResourceContract extends LrmSuspendContract {

    static final Set<Resource> LIMITS = EnumSet.of(
            Resource.CPU_TIME,
            Resource.FILE_SIZE,
            Resource.CORE_SIZE,
            Resource.STACK_SIZE,
            Resource.OPEN_FILES,
            Resource.PROCESSES,
            Resource.DATA_SIZE,
            Resource.LOCKED_MEMORY,
            Resource.ADDRESS_SPACE);

    /** Those that are seen in the job itself. */
    Set<Resource> seenInTheJob() {
        Set<Resource> all = EnumSet.copyOf(LIMITS);
        all.addAll(Set.of(Resource.PRE_COMMAND, Resource.POST_COMMAND));
        return all;
    }

    /** Those that the LRM shows in its own record of a job, and how (a regular expression). */
    abstract Map<Resource, String> shownByTheLrm();

    /** Those that the adapter asks the LRM for, and that the LRM of the lab does not have, so that it refuses them itself. */
    Set<Resource> notInTheLab() {
        return Set.of();
    }

    /** What the LRM says of the job, in one text. */
    abstract String record(JobId tag) throws Exception;

    /** The name of a host of the lab. */
    String host() {
        return "node1";
    }

    private Resources.Builder ask(Resource resource) {
        Resources.Builder ask = Resources.builder();
        return switch (resource) {
            case SLOTS -> ask.slots(2);
            case SLOTS_PER_HOST -> ask.slotsPerHost(2);
            case THREADS_PER_PROCESS -> ask.threadsPerProcess(2);
            case WHOLE_NODES -> ask.wholeNodes(true);
            case GPUS -> ask.gpus(new Gpus(1, null, null));
            case GPU_MODEL -> ask.gpus(new Gpus(1, "a100", null));
            case GPU_MODE -> ask.gpus(new Gpus(1, null, Gpus.Mode.SHARED));
            case MEMORY_PER_SLOT -> ask.memoryPerSlotMiB(50L);
            case MEMORY -> ask.memoryMiB(60L);
            case CPU_TIME -> ask.limits(new ProcessLimits(Duration.ofSeconds(17), null, null, null, null, null));
            case FILE_SIZE -> ask.limits(new ProcessLimits(null, 1_048_576L, null, null, null, null));
            case CORE_SIZE -> ask.limits(new ProcessLimits(null, null, 0L, null, null, null));
            case STACK_SIZE -> ask.limits(new ProcessLimits(null, null, null, 4_194_304L, null, null));
            case OPEN_FILES -> ask.limits(new ProcessLimits(null, null, null, null, 77, null));
            case PROCESSES -> ask.limits(new ProcessLimits(null, null, null, null, null, 4_321));
            case DATA_SIZE -> ask.limits(memory(314_572_800L, null, null));
            case LOCKED_MEMORY -> ask.limits(memory(null, 4_096L, null));
            case ADDRESS_SPACE -> ask.limits(memory(null, null, 943_718_400L));
            case NODE_FEATURES -> ask.nodeFeatures(List.of("fast"));
            case HOSTS -> ask.hosts(List.of(host()));
            case ARCHITECTURE -> ask.architecture(System.getProperty("os.arch").replace("amd64", "x86_64"));
            case OPERATING_SYSTEM -> ask.operatingSystem("Linux");
            case RESERVATION -> ask.reservation("17");
            case PRE_COMMAND -> ask.preCommand(List.of("/bin/echo", "before $(id)"));
            case POST_COMMAND -> ask.postCommand(List.of("/bin/echo", "after"));
            case MAIL ->
                ask.mail(new Mail(List.of("nobody@example.org"), List.of(Mail.Event.ENDED, Mail.Event.FAILED)));
        };
    }

    private static ProcessLimits memory(@Nullable Long data, @Nullable Long locked, @Nullable Long addressSpace) {
        return new ProcessLimits(null, null, null, null, null, null, data, locked, addressSpace);
    }

    private static String inTheJob(Resource resource) {
        return switch (resource) {
            case CPU_TIME -> "Max cpu time +17 +22 ";
            case FILE_SIZE -> "Max file size +1048576 +1048576 ";
            case CORE_SIZE -> "Max core file size +0 +0 ";
            case STACK_SIZE -> "Max stack size +4194304 +4194304 ";
            case OPEN_FILES -> "Max open files +77 +77 ";
            case PROCESSES -> "Max processes +4321 +4321 ";
            case DATA_SIZE -> "Max data size +314572800 +314572800 ";
            case LOCKED_MEMORY -> "Max locked memory +4096 +4096 ";
            case ADDRESS_SPACE -> "Max address space +943718400 +943718400 ";
            case THREADS_PER_PROCESS -> "threads=2\n";
            case ARCHITECTURE, OPERATING_SYSTEM -> "the job\n";
            case PRE_COMMAND -> "\\Abefore \\$\\(id\\)\nthe job\n";
            case POST_COMMAND -> "\nthe job\n(?s:.*)\nafter\n\\z";
            default -> throw new IllegalArgumentException("a job does not see " + resource);
        };
    }

    @ParameterizedTest
    @EnumSource(Resource.class)
    void givesEachResourceOrRefusesItByName(Resource resource) throws Exception {
        Resources asked = ask(resource).build();
        if (seenInTheJob().contains(resource)) {
            isSeenInTheJob(resource, asked);
        } else if (shownByTheLrm().containsKey(resource)) {
            isShownByTheLrm(resource, asked);
        } else {
            isRefused(resource, asked);
        }
    }

    private void isSeenInTheJob(Resource resource, Resources asked) throws IOException {
        JobDescription.Builder job =
                room.sh("echo; echo the job; cat /proc/self/limits; echo threads=$OMP_NUM_THREADS; exit 5");

        var end = room.run(
                resource == Resource.PRE_COMMAND
                        ? room.sh("echo the job; exit 5").stdout("out").resources(asked)
                        : job.stdout("out").resources(asked));

        assertThat(end.cause()).isEqualTo(Cause.EXITED);
        assertThat(end.exitCode()).isEqualTo(5);
        assertThat(room.read("out")).containsPattern(inTheJob(resource));
    }

    private void isShownByTheLrm(Resource resource, Resources asked) {
        int count = resource == Resource.SLOTS_PER_HOST ? 2 : 1;
        JobId tag = room.submit(room.job("/bin/sleep", "300").count(count).resources(asked));
        room.awaitEvent(tag, Kind.QUEUED);

        await().atMost(ContractRoom.PATIENCE)
                .untilAsserted(() ->
                        assertThat(record(tag)).containsPattern(shownByTheLrm().get(resource)));
    }

    private void isRefused(Resource resource, Resources asked) {
        SubmitResult result =
                room.trySubmit(room.newTag(), room.job("/bin/sleep", "300").resources(asked), false);

        assertThat(result).isInstanceOf(SubmitResult.Refused.class);
        Fault fault = ((SubmitResult.Refused) result).fault();
        if (notInTheLab().contains(resource)) {
            assertThat(fault.code()).isEqualTo(FaultCode.LRM_REFUSED);
            return;
        }
        assertThat(fault.code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
        // a model or mode of what the LRM has none of is refused by the name of that
        assertThat(fault.attribute())
                .isIn(resource.word(), resource.word().startsWith("gpu_") ? "gpus" : resource.word());
        assertThat(fault.sentence()).contains(String.valueOf(fault.attribute()));
    }
}
