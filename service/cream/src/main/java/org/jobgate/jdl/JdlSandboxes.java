// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jobgate.files.FileNames;
import org.jobgate.files.UrlText;
import org.jobgate.limits.JobLimits;
import org.jspecify.annotations.Nullable;

/** Reads what a JDL says of the files that come with a job and go after it. */
final class JdlSandboxes {

    static final String INPUT = "InputSandbox";
    static final String INPUT_BASE = "InputSandboxBaseURI";
    static final String OUTPUT = "OutputSandbox";
    static final String OUTPUT_TO = "OutputSandboxDestURI";
    static final String OUTPUT_BASE = "OutputSandboxBaseDestURI";

    private final JdlAttributes attributes;
    private final JobLimits limits;

    JdlSandboxes(JdlAttributes attributes, JobLimits limits) {
        this.attributes = attributes;
        this.limits = limits;
    }

    /** Whether its last part has wildcards. */
    static boolean isPattern(String path) {
        String name = lastPart(path);
        return name.indexOf('*') >= 0 || name.indexOf('?') >= 0 || name.indexOf('[') >= 0;
    }

    static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    List<Jdl.InputFile> input() {
        String baseText = attributes.text(INPUT_BASE);
        SandboxUrl base = baseText == null ? null : SandboxUrl.parse(INPUT_BASE, baseText);
        List<Jdl.InputFile> files = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String entry : attributes.texts(INPUT, limits.arguments())) {
            Jdl.InputFile file = input(entry, base);
            requireName(INPUT, entry, file.name());
            requireNew(INPUT, names, file.name());
            files.add(file);
        }
        return files;
    }

    private static Jdl.InputFile input(String entry, @Nullable SandboxUrl base) {
        if (SandboxUrl.isUrl(entry) || entry.toLowerCase(Locale.ROOT).startsWith("file:")) {
            return fetched(SandboxUrl.parse(INPUT, entry), entry);
        }
        if (base != null && !entry.startsWith("/")) {
            // a path below the base keeps its directories there, and loses them in the job's directory
            String url = base.url().replaceFirst("/+$", "") + "/" + UrlText.encoded(entry);
            return fetched(new SandboxUrl(url, base.subject()), entry);
        }
        return new Jdl.InputFile(lastPart(entry), null, null);
    }

    private static Jdl.InputFile fetched(SandboxUrl url, String entry) {
        String name = decoded(INPUT, lastPart(url.url()), entry);
        // a file of the client's machine: the client uploads it
        return url.isFile() ? new Jdl.InputFile(name, null, null) : new Jdl.InputFile(name, url.url(), url.subject());
    }

    /** The name or path that this part of a URL means. */
    private static String decoded(String attribute, String part, String entry) {
        try {
            return FileNames.decoded(part);
        } catch (IllegalArgumentException e) {
            throw JdlFaults.invalid(
                    attribute,
                    entry,
                    attribute + ": \"" + JdlFaults.shown(entry) + "\" cannot be read as a URL: " + e.getMessage()
                            + " (one that is meant is %25)");
        }
    }

    private static void requireName(String attribute, String entry, String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            throw JdlFaults.invalid(attribute, entry, attribute + ": directory path not allowed");
        }
        if (attribute.equals(INPUT) && isPattern(name)) {
            throw JdlFaults.invalid(attribute, entry, attribute + ": wildcards not allowed");
        }
        if (name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
            throw JdlFaults.invalid(
                    attribute, entry, attribute + ": a name of a file holds neither a slash nor a NUL character");
        }
    }

    private static void requireNew(String attribute, Set<String> names, String name) {
        if (!names.add(name)) {
            throw JdlFaults.invalid(
                    attribute,
                    name,
                    attribute
                            + ": the file list cannot contain two or more files having the same name (even if in different paths)");
        }
    }

    List<Jdl.OutputFile> output() {
        List<String> entries = attributes.texts(OUTPUT, limits.arguments());
        List<String> each = attributes.texts(OUTPUT_TO, limits.arguments());
        String baseText = attributes.text(OUTPUT_BASE);
        SandboxUrl base = baseText == null ? null : SandboxUrl.parse(OUTPUT_BASE, baseText);
        List<SandboxUrl> urls =
                each.stream().map(text -> SandboxUrl.parse(OUTPUT_TO, text)).toList();
        if (base != null && !each.isEmpty()) {
            throw JdlFaults.invalid(
                    "the OutputSandboxDestURI and OutputSandboxBaseDestURI attributes cannot be specified together in the same JDL");
        }
        if (entries.isEmpty()) {
            return List.of();
        }
        if (base == null && each.isEmpty()) {
            throw JdlFaults.invalid(
                    "the OutputSandbox attribute requires the specification in the same JDL of one of the following attributes: OutputSandboxDestURI or OutputSandboxBaseDestURI");
        }
        if (base == null && each.size() != entries.size()) {
            throw JdlFaults.invalid(
                    "the OutputSandbox and OutputSandboxDestURI attributes must have the same cardinality");
        }
        List<Jdl.OutputFile> files = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            String path = path(entries.get(i));
            String name = lastPart(path);
            requireName(OUTPUT, entries.get(i), name);
            requireNew(OUTPUT, names, name);
            files.add(base == null ? to(path, urls.get(i)) : below(path, name, base));
        }
        return files;
    }

    /** The path of an entry; {@code file:///path} is one of the machine that runs the job. */
    private static String path(String entry) {
        String path = entry.replaceFirst("^(?i:file:)(//)?(?=/)", "");
        if (SandboxUrl.isUrl(path)) {
            throw JdlFaults.invalid(OUTPUT, entry, OUTPUT + ": a URL is not allowed, only a file of the job");
        }
        for (String part : path.split("/", -1)) {
            if (part.equals("..")) {
                throw JdlFaults.invalid(OUTPUT, entry, OUTPUT + ": '..' is not allowed in a path");
            }
        }
        if (isPattern(path.substring(0, path.length() - lastPart(path).length()).replace("/", ""))) {
            throw JdlFaults.invalid(
                    OUTPUT, entry, OUTPUT + ": wildcards are allowed in the name of a file only, not in its directory");
        }
        return path.replaceFirst("^(\\./+)+", "");
    }

    private static Jdl.OutputFile below(String path, String name, SandboxUrl base) {
        boolean isPattern = isPattern(name);
        if (base.isHere()) {
            String directory = base.pathHere();
            String prefix = directory.isEmpty() ? "" : requirePlain(OUTPUT_BASE, directory) + "/";
            return new Jdl.OutputFile(path, null, null, isPattern ? prefix : prefix + name);
        }
        String url = isPattern
                ? base.url().replaceFirst("/+$", "") + "/"
                : base.resolve(name).url();
        return new Jdl.OutputFile(path, url, base.subject(), null);
    }

    private static Jdl.OutputFile to(String path, SandboxUrl url) {
        if (isPattern(path)) {
            return below(path, lastPart(path), url);
        }
        if (!url.isHere()) {
            return new Jdl.OutputFile(path, url.url(), url.subject(), null);
        }
        String kept = url.pathHere();
        return new Jdl.OutputFile(path, null, null, kept.isEmpty() ? lastPart(path) : requirePlain(OUTPUT_TO, kept));
    }

    /** A path below the job's output directory that leads nowhere else. */
    private static String requirePlain(String attribute, String path) {
        String decoded = decoded(attribute, path, path);
        for (String part : decoded.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..") || part.indexOf('\0') >= 0) {
                throw JdlFaults.invalid(
                        attribute,
                        path,
                        attribute + ": a path below gsiftp://localhost must not hold empty parts, '.' or '..'");
            }
        }
        return decoded;
    }
}
