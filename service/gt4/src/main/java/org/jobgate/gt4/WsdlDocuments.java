// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Our own WSDL and XML Schema documents of the services, as {@code ?wsdl} and {@code ?xsd=name} answer them. */
public final class WsdlDocuments {

    private static final String PLACEHOLDER = "http://localhost/wsrf/services/";
    /** A schema's name says which generation's it is; a service is described for GT 4.0 unless GT 4.2 is asked for; our own operations apart. */
    private static final Pattern QUERY = Pattern.compile(
            "([A-Za-z-]{1,64})\\?(?:(?:wsdl|WSDL)(?:=(gt42|jobs|jobs42))?|xsd=((?:gt42/)?)([a-z-]{1,64}\\.xsd))");

    private final String baseUrl;
    private final Class<?> owner;
    private final String folder;

    /**
     * Documents that name services below this address.
     *
     * @param owner a class beside whose resources they lie
     * @param folder of the documents, absolute, with a slash at the end
     */
    public WsdlDocuments(String baseUrl, Class<?> owner, String folder) {
        this.baseUrl = requireNonNull(baseUrl, "baseUrl is null");
        this.owner = requireNonNull(owner, "owner is null");
        this.folder = requireNonNull(folder, "folder is null");
    }

    /** The document for a service's query string, given as {@code Service?query}; empty where there is none. */
    public Optional<byte[]> find(String serviceAndQuery) {
        Matcher matcher = QUERY.matcher(serviceAndQuery);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String service = matcher.group(1);
        String schema = matcher.group(4);
        String asked = requireNonNullElse(matcher.group(2), "");
        String generation = asked.endsWith("42") || "gt42/".equals(matcher.group(3)) ? "gt42/" : "";
        String description = service + (asked.startsWith("jobs") ? "-jobs.wsdl" : ".wsdl");
        return read(generation + (schema == null ? description : schema))
                .map(text -> served(text, service, generation));
    }

    private Optional<String> read(String name) {
        try (InputStream in = owner.getResourceAsStream(folder + name)) {
            return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the document " + name + " cannot be read", e);
        }
    }

    /**
     * Documents name each other as files: here as queries to the same service, in full, for not every client resolves a mere query;
     * and the service by its public address.
     */
    private byte[] served(String document, String service, String generation) {
        return document.replace(
                        "schemaLocation=\"", "schemaLocation=\"" + baseUrl + "/" + service + "?xsd=" + generation)
                .replace(PLACEHOLDER, baseUrl + "/")
                .getBytes(StandardCharsets.UTF_8);
    }
}
