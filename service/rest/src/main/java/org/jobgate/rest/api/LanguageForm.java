// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.access.JobPermit;
import org.jobgate.access.Jobs;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.Owner;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.Submission;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.JobLanguages;
import org.jobgate.language.ReadingContext;
import org.jobgate.limits.JobLimits;
import org.jspecify.annotations.Nullable;

/** Reads jobs that a request describes in another language than JSON, as its Content-Type says. */
final class LanguageForm {

    private static final String LRM = "lrm";
    private static final String ACCOUNT = "account";

    private final Jobs jobs;
    private final JobLimits limits;
    private final JobLanguages languages;

    LanguageForm(Jobs jobs, JobLimits limits, JobLanguages languages) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.languages = requireNonNull(languages, "languages is null");
    }

    /**
     * What a request describes.
     *
     * @param query says what the text does not: for which LRM, and as which account
     */
    record Described(JobLanguage language, List<DescribedJob> jobs, Query query) {

        /** The LRM of jobs whose text names none. */
        Optional<String> lrm() {
            return query.text(LRM);
        }

        /** The account that the request wants for jobs whose text wants none. */
        Optional<String> account() {
            return query.text(ACCOUNT);
        }

        /** The fault with the name that this language has for what it is about. */
        Fault named(Fault fault) {
            return fault.part() == null || fault.attribute() != null
                    ? fault
                    : fault.about(language.nameOf(fault.part()), fault.value());
        }
    }

    /** Whether the content is for this class; JSON is not, nor content of no type. */
    boolean isFor(HttpServletRequest request) {
        String type = JsonIn.mediaType(request);
        return !type.isEmpty() && !type.equals(ApiReply.JSON_TYPE);
    }

    /**
     * Reads the content.
     *
     * @param more further parameters of the query that the operation takes
     * @throws Problem of status 415 where the type means no language that is read here; 400 where the content is not UTF-8
     * @throws org.jobgate.job.FaultException as {@link JobLanguage#read} says
     */
    Described read(ApiCall call, JobPermit permit, String... more) throws IOException, Problem {
        Query query = call.query(
                Stream.concat(Stream.of(LRM, ACCOUNT), Stream.of(more)).toArray(String[]::new));
        String type = JsonIn.mediaType(call.request());
        if (!languages.mayBe(type)) {
            throw wrongType(Problem.told(type));
        }
        String text = utf8(call.request().getInputStream().readAllBytes());
        JobLanguage language = languages
                .find(type, text)
                .orElseThrow(() -> wrongType(Problem.told(type) + ", which begins as no language that is known here"));
        ReadingContext context =
                new ReadingContext(jobs.lrms(), wanted -> permit.account(wanted.or(() -> query.text(ACCOUNT))), limits);
        Optional<String> lrm = query.text(LRM);
        return new Described(
                language,
                language.read(
                        text, lrm.map(context::withDefaultLrm).orElse(context).withPasswords()),
                query);
    }

    private Problem wrongType(String type) {
        String types = Stream.concat(Stream.of(ApiReply.JSON_TYPE), languages.mediaTypes().stream())
                .collect(Collectors.joining(", "));
        return new Problem(
                        415,
                        "CONTENT_TYPE",
                        "Content of the type " + type + " is not read here.",
                        "Send one of: " + types + "; say which in the header Content-Type.")
                .header("Accept", types);
    }

    private static String utf8(byte[] content) throws Problem {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw Problem.badRequest("The content is not UTF-8.", "Send the text in UTF-8.");
        }
    }

    /** The one job that a request describes. */
    Submission job(Described described, JobPermit permit, @Nullable String key) throws Problem {
        DescribedJob job = one(described, "/jobs");
        if (job.group() != null) {
            throw elsewhere(
                    "The text describes an array of " + job.group().indexes().size() + " jobs", "/arrays");
        }
        return submission(described, job, permit, key);
    }

    /** The one array that a request describes. */
    GroupSubmission array(Described described, JobPermit permit, @Nullable String key) throws Problem {
        DescribedJob job = one(described, "/arrays");
        GroupTemplate template = job.group();
        if (template == null) {
            throw elsewhere("The text describes a single job", "/jobs");
        }
        String clientId = key(job, key);
        Owner owner = owner(described, job, permit);
        JobId id = jobs.newId(owner, JobForm.DOOR, clientId);
        GroupSubmission array = new GroupSubmission(
                id,
                origin(described),
                owner,
                clientId,
                lrm(described, job),
                template,
                job.maxRunning(),
                job.keepAfterEnd());
        return job.passwords().isEmpty() ? array : array.withRecord(jobs.sealed(permit, id, owner, job.passwords()));
    }

    private static DescribedJob one(Described described, String place) throws Problem {
        int count = described.jobs().size();
        if (count != 1) {
            throw elsewhere(
                    "The text describes " + count + " jobs, and one is taken at " + ApiServlet.PATH + place,
                    "/bulk/jobs");
        }
        return described.jobs().getFirst();
    }

    private static Problem elsewhere(String what, String place) {
        return Problem.badRequest(what + ".", "Send it to " + ApiServlet.PATH + place + ".");
    }

    /**
     * One of several that a request describes.
     *
     * @param key of the request's header, if there is one
     */
    Submission submission(Described described, DescribedJob job, JobPermit permit, @Nullable String key)
            throws Problem {
        if (job.group() != null) {
            throw elsewhere("This is an array of " + job.group().indexes().size() + " jobs", "/arrays");
        }
        String clientId = key(job, key);
        Owner owner = owner(described, job, permit);
        JobId id = jobs.newId(owner, JobForm.DOOR, clientId);
        return new Submission(
                id,
                origin(described),
                owner,
                clientId,
                lrm(described, job),
                job.description(),
                job.terminationTime(),
                job.keepAfterEnd(),
                job.passwords().isEmpty() ? List.of() : List.of(jobs.sealed(permit, id, owner, job.passwords())));
    }

    private static JobOrigin origin(Described described) {
        return new JobOrigin(JobForm.DOOR, described.language().name());
    }

    private static Owner owner(Described described, DescribedJob job, JobPermit permit) throws Problem {
        Optional<String> wanted = Optional.ofNullable(job.account()).or(described::account);
        try {
            return new Owner(permit.subject(), permit.account(wanted));
        } catch (FaultException e) {
            throw FaultProblems.of(described.named(e.fault()));
        }
    }

    private String lrm(Described described, DescribedJob job) {
        if (job.description().isMulti()) {
            return Jobs.MULTI;
        }
        if (job.lrm() != null) {
            return job.lrm();
        }
        return described.lrm().orElseGet(() -> jobs.lrms().iterator().next());
    }

    private static @Nullable String key(DescribedJob job, @Nullable String header) throws Problem {
        String own = job.clientId();
        if (own == null) {
            return header;
        }
        if (header != null && !header.equals(own)) {
            throw Fields.wrong(KeyReuse.KEY, "the text says another id", "Give the id once.");
        }
        return JobForm.checkedKey(own);
    }
}
