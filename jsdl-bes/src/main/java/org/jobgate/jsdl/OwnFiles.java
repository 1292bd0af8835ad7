// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jobgate.job.Extension;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;

/** Files that are moved, with all that can be said of them here: the element {@code jg:Files}. */
final class OwnFiles {

    private OwnFiles() {}

    static Extension written(TransferList files) {
        List<Extension> inside = new ArrayList<>();
        files.stageIn().forEach(file -> inside.add(copy("StageIn", file)));
        files.stageOut().forEach(file -> inside.add(copy("StageOut", file)));
        files.cleanUp().forEach(file -> inside.add(OwnWord.leaf("CleanUp", file)));
        options(files.stageInOptions(), "StageInOption", inside);
        options(files.stageOutOptions(), "StageOutOption", inside);
        options(files.cleanUpOptions(), "CleanUpOption", inside);
        return OwnWord.tree("Files", inside);
    }

    private static Extension copy(String name, Transfer file) {
        List<Extension> inside = new ArrayList<>();
        inside.add(OwnWord.leaf("Source", file.source()));
        inside.add(OwnWord.leaf("Destination", file.destination()));
        options(file.options(), "Option", inside);
        return OwnWord.tree(name, inside);
    }

    private static void options(Map<String, String> options, String name, List<Extension> into) {
        new TreeMap<>(options).forEach((option, value) -> into.add(OwnWord.leaf(name, value, "name", option)));
    }

    static TransferList read(Node node) {
        Parts parts = new Parts(node);
        List<Transfer> stageIn =
                parts.many(Names.own("StageIn")).stream().map(OwnFiles::copy).toList();
        List<Transfer> stageOut =
                parts.many(Names.own("StageOut")).stream().map(OwnFiles::copy).toList();
        List<String> cleanUp =
                parts.many(Names.own("CleanUp")).stream().map(Parts::text).toList();
        TransferList files = new TransferList(
                stageIn,
                stageOut,
                cleanUp,
                options(parts, "StageInOption"),
                options(parts, "StageOutOption"),
                options(parts, "CleanUpOption"));
        parts.end();
        return files;
    }

    private static Transfer copy(Node node) {
        Parts parts = new Parts(node);
        Transfer copy = new Transfer(
                Parts.text(parts.needed(Names.own("Source"))),
                Parts.text(parts.needed(Names.own("Destination"))),
                options(parts, "Option"));
        parts.end();
        return copy;
    }

    private static Map<String, String> options(Parts parts, String name) {
        Map<String, String> options = new LinkedHashMap<>();
        for (Node option : parts.many(Names.own(name))) {
            options.put(option.attribute("name").orElse(""), Parts.text(option, "name"));
        }
        return options;
    }
}
