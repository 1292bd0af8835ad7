// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Resource;
import org.jspecify.annotations.Nullable;

/** What the parts of a description are called here. */
final class PartNames {

    private PartNames() {}

    /** What a fault is about; null where it is about nothing that has a name. */
    static @Nullable String of(Fault fault) {
        return fault.part() == null ? ofAttribute(fault) : of(fault.part());
    }

    /** An LRM that cannot give a resource names it in its own word. */
    private static @Nullable String ofAttribute(Fault fault) {
        if (fault.code() == FaultCode.UNSUPPORTED_FEATURE) {
            for (Resource resource : Resource.values()) {
                if (resource.word().equals(fault.attribute())) {
                    return ResourcesForm.NAME + "." + ResourcesForm.name(resource);
                }
            }
        }
        return fault.attribute();
    }

    private static String of(DescriptionPart part) {
        return switch (part) {
            case ARGUMENT -> "arguments";
            case MAX_TIME -> "maxTimeSeconds";
            case MAX_WALL_TIME -> "maxWallTimeSeconds";
            case MAX_CPU_TIME -> "maxCpuTimeSeconds";
            case MAX_MEMORY -> "maxMemoryMiB";
            case MIN_MEMORY -> "minMemoryMiB";
            case HOLD -> "holdAt";
            case TRANSFER_SOURCE -> "source";
            case TRANSFER_DESTINATION -> "destination";
            case CLEAN_UP_FILE -> "cleanUp";
            case INCREMENTAL -> "incrementalOutput";
            case JOB_CREDENTIAL -> "credentials.job";
            case FILE_CREDENTIAL -> "credentials.files";
            case CLIENT_ID -> KeyReuse.KEY;
            default -> part.word();
        };
    }
}
