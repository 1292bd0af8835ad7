// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.files.FileNames;
import org.jobgate.files.FileRefusedException;
import org.jobgate.files.FilesUnavailableException;
import org.jobgate.files.JobDirectories;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is in a job's directory, a page at a time: as JSON, or as lines of text ({@code Accept: text/plain}) in which every odd character
 * of a name is percent-encoded, so that a name is always one word of one line.
 */
final class FileListing {

    private static final JsonMapper JSON = new JsonMapper();

    private final JobDirectories files;

    FileListing(JobDirectories files) {
        this.files = requireNonNull(files, "files is null");
    }

    /** @param directory the job's */
    void write(
            String account,
            @Nullable String directory,
            FileRequest wanted,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, FileRefusal, FilesUnavailableException {
        JobDirectories.Page page;
        try {
            page = files.browse(account, directory, wanted.names(), Query.value(request, "after"));
        } catch (FileRefusedException e) {
            throw FileRefusal.of(e);
        }
        boolean isText = String.valueOf(request.getHeader("Accept")).contains("text/plain");
        byte[] body = (isText ? lines(page) : json(page)).getBytes(StandardCharsets.UTF_8);
        response.setHeader("Vary", "Accept");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentType(isText ? "text/plain;charset=utf-8" : "application/json");
        if (page.isMore()) {
            response.setHeader("Link", "<?after=" + encoded(last(page)) + ">; rel=\"next\"");
        }
        response.setContentLength(body.length);
        ServletOutputStream out = response.getOutputStream();
        if (!request.getMethod().equals("HEAD")) {
            out.write(body);
        }
    }

    private static String last(JobDirectories.Page page) {
        return page.entries().getLast().name();
    }

    private static String json(JobDirectories.Page page) {
        Map<String, Object> shown = new LinkedHashMap<>();
        List<Map<String, Object>> entries = page.entries().stream()
                .<Map<String, Object>>map(entry -> {
                    Map<String, Object> one = new LinkedHashMap<>();
                    one.put("name", readable(entry.name()));
                    one.put("encodedName", encoded(entry.name()));
                    one.put("kind", entry.kind());
                    one.put("size", entry.size());
                    one.put("modified", Instant.ofEpochSecond(entry.modified()).toString());
                    return one;
                })
                .toList();
        shown.put("entries", entries);
        if (page.isMore()) {
            if (FileNames.isText(last(page))) {
                shown.put("next", last(page));
            }
            shown.put("encodedNext", encoded(last(page)));
        }
        return JSON.writeValueAsString(shown);
    }

    /** Kind, size, time and name, as {@code ls -l} has them in order. */
    private static String lines(JobDirectories.Page page) {
        StringBuilder out = new StringBuilder(64 * page.entries().size());
        for (JobDirectories.Entry entry : page.entries()) {
            out.append(entry.kind().charAt(0) == 'f' ? '-' : entry.kind().charAt(0))
                    .append(' ')
                    .append(entry.size())
                    .append(' ')
                    .append(Instant.ofEpochSecond(entry.modified()))
                    .append(' ')
                    .append(encoded(entry.name()))
                    .append('\n');
        }
        return out.toString();
    }

    /** The name as it stands in an address, byte for byte. */
    private static String encoded(String name) {
        return FileNames.encoded(name, "");
    }

    /** For people and programs that can only read text: what is not UTF-8 is replaced. */
    private static String readable(String name) {
        return new String(FileNames.bytes(name), StandardCharsets.UTF_8);
    }
}
