// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.FilePieces;
import org.jobgate.cli.globusrun.OutputAccess;
import org.jobgate.cli.globusrun.OutputFollower;
import org.jobgate.cli.tls.HttpReply;

/** {@code jobgate logs}, {@code get} and {@code put}: files move in pieces, and go on after a broken connection. */
final class FileVerbs {
    private static final Duration FOLLOW_WAIT = Duration.ofSeconds(20);

    private final Verbs.Context context;
    private final RestClient client;

    FileVerbs(Verbs.Context context) {
        this.context = requireNonNull(context, "context is null");
        this.client = context.client();
    }

    int logs() throws IOException, CommandException, InterruptedException {
        String id = ShortIds.ofJobs(client).whole(context.operands().getFirst());
        String stream = context.words().has(VerbOption.ERRORS) ? "stderr" : "stdout";
        boolean follows = context.words().has(VerbOption.FOLLOW);
        OutputAccess access = OutputAccess.of(
                client.http(),
                client.root() + "/jobs/" + id + "/" + stream,
                context.session().trace());
        OutputFollower.End end = new OutputFollower(
                        access,
                        stream,
                        context.out(),
                        context.console(),
                        follows ? FOLLOW_WAIT : Duration.ZERO,
                        () -> false)
                .follow();
        return switch (end) {
            case WHOLE -> ExitStatus.OK.code();
            case MISSING -> {
                context.console().note("The job has not written to its " + stream + ".");
                yield ExitStatus.OK.code();
            }
            case NO_ACCESS -> {
                context.console().error(OutputAccess.NO_ACCESS);
                yield ExitStatus.REFUSED.code();
            }
            case FAILED -> ExitStatus.REFUSED.code();
        };
    }

    /** The address of a file there, and the words that are left. */
    private record Place(String path, List<String> rest) {}

    /** @param hasPathFirst whether the path there comes before the local one */
    private Place place(boolean hasPathFirst) throws IOException, CommandException {
        List<String> operands = context.operands();
        String tree = context.words().value(VerbOption.TREE);
        String root;
        if (tree != null) {
            root = "/api/v1/trees/" + RestClient.encoded(tree) + "/content/";
        } else {
            root = "/jobs/" + ShortIds.ofJobs(client).whole(operands.getFirst()) + "/files/";
            operands = operands.subList(1, operands.size());
        }
        String there = hasPathFirst
                ? operands.getFirst()
                : operands.size() > 1
                        ? operands.get(1)
                        : String.valueOf(Path.of(operands.getFirst()).getFileName());
        String below = there.replaceFirst("^/+", "");
        List<String> rest = hasPathFirst ? operands.subList(1, operands.size()) : operands;
        return new Place(root + RestClient.encodedPath(below), rest);
    }

    int get() throws IOException, CommandException, InterruptedException {
        Place place = place(true);
        String name =
                URLDecoder.decode(place.path().substring(place.path().lastIndexOf('/') + 1), StandardCharsets.UTF_8);
        String local = place.rest().isEmpty() ? name : place.rest().getFirst();
        if (local.equals("-")) {
            pieces(place.path()).fetch(context.out());
            context.out().flush();
            return ExitStatus.OK.code();
        }
        Path target = Path.of(local);
        Path to = Files.isDirectory(target) ? target.resolve(name) : target;
        context.console().line(to + ": " + pieces(place.path()).fetch(to) + " bytes.");
        return ExitStatus.OK.code();
    }

    private FilePieces pieces(String path) {
        FilePieces.Remote remote = new FilePieces.Remote() {
            @Override
            public HttpReply exchange(String method, String headers, byte[] body) throws IOException {
                return client.exchange(method, path, headers, body);
            }

            @Override
            public byte[] checked(HttpReply reply) throws CommandException {
                return RestClient.checked(reply);
            }
        };
        return new FilePieces(remote, context.console(), bytes -> {});
    }

    int put() throws IOException, CommandException, InterruptedException {
        Place place = place(false);
        Path local = Path.of(place.rest().getFirst());
        context.console().line(local + ": " + pieces(place.path()).bring(local) + " bytes.");
        return ExitStatus.OK.code();
    }
}
