// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobType;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.TransferList;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes a job description as a {@code desc:job} or {@code desc:multiJob}, in the order of the schema. Reading it again gives an equal description, where its
 * texts hold no character that XML lacks and its times are whole minutes; other times are rounded up.
 */
public final class JddRenderer {

    private final Generation generation;
    private final String factory;
    private final StagingRendering staging;

    /** @param factory the address of the factory, for jobs that name it */
    public JddRenderer(Generation generation, String factory) {
        this.factory = factory;
        this.generation = generation;
        this.staging = new StagingRendering(generation);
    }

    /**
     * Writes it.
     *
     * @param account what to say as {@code localUserId}; absent to leave it out
     */
    public void write(XmlWriter out, JobDescription job, @Nullable String account) {
        if (job.isMulti()) {
            out.open(name("multiJob"));
            job.subJobs().forEach(sub -> writeJob(out, FlowExtensions.written(sub), sub.account(), sub.lrm()));
            out.close();
        } else {
            writeJob(out, job, account, null);
        }
    }

    /** An option of the files that a description in this language cannot say; empty where it says all of them. */
    public static Optional<String> unsaidOption(TransferList files) {
        return StagingOptions.unsaid(files);
    }

    private void writeJob(XmlWriter out, JobDescription job, @Nullable String account, @Nullable String lrm) {
        out.open(name("job"));
        if (lrm != null) {
            EndpointReference.of(factory, generation.job("ResourceID"), lrm)
                    .write(out, generation, name("factoryEndpoint"));
        }
        writeCredential(out, job, CredentialUse.JOB, DelegatedCredentials.JOB);
        writeCredential(out, job, CredentialUse.FILES, DelegatedCredentials.STAGING);
        if (account != null) {
            out.element(generation.types("localUserId"), account);
        }
        if (job.holdAt() != null) {
            out.element(generation.types("holdState"), HoldStates.name(job.holdAt()));
        }
        writeText(out, "executable", OnlyTransfers.is(job) ? null : job.executable());
        writeText(out, "directory", job.directory());
        writeTexts(out, "argument", job.arguments());
        job.environment().forEach(variable -> writeVariable(out, variable));
        writeText(out, "stdin", job.stdin());
        writeText(out, "stdout", job.stdout());
        writeText(out, "stderr", job.stderr());
        out.element(name("count"), Integer.toString(job.count()));
        writeTexts(out, "libraryPath", job.libraryPath());
        writeNumber(out, "hostCount", job.hostCount());
        writeWord(out, "project", job.project());
        writeWord(out, "queue", job.queue());
        writeMinutes(out, "maxTime", job.maxTime());
        writeMinutes(out, "maxWallTime", job.maxWallTime());
        writeMinutes(out, "maxCpuTime", job.maxCpuTime());
        writeNumber(out, "maxMemory", job.maxMemoryMiB());
        writeNumber(out, "minMemory", job.minMemoryMiB());
        out.element(name("jobType"), wireName(job.jobType()));
        staging.write(out, job);
        writeExtensions(out, OwnExtensions.written(job));
        out.close();
    }

    private void writeCredential(XmlWriter out, JobDescription job, CredentialUse use, String element) {
        job.credential(use)
                .ifPresent(credential -> DelegatedCredentials.write(out, generation, name(element), credential));
    }

    private QName name(String local) {
        return generation.description(local);
    }

    private static String wireName(JobType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    /** Texts are rendered so that what looks like a variable in them is read as the text that it is. */
    static String escaped(String text) {
        return text.indexOf("${") < 0 ? text : text.replaceAll("\\$(?=\\{[A-Za-z_][A-Za-z0-9_.]{0,127}\\})", "\\$\\$");
    }

    private void writeText(XmlWriter out, String name, @Nullable String text) {
        if (text != null) {
            out.element(name(name), escaped(text));
        }
    }

    private void writeTexts(XmlWriter out, String name, List<String> texts) {
        texts.forEach(text -> writeText(out, name, text));
    }

    private void writeWord(XmlWriter out, String name, @Nullable String word) {
        if (word != null) {
            out.element(name(name), word);
        }
    }

    private void writeNumber(XmlWriter out, String name, @Nullable Number number) {
        if (number != null) {
            out.element(name(name), number.toString());
        }
    }

    private void writeMinutes(XmlWriter out, String name, @Nullable Duration time) {
        if (time != null) {
            long minutes = time.plus(Duration.ofMinutes(1)).minusNanos(1).toMinutes();
            out.element(name(name), Long.toString(minutes));
        }
    }

    private void writeVariable(XmlWriter out, EnvironmentVariable variable) {
        out.open(name("environment"));
        out.element(name("name"), variable.name());
        out.element(name("value"), escaped(variable.value()));
        out.close();
    }

    private void writeExtensions(XmlWriter out, List<Extension> extensions) {
        if (!extensions.isEmpty()) {
            out.open(name("extensions"));
            extensions.forEach(extension -> writeExtension(out, extension));
            out.close();
        }
    }

    private static void writeExtension(XmlWriter out, Extension extension) {
        out.open(new QName(extension.name()));
        extension.attributes().forEach(out::attribute);
        if (!extension.text().isEmpty()) {
            out.text(extension.text());
        }
        extension.children().forEach(child -> writeExtension(out, child));
        out.close();
    }
}
