// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jobgate.job.Extension;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.jobs.FilePassword;
import org.jobgate.limits.Limit;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;
import org.jobgate.xml.XmlWriter;

/**
 * Writes descriptions as documents that are valid by the official schemas, also those of jobs that came by another door. What the language's
 * own elements cannot say stands in our element {@code jg:Job}, so that reading the document again gives an equal description, where its
 * texts hold no character that XML lacks.
 */
public final class JsdlWriter {

    /** A description that was stored may be written, whatever its size. */
    private static final XmlLimits NO_LIMITS = new XmlLimits(
            new Limit("elements", Integer.MAX_VALUE),
            new Limit("depth", 1_000),
            new Limit("attributes", 1_000),
            new Limit("textCharacters", Integer.MAX_VALUE));

    /** From the fullest form on: the first is taken that can be read again. */
    private static final List<Form> FORMS =
            List.of(new Form(true, true), new Form(true, false), new Form(false, true), new Form(false, false));

    private final JsdlSite site;

    /**
     * What is written by elements of the language.
     *
     * @param files whether the files are DataStaging elements
     * @param counts whether numbers of processors and hosts are Resources
     */
    record Form(boolean files, boolean counts) {}

    /** @param fileSystems of the account that the job runs as */
    public JsdlWriter(FileSystems fileSystems) {
        this.site = new JsdlSite(requireNonNull(fileSystems, "fileSystems is null"), LrmCapabilities.UNKNOWN, false);
    }

    /** The document as text, without an XML declaration. */
    public String text(JobDescription job) {
        return XmlWriter.toText(content(job));
    }

    /**
     * Writes a JobDefinition.
     *
     * @throws FaultException of code {@code UNSUPPORTED_FEATURE} for a multi-job
     */
    public void write(XmlWriter out, JobDescription job) {
        content(job).write(out);
    }

    /** Leaves the passwords of files out, without a trace: nobody may see them again. */
    private XmlContent content(JobDescription described) {
        JobDescription job = FilePassword.without(described);
        if (job.isMulti()) {
            throw new FaultException(Fault.of(
                    FaultCode.UNSUPPORTED_FEATURE,
                    "A job that consists of other jobs cannot be said in JSDL.",
                    "Ask for its sub-jobs."));
        }
        FaultException last = null;
        for (Form form : FORMS) {
            try {
                JobDescription plain =
                        read(job, XmlWriter.toText(new Document(job, site.fileSystems(), form, List.of())));
                return new Document(job, site.fileSystems(), form, differing(job, plain));
            } catch (FaultException e) {
                last = e; // with fewer elements of the language it may be said
            }
        }
        throw requireNonNull(last, "there is no form");
    }

    /** As a site would that has noted the projects of the job, if one has. */
    private JobDescription read(JobDescription job, String text) {
        boolean notesProjects = Labels.of(job, Labels.PROJECT).isPresent();
        return JsdlDocument.of(XmlTree.parse(text.getBytes(StandardCharsets.UTF_8), NO_LIMITS))
                .job(new JsdlSite(site.fileSystems(), site.capabilities(), site.takesCredentials(), notesProjects))
                .description();
    }

    /** Our words for each part that the elements of the language do not say as it is. */
    private static List<Extension> differing(JobDescription job, JobDescription plain) {
        List<Extension> words = new ArrayList<>();
        for (OwnWord word : OwnWords.ALL) {
            Extension wanted = word.written().apply(job);
            if (!wanted.equals(word.written().apply(plain))) {
                words.add(wanted);
            }
        }
        return words;
    }

    /** A document with these words of ours. */
    private record Document(JobDescription job, FileSystems fileSystems, Form form, List<Extension> words)
            implements XmlContent {

        @Override
        public void write(XmlWriter out) {
            Set<String> own = new HashSet<>();
            words.forEach(word -> own.add(word.name()));
            new JobWriting(out, job, fileSystems, form, own).write(words);
        }
    }
}
