// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where the file systems are that one document names: the site's, and further names that the document gives to places in them. */
final class Places {

    private static final Set<String> TYPES = Set.of("swap", "temporary", "spool", "normal");

    private final FileSystems site;
    private final Map<String, String> others = new HashMap<>();

    /** @param elements the FileSystem elements of the document */
    Places(FileSystems site, List<Node> elements) {
        this.site = site;
        Set<String> names = new HashSet<>();
        for (Node element : elements) {
            read(element, names);
        }
    }

    private void read(Node element, Set<String> names) {
        Parts parts = new Parts(element);
        String name = parts.attribute("name")
                .orElseThrow(() -> JsdlFaults.invalid(element, "", "it must have a name"))
                .strip();
        parts.one(Names.jsdl("Description")).ifPresent(Parts::text); // for people
        parts.one(Names.jsdl("FileSystemType")).ifPresent(type -> checkType(type, name));
        parts.one(Names.jsdl("DiskSpace")).ifPresent(Places::checkSpace);
        Node mountPoint = parts.one(Names.jsdl("MountPoint")).orElse(null);
        parts.end();
        if (!names.add(name)) {
            throw JsdlFaults.invalid(element, name, "another file system of the document has this name");
        }
        String ours = site.mountPoint(name).orElse(null);
        if (mountPoint != null) {
            checkMountPoint(name, ours, mountPoint);
        } else if (ours == null) {
            throw unknown(element, name);
        }
    }

    private static void checkType(Node node, String name) {
        String type = Parts.word(node);
        if (!TYPES.contains(type)) {
            throw JsdlFaults.invalid(node, type, "it must be swap, temporary, spool or normal");
        }
        if (type.equals("swap")) {
            throw JsdlFaults.unsupported(node, "jobs have no file systems for swapping", "Leave it out.");
        }
        if (type.equals("normal") && name.equals(FileSystems.TMP)) {
            throw JsdlFaults.unsupported(node, "what is in TMP is not kept", "Name another file system.");
        }
    }

    private static void checkSpace(Node node) {
        if (!Range.read(node).isAnything()) {
            throw JsdlFaults.unsupported(node, "no LRM here reserves space on disks", "Leave it out.");
        }
    }

    private void checkMountPoint(String name, @Nullable String ours, Node node) {
        String path = Parts.word(node);
        String plain = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (ours != null) {
            if (!ours.equals(plain)) {
                throw JsdlFaults.unsupported(
                        node, "the file system " + name + " is mounted elsewhere", "Leave the mount point out.");
            }
        } else if (!plain.startsWith("/") || FileSystems.isDotted(plain) || !site.hold(plain)) {
            throw JsdlFaults.unsupported(
                    node,
                    "a mount point must be an absolute path in one of the file systems " + site.names(),
                    "Name a place in one of them.");
        } else {
            others.put(name, plain);
        }
    }

    private RuntimeException unknown(Node node, String name) {
        return JsdlFaults.unsupported(
                node,
                "there is no file system " + JsdlFaults.shown(name) + "; there are " + site.names(),
                "Name one of them, or give a mount point.");
    }

    /** The account's home, which the element needs. */
    String home(Node node) {
        return site.mountPoint(FileSystems.HOME)
                .orElseThrow(() -> JsdlFaults.unsupported(
                        node,
                        "the home directory of the account is not known to this host",
                        "Name a file system, or an absolute working directory."));
    }

    /** The mount point of the file system that an element names. */
    String mountPoint(Node node, String name) {
        String other = others.get(name);
        return other != null ? other : site.mountPoint(name).orElseThrow(() -> unknown(node, name));
    }

    /** A path in a file system: relative to its mount point, and not out of it. */
    String in(Node node, String fileSystem, String relative) {
        String mountPoint = mountPoint(node, fileSystem);
        if (relative.startsWith("/") || FileSystems.isDotted(relative)) {
            throw JsdlFaults.invalid(
                    node, relative, "a path in the file system " + fileSystem + " is relative to it, without . and ..");
        }
        return relative.isEmpty() ? mountPoint : FileSystems.joined(mountPoint, relative);
    }

    /** The text of an element that may name a file system in its attribute {@code filesystemName}. */
    String path(Node node) {
        String text = Parts.text(node, "filesystemName");
        return node.attribute("filesystemName")
                .map(name -> in(node, name.strip(), text))
                .orElse(text);
    }

    /**
     * Where a file that is moved lies.
     *
     * @param fileSystem that the document names for it, if any
     * @param directory the job's working directory, absolute
     */
    String staged(Node node, String name, @Nullable String fileSystem, Supplier<String> directory) {
        if (fileSystem != null) {
            return in(node, fileSystem, name);
        }
        if (FileSystems.isDotted(name)) {
            throw JsdlFaults.invalid(node, name, "a file name must not have . or .. in it");
        }
        if (!name.startsWith("/")) {
            return FileSystems.joined(directory.get(), name);
        }
        if (!site.hold(name) && !name.startsWith(directory.get() + "/")) {
            throw JsdlFaults.invalid(
                    node,
                    name,
                    "an absolute file name must lie in the working directory or in one of the file systems "
                            + site.names() + "; for any other place name the file system " + FileSystems.ROOT);
        }
        return name;
    }
}
