// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xml;

/** Something that can be written as XML: none, one or several elements. */
@FunctionalInterface
public interface XmlContent {

    void write(XmlWriter out);
}
