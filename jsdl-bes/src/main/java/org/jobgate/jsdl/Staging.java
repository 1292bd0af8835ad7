// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jobgate.files.UrlText;
import org.jobgate.job.CreationFlag;
import org.jobgate.job.FileTokens;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.FilePassword;
import org.jspecify.annotations.Nullable;

/** Reads the DataStaging elements: each names a file of the job, where it comes from and where it goes. */
final class Staging {

    private final Places places;
    private final @Nullable String directory;
    private final boolean takesCredentials;
    private final List<Transfer> stageIn = new ArrayList<>();
    private final List<Transfer> stageOut = new ArrayList<>();
    private final List<String> cleanUp = new ArrayList<>();
    private final Passwords passwords;
    private final Set<String> fetched = new HashSet<>();

    /**
     * @param directory the job's working directory; absent for the account's home
     * @param passwords where names and passwords are gathered
     */
    Staging(Places places, @Nullable String directory, boolean takesCredentials, Passwords passwords) {
        this.passwords = passwords;
        this.places = places;
        this.takesCredentials = takesCredentials;
        this.directory = directory;
    }

    /** The job's working directory, absolute. */
    private String directory(Node node) {
        if (directory == null) {
            return places.home(node);
        }
        return directory.startsWith("/") ? directory : FileSystems.joined(places.home(node), directory);
    }

    void read(Node node) {
        Parts parts = new Parts(node);
        parts.attribute("name"); // by which nothing of the document refers to it
        Node fileName = parts.needed(Names.jsdl("FileName"));
        String name = Parts.text(fileName);
        if (name.isEmpty()) {
            throw JsdlFaults.invalid(fileName, "", "it must not be empty");
        }
        String fileSystem =
                parts.one(Names.jsdl("FilesystemName")).map(Parts::word).orElse(null);
        String local = url(places.staged(fileName, name, fileSystem, () -> directory(fileName)));
        CreationFlag flag = creationFlag(parts.needed(Names.jsdl("CreationFlag")));
        Optional<Node> delete = parts.one(Names.jsdl("DeleteOnTermination"));
        Optional<Node> source = parts.one(Names.jsdl("Source"));
        Optional<Node> target = parts.one(Names.jsdl("Target"));
        Map<String, String> options = parts.one(Names.of(Names.CREDENTIAL, "Credential"))
                .map(this::credential)
                .orElse(Map.of());
        parts.end();
        // the file that the element makes: here where it is fetched, else at the Target
        Map<String, String> flagged = new HashMap<>(flag.options());
        flagged.putAll(options);
        Map<String, String> fetchedWith = new HashMap<>(flagged);
        fetchedWith.putAll(tokens(node, flag));
        source.ifPresent(from -> fetch(from, local, fetchedWith));
        target.ifPresent(to -> stageOut.add(new Transfer(local, uri(to), source.isPresent() ? options : flagged)));
        if (delete.map(Parts::truth).orElse(false) && !cleanUp.contains(local)) {
            cleanUp.add(local);
        }
    }

    /** What a file sweep has replaced in the file. */
    private static Map<String, String> tokens(Node node, CreationFlag flag) {
        if (node.tokens().isEmpty()) {
            return Map.of();
        }
        if (flag == CreationFlag.APPEND) {
            throw JsdlFaults.unsupported(
                    node,
                    "tokens are replaced in a file of its own, which is not appended to another",
                    "Overwrite it.");
        }
        try {
            return Map.of(FileTokens.OPTION, FileTokens.of(node.tokens()).text());
        } catch (IllegalArgumentException e) {
            throw JsdlFaults.invalid(node, "", String.valueOf(e.getMessage()));
        }
    }

    private void fetch(Node from, String local, Map<String, String> options) {
        if (!fetched.add(local)) {
            throw JsdlFaults.invalid(from, "", "another DataStaging fetches a file to the same place");
        }
        stageIn.add(new Transfer(uri(from), local, options));
    }

    private static CreationFlag creationFlag(Node node) {
        String flag = Parts.word(node);
        return CreationFlag.of(flag)
                .orElseThrow(() -> JsdlFaults.invalid(node, flag, "it must be overwrite, append or dontOverwrite"));
    }

    /** The URI of a Source or Target. */
    private static String uri(Node node) {
        Parts parts = new Parts(node);
        Node uri = parts.one(Names.jsdl("URI"))
                .orElseThrow(() -> JsdlFaults.unsupported(
                        node, "the gateway moves files only by a URI", "Give the URI, or leave the element out."));
        parts.end();
        String text = Parts.word(uri);
        if (!text.matches("[A-Za-z][A-Za-z0-9+.-]*:.*")) {
            throw JsdlFaults.invalid(uri, text, "it must be a whole URI, such as https://host/path");
        }
        if (text.toLowerCase(Locale.ROOT).matches("[a-z0-9+.-]+://[^/?#]*:[^/?#]*@.*")) {
            throw JsdlFaults.invalid(uri, "", "it must hold no password; the element Credential is for that");
        }
        return UrlText.encoded(text);
    }

    /** Keeps the name and the password apart; the copy names them by their number. */
    private Map<String, String> credential(Node node) {
        Parts parts = new Parts(node);
        Node token = parts.needed(Names.of(Names.WSSE, "UsernameToken"));
        parts.end();
        Parts inside = new Parts(token);
        String name = Parts.word(inside.needed(Names.of(Names.WSSE, "Username")));
        Node password = inside.needed(Names.of(Names.WSSE, "Password"));
        inside.end();
        String type = password.attribute("Type").orElse("");
        if (!type.isEmpty() && !type.endsWith("#PasswordText")) {
            throw JsdlFaults.unsupported(
                    node, "only a password as text is of use to a server of files", "Send it as text.");
        }
        if (!takesCredentials) {
            throw JsdlFaults.unsupported(
                    node,
                    "this door takes no names and passwords for files; they are moved with delegated credentials, or with the account's own keys",
                    "Leave it out, and delegate a credential.");
        }
        int number = passwords.number(node, password(node, name, Parts.text(password, "Type")));
        return Map.of(FilePassword.OPTION, Integer.toString(number));
    }

    private static FilePassword password(Node node, String name, String password) {
        try {
            return new FilePassword(name, password);
        } catch (IllegalArgumentException e) {
            throw JsdlFaults.invalid(node, "", String.valueOf(e.getMessage()));
        }
    }

    /** A local path as a URL, each byte encoded that may not stand in one. */
    static String url(String path) {
        StringBuilder url = new StringBuilder("file://");
        boolean isFirst = true;
        for (String name : path.split("/", -1)) {
            url.append(isFirst ? "" : "/").append(UrlText.ofName(name));
            isFirst = false;
        }
        return url.toString();
    }

    TransferList transfers() {
        return new TransferList(stageIn, stageOut, cleanUp);
    }
}
