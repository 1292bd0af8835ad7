// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

/** Whether the messages of a service are protected themselves. */
public enum Protection {
    /** Messages are taken as they come; one that must be understood as protected is refused by SOAP's own rule. */
    OFF,
    /** A protected message is opened, any other is taken by the identity of its transport. */
    ACCEPT,
    /** A message that is not protected is refused. */
    REQUIRE
}
