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
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.files.FileAnswer;
import org.jobgate.files.FileNames;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.JobDirectories;
import org.jobgate.rest.files.FileRefusal;
import org.jspecify.annotations.Nullable;

/**
 * Answers PROPFIND (RFC 4918 section 9.1) as A-REX does, with the status 200: ARC's commands take 207 for a failure. Symbolic links and
 * what is neither file nor directory are not shown. However many files there are, a page of each directory on the way is held.
 */
final class WebDavListing {

    private static final int DEEPEST = 10;

    private final JobDirectories directories;
    private final String url;

    /** @param url of the door, without a path */
    WebDavListing(JobDirectories directories, String url) {
        this.directories = requireNonNull(directories, "directories is null");
        this.url = requireNonNull(url, "url is null");
    }

    void write(ArcCall call, Session session, List<String> names, boolean endsWithSlash)
            throws IOException, FileRefusal {
        Optional<JobDirectories.Entry> self = self(session, names);
        boolean isDirectory =
                self.map(entry -> entry.kind().equals("directory")).orElse(endsWithSlash);
        int depth = depth(call.request().getHeader("Depth"));
        String top = url + ArcServlet.PATH + "/" + call.version() + "/jobs/"
                + call.path().get(1) + "/session/";
        SessionPages pages = new SessionPages(directories, session, names);
        // refused before the answer begins
        JobDirectories.Page first = isDirectory ? pages.first() : new JobDirectories.Page(List.of(), false);
        call.response().setStatus(200);
        call.response().setContentType("application/xml");
        // not closed where something fails: what is there would end as if it were whole
        Writer out = new OutputStreamWriter(call.response().getOutputStream(), StandardCharsets.UTF_8);
        out.write("<?xml version=\"1.0\"?>\n<d:multistatus xmlns:d=\"DAV:\">");
        if (isDirectory) {
            String name = names.isEmpty() ? call.path().get(1) : names.getLast();
            long modified = self.map(JobDirectories.Entry::modified).orElse(0L);
            write(out, top, names, new JobDirectories.Entry(name, "directory", 0, modified));
            if (depth > 0) {
                pages.each(first, entry -> below(out, top, session, names, entry, depth));
            }
        } else {
            write(out, top, names, self.orElseThrow(() -> none(names)));
        }
        out.write("</d:multistatus>\n");
        out.close();
    }

    private static FileRefusal none(List<String> names) {
        return FileRefusal.of(new FileRefusedException(
                FileAnswer.Reason.NOT_FOUND, "There is no " + FileNames.shown(String.join("/", names)) + "."));
    }

    private static int depth(@Nullable String header) {
        if (header == null || header.strip().equals("infinity")) {
            return DEEPEST;
        }
        return header.strip().equals("0") ? 0 : 1;
    }

    /** What the directory above says of it; nothing for the session directory itself. */
    private Optional<JobDirectories.Entry> self(Session session, List<String> names) throws IOException, FileRefusal {
        if (names.isEmpty()) {
            return Optional.empty();
        }
        SessionPages above = new SessionPages(directories, session, names.subList(0, names.size() - 1));
        AtomicReference<JobDirectories.Entry> found = new AtomicReference<>();
        above.each(above.first(), entry -> {
            if (isShown(entry) && entry.name().equals(names.getLast())) {
                found.set(entry);
            }
        });
        return Optional.of(Optional.ofNullable(found.get()).orElseThrow(() -> none(names)));
    }

    private static boolean isShown(JobDirectories.Entry entry) {
        return entry.kind().equals("directory") || entry.kind().equals("file");
    }

    /** Writes one entry of a directory, and what is below it. */
    private void below(
            Writer out, String top, Session session, List<String> above, JobDirectories.Entry entry, int depth)
            throws IOException, FileRefusal {
        if (!isShown(entry)) {
            return;
        }
        List<String> names = new ArrayList<>(above);
        names.add(entry.name());
        write(out, top, names, entry);
        if (depth > 1 && entry.kind().equals("directory")) {
            SessionPages pages = new SessionPages(directories, session, names);
            pages.each(pages.first(), inner -> below(out, top, session, names, inner, depth - 1));
        }
    }

    private static void write(Writer out, String top, List<String> names, JobDirectories.Entry entry)
            throws IOException {
        boolean isDirectory = entry.kind().equals("directory");
        String path = FileNames.encoded(String.join("/", names));
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
