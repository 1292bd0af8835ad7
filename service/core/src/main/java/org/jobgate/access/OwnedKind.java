// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

/** The kinds of things that belong to owners, with the words of a refusal to use them. */
public enum OwnedKind {
    JOBS("look at jobs", "cancel, release or prolong jobs"),
    TRANSFERS("look at requests to move files", "change requests to move files"),
    CREDENTIALS("look at delegated credentials", "change delegated credentials");

    private final String query;
    private final String manage;

    OwnedKind(String query, String manage) {
        this.query = query;
        this.manage = manage;
    }

    String query() {
        return query;
    }

    String manage() {
        return manage;
    }
}
