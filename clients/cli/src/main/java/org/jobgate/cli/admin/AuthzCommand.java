// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jobgate.cli.text.Sentence;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code jobgate authz}: who may do what, and why. */
@Command(name = "authz", mixinStandardHelpOptions = true, description = "Look at who may do what here, and why.")
final class AuthzCommand {

    private static final int MAX_BYTES = 60 * 1024;
    private static final Pattern CERTIFICATE =
            Pattern.compile("(?s)-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----");

    /** The caller to ask for, given by one of these options. */
    static final class Asker {
        @Option(
                names = "--cert",
                paramLabel = "FILE",
                description =
                        "The certificate or proxy that the caller comes with. A private key in the file is not sent.")
        @Nullable
        Path certificate;

        @Option(names = "--token", paramLabel = "FILE", description = "The bearer token that the caller comes with.")
        @Nullable
        Path token;

        @Option(names = "--subject", paramLabel = "DN", description = "The caller's subject, as /O=Grid/CN=Alice.")
        @Nullable
        String subject;
    }

    @Command(
            name = "explain",
            mixinStandardHelpOptions = true,
            description = {
                "Tell what somebody would be answered, and which rule matched or came nearest. Nothing is changed by it.",
                "Exit codes: 0 permitted, 1 not permitted or it cannot be said."
            })
    int explain(
            @Mixin Context context,
            @ArgGroup(exclusive = true, multiplicity = "1") Asker asker,
            @Option(
                            names = "--action",
                            paramLabel = "ACTION",
                            defaultValue = "submit",
                            description = "submit, delegate, files, query or manage. Default: ${DEFAULT-VALUE}.")
                    String action,
            @Option(
                            names = "--fqan",
                            paramLabel = "FQAN",
                            description = "With --subject: a VOMS attribute of the caller.")
                    @Nullable
                    List<String> fqans,
            @Option(
                            names = "--scope",
                            paramLabel = "SCOPE",
                            description = "With --subject: a scope of the caller's token.")
                    @Nullable
                    List<String> scopes)
            throws AdminException {
        List<String> query = new ArrayList<>(List.of("action=" + encoded(action)));
        if (asker.subject != null) {
            query.add("subject=" + encoded(asker.subject));
            query.add("fqan=" + encoded(String.join(" ", fqans == null ? List.of() : fqans)));
            query.add("scope=" + encoded(String.join(" ", scopes == null ? List.of() : scopes)));
        }
        JsonNode answer;
        try {
            answer = context.client().post("/authz/explain?" + String.join("&", query), body(asker));
        } catch (AdminClient.NotRunningException e) {
            throw new AdminException("Jobgate is not running. Start it with: jobgate start", e);
        }
        if (context.isJson) {
            context.showJson(answer);
        } else {
            print(context, answer);
        }
        return answer.path("decision").asString("").equals("permit") ? 0 : 1;
    }

    private static void print(Context context, JsonNode answer) {
        String decision = answer.path("decision").asString("");
        context.out().println(sentence(answer, decision));
        if (answer.path("points").isEmpty()) {
            return;
        }
        context.out()
                .println("By the rule " + Table.text(answer.path("rule")) + "; decided by "
                        + Table.text(answer.path("by")) + ".");
        context.out().println();
        Table table = new Table("POINT", "ANSWER", "REASON", "NEAREST");
        answer.path("points")
                .forEach(point -> table.row(
                        Table.text(point.path("point")),
                        Table.text(point.path("answer")),
                        Table.text(point.path("reason")),
                        Table.text(point.path("nearest"))));
        table.print(context.out());
    }

    private static String sentence(JsonNode answer, String decision) {
        String who = Table.text(answer.path("subject")) + " may";
        return switch (decision) {
            case "permit" -> who + " " + Table.text(answer.path("action")) + accounts(answer.path("accounts")) + ".";
            case "refused" -> Table.text(answer.path("reason")) + ".";
            default ->
                who + " not " + Table.text(answer.path("action")) + " (" + decision + "): "
                        + Table.text(answer.path("reason")) + ".";
        };
    }

    private static String accounts(JsonNode accounts) {
        List<String> names = new ArrayList<>();
        accounts.forEach(account -> names.add(Table.text(account)));
        return names.isEmpty() ? "" : " as " + String.join(", ", names);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String body(Asker asker) throws AdminException {
        if (asker.token != null) {
            return read(asker.token).strip();
        }
        if (asker.certificate == null) {
            return "";
        }
        StringBuilder certificates = new StringBuilder();
        CERTIFICATE
                .matcher(read(asker.certificate))
                .results()
                .forEach(match -> certificates.append(match.group()).append('\n'));
        if (certificates.isEmpty()) {
            throw new AdminException(asker.certificate + " holds no certificate in PEM form.");
        }
        return certificates.toString();
    }

    private static String read(Path file) throws AdminException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new AdminException(file + " has more than " + MAX_BYTES + " bytes.");
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new AdminException(file + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }
}
