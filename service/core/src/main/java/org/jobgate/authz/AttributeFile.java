// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the site knows about people: lines {@code "/O=Grid/CN=Alice" project=physics fqan=/atlas}. The attribute {@code fqan} counts as a
 * VOMS attribute.
 */
public final class AttributeFile implements InformationPoint, Watched {

    private final WatchedFile<Map<String, Map<String, List<String>>>> people;

    public AttributeFile(Path file, WatchedFile.Watch watch) {
        this.people = new WatchedFile<>(requireNonNull(file, "file is null"), AttributeFile::read, watch);
    }

    @Override
    public Map<String, List<String>> attributes(AuthzRequest request) throws UnknownException {
        return people.content()
                .orElseThrow(() -> new UnknownException(people.missing()))
                .getOrDefault(SubjectForm.canonical(request.identity().subject()), Map.of());
    }

    @Override
    public Optional<String> trouble() {
        return people.trouble();
    }

    private static Map<String, Map<String, List<String>>> read(List<String> lines) throws IOException {
        Map<String, Map<String, List<String>>> read = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            try {
                List<String> words =
                        Words.of(WatchedFile.requireText(lines.get(i))).values();
                if (!words.isEmpty()) {
                    add(read.computeIfAbsent(SubjectForm.canonical(words.getFirst()), s -> new HashMap<>()), words);
                }
            } catch (IllegalArgumentException e) {
                throw new IOException("line " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        return read;
    }

    private static void add(Map<String, List<String>> attributes, List<String> words) {
        for (String word : words.subList(1, words.size())) {
            int equals = word.indexOf('=');
            if (equals < 1 || equals == word.length() - 1) {
                throw new IllegalArgumentException("\"" + word + "\" is not written as NAME=VALUE");
            }
            attributes
                    .computeIfAbsent(word.substring(0, equals), name -> new ArrayList<>())
                    .add(word.substring(equals + 1));
        }
    }
}
