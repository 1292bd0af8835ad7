// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import java.util.List;
import java.util.Optional;

/** The directories that the site exports to accounts, beside those of their jobs ({@code files.trees} in the configuration). */
public interface AccountTrees {

    /** All of them, in the order of the configuration; the same for every account. */
    List<ExportedTree> all();

    /** Those that an account sees, each as the account may use it. */
    default List<ExportedTree> of(String account) {
        return all().stream().flatMap(tree -> tree.of(account).stream()).toList();
    }

    /**
     * A tree as one account sees it. Nothing is looked at yet: where the account has no such directory, its operations say so.
     *
     * @param name of the tree
     * @param account the local account that the caller is mapped to
     * @return empty where the site exports no tree of that name, or not to this account
     */
    Optional<AccountTree> find(String name, String account);
}
