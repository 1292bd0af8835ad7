// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.language;

import java.util.List;
import java.util.Optional;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.JobDescription;

/**
 * A language in which jobs are described. An implementation keeps nothing between two calls, and any number of threads call it at once.
 *
 * <p>Texts come from clients and may hold anything. A door has bounded their length; what they unfold to is the language's to bound.
 */
public interface JobLanguage {

    /**
     * The name that is stored with each job as the language of its description, e.g. {@code jdd}; of the form that
     * {@link org.jobgate.job.JobOrigin} demands, and the same in every version.
     */
    String name();

    /** The media types that mean this language and no other, in small letters and without parameters; at least one, the usual one first. */
    List<String> mediaTypes();

    /**
     * Whether a text that begins like this is likely to be of this language. Asked where a client has not said the language, or only that
     * the text is XML; so a language of XML looks at the root element and its namespace.
     *
     * @param beginning the text's first {@link JobLanguages#BEGINNING} characters, or all of a shorter one
     */
    boolean recognizes(String beginning);

    /**
     * Reads the jobs that a text describes.
     *
     * @return at least one, in the order of the text
     * @throws org.jobgate.job.FaultException that names the element, its value and the rule: of code {@code INVALID_DESCRIPTION} where the
     *     text is not of this language, {@code UNSUPPORTED_FEATURE} where it asks for what no job here can have, {@code LIMIT_EXCEEDED},
     *     or what {@link ReadingContext#account} throws
     */
    List<DescribedJob> read(String text, ReadingContext context);

    /**
     * Writes a description in this language.
     *
     * @return absent where the language is only read here, or cannot say what this job asks for
     */
    default Optional<String> write(JobDescription description) {
        return Optional.empty();
    }

    /** What the language calls a part of a description, for sentences about faults that were found after the text was read. */
    default String nameOf(DescriptionPart part) {
        return part.word();
    }
}
