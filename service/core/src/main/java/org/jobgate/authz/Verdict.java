// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

/** What the decision point of a link has answered. */
public record Verdict(Link link, PointDecision decision) {

    String text() {
        return link.name() + " " + decision.word() + " (" + decision.reason() + ")";
    }
}
