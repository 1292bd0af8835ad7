// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

/** The kind of client that wrote a description; the meaning of bare numbers and implied files depends on it. */
public enum XrslDialect {
    /** A person: bare numbers of times are minutes, and a program without a path is a file that the client brings. */
    USER,
    /** A client, for a service: bare numbers of times are seconds, and all files are named. A-REX reads whatever it is sent so. */
    SERVER
}
