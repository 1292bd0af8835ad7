// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.namespace.QName;
import org.jobgate.xml.XmlWriter;

/** The description of the service, made of the list of the interface's types and operations. */
final class CreamWsdl {

    private static final String LIST = "/org/jobgate/cream/interface.txt";
    private static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";
    private static final String SOAP = "http://schemas.xmlsoap.org/wsdl/soap/";
    private static final String XSD = "http://www.w3.org/2001/XMLSchema";
    private static final String ICE = "iceId";
    private static final String NAME = "name";
    private static final String MESSAGE = "message";
    private static final String ELEMENT = "element";
    private static final String OPERATION = "operation";
    private static final QName COMPLEX = xsd("complexType");
    private static final List<String[]> LINES = lines();

    private CreamWsdl() {}

    private static List<String[]> lines() {
        try (InputStream in = CreamWsdl.class.getResourceAsStream(LIST)) {
            if (in == null) {
                throw new IllegalStateException(LIST + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" ", -1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String[]> lines(String kind) {
        return LINES.stream().filter(line -> line[0].equals(kind)).toList();
    }

    private static List<String> rest(String[] line, int from) {
        return Arrays.asList(line).subList(from, line.length);
    }

    private static QName wsdl(String name) {
        return new QName(WSDL, name, "wsdl");
    }

    private static QName soap(String name) {
        return new QName(SOAP, name, "soap");
    }

    private static QName xsd(String name) {
        return new QName(XSD, name, "xsd");
    }

    private static String cream(XmlWriter out, String name) {
        return out.qualified(new QName(CreamNames.CREAM, name, "cream"));
    }

    private static String type(XmlWriter out, String name) {
        return out.qualified(Character.isLowerCase(name.charAt(0)) ? xsd(name) : CreamNames.types(name));
    }

    private static XmlWriter named(XmlWriter out, QName element, String name) {
        return out.open(element).attribute(NAME, name);
    }

    /** The description of the service at this address. */
    static byte[] document(String address) {
        return XmlWriter.toDocument(out -> {
            named(out, wsdl("definitions"), "CREAM").attribute("targetNamespace", CreamNames.CREAM);
            out.binding(new QName(CreamNames.CREAM, "any", "cream"))
                    .binding(CreamNames.types("any"))
                    .binding(xsd("any"))
                    .binding(soap("any"));
            types(out);
            messages().forEach((name, part) -> message(out, name, part));
            named(out, wsdl("portType"), "CREAMPort");
            lines(OPERATION).forEach(line -> operation(out, line));
            out.close();
            binding(out);
            named(out, wsdl("service"), "CREAM");
            named(out, wsdl("port"), CreamNames.SERVICE).attribute("binding", cream(out, "CreamBinding"));
            out.open(soap("address")).attribute("location", address).close();
            out.close().close().close();
        });
    }

    private static void types(XmlWriter out) {
        out.open(wsdl("types")).open(xsd("schema")).attribute("targetNamespace", CreamNames.TYPES);
        out.attribute("elementFormDefault", "qualified");
        for (String[] line : lines("type")) {
            named(out, COMPLEX, line[1]);
            members(out, rest(line, 2));
            out.close();
        }
        for (String[] line : lines("fault")) {
            named(out, xsd(ELEMENT), line[1]).open(COMPLEX).open(xsd("complexContent"));
            out.open(xsd("extension"))
                    .attribute("base", type(out, "BaseFaultType"))
                    .close();
            out.close().close().close();
        }
        for (String[] line : lines(ELEMENT)) {
            named(out, xsd(ELEMENT), line[1])
                    .attribute("type", type(out, line[2]))
                    .close();
        }
        for (String[] line : lines("own")) {
            named(out, xsd(ELEMENT), line[1]).open(COMPLEX);
            members(out, rest(line, 2));
            out.close().close();
        }
        out.close().close();
    }

    /** A choice stands alone, or at the end of a sequence. */
    private static void members(XmlWriter out, List<String> members) {
        boolean isChoice = members.getFirst().equals("(");
        if (!isChoice) {
            out.open(xsd("sequence"));
        }
        for (String member : members) {
            switch (member.charAt(0)) {
                case '(' -> out.open(xsd("choice"));
                case ')' -> out.close();
                case '@' -> {}
                case '^' ->
                    out.open(xsd(ELEMENT))
                            .attribute("ref", out.qualified(CreamNames.types(member.substring(1))))
                            .attribute("minOccurs", "0")
                            .close();
                default -> member(out, member);
            }
        }
        if (!isChoice) {
            out.close();
        }
        members.stream()
                .filter(member -> member.startsWith("@"))
                .forEach(member -> named(out, xsd("attribute"), member.substring(1))
                        .attribute("type", type(out, "string"))
                        .close());
    }

    private static void member(XmlWriter out, String text) {
        int colon = text.lastIndexOf(':');
        String[] nameAndDefault = text.substring(0, colon).split("=", 2);
        String name = nameAndDefault[0];
        char mark = name.charAt(name.length() - 1);
        boolean isMarked = "?*+".indexOf(mark) >= 0;
        named(out, xsd(ELEMENT), isMarked ? name.substring(0, name.length() - 1) : name)
                .attribute("type", type(out, text.substring(colon + 1)));
        if (mark == '?' || mark == '*') {
            out.attribute("minOccurs", "0");
        }
        if (mark == '*' || mark == '+') {
            out.attribute("maxOccurs", "unbounded");
        }
        if (nameAndDefault.length > 1) {
            out.attribute("default", nameAndDefault[1]);
        }
        out.close();
    }

    /** The messages by their names: of each its part and that part's element; an empty list for one that is empty. */
    private static Map<String, List<String>> messages() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (String[] line : lines(OPERATION)) {
            for (String text : List.of(line[3], line[4])) {
                List<String> words = List.of(text.split("/", -1));
                all.put(words.getFirst(), words.size() > 2 ? words.subList(1, 3) : List.of());
                if (words.size() > 3) {
                    all.put(words.get(3), List.of(ICE, ICE));
                }
            }
            rest(line, 5).forEach(fault -> all.put(faultMessage(fault), List.of("fault", fault + "Fault")));
        }
        return all;
    }

    private static String faultMessage(String fault) {
        return fault + "_Fault";
    }

    private static String faultName(String fault) {
        return fault.substring(0, 1).toLowerCase(Locale.ROOT) + fault.substring(1) + "Fault";
    }

    private static void message(XmlWriter out, String name, List<String> part) {
        named(out, wsdl(MESSAGE), name);
        if (!part.isEmpty()) {
            named(out, wsdl("part"), part.getFirst())
                    .attribute(ELEMENT, out.qualified(CreamNames.types(part.getLast())))
                    .close();
        }
        out.close();
    }

    private static String messageOf(String text) {
        return text.split("/", 2)[0];
    }

    private static void operation(XmlWriter out, String[] line) {
        named(out, wsdl(OPERATION), line[1]);
        out.open(wsdl("input"))
                .attribute(MESSAGE, cream(out, messageOf(line[3])))
                .close();
        out.open(wsdl("output"))
                .attribute(MESSAGE, cream(out, messageOf(line[4])))
                .close();
        for (String fault : rest(line, 5)) {
            named(out, wsdl("fault"), faultName(fault))
                    .attribute(MESSAGE, cream(out, faultMessage(fault)))
                    .close();
        }
        out.close();
    }

    private static void binding(XmlWriter out) {
        named(out, wsdl("binding"), "CreamBinding").attribute("type", cream(out, "CREAMPort"));
        out.open(soap("binding")).attribute("style", "document");
        out.attribute("transport", "http://schemas.xmlsoap.org/soap/http").close();
        for (String[] line : lines(OPERATION)) {
            named(out, wsdl(OPERATION), line[1]);
            out.open(soap(OPERATION))
                    .attribute("soapAction", CreamNames.CREAM + "/" + line[2])
                    .close();
            out.open(wsdl("input"));
            String[] input = line[3].split("/", -1);
            if (input.length > 3) {
                literal(out.open(soap("header"))
                        .attribute(MESSAGE, cream(out, input[3]))
                        .attribute("part", ICE));
            }
            literal(out.open(soap("body"))).close();
            literal(out.open(wsdl("output")).open(soap("body"))).close();
            for (String fault : rest(line, 5)) {
                named(out, wsdl("fault"), faultName(fault));
                literal(named(out, soap("fault"), faultName(fault))).close();
            }
            out.close();
        }
        out.close();
    }

    private static XmlWriter literal(XmlWriter out) {
        return out.attribute("use", "literal").close();
    }
}
