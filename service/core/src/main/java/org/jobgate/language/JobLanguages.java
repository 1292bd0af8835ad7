// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.language;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The languages that a front door is given. */
public final class JobLanguages {

    /** {@link JobLanguage#recognizes} gets so many characters: enough for comments and declarations before a root element. */
    public static final int BEGINNING = 4_096;

    /** No languages. */
    public static final JobLanguages NONE = new JobLanguages(List.of());

    /** Types that say how a text is written, and not in which language. */
    private static final Set<String> GENERIC = Set.of("application/xml", "text/xml", "text/plain");

    private final List<JobLanguage> all;

    /**
     * These languages.
     *
     * @throws IllegalArgumentException where two have the same name or media type, or one has none or a generic one
     */
    public JobLanguages(List<JobLanguage> all) {
        this.all = List.copyOf(all);
        Set<String> names = new HashSet<>();
        Set<String> types = new HashSet<>();
        for (JobLanguage language : all) {
            if (!names.add(language.name())) {
                throw new IllegalArgumentException("two languages are called " + language.name());
            }
            if (language.mediaTypes().isEmpty()) {
                throw new IllegalArgumentException("the language " + language.name() + " has no media type");
            }
            for (String type : language.mediaTypes()) {
                if (GENERIC.contains(type) || !type.equals(type.toLowerCase(Locale.ROOT)) || !types.add(type)) {
                    throw new IllegalArgumentException(
                            "the media type " + type + " cannot mean the language " + language.name() + " alone");
                }
            }
        }
    }

    /** All of them, in the order in which they are asked whether they recognize a text. */
    public List<JobLanguage> all() {
        return all;
    }

    /** The media types of all languages. */
    public List<String> mediaTypes() {
        return all.stream().flatMap(language -> language.mediaTypes().stream()).toList();
    }

    /** The language of this name. */
    public Optional<JobLanguage> named(String name) {
        return all.stream().filter(language -> language.name().equals(name)).findFirst();
    }

    /** The language that this media type means. */
    public Optional<JobLanguage> ofMediaType(String type) {
        String wanted = type.toLowerCase(Locale.ROOT);
        return all.stream()
                .filter(language -> language.mediaTypes().contains(wanted))
                .findFirst();
    }

    /** The first language that recognizes the text. */
    public Optional<JobLanguage> recognize(String text) {
        String beginning = text.substring(0, Math.min(text.length(), BEGINNING));
        return all.stream().filter(language -> language.recognizes(beginning)).findFirst();
    }

    /** Whether content of this type can be of one of these languages. */
    public boolean mayBe(String type) {
        boolean isGeneric = GENERIC.contains(type.toLowerCase(Locale.ROOT));
        return isGeneric ? !all.isEmpty() : ofMediaType(type).isPresent();
    }

    /** The language of a text that came with this media type: the one that the type means, else, for XML and plain text, the one that recognizes it. */
    public Optional<JobLanguage> find(String type, String text) {
        return GENERIC.contains(type.toLowerCase(Locale.ROOT)) ? recognize(text) : ofMediaType(type);
    }
}
