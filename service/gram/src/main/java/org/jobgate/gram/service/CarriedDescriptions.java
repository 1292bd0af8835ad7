// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.gram.jdd.JddParser;
import org.jobgate.gram.jdd.Variables;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.NamedCredential;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.JobLanguages;
import org.jobgate.language.ReadingContext;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that are described in another language of XML than GRAM4's own: the job element has no executable, and the root of the other
 * description is one of its extensions (docs/reference/gram4.md). What stands beside it holds where that description says nothing.
 */
final class CarriedDescriptions {

    private static final String EXECUTABLE = "executable";
    private static final String EXTENSIONS = "extensions";

    private final JobLanguages languages;
    private final JddParser parser;

    /** @param languages that are taken */
    CarriedDescriptions(JobLanguages languages, JddParser parser) {
        this.languages = requireNonNull(languages, "languages is null");
        this.parser = requireNonNull(parser, "parser is null");
    }

    /** A description that a job element carries. */
    record Carried(XmlElement root, String text, JobLanguage language) {}

    /** The other description that a job element carries, if it carries one. */
    Optional<Carried> in(XmlElement job) {
        if (languages.all().isEmpty() || job.child(EXECUTABLE).isPresent()) {
            return Optional.empty();
        }
        for (XmlElement extensions : job.children()) {
            if (extensions.localName().equals(EXTENSIONS)) {
                for (XmlElement root : extensions.children()) {
                    String text = XmlWriter.toText(out -> out.copy(root));
                    Optional<JobLanguage> language = languages.recognize(text);
                    if (language.isPresent()) {
                        return Optional.of(new Carried(root, text, language.get()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Reads one.
     *
     * @param context whose default LRM is that of the factory
     * @throws FaultException where it is wrong, describes several jobs, or is for another LRM than the factory's
     */
    DescribedJob read(Carried carried, ReadingContext context) {
        List<DescribedJob> jobs = carried.language().read(carried.text(), context);
        DescribedJob job = jobs.getFirst();
        if (jobs.size() != 1 || job.group() != null) {
            throw new FaultException(Fault.of(
                            FaultCode.UNSUPPORTED_FEATURE,
                            "The " + carried.root().localName()
                                    + " describes several jobs; a job of GRAM4 is a single one.",
                            "Create it as an activity of OGSA-BES (bes create), or as an array of the REST API.")
                    .about("Sweep", ""));
        }
        String lrm = job.lrm();
        if (lrm != null && !lrm.equals(context.defaultLrm())) {
            throw new FaultException(Fault.of(
                            FaultCode.INVALID_DESCRIPTION,
                            "The " + carried.root().localName() + " is for the LRM " + lrm
                                    + ", and was sent to the factory of " + context.defaultLrm() + ".",
                            "Send it to the factory of " + lrm + " (globusrun-ws -Ft " + lrm + ").")
                    .about("Lrm", lrm));
        }
        return job;
    }

    /**
     * The job with what stands beside it.
     *
     * @param variables what the variables in what stands beside it stand for; the other description has none
     */
    JobDescription whole(XmlElement job, Carried carried, JobDescription described, Variables variables) {
        JobDescription beside = parser.beside(job, carried.root(), variables);
        return described.toBuilder()
                .stdout(first(described.stdout(), beside.stdout()))
                .stderr(first(described.stderr(), beside.stderr()))
                .holdAt(first(described.holdAt(), beside.holdAt()))
                .holdAgain(first(described.holdAgain(), beside.holdAgain()))
                .stageOutOnFailure(first(described.stageOutOnFailure(), beside.stageOutOnFailure()))
                .incrementalOutput(first(described.incrementalOutput(), beside.incrementalOutput()))
                .credentials(credentials(described.credentials(), beside.credentials()))
                .build();
    }

    private static <T> @Nullable T first(@Nullable T described, @Nullable T beside) {
        return described == null ? beside : described;
    }

    private static List<NamedCredential> credentials(List<NamedCredential> described, List<NamedCredential> beside) {
        List<NamedCredential> all = new ArrayList<>(described);
        for (NamedCredential credential : beside) {
            if (described.stream().noneMatch(other -> other.use() == credential.use())) {
                all.add(credential);
            }
        }
        return all;
    }
}
