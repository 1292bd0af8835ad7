// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jobgate.files.AccountTree;
import org.jobgate.files.UrlText;
import org.jobgate.transfer.server.FileServers;
import org.jspecify.annotations.Nullable;

/** The URLs by which files are moved: through the site's file servers, chosen as for the files of jobs, or through this gateway. */
final class Turls {

    private static final String HTTPS = "https";
    private static final String FILE = "file";

    private final SrmSettings settings;
    private final FileServers fileServers;

    Turls(SrmSettings settings, FileServers fileServers) {
        this.settings = requireNonNull(settings, "settings is null");
        this.fileServers = requireNonNull(fileServers, "fileServers is null");
    }

    /**
     * One URL.
     *
     * @param passage counts the transfer at the server that was chosen; to be closed when the file is released
     */
    record Turl(String url, FileServers.@Nullable Passage passage) {}

    /** The protocols there are, the best first. */
    List<String> protocols() {
        List<String> all = new ArrayList<>(fileServers.schemes());
        if (settings.https().isPresent() && !all.contains(HTTPS)) {
            all.add(HTTPS);
        }
        if (settings.localFiles() && !all.contains(FILE)) {
            all.add(FILE);
        }
        return all;
    }

    /** The protocols that a request wants, as plain words; what is no word is left out. */
    static List<String> wanted(Ask ask, SrmSettings settings) {
        return ask
                .part("transferParameters")
                .map(parameters -> parameters.texts("arrayOfTransferProtocols", "stringArray", settings.paths()))
                .orElse(List.of())
                .stream()
                .map(word -> word.toLowerCase(Locale.ROOT).replaceFirst("://.*$", ""))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /**
     * The URL of a file by the first of the client's protocols that leads there.
     *
     * @param wanted in the client's order; any where there is none
     * @throws SrmException of SRM_NOT_SUPPORTED where none does
     */
    Turl of(String account, Trees.Spot spot, List<String> wanted) {
        List<String> offered = protocols();
        for (String protocol : wanted.isEmpty() ? offered : wanted) {
            if (offered.contains(protocol)) {
                Optional<Turl> found = of(account, spot, protocol);
                if (found.isPresent()) {
                    return found.get();
                }
            }
        }
        throw new SrmException(
                Code.SRM_NOT_SUPPORTED,
                "None of the transfer protocols asked for ("
                        + Surl.shown(wanted.isEmpty() ? "any" : String.join(", ", wanted)) + ") leads to "
                        + spot.shown() + " now; here there is "
                        + (offered.isEmpty() ? "none" : String.join(", ", offered)) + ".");
    }

    private Optional<Turl> of(String account, Trees.Spot spot, String protocol) {
        Optional<URI> file = file(account, spot);
        Optional<FileServers.Passage> passage = file.flatMap(uri -> fileServers.through(uri, protocol));
        if (passage.isPresent()) {
            return passage.map(taken -> new Turl(taken.url().toString(), taken));
        }
        if (protocol.equals(HTTPS)) {
            AccountTree tree = spot.tree();
            String path = spot.way().stream().map(UrlText::ofName).collect(Collectors.joining("/"));
            return settings.https().map(base -> new Turl(base + tree.tree().name() + "/content/" + path, null));
        }
        return protocol.equals(FILE) && settings.localFiles()
                ? file.map(uri -> new Turl(uri.toString(), null))
                : Optional.empty();
    }

    /** Where a file is on this machine; empty where the account has no home that the tree could be in. */
    Optional<URI> file(String account, Trees.Spot spot) {
        String directory = spot.tree().tree().directory(account);
        Optional<String> top = directory.startsWith("/")
                ? Optional.of(directory)
                : settings.homes().apply(account).map(home -> directory.equals(".") ? home : home + "/" + directory);
        String way = spot.way().stream().map(name -> "/" + UrlText.ofName(name)).collect(Collectors.joining());
        return top.map(path -> URI.create(UrlText.encoded("file://" + path.replaceFirst("/+$", "")) + way));
    }
}
