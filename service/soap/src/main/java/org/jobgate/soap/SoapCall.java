// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.identity.Identity;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * One request.
 *
 * @param identity who calls; absent for an anonymous caller
 * @param headers the SOAP header blocks
 * @param body the one element in the SOAP body
 * @param delegated the id of the credential that the caller delegated on this connection before the request; absent where there is none
 */
public record SoapCall(
        @Nullable Identity identity,
        List<Element> headers,
        XmlElement body,
        @Nullable String delegated) {

    public SoapCall {
        requireNonNull(body, "body is null");
        headers = List.copyOf(headers);
    }

    /** One on whose connection nothing was delegated. */
    public SoapCall(@Nullable Identity identity, List<Element> headers, XmlElement body) {
        this(identity, headers, body, null);
    }

    /** The header block of this name. */
    public Optional<Element> header(QName name) {
        return headers.stream()
                .filter(header -> name.getLocalPart().equals(header.getLocalName())
                        && name.getNamespaceURI().equals(header.getNamespaceURI()))
                .findFirst();
    }

    /** The text of the header block of this name; empty if there is none or it has no text. */
    public Optional<String> headerText(QName name) {
        return header(name).map(header -> header.getTextContent().strip()).filter(text -> !text.isEmpty());
    }
}
