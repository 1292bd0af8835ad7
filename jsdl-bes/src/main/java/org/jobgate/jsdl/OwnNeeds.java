// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jobgate.job.After;
import org.jobgate.job.ChirpAccess;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;

/** What a job needs beside its LRM and its files: directories of a Chirp server ({@code jg:Chirp}), and the ends of earlier jobs ({@code jg:After}). */
final class OwnNeeds {

    static final String CHIRP = "Chirp";
    static final String AFTER = "After";

    private static final String SERVER = "server";
    private static final String READ = "Read";
    private static final String WRITE = "Write";
    private static final String JOB = "Job";
    private static final String WHEN = "when";

    private OwnNeeds() {}

    static Extension chirp(JobDescription job) {
        ChirpAccess chirp = job.chirp();
        if (chirp == null) {
            return OwnWord.leaf(CHIRP, null);
        }
        List<Extension> inside = new ArrayList<>();
        chirp.read().forEach(path -> inside.add(OwnWord.leaf(READ, path)));
        chirp.write().forEach(path -> inside.add(OwnWord.leaf(WRITE, path)));
        Extension named = OwnWord.leaf(CHIRP, "", SERVER, chirp.server());
        return new Extension(CHIRP, named.attributes(), "", inside);
    }

    static void readChirp(Draft draft, Node node) {
        Parts parts = new Parts(node);
        String server = parts.attribute(SERVER).orElse(null);
        List<String> read = texts(parts, READ);
        List<String> write = texts(parts, WRITE);
        parts.end();
        boolean isNothing = server == null && read.isEmpty() && write.isEmpty();
        draft.job.chirp(isNothing ? null : new ChirpAccess(server, read, write));
    }

    private static List<String> texts(Parts parts, String name) {
        return parts.many(Names.own(name)).stream()
                .map(node -> Parts.text(node).strip())
                .toList();
    }

    static Extension after(JobDescription job) {
        return OwnWord.tree(
                AFTER,
                job.after().stream()
                        .map(one ->
                                OwnWord.leaf(JOB, one.job(), WHEN, one.when().word()))
                        .toList());
    }

    static void readAfter(Draft draft, Node node) {
        draft.job.after(OwnWord.items(node, JOB).stream()
                .map(one -> new After(Parts.text(one, WHEN).strip(), when(one)))
                .toList());
    }

    private static After.When when(Node job) {
        String word = job.attribute(WHEN).orElseGet(After.When.OK::word);
        return Arrays.stream(After.When.values())
                .filter(value -> value.word().equals(word))
                .findFirst()
                .orElseThrow(() -> JsdlFaults.invalid(job, word, "its attribute when must be ok, failed or any"));
    }
}
