// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.Map;
import java.util.Optional;

/**
 * What a copy does where its destination is there already (JSDL 1.0, section 6.7.6, whose words these are). A {@link Transfer} has it as an
 * option; without one it overwrites.
 */
public enum CreationFlag {
    /** The copy takes the place of what is there. */
    OVERWRITE("overwrite"),
    /** What is copied comes behind what is there. */
    APPEND("append"),
    /** What is there stays as it is, and nothing is copied. */
    DONT_OVERWRITE("dontOverwrite");

    /** The option of a copy. */
    public static final String OPTION = "creationFlag";

    private final String word;

    CreationFlag(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** The flag that a word names; empty if it names none. */
    public static Optional<CreationFlag> of(String word) {
        for (CreationFlag flag : values()) {
            if (flag.word.equals(word)) {
                return Optional.of(flag);
            }
        }
        return Optional.empty();
    }

    /**
     * What the options of a copy say.
     *
     * @throws IllegalArgumentException where they say another word
     */
    public static CreationFlag in(Map<String, String> options) {
        String word = options.getOrDefault(OPTION, OVERWRITE.word);
        return of(word).orElseThrow(() ->
                new IllegalArgumentException("it must be overwrite, append or dontOverwrite, and is " + word));
    }

    /** The options of a copy that has this flag and no others. */
    public Map<String, String> options() {
        return this == OVERWRITE ? Map.of() : Map.of(OPTION, word);
    }
}
