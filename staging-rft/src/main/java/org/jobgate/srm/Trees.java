// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jobgate.files.AccountTree;
import org.jobgate.files.AccountTrees;
import org.jobgate.files.ExportedTree;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;

/** The name space: the first name of a SURL is that of an exported tree, the others lead to a file in it. */
final class Trees {

    private final AccountTrees trees;

    Trees(AccountTrees trees) {
        this.trees = requireNonNull(trees, "trees is null");
    }

    /**
     * A place in a tree, as one account sees it.
     *
     * @param way none for the top of the tree
     */
    record Spot(AccountTree tree, List<String> way) {
        Spot {
            way = List.copyOf(way);
        }

        /** The same place as the names of a SURL. */
        List<String> names() {
            return java.util.stream.Stream.concat(
                            java.util.stream.Stream.of(tree.tree().name()), way.stream())
                    .toList();
        }

        /** Another name in the same directory. */
        Spot beside(String name) {
            List<String> other = new java.util.ArrayList<>(way);
            other.set(other.size() - 1, name);
            return new Spot(tree, other);
        }

        String shown() {
            return Surl.shown(Surl.path(names()));
        }
    }

    /** An operation on a file system. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws FileRefusedException, FilesUnavailableException;
    }

    /** An operation that answers nothing. */
    @FunctionalInterface
    interface Deed {
        void run() throws FileRefusedException, FilesUnavailableException;
    }

    /** Those that an account sees. */
    List<ExportedTree> of(String account) {
        return trees.of(account);
    }

    /**
     * A place below the top.
     *
     * @throws SrmException where the SURL names no tree
     */
    Spot spot(String account, String surl) {
        return spot(account, Surl.names(surl));
    }

    Spot spot(String account, List<String> names) {
        if (names.isEmpty()) {
            throw SrmException.path(
                    "The top, /, holds the trees " + told(account) + " and nothing else; name one of them.");
        }
        return trees.find(names.getFirst(), account)
                .map(tree -> new Spot(tree, names.subList(1, names.size())))
                .orElseThrow(() -> SrmException.path("There is no tree '" + Surl.shown(names.getFirst())
                        + "' here; there is " + told(account) + "."));
    }

    /** A place that can be made, removed or moved: not the top of a tree. */
    Spot changeable(String account, String surl) {
        Spot spot = spot(account, surl);
        if (spot.way().isEmpty()) {
            throw new SrmException(
                    Code.SRM_AUTHORIZATION_FAILURE,
                    spot.shown() + " is the top of a tree, which clients cannot change.");
        }
        return spot;
    }

    private String told(String account) {
        List<String> names = of(account).stream().map(tree -> "/" + tree.name()).toList();
        return names.isEmpty() ? "none for you (fileTrees of the configuration)" : String.join(", ", names);
    }

    /**
     * Does it.
     *
     * @throws SrmException where the account or its file system says no
     */
    static <T> T of(Work<T> work) {
        try {
            return work.run();
        } catch (FileRefusedException e) {
            throw new SrmException(code(e), e.sentence());
        } catch (FilesUnavailableException e) {
            throw new SrmException(
                    Code.SRM_INTERNAL_ERROR,
                    "The files cannot be reached now: " + e.getMessage() + ". Try again in a moment.");
        } catch (IllegalArgumentException e) {
            throw SrmException.path("No file can be there: " + e.getMessage() + ".");
        }
    }

    static void does(Deed deed) {
        of(() -> {
            deed.run();
            return true;
        });
    }

    private static Code code(FileRefusedException refused) {
        return switch (refused.reason()) {
            case NOT_FOUND, NOT_A_FILE, NOT_A_DIRECTORY -> Code.SRM_INVALID_PATH;
            case NOT_PERMITTED -> Code.SRM_AUTHORIZATION_FAILURE;
            case EXISTS -> Code.SRM_DUPLICATION_ERROR;
            case NOT_EMPTY -> Code.SRM_NON_EMPTY_DIRECTORY;
            case NO_SPACE -> Code.SRM_NO_FREE_SPACE;
            case QUOTA -> Code.SRM_NO_USER_SPACE;
            case FAILED -> Code.SRM_FAILURE;
        };
    }
}
