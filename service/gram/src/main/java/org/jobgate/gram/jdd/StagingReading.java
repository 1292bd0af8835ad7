// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlElement;

/** Reads what a job description says of files: RFT's requests (facts/gram4.md sections 2.3 and 6.2). */
final class StagingReading {

    static final Set<String> ELEMENTS = Set.of("fileStageIn", "fileStageOut", "fileCleanUp");

    /** What one file that is copied may have. */
    private static final Set<String> OF_TRANSFER =
            Set.of("sourceUrl", "destinationUrl", "rftOptions", StagingOptions.ATTEMPTS);

    private static final String CREDENTIAL = "transferCredentialEndpoint";
    /** What RFT's types have beyond that: keys of its own, and states and times that only its answers have. */
    private static final Set<String> IGNORED =
            Set.of("requestId", "transferId", "status", "retry_time", "size", "finishBy");

    private final Limit files;
    private final Function<XmlElement, String> text;
    private final List<Transfer> stageIn = new ArrayList<>();
    private final List<Transfer> stageOut = new ArrayList<>();
    private final List<String> cleanUp = new ArrayList<>();
    private final Map<String, Map<String, String>> options = new HashMap<>();
    private final Map<CredentialUse, NamedCredential> credentials = new EnumMap<>(CredentialUse.class);

    /**
     * A reading of nothing yet.
     *
     * @param files how many there may be at the most in each element
     * @param text reads a text with its variables replaced
     */
    StagingReading(Limit files, Function<XmlElement, String> text) {
        this.files = files;
        this.text = text;
    }

    void read(XmlElement request) {
        String use = request.localName();
        Map<String, String> given = new HashMap<>();
        for (XmlElement element : request.children()) {
            switch (element.localName()) {
                case CREDENTIAL -> readCredential(credentialUse(use), element);
                case "rftOptions" -> readOptions(element, StagingOptions.OF_COPYING, given);
                case "deleteOptions" -> readOptions(element, StagingOptions.OF_DELETING, given);
                case "transfer", "deletion" -> readFile(use, element);
                default -> readOption(use, element, given);
            }
        }
        options.put(use, given);
        if (count(use) == 0) {
            throw JddFaults.invalid(use, "", "it must hold at least one " + fileElement(use));
        }
    }

    private void readOption(String use, XmlElement element, Map<String, String> given) {
        String name = element.localName();
        boolean known = StagingOptions.OF_REQUEST.contains(name)
                || (name.equals(StagingOptions.ALL_OR_NONE) && !use.equals("fileCleanUp"));
        if (known) {
            put(element, given);
        } else if (!IGNORED.contains(name)) {
            throw JddFaults.unknown(use, name, elements(use));
        }
    }

    private void readOptions(XmlElement options, List<String> known, Map<String, String> given) {
        for (XmlElement option : options.children()) {
            if (!known.contains(option.localName())) {
                throw JddFaults.unknown(options.localName(), option.localName(), known);
            }
            put(option, given);
        }
    }

    private static void put(XmlElement option, Map<String, String> given) {
        String name = option.localName();
        if (StagingOptions.isUnset(name, option.trimmedText())) {
            return;
        }
        if (given.put(name, StagingOptions.checked(name, option.trimmedText())) != null) {
            throw JddFaults.repeated(name, 2);
        }
    }

    private void readFile(String use, XmlElement element) {
        if (!element.localName().equals(fileElement(use))) {
            throw JddFaults.unknown(use, element.localName(), elements(use));
        }
        switch (use) {
            case "fileStageIn" -> stageIn.add(transfer(element));
            case "fileStageOut" -> stageOut.add(transfer(element));
            default -> cleanUp.add(url(element, "file"));
        }
        files.check(count(use), "Files of the element " + use + " of the job");
    }

    private Transfer transfer(XmlElement element) {
        Map<String, String> given = new HashMap<>();
        for (XmlElement child : element.children()) {
            String name = child.localName();
            if (name.equals("rftOptions")) {
                readOptions(child, StagingOptions.OF_COPYING, given);
            } else if (name.equals(StagingOptions.ATTEMPTS)) {
                put(child, given);
            } else if (!name.equals("sourceUrl") && !name.equals("destinationUrl") && !IGNORED.contains(name)) {
                throw JddFaults.unknown(element.localName(), name, OF_TRANSFER);
            }
        }
        return new Transfer(url(element, "sourceUrl"), url(element, "destinationUrl"), given);
    }

    private String url(XmlElement element, String name) {
        List<XmlElement> all = element.children().stream()
                .filter(child -> child.localName().equals(name))
                .toList();
        if (all.size() != 1) {
            throw JddFaults.invalid(element.localName(), "", "it must hold one " + name + ", and holds " + all.size());
        }
        return StagingUrl.checked(name, text.apply(all.getFirst()).strip());
    }

    private int count(String use) {
        return switch (use) {
            case "fileStageIn" -> stageIn.size();
            case "fileStageOut" -> stageOut.size();
            default -> cleanUp.size();
        };
    }

    private static Set<String> elements(String use) {
        Set<String> names = new HashSet<>(StagingOptions.OF_REQUEST);
        names.addAll(List.of(fileElement(use), "rftOptions", "deleteOptions", CREDENTIAL));
        if (!use.equals("fileCleanUp")) {
            names.add(StagingOptions.ALL_OR_NONE);
        }
        return names;
    }

    private static String fileElement(String use) {
        return use.equals("fileCleanUp") ? "deletion" : "transfer";
    }

    TransferList files() {
        return new TransferList(stageIn, stageOut, cleanUp, of("fileStageIn"), of("fileStageOut"), of("fileCleanUp"));
    }

    private Map<String, String> of(String use) {
        return Optional.ofNullable(options.get(use)).orElse(Map.of());
    }

    /** What the credential is for that stands in this element. */
    static CredentialUse credentialUse(String element) {
        return switch (element) {
            case "fileStageIn" -> CredentialUse.STAGE_IN;
            case "fileStageOut" -> CredentialUse.STAGE_OUT;
            default -> CredentialUse.CLEAN_UP;
        };
    }

    /** Reads a credential; of two in one element the last counts. */
    private void readCredential(CredentialUse use, XmlElement element) {
        credentials.put(use, DelegatedCredentials.read(use, element));
    }

    /** The delegated credentials that the files are moved with. */
    Collection<NamedCredential> credentials() {
        return credentials.values();
    }
}
