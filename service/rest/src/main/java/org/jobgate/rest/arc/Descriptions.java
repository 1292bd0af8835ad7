// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jobgate.adl.Activity;
import org.jobgate.adl.ActivityRules;
import org.jobgate.adl.AdlReader;
import org.jobgate.job.Fault;
import org.jobgate.xrsl.XrslDialect;
import org.jobgate.xrsl.XrslReader;
import org.jspecify.annotations.Nullable;

/** Reads what clients send as descriptions of jobs: ADL, or xRSL as A-REX takes it, in which a number of time is in seconds. */
final class Descriptions {

    private final AdlReader adl;
    private final XrslReader xrsl;

    Descriptions(ActivityRules rules) {
        this.adl = new AdlReader(rules);
        this.xrsl = new XrslReader(rules, XrslDialect.SERVER);
    }

    /**
     * One of the descriptions of a request.
     *
     * @param activity absent where it is refused
     * @param fault why it is refused
     */
    record Read(
            String language,
            @Nullable Activity activity,
            @Nullable Fault fault) {

        Read {
            requireNonNull(language, "language is null");
        }
    }

    /**
     * Reads all of them.
     *
     * @throws org.jobgate.job.FaultException where the text cannot be read at all
     */
    List<Read> read(String text) throws ArcRefusal {
        if (AdlReader.recognizes(text)) {
            return adl.readAll(text).stream()
                    .map(result -> new Read("adl", result.activity(), result.fault()))
                    .toList();
        }
        if (XrslReader.recognizes(text)) {
            return xrsl.readAll(text).stream()
                    .map(result -> new Read("xrsl", result.activity(), result.fault()))
                    .toList();
        }
        throw new ArcRefusal(
                500, "Payload is not recognized.", "Send ADL (it begins with <) or xRSL (it begins with & or +).");
    }
}
