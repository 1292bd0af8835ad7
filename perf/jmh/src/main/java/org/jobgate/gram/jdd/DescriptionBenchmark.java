// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jobgate.gt4.Generation;
import org.jobgate.jmh.Measured;
import org.jobgate.job.JobDescription;
import org.jobgate.limits.JobLimits;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;
import org.jobgate.xml.XmlWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A job description of some size, read and written. Budget of the whole create that reading is a part of: 1 ms (CreateCostIT). */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DescriptionBenchmark extends Measured {

    private static final String FACTORY = "https://gate:8443/wsrf/services/ManagedJobFactoryService";
    private static final int ARGUMENTS = 10;

    private final JddParser parser = new JddParser(JobLimits.defaults());
    private final byte[] text = text();
    private final JobDescription description = description();

    private static byte[] text() {
        StringBuilder all = new StringBuilder("<job><executable>/bin/echo</executable><directory>/tmp</directory>");
        for (int i = 0; i < ARGUMENTS; i++) {
            all.append("<argument>argument ").append(i).append("</argument>");
        }
        for (int i = 0; i < ARGUMENTS; i++) {
            all.append("<environment><name>NAME_")
                    .append(i)
                    .append("</name><value>value ")
                    .append(i);
            all.append("</value></environment>");
        }
        return all.append("<stdout>${GLOBUS_USER_HOME}/out</stdout><stderr>${GLOBUS_USER_HOME}/err</stderr></job>")
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    /** From bytes to elements: the share of the XML reader. */
    @Benchmark
    public XmlElement elements() {
        return XmlTree.parse(text, XmlLimits.defaults());
    }

    /** From bytes to the description, limits and variables included. */
    @Benchmark
    public JobDescription read() {
        return description();
    }

    private JobDescription description() {
        return parser.parse(
                XmlTree.parse(text, XmlLimits.defaults()),
                name -> Optional.ofNullable(name.equals("GLOBUS_USER_HOME") ? "/home/alice" : null));
    }

    /** From the description to text, as a query of the job's properties has it. */
    @Benchmark
    public String write() {
        return XmlWriter.toText(out -> new JddRenderer(Generation.GT40, FACTORY).write(out, description, null));
    }
}
