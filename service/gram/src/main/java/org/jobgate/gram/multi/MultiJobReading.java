// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.multi;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jobgate.gram.jdd.FlowExtensions;
import org.jobgate.gram.jdd.JddParser;
import org.jobgate.gram.jdd.Variables;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.SubJob;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@code multiJob} element (facts/gram4.md section 2.1). What it says itself is the default for each of its jobs: an element
 * that a job has stands in the place of all the multi-job's elements of that name; variables of the environment stand in the place of
 * those of the same name, and beside the others. Each job learns its rank, from 0, as {@code GLOBUS_GRAM_SUBJOB_RANK}.
 */
public final class MultiJobReading {

    public static final String ELEMENT = "multiJob";

    private static final String RANK = "GLOBUS_GRAM_SUBJOB_RANK";

    /** What says where the multi-job itself goes, and its own list of jobs. */
    private static final Set<String> OWN = Set.of("job", "factoryEndpoint");

    private final JddParser parser;
    private final SubJobFactories factories;

    /**
     * @param factory the address of this gateway's factory
     * @param others the other gateways that are LRMs of this one
     */
    public MultiJobReading(JddParser parser, String factory, List<OtherFactory> others) {
        this.parser = requireNonNull(parser, "parser is null");
        this.factories = new SubJobFactories(factory, others);
    }

    /** What jobs are read with: the variables for an account and an LRM. */
    @FunctionalInterface
    public interface JobVariables {
        Variables of(String account, String lrm);
    }

    /**
     * The LRM that the {@code factoryEndpoint} of a job names.
     *
     * @param lrms of this gateway, the default first
     * @return empty where the job names no factory
     */
    public Optional<String> lrm(XmlElement job, Set<String> lrms) {
        return job.child("factoryEndpoint").map(endpoint -> factories.lrm(endpoint, lrms));
    }

    /**
     * Reads it.
     *
     * @param lrms that sub jobs may be for, the default first
     * @param account says which account the job in this element runs as, where the element says one
     */
    public JobDescription read(
            XmlElement multiJob, Set<String> lrms, Function<Optional<String>, String> account, JobVariables variables) {
        List<XmlElement> defaults = multiJob.children().stream()
                .filter(element -> !OWN.contains(element.localName()))
                .toList();
        Optional<String> defaultAccount = parser.localUserId(multiJob);
        List<SubJob> subJobs = new ArrayList<>();
        for (XmlElement job : multiJob.children()) {
            if (job.localName().equals("job")) {
                String lrm = lrm(job, lrms).orElseGet(() -> lrms.iterator().next());
                String owner = account.apply(parser.localUserId(job).or(() -> defaultAccount));
                JobDescription read = parser.parse(merged(defaults, job), variables.of(owner, lrm));
                subJobs.add(FlowExtensions.read(lrm, owner, ranked(read, subJobs.size())));
            }
        }
        if (subJobs.isEmpty()) {
            throw invalid(ELEMENT, "", "it must hold at least one job");
        }
        return JobDescription.multi(subJobs, agreedHold(subJobs));
    }

    private static List<XmlElement> merged(List<XmlElement> defaults, XmlElement job) {
        Set<String> given = job.children().stream().map(XmlElement::localName).collect(Collectors.toSet());
        Set<String> variables = job.children().stream()
                .filter(MultiJobReading::isVariable)
                .map(MultiJobReading::variableName)
                .collect(Collectors.toSet());
        List<XmlElement> merged = new ArrayList<>();
        for (XmlElement element : defaults) {
            boolean isTaken = isVariable(element)
                    ? !variables.contains(variableName(element))
                    : !given.contains(element.localName());
            if (isTaken) {
                merged.add(element);
            }
        }
        merged.addAll(job.children());
        return merged;
    }

    private static boolean isVariable(XmlElement element) {
        return element.localName().equals("environment");
    }

    private static String variableName(XmlElement environment) {
        return environment.child("name").map(XmlElement::trimmedText).orElse("");
    }

    private static JobDescription ranked(JobDescription job, int rank) {
        List<EnvironmentVariable> environment = new ArrayList<>(job.environment());
        environment.removeIf(variable -> variable.name().equals(RANK));
        environment.add(new EnvironmentVariable(RANK, Integer.toString(rank)));
        return job.toBuilder().environment(environment).build();
    }

    private static @Nullable JobState agreedHold(List<SubJob> subJobs) {
        JobState hold = subJobs.getFirst().description().holdAt();
        for (SubJob sub : subJobs) {
            JobState other = sub.description().holdAt();
            if (other != hold) {
                throw invalid(
                        "holdState", String.valueOf(other), "all jobs of a multiJob must be held at the same state");
            }
        }
        return hold;
    }

    private static FaultException invalid(String element, String value, String rule) {
        return new FaultException(Fault.of(
                        FaultCode.INVALID_DESCRIPTION,
                        "The element " + element + " of the job description is wrong: " + rule + ".",
                        "Correct the job description and submit it again.")
                .about(element, value));
    }
}
