// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.access.Caller;
import org.jobgate.access.JobPermit;
import org.jobgate.access.Jobs;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.Owner;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.jobs.Submission;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.ReadingContext;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.soap.SoapCall;
import org.jobgate.store.DoorRecord;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * CreateActivity. A request that is repeated answers the same activity, where something says that it is the same: our {@code SubmissionId} in the
 * activity document, an id that the language itself has, or the message's own id (WS-Addressing), in this order.
 */
final class CreateActivity {

    private static final QName SUBMISSION_ID = BesNames.ours("SubmissionId");
    private static final int MAX_ID_CHARACTERS = 256;

    private final Jobs jobs;
    private final JobLanguage language;
    private final JobLimits limits;
    private final Limit points;
    private final JobOrigin origin;
    private final String service;

    /** @param service the address of the factory, which the identifiers of activities have */
    CreateActivity(Jobs jobs, JobLanguage language, BesSettings settings, JobOrigin origin, String service) {
        this.jobs = jobs;
        this.language = language;
        this.limits = settings.jobs();
        this.points = settings.points();
        this.origin = origin;
        this.service = service;
    }

    XmlContent answer(Caller caller, SoapCall call) {
        JobPermit permit = caller.submit();
        XmlElement document = document(call.body());
        DescribedJob job = read(permit, document);
        String clientId = clientId(call, document, job);
        Owner owner = new Owner(permit.subject(), permit.account(Optional.ofNullable(job.account())));
        GroupTemplate template = job.group();
        return template == null ? one(permit, owner, clientId, job) : sweep(permit, owner, clientId, job, template);
    }

    private static XmlElement document(XmlElement request) {
        List<XmlElement> documents = request.children().stream()
                .filter(child -> child.name().equals(BesNames.ACTIVITY_DOCUMENT))
                .toList();
        if (documents.size() != 1 || request.children().size() != 1) {
            throw BesFaults.invalid(
                    "CreateActivity",
                    "CreateActivity holds " + documents.size() + " elements ActivityDocument of "
                            + request.children().size() + " elements.",
                    "Send one ActivityDocument of the namespace " + BesNames.FACTORY + ", and nothing beside it.");
        }
        return documents.getFirst();
    }

    private DescribedJob read(JobPermit permit, XmlElement document) {
        List<XmlElement> definitions = document.children().stream()
                .filter(child -> child.localName().equals("JobDefinition"))
                .toList();
        if (definitions.size() != 1) {
            throw BesFaults.invalid(
                    "ActivityDocument",
                    "The ActivityDocument holds " + definitions.size() + " elements JobDefinition.",
                    "Send one, of the namespace " + BesNames.JSDL + ".");
        }
        for (XmlElement child : document.children()) {
            if (!child.localName().equals("JobDefinition") && !child.name().equals(SUBMISSION_ID)) {
                throw new FaultException(Fault.of(
                                FaultCode.UNSUPPORTED_FEATURE,
                                "The ActivityDocument holds " + child.name() + ", which is not known here.",
                                "Leave it out; beside JobDefinition there may be " + SUBMISSION_ID + ".")
                        .about(child.name().toString(), null));
            }
        }
        String text = XmlWriter.toText(out -> out.copy(definitions.getFirst()));
        List<DescribedJob> read =
                language.read(text, new ReadingContext(jobs.lrms(), permit::account, limits).withPasswords());
        if (read.size() != 1) {
            throw new IllegalStateException("one JobDefinition describes " + read.size() + " jobs");
        }
        return read.getFirst();
    }

    private static @Nullable String clientId(SoapCall call, XmlElement document, DescribedJob job) {
        String id = document.children().stream()
                .filter(child -> child.name().equals(SUBMISSION_ID))
                .map(XmlElement::trimmedText)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .or(() -> Optional.ofNullable(job.clientId()))
                .or(() -> call.headerText(BesNames.MESSAGE_ID))
                .orElse(null);
        if (id != null && id.length() > MAX_ID_CHARACTERS) {
            throw BesFaults.invalid(
                    "SubmissionId",
                    "The id of the submission has " + id.length() + " characters.",
                    "Send one of at most " + MAX_ID_CHARACTERS + ".");
        }
        return id;
    }

    private String lrm(DescribedJob job) {
        if (job.description().isMulti()) {
            return Jobs.MULTI;
        }
        return Optional.ofNullable(job.lrm())
                .orElseGet(() -> jobs.lrms().iterator().next());
    }

    private XmlContent one(JobPermit permit, Owner owner, @Nullable String clientId, DescribedJob job) {
        JobId newId = jobs.newId(owner, origin.door(), clientId);
        List<DoorRecord> records =
                job.passwords().isEmpty() ? List.of() : List.of(jobs.sealed(permit, newId, owner, job.passwords()));
        JobId id = jobs.submit(
                        permit,
                        new Submission(
                                newId,
                                origin,
                                owner,
                                clientId,
                                lrm(job),
                                job.description(),
                                job.terminationTime(),
                                job.keepAfterEnd(),
                                records))
                .job()
                .id();
        return response(id, out -> {});
    }

    private XmlContent sweep(
            JobPermit permit, Owner owner, @Nullable String clientId, DescribedJob job, GroupTemplate template) {
        JobId newId = jobs.newId(owner, origin.door(), clientId);
        GroupSubmission submission = new GroupSubmission(
                newId, origin, owner, clientId, lrm(job), template, job.maxRunning(), job.keepAfterEnd());
        JobId id = jobs.groups()
                .submit(
                        permit,
                        job.passwords().isEmpty()
                                ? submission
                                : submission.withRecord(jobs.sealed(permit, newId, owner, job.passwords())))
                .group()
                .id();
        return response(id, out -> points(out, id, template.indexes()));
    }

    /** The points are activities too. Their identifiers are listed as far as the site lists them. */
    private void points(XmlWriter out, JobId id, GroupIndexes indexes) {
        out.open(BesNames.ours("Sweep")).attribute("points", Integer.toString(indexes.size()));
        int listed = (int) Math.min(indexes.size(), points.value());
        for (int place = 0; place < listed; place++) {
            new ActivityId(id, indexes.index(place))
                    .written(BesNames.ACTIVITY_IDENTIFIER, service)
                    .write(out);
        }
        out.close();
    }

    private XmlContent response(JobId id, XmlContent extension) {
        return out -> {
            out.open(BesNames.factory("CreateActivityResponse"));
            ActivityId.of(id).written(BesNames.ACTIVITY_IDENTIFIER, service).write(out);
            extension.write(out);
            out.close();
        };
    }
}
