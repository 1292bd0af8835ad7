// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.fault;

import static java.util.Map.entry;
import static org.jobgate.gram.fault.FaultType.EXECUTION_FAILED;
import static org.jobgate.gram.fault.FaultType.FILE_PERMISSIONS;
import static org.jobgate.gram.fault.FaultType.INTERNAL;
import static org.jobgate.gram.fault.FaultType.INVALID_CREDENTIALS;
import static org.jobgate.gram.fault.FaultType.INVALID_PATH;
import static org.jobgate.gram.fault.FaultType.PLAIN;
import static org.jobgate.gram.fault.FaultType.SERVICE_LEVEL_AGREEMENT;
import static org.jobgate.gram.fault.FaultType.STAGING;
import static org.jobgate.gram.fault.FaultType.UNSUPPORTED_FEATURE;

import java.util.EnumMap;
import java.util.Map;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobState;

/**
 * How each fault code is said in GRAM4: the fault type, and the number that GRAM2 had for it (facts/gram4.md sections 3.10 and 8.4).
 *
 * @param gt2ErrorCode of the GRAM2 protocol's list
 */
record FaultForm(FaultType type, int gt2ErrorCode) {

    private static final Map<FaultCode, FaultForm> TABLE = new EnumMap<>(Map.ofEntries(
            entry(FaultCode.INVALID_DESCRIPTION, new FaultForm(SERVICE_LEVEL_AGREEMENT, 48)),
            entry(FaultCode.UNSUPPORTED_FEATURE, new FaultForm(UNSUPPORTED_FEATURE, 1)),
            entry(FaultCode.KEY_REUSED, new FaultForm(SERVICE_LEVEL_AGREEMENT, 2)),
            entry(FaultCode.UNKNOWN_LRM, new FaultForm(PLAIN, 93)),
            entry(FaultCode.EXECUTABLE_NOT_FOUND, new FaultForm(INVALID_PATH, 5)),
            entry(FaultCode.EXECUTABLE_NOT_PERMITTED, new FaultForm(FILE_PERMISSIONS, 72)),
            entry(FaultCode.DIRECTORY_NOT_FOUND, new FaultForm(INVALID_PATH, 4)),
            entry(FaultCode.STDIN_NOT_FOUND, new FaultForm(INVALID_PATH, 11)),
            entry(FaultCode.STDOUT_NOT_WRITABLE, new FaultForm(FILE_PERMISSIONS, 73)),
            entry(FaultCode.STDERR_NOT_WRITABLE, new FaultForm(FILE_PERMISSIONS, 74)),
            entry(FaultCode.EXECUTION_FAILED, new FaultForm(EXECUTION_FAILED, 17)),
            entry(FaultCode.KILLED_BY_SIGNAL, new FaultForm(PLAIN, 17)),
            entry(FaultCode.INVALID_TERMINATION_TIME, new FaultForm(PLAIN, 125)),
            entry(FaultCode.WRONG_STATE, new FaultForm(PLAIN, 1)),
            entry(FaultCode.CURSOR_EXPIRED, new FaultForm(PLAIN, 1)),
            entry(FaultCode.NOT_AUTHORIZED, new FaultForm(PLAIN, 7)),
            entry(FaultCode.NOT_NOW, new FaultForm(PLAIN, 3)),
            entry(FaultCode.CREDENTIAL_UNUSABLE, new FaultForm(INVALID_CREDENTIALS, 157)),
            entry(FaultCode.LIMIT_EXCEEDED, new FaultForm(PLAIN, 3)),
            entry(FaultCode.WALL_TIME_EXCEEDED, new FaultForm(PLAIN, 9)),
            entry(FaultCode.MEMORY_EXCEEDED, new FaultForm(PLAIN, 9)),
            entry(FaultCode.LIFETIME_EXPIRED, new FaultForm(PLAIN, 125)),
            entry(FaultCode.CANCELLED_BY_USER, new FaultForm(PLAIN, 8)),
            entry(FaultCode.CANCELLED_BY_ADMINISTRATOR, new FaultForm(PLAIN, 9)),
            entry(FaultCode.LRM_REFUSED, new FaultForm(EXECUTION_FAILED, 17)),
            entry(FaultCode.LRM_UNAVAILABLE, new FaultForm(PLAIN, 12)),
            entry(FaultCode.NODE_FAILED, new FaultForm(PLAIN, 9)),
            entry(FaultCode.PREEMPTED, new FaultForm(PLAIN, 9)),
            entry(FaultCode.LOST, new FaultForm(PLAIN, 156)),
            entry(FaultCode.STAGING_FAILED, new FaultForm(STAGING, 135)),
            entry(FaultCode.SHUTTING_DOWN, new FaultForm(PLAIN, 130)),
            entry(FaultCode.STORE_UNAVAILABLE, new FaultForm(INTERNAL, 123)),
            entry(FaultCode.INTERNAL, new FaultForm(INTERNAL, 24))));

    /** Parts of the job description that GRAM2 had a number of their own for. */
    private static final Map<String, Integer> CODE_OF_ATTRIBUTE = Map.ofEntries(
            entry("count", 14),
            entry("hostCount", 35),
            entry("jobType", 19),
            entry("maxTime", 13),
            entry("maxWallTime", 102),
            entry("maxCpuTime", 104),
            entry("maxMemory", 87),
            entry("minMemory", 86),
            entry("queue", 37),
            entry("project", 38),
            entry("environment", 54),
            entry("argument", 50),
            entry("executable", 55),
            entry("directory", 52),
            entry("stdin", 64),
            entry("stdout", 65),
            entry("stderr", 63),
            entry("localUserId", 167));

    /** The form of a job's or a request's fault in this generation. */
    static FaultForm of(Fault fault, Generation generation) {
        FaultForm form = of(fault);
        boolean isOfNewer = generation == Generation.GT42 && fault.code() == FaultCode.LIFETIME_EXPIRED;
        return isOfNewer ? new FaultForm(FaultType.JOB_RESOURCE_EXPIRED, form.gt2ErrorCode) : form;
    }

    /** The form of the staging fault of a job that its owner ended, which GT 4.2 has a type for. */
    static FaultForm ofTermination(Fault fault) {
        return new FaultForm(FaultType.STAGING_TERMINATE, of(fault).gt2ErrorCode);
    }

    static FaultForm of(Fault fault) {
        FaultForm form = of(fault.code());
        int code = form.gt2ErrorCode;
        String attribute = GramParts.attribute(fault);
        if (fault.code() == FaultCode.INVALID_DESCRIPTION && attribute != null) {
            code = CODE_OF_ATTRIBUTE.getOrDefault(attribute, code);
        } else if (fault.code() == FaultCode.UNSUPPORTED_FEATURE && "jobType".equals(attribute)) {
            code = 26;
        } else if (fault.code() == FaultCode.STAGING_FAILED && fault.during() == JobState.STAGE_OUT) {
            code = 155;
        }
        return new FaultForm(form.type, code);
    }

    static FaultForm of(FaultCode code) {
        FaultForm form = TABLE.get(code);
        if (form == null) {
            throw new IllegalStateException("the fault code " + code + " has no form in GRAM4");
        }
        return form;
    }
}
