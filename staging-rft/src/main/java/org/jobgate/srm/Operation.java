// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import org.jobgate.xml.XmlContent;

/** One of the operations of SRM. */
@FunctionalInterface
interface Operation {

    /**
     * Does it.
     *
     * @return what the answer has in it
     * @throws SrmException to answer this status alone
     */
    XmlContent answer(Call call);
}
