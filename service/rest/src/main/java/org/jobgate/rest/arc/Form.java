// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import java.io.IOException;
import java.util.List;

/** Writes one answer, piece by piece: a list may be longer than memory should hold. */
interface Form {

    /**
     * A whole answer.
     *
     * @param lists the names of children of the root that are lists, also where there are none or one of them
     */
    void document(Element root, List<String> lists) throws IOException;

    /** Begins an answer that is a list of elements of one name. */
    void begin(String root, String item) throws IOException;

    /** One of them. */
    void item(Element element) throws IOException;

    /** Ends the list that was begun; what follows are elements of another name, in the same answer. */
    void next(String item) throws IOException;

    void end() throws IOException;
}
