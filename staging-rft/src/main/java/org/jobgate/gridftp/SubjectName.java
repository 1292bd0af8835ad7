// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * The subject of a certificate by name, to be compared: its attributes in the order of the certificate. Capitals and runs of spaces in
 * values do not count, nor which attributes stand together in one part of the name.
 *
 * <p>A certificate is taken apart by its structure, never by its text: one whose common name is {@code x/CN=Bob} is not Bob's.
 */
public final class SubjectName {

    /** Characters of a name as text. */
    public static final int MAX_LENGTH = 1024;

    /** What begins an attribute in the slash form. */
    private static final Pattern BEGIN = Pattern.compile("[/+](?=[A-Za-z0-9.]+=)");

    /** By names in lower case: those of OpenSSL, and what Globus calls otherwise. */
    private static final Map<String, ASN1ObjectIdentifier> NAMES = names();

    private record Attribute(ASN1ObjectIdentifier type, String value) {}

    private final List<Attribute> attributes;
    private final String text;

    private SubjectName(List<Attribute> attributes, String text) {
        this.attributes = List.copyOf(attributes);
        this.text = text;
    }

    /**
     * The name that a text means: {@code /O=Grid/CN=Alice}, or as RFC 4514 has it {@code CN=Alice,O=Grid}.
     *
     * @throws IllegalArgumentException saying why it is neither
     */
    public static SubjectName parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "a subject of " + text.length() + " characters; at most " + MAX_LENGTH + " are possible");
        }
        return new SubjectName(text.startsWith("/") ? slashForm(text) : rfcForm(text), text);
    }

    /** The name of a certificate; one with something else than text in it equals no other. */
    static SubjectName of(X500Principal principal) {
        return new SubjectName(attributes(X500Name.getInstance(principal.getEncoded())), principal.toString());
    }

    private static Map<String, ASN1ObjectIdentifier> names() {
        Map<String, ASN1ObjectIdentifier> names = new HashMap<>();
        AttributeNames.numbers()
                .forEach((name, number) -> names.put(name.toLowerCase(Locale.ROOT), new ASN1ObjectIdentifier(number)));
        names.put("email", BCStyle.EmailAddress);
        names.put("userid", BCStyle.UID);
        names.put("s", BCStyle.ST);
        return Map.copyOf(names);
    }

    private static List<Attribute> slashForm(String text) {
        List<Attribute> attributes = new ArrayList<>();
        String[] parts = BEGIN.split(text, -1);
        if (!parts[0].isEmpty()) {
            throw strange(text);
        }
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            attributes.add(new Attribute(type(parts[i].substring(0, equals)), plain(parts[i].substring(equals + 1))));
        }
        return nonEmpty(attributes, text);
    }

    private static List<Attribute> rfcForm(String text) {
        try {
            return nonEmpty(attributes(X500Name.getInstance(new X500Principal(text, keywords()).getEncoded())), text);
        } catch (IllegalArgumentException e) {
            throw strange(text);
        }
    }

    /** The same names as the JDK wants them, in capitals. */
    private static Map<String, String> keywords() {
        Map<String, String> keywords = new HashMap<>();
        NAMES.forEach((name, type) -> keywords.put(name.toUpperCase(Locale.ROOT), type.getId()));
        return keywords;
    }

    private static List<Attribute> nonEmpty(List<Attribute> attributes, String text) {
        if (attributes.isEmpty()) {
            throw strange(text);
        }
        return attributes;
    }

    private static List<Attribute> attributes(X500Name name) {
        List<Attribute> attributes = new ArrayList<>();
        for (RDN part : name.getRDNs()) {
            for (AttributeTypeAndValue one : part.getTypesAndValues()) {
                // a value that is no text has a line end in ours, which no text has
                String value =
                        one.getValue() instanceof ASN1String string ? plain(string.getString()) : "\n" + one.getValue();
                attributes.add(new Attribute(one.getType(), value));
            }
        }
        return attributes;
    }

    private static ASN1ObjectIdentifier type(String name) {
        ASN1ObjectIdentifier own = NAMES.get(name.toLowerCase(Locale.ROOT));
        if (own != null) {
            return own;
        }
        try {
            return name.matches("[0-9]+(\\.[0-9]+)+")
                    ? new ASN1ObjectIdentifier(name)
                    : BCStyle.INSTANCE.attrNameToOID(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a subject has no attribute " + name, e);
        }
    }

    private static String plain(String value) {
        return value.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    }

    private static IllegalArgumentException strange(String text) {
        return new IllegalArgumentException(
                "'" + CommandText.shown(text) + "' is not a subject, as /O=Grid/CN=Alice or CN=Alice,O=Grid");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SubjectName name && attributes.equals(name.attributes);
    }

    @Override
    public int hashCode() {
        return attributes.hashCode();
    }

    /** As it was given. */
    @Override
    public String toString() {
        return requireNonNull(text);
    }
}
