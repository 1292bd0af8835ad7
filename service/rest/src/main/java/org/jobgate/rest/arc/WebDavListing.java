// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileNames;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jspecify.annotations.Nullable;

/**
 * Answers PROPFIND (RFC 4918 section 9.1) as A-REX does, with the status 200: ARC's commands take 207 for a failure. Symbolic links and
 * what is neither file nor directory are not shown.
 */
final class WebDavListing {

    private static final int DEEPEST = 10;
    private static final long MOST_ENTRIES = 100_000;

    private final JobDirectories directories;
    private final String url;

    /** @param url of the door, without a path */
    WebDavListing(JobDirectories directories, String url) {
        this.directories = requireNonNull(directories, "directories is null");
        this.url = requireNonNull(url, "url is null");
    }

    void write(ArcCall call, Session session, List<String> names, boolean endsWithSlash)
            throws IOException, FilesUnavailableException, FileRefusedException {
        Optional<JobDirectories.Entry> self = self(session, names);
        boolean isDirectory =
                self.map(entry -> entry.kind().equals("directory")).orElse(endsWithSlash);
        int depth = depth(call.request().getHeader("Depth"));
        String top = url + ArcServlet.PATH + "/" + call.version() + "/jobs/"
                + call.path().get(1) + "/session/";
        List<Found> found = new ArrayList<>();
        if (isDirectory) {
            String name = names.isEmpty() ? call.path().get(1) : names.getLast();
            long modified = self.map(JobDirectories.Entry::modified).orElse(0L);
            found.add(new Found(names, new JobDirectories.Entry(name, "directory", 0, modified)));
            collect(session, names, depth, found);
        } else {
            found.add(new Found(names, self.orElseThrow(() -> none(names))));
        }
        call.response().setStatus(200);
        call.response().setContentType("application/xml");
        try (Writer out = new OutputStreamWriter(call.response().getOutputStream(), StandardCharsets.UTF_8)) {
            out.write("<?xml version=\"1.0\"?>\n<d:multistatus xmlns:d=\"DAV:\">");
            for (Found one : found) {
                write(out, top, one);
            }
            out.write("</d:multistatus>\n");
        }
    }

    private record Found(List<String> names, JobDirectories.Entry entry) {}

    private static FileRefusedException none(List<String> names) {
        return new FileRefusedException(
                FileAnswer.Reason.NOT_FOUND, "There is no " + FileNames.shown(String.join("/", names)) + ".");
    }

    private static int depth(@Nullable String header) {
        if (header == null || header.strip().equals("infinity")) {
            return DEEPEST;
        }
        return header.strip().equals("0") ? 0 : 1;
    }

    /** What the directory above says of it; nothing for the session directory itself. */
    private Optional<JobDirectories.Entry> self(Session session, List<String> names)
            throws FilesUnavailableException, FileRefusedException {
        if (names.isEmpty()) {
            directories.browse(session.account(), session.directory(), names, null);
            return Optional.empty();
        }
        List<String> above = names.subList(0, names.size() - 1);
        for (JobDirectories.Entry entry : all(session, above)) {
            if (entry.name().equals(names.getLast())) {
                return Optional.of(entry);
            }
        }
        throw none(names);
    }

    private List<JobDirectories.Entry> all(Session session, List<String> names)
            throws FilesUnavailableException, FileRefusedException {
        List<JobDirectories.Entry> entries = new ArrayList<>();
        @Nullable String after = null;
        while (true) {
            JobDirectories.Page page = directories.browse(session.account(), session.directory(), names, after);
            entries.addAll(page.entries());
            if (!page.isMore() || entries.size() > MOST_ENTRIES) {
                return entries;
            }
            after = page.entries().getLast().name();
        }
    }

    private void collect(Session session, List<String> names, int depth, List<Found> found)
            throws FilesUnavailableException, FileRefusedException {
        if (depth <= 0) {
            return;
        }
        for (JobDirectories.Entry entry : all(session, names)) {
            boolean isDirectory = entry.kind().equals("directory");
            if (!isDirectory && !entry.kind().equals("file")) {
                continue;
            }
            if (found.size() > MOST_ENTRIES) {
                throw new FileRefusedException(
                        FileAnswer.Reason.FAILED, "There are more than " + MOST_ENTRIES + " files below it.");
            }
            List<String> below = new ArrayList<>(names);
            below.add(entry.name());
            found.add(new Found(below, entry));
            if (isDirectory && depth > 1) {
                collect(session, below, depth - 1, found);
            }
        }
    }

    private static void write(Writer out, String top, Found found) throws IOException {
        JobDirectories.Entry entry = found.entry();
        boolean isDirectory = entry.kind().equals("directory");
        String path = FileNames.encoded(String.join("/", found.names()));
        String time = Instant.ofEpochSecond(entry.modified()).toString();
        out.write("<d:response><d:href>" + XmlForm.escaped(top + path + (isDirectory && !path.isEmpty() ? "/" : ""))
                + "</d:href><d:propstat><d:prop><d:displayname>"
                + XmlForm.escaped(FileNames.shown(entry.name())) + "</d:displayname>");
        if (isDirectory) {
            out.write("<d:resourcetype><d:collection/></d:resourcetype>");
        } else {
            out.write("<d:resourcetype/><d:getcontentlength>" + entry.size() + "</d:getcontentlength>");
        }
        out.write("<d:getlastmodified>" + time + "</d:getlastmodified><d:creationdate>" + time
                + "</d:creationdate></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>");
    }
}
