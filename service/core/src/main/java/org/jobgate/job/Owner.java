// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static org.jobgate.job.Text.requireText;

/**
 * Whose job it is: the authenticated subject, and the local account that the one authorization decision gave it.
 *
 * @param subject the distinguished name in its slash form, e.g. {@code /O=Grid/CN=Alice}, at most 1024 characters
 * @param account the local account's name, at most 256 characters
 */
public record Owner(String subject, String account) {

    public Owner {
        requireText(subject, "subject", 1024);
        requireText(account, "account", 256);
    }
}
