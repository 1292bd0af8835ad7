// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import org.jobgate.gt4.Generation;

/** Requests of our own operations. */
final class BulkEnvelopes {

    private BulkEnvelopes() {}

    /** An operation of ours at the factory {@code Fork}. */
    static String of(Generation generation, String operation, String content) {
        String body = "<" + operation + " xmlns=\"" + generation.extension("").getNamespaceURI() + "\" xmlns:d=\""
                + generation.gram() + "/description\">" + content + "</" + operation + ">";
        return generation == Generation.GT40
                ? Envelopes.of(Envelopes.resource("Fork"), body)
                : Envelopes42.of(Envelopes42.resource("Fork"), body);
    }

    static String job(String id, String job) {
        return "<create><JobID>" + id + "</JobID><d:job>" + job + "</d:job></create>";
    }

    static String instance(String id, String... namesAndValues) {
        StringBuilder text = new StringBuilder("<instance><JobID>" + id + "</JobID>");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            text.append("<variable name=\"")
                    .append(namesAndValues[i])
                    .append("\">")
                    .append(namesAndValues[i + 1])
                    .append("</variable>");
        }
        return text.append("</instance>").toString();
    }
}
