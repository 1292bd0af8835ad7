// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.FileTokens;

/**
 * A FileSweep (GFD.149): tokens in files of the job take the values of a function. Its templates are files that the document has fetched, and the
 * tokens are replaced on the way here, in each point's own copy. What a token is outside of the points that its sweep makes says its default; without
 * one it stays as it is.
 */
final class FileSweep {

    private FileSweep() {}

    /** The tokens that it exchanges. */
    static Set<Place> places(Node node, Node description, SweepWork work) {
        Parts parts = new Parts(node);
        List<Node> templates = parts.many(Names.of(Names.FILE_SWEEP, "TemplateFile"));
        List<Node> tokens = parts.many(Names.of(Names.FILE_SWEEP, "FileToken"));
        parts.end();
        if (templates.isEmpty() || tokens.isEmpty()) {
            throw JsdlFaults.invalid(node, "", "it must hold at least one TemplateFile and one FileToken");
        }
        work.count(node, (long) templates.size() * description.children().size());
        Set<Place> places = new LinkedHashSet<>();
        for (Node template : templates) {
            for (Node staging : fetching(template, description)) {
                work.count(node, tokens.size() * Sweep.PLACE);
                tokens.forEach(token -> places.add(place(token, staging)));
            }
        }
        return places;
    }

    /** The elements that fetch the file which the template names, in the same words. */
    private static List<Node> fetching(Node template, Node description) {
        Parts parts = new Parts(template);
        Node name = parts.needed(Names.jsdl("FileName"));
        String file = Parts.text(name);
        Optional<String> fileSystem = parts.one(Names.jsdl("FilesystemName")).map(Parts::word);
        parts.end();
        List<Node> found = new ArrayList<>();
        for (Node child : description.children()) {
            if (child.is(Names.JSDL, "DataStaging")
                    && child.child(Names.jsdl("Source")).isPresent()
                    && child.child(Names.jsdl("FileName")).map(Node::text).equals(Optional.of(file))
                    && child.child(Names.jsdl("FilesystemName"))
                            .map(one -> one.text().strip())
                            .equals(fileSystem)) {
                found.add(child);
            }
        }
        if (found.isEmpty()) {
            throw JsdlFaults.unsupported(
                    name,
                    "tokens are replaced in files that a DataStaging of the document fetches, and none with a Source has this FileName and FilesystemName",
                    "Have the template fetched by a DataStaging with its Source.");
        }
        return found;
    }

    private static Place place(Node token, Node staging) {
        Parts parts = new Parts(token);
        String text = parts.attribute("value").orElse("");
        Optional<String> ofOthers = parts.attribute("assignDefault");
        parts.end();
        if (text.isEmpty() || text.length() > FileTokens.MAX_TOKEN) {
            throw JsdlFaults.invalid(
                    token, "", "its value must be a text of 1 to " + FileTokens.MAX_TOKEN + " characters");
        }
        ofOthers.ifPresent(value -> {
            String known = staging.tokens().get(text);
            if (known != null && !known.equals(value)) {
                throw JsdlFaults.invalid(token, text, "the same token of one file has two different defaults");
            }
            staging.setToken(text, value);
        });
        return Place.ofToken(staging, text);
    }
}
