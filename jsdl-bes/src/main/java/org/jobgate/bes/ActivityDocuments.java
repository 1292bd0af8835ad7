// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.access.Caller;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.language.JobLanguage;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;

/**
 * The documents of a caller's activities, for one answer. A document may be long and an answer names many, so all of an answer together are
 * bounded; what does not fit is said in the place of each document that is left out.
 */
final class ActivityDocuments {

    /** The most characters of all documents of one answer together: the longest document that a job may have always fits. */
    static final int MAX_CHARACTERS = 16 << 20;

    /** What the gateway wrote itself may be of any size. */
    private static final XmlLimits OWN = new XmlLimits(
            new Limit("elements", Integer.MAX_VALUE),
            new Limit("depth", 1_000),
            new Limit("attributes", 1_000),
            new Limit("textCharacters", Integer.MAX_VALUE));

    private final Activities activities;
    private final BesFaults faults;
    private final JobLanguage language;

    ActivityDocuments(Activities activities, BesFaults faults, JobLanguage language) {
        this.activities = activities;
        this.faults = faults;
        this.language = language;
    }

    /** Each activity's document, or the fault in its place, in order. */
    List<XmlContent> of(Caller caller, List<Optional<ActivityId>> ids) {
        Map<JobId, List<Integer>> places = new LinkedHashMap<>();
        for (int place = 0; place < ids.size(); place++) {
            int at = place;
            ids.get(place)
                    .ifPresent(id -> places.computeIfAbsent(id.id(), any -> new ArrayList<>())
                            .add(at));
        }
        List<XmlContent> answers = new ArrayList<>();
        ids.forEach(id -> answers.add(unknown(id)));
        Answer answer = new Answer();
        // by job or sweep, so that what all points of a sweep have in common is read once
        places.forEach((id, those) -> {
            if (answer.isFull()) {
                those.forEach(place -> answers.set(place, tooLong()));
                return;
            }
            Optional<JobDescription> job = activities.description(caller, id);
            Optional<GroupTemplate> sweep = job.isPresent() ? Optional.empty() : activities.template(caller, id);
            for (int place : those) {
                Integer point = ids.get(place).map(ActivityId::point).orElse(null);
                Optional<JobDescription> wanted = point == null
                        ? job
                        : sweep.flatMap(known -> known.indexes().place(point).map(known::element));
                if (wanted.isPresent()) {
                    answers.set(place, answer.document(wanted.get()));
                } else if (point == null && sweep.isPresent()) {
                    answers.set(place, ofSweep(sweep.get()));
                }
            }
        });
        return answers;
    }

    private XmlContent unknown(Optional<ActivityId> id) {
        return faults.unknown(
                BesFaults.unknownActivity(id.map(ActivityId::toString).orElse("with an identifier like that")));
    }

    private XmlContent ofSweep(GroupTemplate sweep) {
        return faults.inBand(Fault.of(
                FaultCode.UNSUPPORTED_FEATURE,
                "The activity is a sweep of " + sweep.indexes().size()
                        + " points, and the gateway does not write that as one document.",
                "Ask for the documents of its points, by the identifiers that the answer to its creation lists."));
    }

    private XmlContent tooLong() {
        return faults.inBand(Fault.of(
                FaultCode.LIMIT_EXCEEDED,
                "The documents of this request have more than " + MAX_CHARACTERS
                        + " characters together; this one is left out.",
                "Ask for it in a request of its own."));
    }

    /** How much an answer holds already. */
    private final class Answer {
        private long characters;

        boolean isFull() {
            return characters > MAX_CHARACTERS;
        }

        XmlContent document(JobDescription description) {
            if (isFull()) {
                return tooLong();
            }
            Optional<String> text;
            try {
                text = language.write(description);
            } catch (FaultException e) {
                return faults.inBand(e.fault());
            }
            if (text.isEmpty()) {
                return faults.inBand(Fault.of(
                        FaultCode.UNSUPPORTED_FEATURE,
                        "The activity consists of several jobs, and JSDL has no words for that.",
                        "Look at it at the door that it came by."));
            }
            characters += text.get().length();
            return isFull()
                    ? tooLong()
                    : out -> {
                        // in BES the root is an element of its own namespace, with the content of JSDL's
                        XmlElement root = XmlTree.parse(text.get(), OWN);
                        out.open(BesNames.factory("JobDefinition"));
                        root.attributes().forEach(out::attribute);
                        root.children().forEach(out::copy);
                        out.close();
                    };
        }
    }
}
