// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.files.AccountTree;
import org.jobgate.files.AccountTrees;
import org.jobgate.files.ExportedTree;

/** The trees that the site exports, through the workers that serve the files of accounts. */
public final class FileTrees implements AccountTrees {

    private final List<ExportedTree> trees;
    private final FileWorkers workers;

    /**
     * Looks at nothing yet.
     *
     * @throws IllegalArgumentException if two trees have one name
     */
    public FileTrees(List<ExportedTree> trees, FileWorkers workers) {
        this.trees = List.copyOf(trees);
        this.workers = requireNonNull(workers, "workers is null");
        Set<String> names = new HashSet<>();
        for (ExportedTree tree : this.trees) {
            if (!names.add(tree.name())) {
                throw new IllegalArgumentException("two trees have the name " + tree.name());
            }
        }
    }

    @Override
    public List<ExportedTree> all() {
        return trees;
    }

    @Override
    public Optional<AccountTree> find(String name, String account) {
        requireNonNull(account, "account is null");
        return trees.stream()
                .filter(tree -> tree.name().equals(name))
                .findFirst()
                .flatMap(tree -> tree.of(account))
                .map(tree -> new WorkerTree(tree, account, workers));
    }
}
