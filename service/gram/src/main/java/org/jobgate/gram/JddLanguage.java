// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import org.jobgate.gram.fault.GramParts;
import org.jobgate.gram.jdd.JddParser;
import org.jobgate.gram.jdd.JddRenderer;
import org.jobgate.gram.multi.MultiJobReading;
import org.jobgate.gram.multi.OtherFactory;
import org.jobgate.gram.service.AccountVariables;
import org.jobgate.gram.service.Addresses;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Gt4Mount;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.ReadingContext;
import org.jobgate.xml.MalformedXmlException;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * GRAM4's job description language (facts/gram4.md section 2) as a text of its own, such as a file for {@code globusrun-ws -f}: a
 * {@code job} or a {@code multiJob}, in no namespace or that of GT 4.0 or GT 4.2.
 */
public final class JddLanguage implements JobLanguage {

    public static final String NAME = "jdd";

    private static final String JOB = "job";

    private static final Set<String> NAMESPACES = Set.of(
            XMLConstants.NULL_NS_URI,
            Generation.GT40.description(JOB).getNamespaceURI(),
            Generation.GT42.description(JOB).getNamespaceURI());

    private final AccountVariables variables;
    private final XmlLimits xml;
    private final String factory;
    private final List<OtherFactory> others;

    /**
     * The language at one gateway.
     *
     * @param url of the job services: scheme, name and port; a factory there, in a description, means this gateway
     * @param variables what the variables of job descriptions stand for
     * @param xml how much XML one text may hold
     * @param others the other gateways that are LRMs of this one
     */
    public JddLanguage(String url, AccountVariables variables, XmlLimits xml, List<OtherFactory> others) {
        this.factory = Gt4Mount.baseUrl(url) + "/" + Addresses.FACTORY;
        this.variables = requireNonNull(variables, "variables is null");
        this.xml = requireNonNull(xml, "xml is null");
        this.others = List.copyOf(others);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> mediaTypes() {
        return List.of("application/jdd+xml");
    }

    @Override
    public boolean recognizes(String beginning) {
        return XmlTree.rootName(beginning)
                .filter(root ->
                        root.getLocalPart().equals(JOB) || root.getLocalPart().equals(MultiJobReading.ELEMENT))
                .filter(root -> NAMESPACES.contains(root.getNamespaceURI()))
                .isPresent();
    }

    @Override
    public List<DescribedJob> read(String text, ReadingContext context) {
        JddParser parser = new JddParser(context.limits());
        MultiJobReading multiJobs = new MultiJobReading(parser, factory, others);
        Set<String> lrms = new LinkedHashSet<>(context.lrms());
        XmlElement root = root(text);
        Optional<String> wanted = parser.localUserId(root);
        if (root.localName().equals(MultiJobReading.ELEMENT)) {
            JobDescription multi = multiJobs.read(root, lrms, context::account, variables::of);
            return List.of(DescribedJob.of(multi).withAccount(wanted.orElse(null)));
        }
        Optional<String> lrm = multiJobs.lrm(root, lrms);
        String account = context.account(wanted);
        JobDescription job = parser.parse(root, variables.of(account, lrm.orElseGet(context::defaultLrm)));
        return List.of(DescribedJob.of(job).withLrm(lrm.orElse(null)).withAccount(wanted.orElse(null)));
    }

    private XmlElement root(String text) {
        try {
            return XmlTree.parse(text, xml);
        } catch (MalformedXmlException e) {
            throw new FaultException(
                    Fault.of(
                                    FaultCode.INVALID_DESCRIPTION,
                                    "The job description cannot be read: " + e.getMessage() + ".",
                                    "Send one job or multiJob element of GRAM4's job description language, in XML.")
                            .about(JOB, ""),
                    e);
        }
    }

    /** Not what waits for earlier jobs, asks for resources, or for times of parts of a minute: the language has no words for them. */
    @Override
    public Optional<String> write(JobDescription description) {
        if (!canSay(description)) {
            return Optional.empty();
        }
        JddRenderer renderer = new JddRenderer(Generation.GT42, factory);
        return Optional.of(XmlWriter.toText(out -> renderer.write(out, description, null)));
    }

    private static boolean canSay(JobDescription job) {
        return job.resources() == null
                && job.after().isEmpty()
                && !OnlyTransfers.is(job)
                && Stream.of(job.maxTime(), job.maxWallTime(), job.maxCpuTime()).allMatch(JddLanguage::isOfMinutes)
                && job.subJobs().stream().allMatch(sub -> canSay(sub.description()));
    }

    private static boolean isOfMinutes(@Nullable Duration time) {
        return time == null || time.equals(Duration.ofMinutes(time.toMinutes()));
    }

    @Override
    public String nameOf(DescriptionPart part) {
        return GramParts.element(part);
    }
}
