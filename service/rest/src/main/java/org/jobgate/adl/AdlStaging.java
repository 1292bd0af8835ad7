// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads the element {@code DataStaging}: the files. */
final class AdlStaging {

    private static final Set<String> OF_TARGET =
            Set.of("URI", "DelegationID", "Mandatory", "CreationFlag", "UseIfFailure", "UseIfCancel", "UseIfSuccess");

    private final ActivityDraft draft;

    AdlStaging(ActivityDraft draft) {
        this.draft = draft;
    }

    void read(AdlElement part) {
        List<String> programs = new ArrayList<>();
        AdlValues.each(part, Set.of("ClientDataPush", "DelegationID"), Set.of("InputFile", "OutputFile"), element -> {
            switch (element.name()) {
                case "DelegationID" -> draft.delegation(element.name(), AdlValues.word(element));
                case "ClientDataPush" -> {
                    if (AdlValues.truth(element)) {
                        draft.files().expectMore();
                    }
                }
                case "InputFile" -> input(element, programs);
                default -> output(element);
            }
        });
        programs.forEach(name -> draft.files().program("InputFile", name));
    }

    private void input(AdlElement element, List<String> programs) {
        String name = draft.text("Name", AdlValues.word(AdlValues.needed(element, "Name")));
        List<AdlElement> sources = new ArrayList<>();
        AdlValues.each(element, Set.of("Name", "IsExecutable"), Set.of("Source"), child -> {
            switch (child.name()) {
                case "IsExecutable" -> {
                    if (AdlValues.truth(child)) {
                        programs.add(name);
                    }
                }
                case "Source" -> sources.add(child);
                default -> {
                    // the name, which is read
                }
            }
        });
        if (sources.isEmpty()) {
            draft.files().upload("InputFile", name, null);
            return;
        }
        if (sources.size() > 1) {
            draft.note("Source: of several places of one file the first is used.");
        }
        draft.files().fetch("URI", name, place(sources.getFirst(), Set.of("URI", "DelegationID")));
    }

    private void output(AdlElement element) {
        String name = draft.text("Name", AdlValues.word(AdlValues.needed(element, "Name")));
        List<AdlElement> targets = new ArrayList<>();
        AdlValues.each(element, Set.of("Name"), Set.of("Target"), child -> {
            if (child.name().equals("Target")) {
                targets.add(child);
            }
        });
        if (targets.isEmpty()) {
            draft.files().keep("OutputFile", name);
            return;
        }
        boolean isSentAfterFailure = targets.stream().anyMatch(target -> says(target, "UseIfFailure", false));
        for (AdlElement target : targets) {
            String url = place(target, OF_TARGET);
            boolean isSentAfterSuccess = says(target, "UseIfSuccess", true);
            if (says(target, "UseIfCancel", false)) {
                draft.note("UseIfCancel has no effect here: of a job that was cancelled nothing is sent.");
            }
            AdlValues.all(target, "CreationFlag").forEach(AdlStaging::creation);
            if (!isSentAfterSuccess) {
                throw ActivityFaults.ADL.unsupported(
                        "UseIfSuccess",
                        "output is sent after a success always",
                        "Leave the Target out, and fetch the file from the session directory where it is needed.");
            }
            draft.files().send("URI", name, url);
        }
        draft.files().sendsOnFailure("UseIfFailure", isSentAfterFailure);
    }

    private static boolean says(AdlElement target, String name, boolean usual) {
        return AdlValues.all(target, name).stream()
                .findFirst()
                .map(AdlValues::truth)
                .orElse(usual);
    }

    private static void creation(AdlElement flag) {
        String word = AdlValues.oneOf(flag, Set.of("overwrite", "append", "dontOverwrite"));
        if (!word.equals("overwrite")) {
            throw ActivityFaults.ADL.unsupported(
                    flag.name(), "a file that is there already is overwritten", "Write overwrite there.");
        }
    }

    /** The URL of a source or target. */
    private String place(AdlElement element, Set<String> single) {
        AdlValues.each(element, single, Set.of("Option"), child -> {
            switch (child.name()) {
                case "DelegationID" -> draft.delegation(child.name(), AdlValues.word(child));
                case "Option" -> option(child);
                default -> {
                    // read by name
                }
            }
        });
        return draft.text("URI", AdlValues.word(AdlValues.needed(element, "URI")));
    }

    private void option(AdlElement option) {
        AdlValues.each(option, Set.of("Name", "Value"), Set.of(), AdlValues::text);
        String name = AdlValues.word(AdlValues.needed(option, "Name"));
        AdlValues.needed(option, "Value");
        draft.note("Option: " + ActivityFaults.shown(name) + " of a file's URL has no effect here.");
    }
}
