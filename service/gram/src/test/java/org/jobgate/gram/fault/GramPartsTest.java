// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.jobs.FileStager;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of the core name parts of a description; GRAM4's clients get the names of the elements. */
class GramPartsTest {

    private static String told(FaultCode code, String sentence, DescriptionPart part, @Nullable String value) {
        return GramFaults.explain(Fault.of(code, sentence, "Mend it.").about(part, value));
    }

    @ParameterizedTest
    @CsvSource({
        "LRM, factoryType",
        "ACCOUNT, localUserId",
        "CLIENT_ID, JobID",
        "HOLD, holdState",
        "STAGE_IN, fileStageIn",
        "STAGE_OUT, fileStageOut",
        "CLEAN_UP, fileCleanUp",
        "TRANSFER_SOURCE, sourceUrl",
        "TRANSFER_DESTINATION, destinationUrl",
        "JOB_CREDENTIAL, jobCredentialEndpoint",
        "FILE_CREDENTIAL, transferCredentialEndpoint",
        "MAX_WALL_TIME, maxWallTime",
        "STDERR, stderr"
    })
    void theElementIsNamedInTheFaultAndInItsText(DescriptionPart part, String element) {
        Fault fault =
                Fault.of(FaultCode.INVALID_DESCRIPTION, "It is wrong.", "").about(part, "x");

        assertThat(GramParts.attribute(fault)).isEqualTo(element);
        assertThat(GramFaults.explain(fault)).isEqualTo("It is wrong. The element is " + element + ".");
    }

    @ParameterizedTest
    @EnumSource
    void everyPartHasAnElement(DescriptionPart part) {
        assertThat(GramParts.element(part)).matches("[A-Za-z]+");
        assertThat(DescriptionPart.of(part.word())).contains(part);
    }

    @Test
    void aTextThatNamesItAlreadyStaysAsItIs() {
        assertThat(told(
                        FaultCode.EXECUTABLE_NOT_FOUND,
                        "The executable /x is not there.",
                        DescriptionPart.EXECUTABLE,
                        "/x"))
                .isEqualTo("The executable /x is not there. Mend it.");
    }

    /** What builds of before stored, and what is of one door or adapter only. */
    @Test
    void whatIsNoPartIsToldByItsOwnName() {
        Fault fault =
                Fault.of(FaultCode.INVALID_DESCRIPTION, "It is wrong.", "").about("nodes", "x");

        assertThat(GramParts.attribute(fault)).isEqualTo("nodes");
        assertThat(GramFaults.explain(fault)).isEqualTo("It is wrong.");
    }

    /** GT4's own words for it (facts/gram4.md section 3.10), which its clients look for. */
    @Test
    void stagingIsToldAsGt4ToldIt() {
        String sentence = FileStager.FAILED + ", from https://a/b to file:///c, after 1 attempt: it is gone.";

        assertThat(told(FaultCode.STAGING_FAILED, sentence, DescriptionPart.STAGE_IN, "https://a/b"))
                .isEqualTo("Staging error for RSL element fileStageIn, from https://a/b to file:///c, after 1 attempt:"
                        + " it is gone. Mend it.");
    }

    @Test
    void whoNamesNoCredentialIsToldOfOurCommand() {
        assertThat(told(FaultCode.INVALID_DESCRIPTION, "None is named.", DescriptionPart.FILE_CREDENTIAL, null))
                .endsWith(
                        "The element is transferCredentialEndpoint; globusrun-ws -S delegates a credential and names it.");
        assertThat(told(FaultCode.CREDENTIAL_UNUSABLE, "None is named.", DescriptionPart.JOB_CREDENTIAL, null))
                .endsWith("The element is jobCredentialEndpoint; globusrun-ws -J delegates a credential and names it.");
    }

    @Test
    void aLimitOfAPartKeepsItsOwnName() {
        Fault fault = new Limit("limits.maxCount", 2)
                .refusal(3, "processes of the job")
                .at(DescriptionPart.COUNT);

        assertThat(GramFaults.explain(fault)).contains("limits.maxCount = 2").endsWith("The element is count.");
        assertThat(fault.attribute()).isEqualTo("limits.maxCount");
    }
}
