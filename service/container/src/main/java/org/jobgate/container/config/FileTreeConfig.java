// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.util.List;
import org.jobgate.files.ExportedTree;
import org.jobgate.files.TreeRules;

/** A directory that doors export to users, beside the directories of jobs. */
@Section(
        value =
                "Directories that users may read and write through the doors that serve files outside of jobs, each user as the local"
                        + " account that the authorization chooses. There are none by default.",
        optional = true)
public record FileTreeConfig(
        @Setting(
                description =
                        "How clients call it: 1 to 64 letters, digits, `.`, `_` and `-`, the first a letter or digit.",
                tier = Tier.ESSENTIAL)
        String name,

        @Setting(
                description =
                        "Where it is: an absolute path, or `$${home}` for the account's home, alone or with a path behind it, as"
                                + " `$${home}/projects`. `$${account}` in it is the name of the account. Symbolic links on the way must be"
                                + " root's or the account's.",
                tier = Tier.ESSENTIAL)
        String path,

        @Setting(
                description =
                        "Whether files may be written, renamed, removed and changed there; else they may only be read.",
                byDefault = "false")
        boolean writable,

        @Setting(
                description =
                        "The local accounts that see the tree, by their names, or `NAME*` for all whose names begin so; to the others it is not there. All of"
                                + " them where none is named. Rules for a VO are those for the accounts that its members are mapped to, as `atlas*`.",
                byDefault = "")
        List<String> accounts,

        @Setting(
                description =
                        "Those of them that may write there, where it is `writable`; the others may read. All of them where none is named.",
                byDefault = "")
        List<String> writers,

        @Setting(
                description =
                        "Paths in the tree that are not exported, with all below them, as `private` or `$${account}/.ssh`: from the top of the tree, without a slash"
                                + " at either end. No door serves them, lists them, or follows a link to them. 64 at most. Write them without symbolic links.",
                byDefault = "")
        List<String> blocked,

        @Setting(
                description =
                        "Paths in the tree, written alike, that can only be read where the tree is `writable`. 64 at most.",
                byDefault = "")
        List<String> readOnly) {

    public FileTreeConfig {
        accounts = List.copyOf(accounts);
        writers = List.copyOf(writers);
        blocked = List.copyOf(blocked);
        readOnly = List.copyOf(readOnly);
        new ExportedTree(
                name, path, writable, accounts, writers, new TreeRules(blocked, readOnly)); // refuses what is no tree
    }

    /** The same for the core. */
    public ExportedTree tree() {
        return new ExportedTree(name, path, writable, accounts, writers, new TreeRules(blocked, readOnly));
    }
}
