// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.List;

/** Attributes that CREAM heeds and this gateway cannot: a job that has one is refused by its name, rather than run without it. */
final class JdlRefused {

    private static final String OUTPUT_DATA = "OutputData";
    private static final String COPROCESSORS = "MICNumber";
    private static final String TOKEN = "ReallyRunningToken";

    static final List<String> NAMES = List.of(OUTPUT_DATA, COPROCESSORS, TOKEN);

    private JdlRefused() {}

    static void check(JdlRecord record, JdlAttributes attributes) {
        if (record.get(OUTPUT_DATA) != null) {
            requireForm(record.get(OUTPUT_DATA) instanceof JdlValue.Sequence list ? list.values() : List.of());
            throw JdlFaults.unsupported(
                    OUTPUT_DATA,
                    "",
                    "no catalogue of replicas is asked",
                    "Name the file in OutputSandbox, and its place on the storage element in OutputSandboxDestURI.");
        }
        Integer coprocessors = attributes.count(COPROCESSORS);
        if (coprocessors != null) {
            throw JdlFaults.unsupported(
                    COPROCESSORS, coprocessors.toString(), "no batch system here has such processors", "Leave it out.");
        }
        String token = attributes.text(TOKEN);
        if (token != null) {
            throw JdlFaults.unsupported(
                    TOKEN, token, "tokens of shallow resubmission are not taken", "Submit without ShallowRetryCount.");
        }
    }

    private static void requireForm(List<JdlValue> values) {
        if (values.isEmpty()) {
            throw JdlFaults.invalid(OUTPUT_DATA, "", "Bad format for 'OutputData' jdl attribute.");
        }
        for (JdlValue value : values) {
            if (!(value instanceof JdlValue.Nested nested)) {
                throw JdlFaults.invalid(OUTPUT_DATA, "", "Bad format for 'OutputData' jdl attribute.");
            }
            if (nested.attributes().get("OutputFile") == null) {
                throw JdlFaults.invalid(OUTPUT_DATA, "", "OutputFile is mandatory for the OutputData jdl attribute.");
            }
        }
    }
}
