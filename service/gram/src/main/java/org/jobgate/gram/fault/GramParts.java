// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.fault;

import static java.util.Map.entry;

import java.util.EnumMap;
import java.util.Map;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.jobs.FileStager;
import org.jspecify.annotations.Nullable;

/** What GRAM4 calls the parts of a job description that faults are about: the elements of its language. */
public final class GramParts {

    /** Where the element has another name than the part. */
    private static final Map<DescriptionPart, String> ELEMENTS = new EnumMap<>(Map.ofEntries(
            entry(DescriptionPart.HOLD, "holdState"),
            entry(DescriptionPart.STAGE_IN, "fileStageIn"),
            entry(DescriptionPart.STAGE_OUT, "fileStageOut"),
            entry(DescriptionPart.CLEAN_UP, "fileCleanUp"),
            entry(DescriptionPart.TRANSFER_SOURCE, "sourceUrl"),
            entry(DescriptionPart.TRANSFER_DESTINATION, "destinationUrl"),
            entry(DescriptionPart.CLEAN_UP_FILE, "file"),
            entry(DescriptionPart.JOB_CREDENTIAL, "jobCredentialEndpoint"),
            entry(DescriptionPart.FILE_CREDENTIAL, "transferCredentialEndpoint"),
            entry(DescriptionPart.ACCOUNT, "localUserId"),
            entry(DescriptionPart.LRM, "factoryType"),
            entry(DescriptionPart.CLIENT_ID, "JobID")));

    private GramParts() {}

    /** The element for the part. */
    public static String element(DescriptionPart part) {
        return ELEMENTS.getOrDefault(part, part.word());
    }

    /** What the fault is about; absent where that is nothing that has a name. */
    static @Nullable String attribute(Fault fault) {
        return fault.part() == null ? fault.attribute() : element(fault.part());
    }

    /**
     * The text with the name of the element that it is about, where it does not name it: the core does not know our names. What is said
     * of staging begins as GT4 said it (facts/gram4.md section 3.10).
     */
    static String named(Fault fault, String text) {
        DescriptionPart part = fault.part();
        if (part == null) {
            return text;
        }
        String element = element(part);
        String said = fault.code() == FaultCode.STAGING_FAILED
                ? text.replace(FileStager.FAILED, "Staging error for RSL element " + element)
                : text;
        return said.contains(element) ? said : said + " The element is " + element + hint(fault, part) + ".";
    }

    /** Where no credential is named at all, our command names one. */
    private static String hint(Fault fault, DescriptionPart part) {
        if (fault.value() != null) {
            return "";
        }
        return switch (part) {
            case JOB_CREDENTIAL -> "; globusrun-ws -J delegates a credential and names it";
            case FILE_CREDENTIAL -> "; globusrun-ws -S delegates a credential and names it";
            default -> "";
        };
    }
}
