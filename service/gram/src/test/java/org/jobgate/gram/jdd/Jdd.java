// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobDescription;
import org.jobgate.limits.JobLimits;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;
import org.jobgate.xml.XmlWriter;

/** The language both ways, from text to text. */
final class Jdd {

    private Jdd() {}

    static JobDescription parse(String document) {
        return parse(document.getBytes(StandardCharsets.UTF_8));
    }

    static JobDescription parse(byte[] document) {
        return parser().parse(
                        XmlTree.parse(document, XmlLimits.defaults()),
                        name -> Optional.ofNullable(name.equals("GLOBUS_USER_HOME") ? "/home/alice" : null));
    }

    static JddParser parser() {
        return new JddParser(JobLimits.defaults());
    }

    static String render(JobDescription description) {
        return XmlWriter.toText(
                out -> new JddRenderer(Generation.GT40, "https://gate:8443/wsrf/services/ManagedJobFactoryService")
                        .write(out, description, null));
    }
}
