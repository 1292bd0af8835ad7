// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jobgate.job.GroupTemplate;
import org.jobgate.jobs.FilePassword;

/**
 * The jobs of a parameter sweep as a document describes them.
 *
 * @param template an element for each point
 * @param passwords the names and passwords that the points have for their files (GFD.135), as the copies of all of them name them by
 *     {@link FilePassword#OPTION}; empty unless the caller can use such
 */
public record JsdlSweep(GroupTemplate template, List<FilePassword> passwords) {

    public JsdlSweep {
        requireNonNull(template, "template is null");
        passwords = List.copyOf(passwords);
    }
}
