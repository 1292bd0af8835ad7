// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.JobDescription;
import org.jobgate.limits.JobLimits;
import org.jobgate.xml.XmlElement;

/**
 * Reads a {@code job} element of GRAM4's job description language (facts/gram4.md section 2.1). Elements are known by their local
 * names, in any order and any namespace: clients send un-namespaced and unordered ones.
 *
 * <p>Every refusal is a {@link org.jobgate.job.FaultException} that names the element, its value and the rule.
 */
public final class JddParser {

    /** Said elsewhere: by the request's address, and by the authorization. */
    private static final Set<String> IGNORED = Set.of("factoryEndpoint", "localUserId");

    /** What may stand beside a description in another language; all else is for that language to say. */
    private static final Set<String> BESIDE = Set.of(
            "stdout",
            "stderr",
            "holdState",
            DelegatedCredentials.JOB,
            DelegatedCredentials.STAGING,
            "extensions",
            "factoryEndpoint",
            "localUserId");

    private final JobLimits limits;

    public JddParser(JobLimits limits) {
        this.limits = requireNonNull(limits, "limits is null");
    }

    /** The local account that the job asks to run as, if it asks. */
    public Optional<String> localUserId(XmlElement job) {
        List<XmlElement> all = job.children().stream()
                .filter(child -> child.localName().equals("localUserId"))
                .toList();
        if (all.size() > 1) {
            throw JddFaults.repeated("localUserId", all.size());
        }
        return all.stream().findFirst().map(element -> requireAccount(element.trimmedText()));
    }

    private static String requireAccount(String account) {
        if (account.isEmpty()) {
            throw JddFaults.invalid("localUserId", account, "it must name an account");
        }
        return account;
    }

    /**
     * Reads the job.
     *
     * @param variables what {@code ${NAME}} stands for
     */
    public JobDescription parse(XmlElement job, Variables variables) {
        if (!job.localName().equals("job")) {
            throw JddFaults.invalid(job.localName(), "", "a job description is a job element");
        }
        return FlowExtensions.alone(parse(job.children(), variables));
    }

    /** Reads the job that these elements describe. */
    public JobDescription parse(List<XmlElement> elements, Variables variables) {
        JddReading reading = new JddReading(limits, variables);
        for (XmlElement element : elements) {
            if (!IGNORED.contains(element.localName())) {
                reading.read(element);
            }
        }
        return reading.finish();
    }

    /**
     * Reads what stands beside a description in another language that the job carries among its extensions. Its executable means nothing.
     *
     * @param carried the root of that description
     */
    public JobDescription beside(XmlElement job, XmlElement carried, Variables variables) {
        JddReading reading = new JddReading(limits, variables, carried);
        for (XmlElement element : job.children()) {
            String name = element.localName();
            if (!BESIDE.contains(name)) {
                throw JddFaults.invalid(
                        name,
                        "",
                        "the job is described by the " + carried.localName()
                                + " in its extensions, beside which only stdout, stderr, holdState and credentials may stand");
            }
            if (!IGNORED.contains(name)) {
                reading.read(element);
            }
        }
        return reading.finish();
    }
}
