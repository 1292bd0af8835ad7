// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.List;
import java.util.Locale;
import org.jobgate.job.Gpus;
import org.jspecify.annotations.Nullable;

/** Reads how many processors a job wants, and of which kind. */
final class JdlProcessors {

    static final List<String> NAMES = List.of(
            "CpuNumber",
            "NodeNumber",
            "SMPGranularity",
            "HostNumber",
            "WholeNodes",
            "GPUNumber",
            "GPUModel",
            "GPUMode");

    private JdlProcessors() {}

    static Jdl.Processors read(JdlAttributes attributes) {
        Integer cpus = attributes.count("CpuNumber");
        Integer nodes = attributes.count("NodeNumber");
        Integer count = cpus == null ? nodes : cpus;
        Integer perHost = attributes.count("SMPGranularity");
        Integer hosts = attributes.count("HostNumber");
        boolean wholeNodes = attributes.isTrue("WholeNodes");
        if (!wholeNodes && perHost != null && hosts != null) {
            throw JdlFaults.invalid(
                    "the SMPGranularity and HostNumber attributes cannot be specified together when WholeNodes=false");
        }
        return new Jdl.Processors(count == null ? 1 : count, perHost, hosts, wholeNodes, gpus(attributes));
    }

    private static @Nullable Gpus gpus(JdlAttributes attributes) {
        Integer number = attributes.count("GPUNumber");
        String model = attributes.text("GPUModel");
        String mode = attributes.text("GPUMode");
        if (number == null && model == null && mode == null) {
            return null;
        }
        try {
            return new Gpus(number == null ? 1 : number, model, mode == null ? null : mode(mode));
        } catch (IllegalArgumentException e) {
            throw JdlFaults.invalid("GPUModel", model == null ? "" : model, "GPUModel: " + e.getMessage());
        }
    }

    private static Gpus.Mode mode(String text) {
        return switch (text.toLowerCase(Locale.ROOT).replaceAll("[ -]", "_")) {
            case "shared", "default" -> Gpus.Mode.SHARED;
            case "exclusive_process" -> Gpus.Mode.EXCLUSIVE_PROCESS;
            case "exclusive_thread" -> Gpus.Mode.EXCLUSIVE_THREAD;
            default ->
                throw JdlFaults.invalid(
                        "GPUMode", text, "GPUMode: the value must be shared, exclusive_process or exclusive_thread");
        };
    }
}
