// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.util.List;
import org.jobgate.files.ExportedTree;

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
        List<String> writers) {

    public FileTreeConfig {
        accounts = List.copyOf(accounts);
        writers = List.copyOf(writers);
        new ExportedTree(name, path, writable, accounts, writers); // refuses what is no tree
    }

    /** The same for the core. */
    public ExportedTree tree() {
        return new ExportedTree(name, path, writable, accounts, writers);
    }
}
