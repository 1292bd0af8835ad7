// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.files.AccountTree;
import org.jobgate.files.AccountTrees;
import org.jobgate.files.ExportedTree;
import org.jobgate.files.FileChecksum;
import org.jobgate.files.FileNames;
import org.jobgate.files.TreeEntry;
import org.jobgate.limits.Limit;
import org.jobgate.limits.Places;
import tools.jackson.core.JsonGenerator;

/** Files in the trees that the site exports, as the caller's account. What is in a file goes by {@link TreeContent}. */
final class TreeOperations {

    private static final int OCTAL = 8;
    private static final int PERMISSIONS = 0777;

    private final AccountTrees trees;
    private final Limit fileBytes;
    private final TreeContent content;

    /** @param places of requests that read or write what is in files */
    TreeOperations(AccountTrees trees, Limit fileBytes, Places places) {
        this.trees = requireNonNull(trees, "trees is null");
        this.fileBytes = requireNonNull(fileBytes, "fileBytes is null");
        this.content = new TreeContent(fileBytes, places);
    }

    List<Route> routes() {
        return List.of(
                Route.of("GET", "/trees", this::all),
                Route.of("GET", "/trees/{tree}/content/{path}", call -> content.read(call, tree(call), way(call))),
                Route.of("PUT", "/trees/{tree}/content/{path}", call -> content.write(call, tree(call), way(call))),
                Route.of("DELETE", "/trees/{tree}/content/{path}", this::remove),
                Route.of("GET", "/trees/{tree}/list/{path}", this::list),
                Route.of("GET", "/trees/{tree}/stat/{path}", this::stat),
                Route.of("GET", "/trees/{tree}/checksum/{path}", this::checksum),
                Route.of("POST", "/trees/{tree}/mkdir/{path}", this::makeDirectory),
                Route.of("POST", "/trees/{tree}/rename/{path}", this::rename),
                Route.of("POST", "/trees/{tree}/chmod/{path}", this::chmod));
    }

    private void all(ApiCall call) throws IOException, Problem {
        call.query();
        String account = call.caller().filesAccount(Optional.empty());
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("trees");
            for (ExportedTree tree : trees.of(account)) {
                out.writeStartObject();
                out.writeStringProperty("name", tree.name());
                out.writeStringProperty("path", tree.path().replace(ExportedTree.ACCOUNT, account));
                out.writeBooleanProperty("writable", tree.isWritable());
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        });
    }

    private AccountTree tree(ApiCall call) throws Problem {
        String account = call.caller().filesAccount(Optional.empty());
        String name = call.parameter("tree");
        return trees.find(name, account)
                .orElseThrow(() -> new Problem(
                        404,
                        "NOT_FOUND",
                        "The site exports no tree " + Problem.told(name) + ".",
                        "GET /api/v1/trees lists those there are."));
    }

    /** The names on the way to a file, of which each byte can be given. A slash at the end changes nothing. */
    static List<String> way(ApiCall call) throws Problem {
        return way(call.parameter(Route.REST));
    }

    private static List<String> way(String path) throws Problem {
        List<String> names = new ArrayList<>();
        if (path.isEmpty()) {
            return names;
        }
        String plain = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        for (String part : plain.split("/", -1)) {
            try {
                names.add(FileNames.decoded(part));
            } catch (IllegalArgumentException e) {
                throw Problem.badRequest(
                        "The path cannot be read: " + Problem.plain(String.valueOf(e.getMessage())) + ".",
                        "Percent-encode each byte but letters, digits and -._~ once.");
            }
        }
        return names;
    }

    private void list(ApiCall call) throws IOException, Problem {
        Query query = call.query("limit", "cursor");
        int limit = query.number("limit", 1, AccountTree.MAX_LISTED, true).orElse(AccountTree.MAX_LISTED);
        Optional<String> cursor = query.text("cursor");
        List<String> after = cursor.isPresent() ? way(cursor.get()) : List.of();
        AccountTree tree = tree(call);
        List<String> way = way(call);
        AccountTree.Page page = TreeProblems.of(() -> tree.list(way, after.isEmpty() ? null : after.getFirst(), limit));
        call.json(200, out -> {
            out.writeStartObject();
            out.writeArrayPropertyStart("entries");
            page.entries().forEach(entry -> write(out, entry));
            out.writeEndArray();
            if (page.isMore()) {
                out.writeStringProperty(
                        "next", FileNames.encoded(page.entries().getLast().name()));
            }
            out.writeEndObject();
        });
    }

    private void stat(ApiCall call) throws IOException, Problem {
        call.query();
        AccountTree tree = tree(call);
        List<String> way = way(call);
        TreeEntry entry = TreeProblems.of(() -> tree.stat(way));
        call.json(200, out -> write(out, entry));
    }

    private static void write(JsonGenerator out, TreeEntry entry) {
        out.writeStartObject();
        out.writeStringProperty("name", FileNames.shown(entry.name()));
        out.writeStringProperty("encodedName", FileNames.encoded(entry.name()));
        out.writeStringProperty("kind", entry.kind().word());
        out.writeNumberProperty("size", entry.size());
        out.writeStringProperty(
                "modified", Instant.ofEpochSecond(entry.modified()).toString());
        out.writeStringProperty("mode", String.format("%04o", entry.mode()));
        out.writeStringProperty("owner", entry.owner());
        out.writeStringProperty("group", entry.group());
        String target = entry.target();
        if (target != null) {
            out.writeStringProperty("target", FileNames.shown(target));
        }
        out.writeEndObject();
    }

    private void checksum(ApiCall call) throws IOException, Problem {
        String word = call.query("algorithm").text("algorithm").orElse("sha-256");
        FileChecksum algorithm = FileChecksum.of(word)
                .orElseThrow(() -> Query.wrong(
                        "algorithm",
                        Problem.told(word) + " is none",
                        "Give one of: adler32, crc32, md5, sha1, sha256, sha512."));
        AccountTree tree = tree(call);
        List<String> way = way(call);
        String value =
                content.inPlace(call, () -> TreeProblems.of(() -> tree.checksum(way, algorithm, fileBytes.value())));
        call.json(200, out -> {
            out.writeStartObject();
            out.writeStringProperty("algorithm", algorithm.word());
            out.writeStringProperty("value", value);
            out.writeEndObject();
        });
    }

    private void makeDirectory(ApiCall call) throws Problem {
        boolean parents = call.query("parents").truth("parents").orElse(false);
        AccountTree tree = tree(call);
        List<String> way = way(call);
        boolean isNew = TreeProblems.of(() -> tree.makeDirectory(way, parents));
        call.response().setStatus(isNew ? 201 : 204);
    }

    private void rename(ApiCall call) throws IOException, Problem {
        call.query();
        Fields fields = call.fields();
        List<String> to = way(fields.needed("to"));
        Boolean replace = fields.truth("replace");
        fields.end();
        AccountTree tree = tree(call);
        List<String> way = way(call);
        TreeProblems.does(() -> tree.rename(way, to, replace != null && replace));
        call.response().setStatus(204);
    }

    private void chmod(ApiCall call) throws IOException, Problem {
        call.query();
        Fields fields = call.fields();
        String mode = fields.needed("mode");
        fields.end();
        if (!mode.matches("0?[0-7]{3}")) {
            throw Fields.wrong("mode", Problem.told(mode) + " is none", "Give octal permissions such as 0640.");
        }
        AccountTree tree = tree(call);
        List<String> way = way(call);
        TreeProblems.does(() -> tree.chmod(way, Integer.parseInt(mode, OCTAL) & PERMISSIONS));
        call.response().setStatus(204);
    }

    private void remove(ApiCall call) throws Problem {
        Query query = call.query("recursive", "upload");
        AccountTree tree = tree(call);
        List<String> way = way(call);
        if (query.text("upload").isPresent()) {
            content.drop(call, tree, way);
            call.response().setStatus(204);
            return;
        }
        boolean recursive = query.truth("recursive").orElse(false);
        boolean was = TreeProblems.of(() -> tree.remove(way, recursive));
        if (!was) {
            throw new Problem(404, "NOT_FOUND", "There is nothing of that name.", "Check the path.");
        }
        call.response().setStatus(204);
    }
}
