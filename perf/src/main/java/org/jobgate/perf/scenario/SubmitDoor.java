// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

/** The doors by which {@link Submitters} give jobs to the service. */
enum SubmitDoor {
    /** CREAM2 with the delegation service of gridsite: the door that ICE spoke to. */
    CREAM2("By CREAM2: getProxyReq, putProxy, JobRegister with autoStart."),
    /** GRAM4 with GT4's delegation. */
    GRAM("By GT4's delegation and GRAM4's create, not by CREAM2.");

    private final String remark;

    SubmitDoor(String remark) {
        this.remark = remark;
    }

    /** What a client asks there, in a sentence. */
    String remark() {
        return remark;
    }
}
