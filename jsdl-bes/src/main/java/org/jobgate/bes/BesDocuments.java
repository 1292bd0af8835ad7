// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Our own WSDL and schema of the services, as {@code ?wsdl} and {@code ?xsd=name} answer them. */
final class BesDocuments {

    private static final Pattern QUERY =
            Pattern.compile("(BESFactory|BESManagement)\\?(?:(?:wsdl|WSDL)|xsd=([a-z-]{1,32}\\.xsd))");

    private final String baseUrl;

    /** @param baseUrl what the addresses of the services begin with */
    BesDocuments(String baseUrl) {
        this.baseUrl = baseUrl;
    }

    Optional<byte[]> find(String serviceAndQuery) {
        Matcher matcher = QUERY.matcher(serviceAndQuery);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String service = matcher.group(1);
        String schema = matcher.group(2);
        String name = schema == null ? service + ".wsdl" : schema;
        try (InputStream in = BesDocuments.class.getResourceAsStream(name)) {
            // where documents name each other by file, clients need addresses, and in full
            return in == null
                    ? Optional.empty()
                    : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .replace("schemaLocation=\"", "schemaLocation=\"" + baseUrl + "/" + service + "?xsd=")
                            .replace("http://localhost/bes/", baseUrl + "/")
                            .getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the document " + name + " cannot be read", e);
        }
    }
}
