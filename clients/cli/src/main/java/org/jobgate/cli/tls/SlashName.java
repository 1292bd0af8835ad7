// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/** Names as grids write them, with the attribute names of OpenSSL: {@code /C=DE/O=Grid/CN=Alice}. */
public final class SlashName {
    private static final Charset UTF_32 = Charset.forName("UTF-32BE");

    private SlashName() {}

    /** An attribute and what stands before it: a slash, or a plus within a part of several attributes. */
    private record Attribute(char separator, String type, String value) {}

    /** The name, most general part first. */
    public static String of(X500Principal name) {
        StringBuilder out = new StringBuilder();
        for (Attribute each : attributes(name)) {
            out.append(each.separator()).append(each.type()).append('=').append(each.value());
        }
        return out.toString();
    }

    /** The values of all common names, most general first. */
    static List<String> commonNames(X500Principal name) {
        return attributes(name).stream()
                .filter(each -> each.type().equals("CN"))
                .map(Attribute::value)
                .toList();
    }

    private static List<Attribute> attributes(X500Principal name) {
        List<Attribute> attributes = new ArrayList<>();
        Der.Reader whole = new Der.Reader(name.getEncoded());
        whole.next();
        Der.Reader parts = whole.inside();
        while (parts.hasNext()) {
            parts.next();
            Der.Reader part = parts.inside();
            for (char separator = '/'; part.hasNext(); separator = '+') {
                part.next();
                Der.Reader attribute = part.inside();
                attribute.next();
                String type = AttributeNames.of(number(attribute.content()));
                int tag = attribute.next();
                attributes.add(new Attribute(separator, type, text(tag, attribute.content())));
            }
        }
        return attributes;
    }

    /** Each of its parts is in groups of 7 bits, all but the last group with the high bit; the first two parts are one (X.690 8.19). */
    private static String number(byte[] content) {
        StringBuilder text = new StringBuilder();
        BigInteger part = BigInteger.ZERO;
        for (byte each : content) {
            part = part.shiftLeft(7).or(BigInteger.valueOf(each & 0x7F));
            if (each >= 0) {
                if (text.isEmpty()) {
                    int first = part.compareTo(BigInteger.valueOf(80)) >= 0 ? 2 : part.intValueExact() / 40;
                    text.append(first);
                    part = part.subtract(BigInteger.valueOf(40L * first));
                }
                text.append('.').append(part);
                part = BigInteger.ZERO;
            }
        }
        return text.toString();
    }

    /** As the kind of string says; what is no string by its bytes in hex, as RFC 4514 has it. */
    private static String text(int tag, byte[] content) {
        return switch (tag) {
            // UTF8String, NumericString, PrintableString, IA5String, VisibleString
            case Der.UTF8_STRING, 0x12, 0x13, 0x16, 0x1A -> new String(content, StandardCharsets.UTF_8);
            // T61String, which all who write it take for Latin-1
            case 0x14 -> new String(content, StandardCharsets.ISO_8859_1);
            // BMPString, UniversalString
            case 0x1E -> new String(content, StandardCharsets.UTF_16BE);
            case 0x1C -> new String(content, UTF_32);
            default -> "#" + HexFormat.of().formatHex(content);
        };
    }
}
