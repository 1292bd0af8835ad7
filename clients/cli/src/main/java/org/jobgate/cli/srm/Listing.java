// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.srm;

import static java.util.Objects.requireNonNull;
import static org.jobgate.cli.srm.SrmService.array;
import static org.jobgate.cli.srm.SrmService.element;
import static org.jobgate.cli.srm.SrmService.text;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.wire.XmlElement;

/** What {@code srm-ls} shows. */
final class Listing {
    private static final int DIRECTORIES_MAX = 100;

    private final SrmService service;

    Listing(SrmService service) {
        this.service = requireNonNull(service, "service is null");
    }

    /** One path as it is listed. */
    record Entry(XmlElement element) {
        String path() {
            return text(element, "path");
        }

        /** Its last name. */
        String name() {
            String path = path().replaceFirst("/+$", "");
            return path.substring(path.lastIndexOf('/') + 1);
        }

        boolean isDirectory() {
            return text(element, "type").equals("DIRECTORY");
        }

        long size() {
            return SrmService.number(element, "size");
        }

        SrmService.Status status() throws IOException {
            return SrmService.status(element, "status");
        }

        List<Entry> inside() {
            return SrmService.items(element, "arrayOfSubPaths", "pathDetailArray").stream()
                    .map(Entry::new)
                    .toList();
        }

        /** One line, without status. */
        String line(boolean isFull) {
            String name = Printable.of(path()) + (isDirectory() && !path().endsWith("/") ? "/" : "");
            if (!isFull) {
                return name;
            }
            String sum = text(element, "checkSumValue");
            return Printable.of(String.format(
                            Locale.ROOT,
                            "%s %-8s %-8s %12d %s ",
                            permissions(),
                            owner("ownerPermission", "userID"),
                            owner("groupPermission", "groupID"),
                            size(),
                            text(element, "lastModificationTime")))
                    + name
                    + (sum.isEmpty() ? "" : "  " + Printable.of(text(element, "checkSumType") + ":" + sum));
        }

        private String owner(String part, String id) {
            XmlElement found = SrmService.child(element, part);
            String name = found == null ? "" : text(found, id);
            return name.isEmpty() ? "-" : name;
        }

        private String permissions() {
            String type = switch (text(element, "type")) {
                case "DIRECTORY" -> "d";
                case "LINK" -> "l";
                default -> "-";
            };
            return type
                    + bits(mode("ownerPermission"))
                    + bits(mode("groupPermission"))
                    + bits(text(element, "otherPermission"));
        }

        private String mode(String part) {
            XmlElement found = SrmService.child(element, part);
            return found == null ? "" : text(found, "mode");
        }

        private static String bits(String mode) {
            return (mode.contains("R") ? "r" : "-")
                    + (mode.contains("W") ? "w" : "-")
                    + (mode.contains("X") && !mode.equals("NONE") ? "x" : "-");
        }
    }

    /**
     * What the SURLs lead to, each with what is in it. A directory that is larger than one answer is asked for in parts.
     *
     * @param shown told each part
     */
    void each(List<Surl> surls, Words words, Consumer<List<Entry>> shown) throws IOException, CommandException {
        String levels = words.value(SrmOption.LEVELS);
        boolean isAll = words.has(SrmOption.RECURSIVE);
        int offset = words.number(SrmOption.OFFSET, 0, 0, Integer.MAX_VALUE);
        int count = words.number(SrmOption.COUNT, 0, 0, Integer.MAX_VALUE);
        String rest = element("fullDetailedList", Boolean.toString(words.has(SrmOption.FULL)))
                + (isAll ? element("allLevelRecursive", "true") : "")
                + (isAll ? "" : element("numOfLevels", levels == null ? "1" : levels));
        boolean isOne = surls.size() == 1 && !isAll && (levels == null || levels.equals("1"));
        while (true) {
            XmlElement answer = service.call(
                    surls.getFirst().service(),
                    "srmLs",
                    array(
                                    "arrayOfSURLs",
                                    "urlArray",
                                    surls.stream().map(Surl::text).toList())
                            + rest
                            + (offset > 0 || count > 0 ? element("offset", Integer.toString(offset)) : "")
                            + (count > 0 ? element("count", Integer.toString(count)) : ""));
            List<Entry> entries = entries(answer);
            SrmService.Status status = SrmService.status(answer, "returnStatus");
            boolean isCut = status.code().equals("SRM_TOO_MANY_RESULTS");
            if (entries.isEmpty() || (isCut && !isOne)) {
                if (!status.code().equals(SrmService.SUCCESS)) {
                    throw SrmService.refused(status);
                }
                return;
            }
            shown.accept(entries);
            int got = entries.getFirst().inside().size();
            if (!isCut || count > 0 || got == 0) {
                return;
            }
            offset += got;
        }
    }

    private static List<Entry> entries(XmlElement answer) {
        return SrmService.items(answer, "details", "pathDetailArray").stream()
                .map(Entry::new)
                .toList();
    }

    /**
     * What one SURL leads to.
     *
     * @throws CommandException nothing
     */
    Entry entry(Surl surl) throws IOException, CommandException {
        XmlElement answer = service.call(
                surl.service(),
                "srmLs",
                array("arrayOfSURLs", "urlArray", List.of(surl.text())) + element("numOfLevels", "0"));
        List<Entry> entries = entries(answer);
        if (entries.isEmpty()) {
            throw SrmService.refused(SrmService.status(answer, "returnStatus"));
        }
        SrmService.Status status = entries.getFirst().status();
        if (!status.code().equals(SrmService.SUCCESS)) {
            throw SrmService.refused(status);
        }
        return entries.getFirst();
    }

    /** What is in a directory. */
    List<Entry> inside(Surl surl, int depth) throws IOException, CommandException {
        if (depth > DIRECTORIES_MAX) {
            throw Words.usage(
                    "More than " + DIRECTORIES_MAX + " directories lie in one another at " + surl.text() + ".");
        }
        List<Entry> all = new ArrayList<>();
        each(List.of(surl), Words.sort(SrmOption.table("srm-ls"), sorted -> Integer.MAX_VALUE), entries -> {
            all.addAll(entries.getFirst().inside());
        });
        return all;
    }
}
