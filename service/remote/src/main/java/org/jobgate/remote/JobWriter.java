// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import org.jobgate.job.JobDescription;
import org.jobgate.xml.XmlWriter;

/** Writes a job description in the language of GT 4.2, without an account: the other gateway chooses that. */
@FunctionalInterface
public interface JobWriter {

    void write(XmlWriter out, JobDescription description);
}
