// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Map.entry;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks of its LRM beside the processes themselves, whatever language it was said in. Absent or empty means: as the LRM does it
 * without. A slot is the place of one process. What an LRM cannot give it refuses by the name of the {@link Resource}.
 *
 * @param slots that are reserved, where that is not one for each process
 * @param slotsPerHost that are to be on each host
 * @param threadsPerProcess processors of one slot; the variable OMP_NUM_THREADS says it to the program
 * @param wholeNodes whether no other job may be on its hosts
 * @param memoryPerSlotMiB that is reserved for each slot
 * @param memoryMiB that is reserved for the whole job
 * @param nodeFeatures that each of its hosts must have, as the LRM calls them
 * @param hosts on which it may run, and on all of which it runs where the LRM takes it so
 * @param architecture of its hosts, as {@code uname -m} says it, e.g. {@code x86_64}
 * @param operatingSystem of its hosts, as {@code uname -s} says it, e.g. {@code Linux}; the case of letters does not count
 * @param reservation the name or id of one that was made in the LRM before
 * @param preCommand a program and its arguments, run before the job's processes as they are; where it does not end with 0 the job fails
 * @param postCommand the same, run when all processes are over; what it ends with changes nothing
 */
public record Resources(
        @Nullable Integer slots,
        @Nullable Integer slotsPerHost,
        @Nullable Integer threadsPerProcess,
        boolean wholeNodes,
        @Nullable Gpus gpus,
        @Nullable Long memoryPerSlotMiB,
        @Nullable Long memoryMiB,
        @Nullable ProcessLimits limits,
        List<String> nodeFeatures,
        List<String> hosts,
        @Nullable String architecture,
        @Nullable String operatingSystem,
        @Nullable String reservation,
        List<String> preCommand,
        List<String> postCommand,
        @Nullable Mail mail) {

    /** Nothing is asked for. */
    public static final Resources NONE = builder().build();

    public Resources {
        ResourceValues.requireCount("slots", slots);
        ResourceValues.requireCount("slots_per_host", slotsPerHost);
        ResourceValues.requireCount("threads_per_process", threadsPerProcess);
        ResourceValues.requireSize("memory_per_slot", memoryPerSlotMiB, 1);
        ResourceValues.requireSize("memory", memoryMiB, 1);
        nodeFeatures = List.copyOf(nodeFeatures);
        hosts = List.copyOf(hosts);
        preCommand = List.copyOf(preCommand);
        postCommand = List.copyOf(postCommand);
        ResourceValues.requireNames("node_features", nodeFeatures);
        ResourceValues.requireNames("hosts", hosts);
        ResourceValues.requireName("architecture", architecture);
        ResourceValues.requireName("operating_system", operatingSystem);
        ResourceValues.requireName("reservation", reservation);
        ResourceValues.requireCommand("pre_command", preCommand);
        ResourceValues.requireCommand("post_command", postCommand);
    }

    /** What is asked for, with its value as a text to be shown. */
    public Map<Resource, String> asked() {
        Map<Resource, String> asked = new EnumMap<>(Resource.class);
        ProcessLimits each = limits == null ? ProcessLimits.NONE : limits;
        Stream.of(
                        entry(Resource.SLOTS, Optional.ofNullable(slots)),
                        entry(Resource.SLOTS_PER_HOST, Optional.ofNullable(slotsPerHost)),
                        entry(Resource.THREADS_PER_PROCESS, Optional.ofNullable(threadsPerProcess)),
                        entry(Resource.WHOLE_NODES, Optional.of(wholeNodes).filter(whole -> whole)),
                        entry(Resource.GPUS, Optional.ofNullable(gpus).map(Gpus::number)),
                        entry(Resource.GPU_MODEL, Optional.ofNullable(gpus).map(Gpus::model)),
                        entry(Resource.GPU_MODE, Optional.ofNullable(gpus).map(Gpus::mode)),
                        entry(Resource.MEMORY_PER_SLOT, Optional.ofNullable(memoryPerSlotMiB)),
                        entry(Resource.MEMORY, Optional.ofNullable(memoryMiB)),
                        entry(Resource.CPU_TIME, Optional.ofNullable(each.cpuTime())),
                        entry(Resource.FILE_SIZE, Optional.ofNullable(each.fileSizeBytes())),
                        entry(Resource.CORE_SIZE, Optional.ofNullable(each.coreSizeBytes())),
                        entry(Resource.STACK_SIZE, Optional.ofNullable(each.stackSizeBytes())),
                        entry(Resource.OPEN_FILES, Optional.ofNullable(each.openFiles())),
                        entry(Resource.PROCESSES, Optional.ofNullable(each.processes())),
                        entry(Resource.DATA_SIZE, Optional.ofNullable(each.dataSizeBytes())),
                        entry(Resource.LOCKED_MEMORY, Optional.ofNullable(each.lockedMemoryBytes())),
                        entry(Resource.ADDRESS_SPACE, Optional.ofNullable(each.addressSpaceBytes())),
                        entry(Resource.NODE_FEATURES, joined(nodeFeatures)),
                        entry(Resource.HOSTS, joined(hosts)),
                        entry(Resource.ARCHITECTURE, Optional.ofNullable(architecture)),
                        entry(Resource.OPERATING_SYSTEM, Optional.ofNullable(operatingSystem)),
                        entry(Resource.RESERVATION, Optional.ofNullable(reservation)),
                        entry(Resource.PRE_COMMAND, preCommand.stream().findFirst()),
                        entry(Resource.POST_COMMAND, postCommand.stream().findFirst()),
                        entry(Resource.MAIL, Optional.ofNullable(mail).flatMap(to -> joined(to.addresses()))))
                .forEach(one -> one.getValue().ifPresent(value -> asked.put(one.getKey(), value.toString())));
        return asked;
    }

    private static Optional<String> joined(List<String> names) {
        return names.isEmpty() ? Optional.empty() : Optional.of(String.join(",", names));
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects the parts; {@link #build} checks them. */
    public static final class Builder {
        private @Nullable Integer slots;
        private @Nullable Integer slotsPerHost;
        private @Nullable Integer threadsPerProcess;
        private boolean wholeNodes;
        private @Nullable Gpus gpus;
        private @Nullable Long memoryPerSlotMiB;
        private @Nullable Long memoryMiB;
        private @Nullable ProcessLimits limits;
        private List<String> nodeFeatures = List.of();
        private List<String> hosts = List.of();
        private @Nullable String architecture;
        private @Nullable String operatingSystem;
        private @Nullable String reservation;
        private List<String> preCommand = List.of();
        private List<String> postCommand = List.of();
        private @Nullable Mail mail;

        private Builder() {}

        public Builder slots(@Nullable Integer value) {
            this.slots = value;
            return this;
        }

        public Builder slotsPerHost(@Nullable Integer value) {
            this.slotsPerHost = value;
            return this;
        }

        public Builder threadsPerProcess(@Nullable Integer value) {
            this.threadsPerProcess = value;
            return this;
        }

        public Builder wholeNodes(boolean value) {
            this.wholeNodes = value;
            return this;
        }

        public Builder gpus(@Nullable Gpus value) {
            this.gpus = value;
            return this;
        }

        public Builder memoryPerSlotMiB(@Nullable Long value) {
            this.memoryPerSlotMiB = value;
            return this;
        }

        public Builder memoryMiB(@Nullable Long value) {
            this.memoryMiB = value;
            return this;
        }

        public Builder limits(@Nullable ProcessLimits value) {
            this.limits = value;
            return this;
        }

        public Builder nodeFeatures(List<String> value) {
            this.nodeFeatures = value;
            return this;
        }

        public Builder hosts(List<String> value) {
            this.hosts = value;
            return this;
        }

        public Builder architecture(@Nullable String value) {
            this.architecture = value;
            return this;
        }

        public Builder operatingSystem(@Nullable String value) {
            this.operatingSystem = value;
            return this;
        }

        public Builder reservation(@Nullable String value) {
            this.reservation = value;
            return this;
        }

        public Builder preCommand(List<String> value) {
            this.preCommand = value;
            return this;
        }

        public Builder postCommand(List<String> value) {
            this.postCommand = value;
            return this;
        }

        public Builder mail(@Nullable Mail value) {
            this.mail = value;
            return this;
        }

        /**
         * The resources.
         *
         * @throws IllegalArgumentException naming the part that is wrong, its value and the rule
         */
        public Resources build() {
            return new Resources(
                    slots,
                    slotsPerHost,
                    threadsPerProcess,
                    wholeNodes,
                    gpus,
                    memoryPerSlotMiB,
                    memoryMiB,
                    limits,
                    nodeFeatures,
                    hosts,
                    architecture,
                    operatingSystem,
                    reservation,
                    preCommand,
                    postCommand,
                    mail);
        }
    }
}
