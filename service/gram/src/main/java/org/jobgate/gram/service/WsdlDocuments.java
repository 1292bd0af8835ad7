// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Our own WSDL and XML Schema documents of the services, as {@code ?wsdl} and {@code ?xsd=name} answer them. */
public final class WsdlDocuments {

    private static final String FOLDER = "/org/jobgate/gram/wsdl/";
    private static final String PLACEHOLDER = "http://localhost/wsrf/services/";
    private static final Pattern QUERY = Pattern.compile("([A-Za-z]{1,64})\\?(?:wsdl|WSDL|xsd=([a-z-]{1,64}\\.xsd))");

    private final String baseUrl;

    /** Documents that name services below this address. */
    public WsdlDocuments(String baseUrl) {
        this.baseUrl = requireNonNull(baseUrl, "baseUrl is null");
    }

    /** The document for a service's query string, given as {@code Service?query}; empty where there is none. */
    public Optional<byte[]> find(String serviceAndQuery) {
        Matcher matcher = QUERY.matcher(serviceAndQuery);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String schema = matcher.group(2);
        String service = matcher.group(1);
        return read(schema == null ? service + ".wsdl" : schema).map(text -> served(text, service));
    }

    private static Optional<String> read(String name) {
        try (InputStream in = WsdlDocuments.class.getResourceAsStream(FOLDER + name)) {
            return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the document " + name + " cannot be read", e);
        }
    }

    /**
     * Documents name each other as files: here as queries to the same service, in full, for not every client resolves a mere query;
     * and the service by its public address.
     */
    private byte[] served(String document, String service) {
        return document.replace("schemaLocation=\"", "schemaLocation=\"" + baseUrl + "/" + service + "?xsd=")
                .replace(PLACEHOLDER, baseUrl + "/")
                .getBytes(StandardCharsets.UTF_8);
    }
}
