// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Reads descriptions in ADL (facts/condor-g-and-arc-rest.md section 7): the elements of EMI-ES and of NorduGrid, in any order. What it does
 * not know it refuses by name.
 */
public final class AdlReader {

    private static final Set<String> PARTS =
            Set.of("ActivityIdentification", "Application", "Resources", "DataStaging");
    private static final Set<String> OF_IDENTIFICATION = Set.of("Name", "Description", "Type");
    private static final Set<String> TYPES = Set.of("collectionelement", "parallelelement", "single", "workflownode");

    private final ActivityRules rules;

    public AdlReader(ActivityRules rules) {
        this.rules = requireNonNull(rules, "rules is null");
    }

    /**
     * One of several descriptions.
     *
     * @param activity absent where the description is refused
     * @param fault why it is refused
     */
    public record Result(
            @Nullable Activity activity, @Nullable Fault fault) {}

    /** Whether the text is meant to be ADL: its first character is a less-than sign. */
    public static boolean recognizes(String text) {
        return text.stripLeading().startsWith("<");
    }

    /**
     * Reads one description.
     *
     * @throws FaultException that names the element, its value and the rule
     */
    public Activity read(String text) {
        AdlElement root = AdlXml.parse(text, rules.limits());
        List<AdlElement> all = descriptions(root);
        if (all.size() != 1) {
            throw ActivityFaults.ADL.invalid(
                    root.name(), "", "one activity is described at a time, and it holds " + all.size());
        }
        return activity(all.getFirst());
    }

    /**
     * Reads one description or several, each by itself: what is wrong with one does not refuse the others.
     *
     * @throws FaultException if the document cannot be read at all
     */
    public List<Result> readAll(String text) {
        AdlElement root = AdlXml.parse(text, rules.limits());
        List<AdlElement> all = descriptions(root);
        rules.limits().jobsAtOnce().check(all.size(), "Activities of one request");
        List<Result> results = new ArrayList<>();
        for (AdlElement one : all) {
            try {
                results.add(new Result(activity(one), null));
            } catch (FaultException e) {
                results.add(new Result(null, e.fault()));
            }
        }
        return results;
    }

    private static List<AdlElement> descriptions(AdlElement root) {
        boolean isAdl =
                root.namespace().equals(AdlValues.ADL) || root.namespace().isEmpty();
        if (isAdl && root.name().equals("ActivityDescription")) {
            return List.of(root);
        }
        if (isAdl && root.name().equals("ActivityDescriptions")) {
            List<AdlElement> all = new ArrayList<>();
            AdlValues.each(root, Set.of(), Set.of("ActivityDescription"), all::add);
            if (all.isEmpty()) {
                throw ActivityFaults.ADL.invalid(root.name(), "", "it holds no ActivityDescription");
            }
            return all;
        }
        throw ActivityFaults.ADL.invalid(
                root.name(),
                "",
                "an activity is described by an ActivityDescription of the namespace " + AdlValues.ADL);
    }

    private Activity activity(AdlElement description) {
        ActivityDraft draft = new ActivityDraft(rules, ActivityFaults.ADL);
        AdlStaging staging = new AdlStaging(draft);
        AdlValues.each(description, PARTS, Set.of(), part -> {
            switch (part.name()) {
                case "ActivityIdentification" -> identification(draft, part);
                case "Application" -> AdlApplication.read(draft, part);
                case "Resources" -> AdlResources.read(draft, part);
                default -> staging.read(part);
            }
        });
        return draft.finish();
    }

    private static void identification(ActivityDraft draft, AdlElement part) {
        AdlValues.each(part, OF_IDENTIFICATION, Set.of("Annotation", "ActivityOldID"), element -> {
            String text = draft.text(element.name(), AdlValues.text(element));
            switch (element.name()) {
                case "Name" -> draft.name(text.strip());
                case "Type" -> AdlValues.oneOf(element, TYPES);
                default -> {
                    // words for people
                }
            }
        });
    }
}
