// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FaultFormTest {

    @ParameterizedTest
    @EnumSource(FaultCode.class)
    void everyCodeHasAFormWithANumberOfGram2(FaultCode code) {
        assertThat(FaultForm.of(code).gt2ErrorCode()).isBetween(1, 167);
    }

    /** What facts/gram4.md section 3.10 says of the original. */
    @ParameterizedTest
    @CsvSource({
        "DIRECTORY_NOT_FOUND, invalidPathFault, 4",
        "EXECUTABLE_NOT_FOUND, invalidPathFault, 5",
        "STDIN_NOT_FOUND, invalidPathFault, 11",
        "EXECUTION_FAILED, executionFailedFault, 17",
        "EXECUTABLE_NOT_PERMITTED, filePermissionsFault, 72",
        "STDOUT_NOT_WRITABLE, filePermissionsFault, 73",
        "STDERR_NOT_WRITABLE, filePermissionsFault, 74",
        "INTERNAL, internalFault, 24",
        "CANCELLED_BY_USER, fault, 8",
        "NOT_AUTHORIZED, fault, 7"
    })
    void theOriginalsNumbersAreKept(FaultCode code, String element, int number) {
        assertThat(FaultForm.of(code).type().element()).isEqualTo(element);
        assertThat(FaultForm.of(code).gt2ErrorCode()).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"count, 14", "hostCount, 35", "jobType, 19", "queue, 37", "nothing, 48"})
    void aWrongDescriptionHasTheNumberOfItsElement(String attribute, int number) {
        Fault fault =
                Fault.of(FaultCode.INVALID_DESCRIPTION, "It is wrong.", "").about(attribute, "x");

        assertThat(FaultForm.of(fault).gt2ErrorCode()).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"COUNT, 14", "MAX_MEMORY, 87", "ACCOUNT, 167", "LRM, 48"})
    void soHasAPartThatTheCoreNames(DescriptionPart part, int number) {
        Fault fault =
                Fault.of(FaultCode.INVALID_DESCRIPTION, "It is wrong.", "").about(part, "x");
        Fault type = Fault.of(FaultCode.UNSUPPORTED_FEATURE, "It is not supported.", "")
                .about(DescriptionPart.JOB_TYPE, "mpi");

        assertThat(FaultForm.of(fault).gt2ErrorCode()).isEqualTo(number);
        assertThat(FaultForm.of(type).gt2ErrorCode()).isEqualTo(26);
    }

    @Test
    void stagingAndJobTypesAreToldApart() {
        Fault staging = Fault.of(FaultCode.STAGING_FAILED, "It failed.", "");
        Fault type = Fault.of(FaultCode.UNSUPPORTED_FEATURE, "It is not supported.", "")
                .about("jobType", "mpi");

        assertThat(FaultForm.of(staging.during(JobState.STAGE_IN)).gt2ErrorCode())
                .isEqualTo(135);
        assertThat(FaultForm.of(staging.during(JobState.STAGE_OUT)).gt2ErrorCode())
                .isEqualTo(155);
        assertThat(FaultForm.of(type).gt2ErrorCode()).isEqualTo(26);
    }

    @Test
    void everyStateHasTheNameThatGram4Knows() {
        Map<JobState, String> names = new EnumMap<>(JobState.class);
        for (JobState state : JobState.values()) {
            names.put(state, StateNames.of(state));
        }

        assertThat(names)
                .isEqualTo(Map.of(
                        JobState.UNSUBMITTED, "Unsubmitted",
                        JobState.STAGE_IN, "StageIn",
                        JobState.PENDING, "Pending",
                        JobState.ACTIVE, "Active",
                        JobState.SUSPENDED, "Suspended",
                        JobState.STAGE_OUT, "StageOut",
                        JobState.CLEAN_UP, "CleanUp",
                        JobState.DONE, "Done",
                        JobState.FAILED, "Failed",
                        JobState.CANCELLED, "Failed"));
    }
}
