// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

/** The doors by which {@link Submitters} give jobs to the service. */
enum SubmitDoor {
    /** CREAM2 with the delegation service of gridsite: the door that ICE spoke to. */
    CREAM2("cream2", "By CREAM2: getProxyReq, putProxy, JobRegister with autoStart."),
    /** GRAM4 with GT4's delegation. */
    GRAM("gram", "By GT4's delegation and GRAM4's create, not by CREAM2."),
    /** A stock HTCondor ({@link IceByCondorG}), as the slides' JC+Condor+LM. */
    CONDOR_G(
            "condor-g",
            "By one stock HTCondor, which delegates the credential of the jobs as it is wont to: once for all that name the same file.");

    private final String word;
    private final String remark;

    SubmitDoor(String word, String remark) {
        this.word = word;
        this.remark = remark;
    }

    @Override
    public String toString() {
        return word;
    }

    /** What a client asks there, in a sentence. */
    String remark() {
        return remark;
    }
}
