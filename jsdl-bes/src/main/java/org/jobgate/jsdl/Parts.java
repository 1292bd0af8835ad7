// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.jobgate.job.NearestName;
import org.jobgate.xml.XmlNames;

/** The parts of one element, which its reader asks for by name. At the end, parts that were not asked for are refused, so that none is dropped silently. */
final class Parts {

    /** Ids that a message's signature refers to. */
    private static final String WSU =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";

    private static final Set<String> OF_XML =
            Set.of(XMLConstants.XML_NS_URI, XmlNames.XSI, XMLConstants.XMLNS_ATTRIBUTE_NS_URI, WSU);

    private final Node node;
    private final Set<QName> asked = new LinkedHashSet<>();
    private final Set<QName> askedAttributes = new LinkedHashSet<>();

    Parts(Node node) {
        this.node = node;
        if (!node.text().isBlank()) {
            throw JsdlFaults.invalid(node, node.text().strip(), "it must hold elements, and holds text");
        }
    }

    Node node() {
        return node;
    }

    /** The one child of this name. */
    Optional<Node> one(QName name) {
        List<Node> all = many(name);
        if (all.size() > 1) {
            throw JsdlFaults.invalid(all.get(1), "", "it may be given once, and is given " + all.size() + " times");
        }
        return all.stream().findFirst();
    }

    Node needed(QName name) {
        return one(name).orElseThrow(() -> JsdlFaults.invalid(node, "", "it must hold one " + Names.shown(name)));
    }

    List<Node> many(QName name) {
        asked.add(name);
        return node.children().stream()
                .filter(child -> child.name().equals(name))
                .toList();
    }

    Optional<String> attribute(String local) {
        askedAttributes.add(new QName(local));
        return node.attribute(local);
    }

    /** Refuses the first child or attribute that was not asked for. */
    void end() {
        for (Node child : node.children()) {
            if (!asked.contains(child.name())) {
                throw unknown(child);
            }
        }
        endOfAttributes(node, askedAttributes);
    }

    private RuntimeException unknown(Node child) {
        String local = child.name().getLocalPart();
        Map<String, QName> known = new HashMap<>();
        asked.forEach(name -> known.put(name.getLocalPart(), name));
        QName twin = known.get(local);
        if (twin != null && !Names.isServed(child.name().getNamespaceURI())) {
            return JsdlFaults.invalid(
                    child, "", "its namespace is not served here; that of " + local + " is " + twin.getNamespaceURI());
        }
        String advice = NearestName.to(local, known.keySet())
                .map(known::get)
                .map(name ->
                        "; did you mean " + Names.shown(name) + " of the namespace " + name.getNamespaceURI() + "?")
                .orElse("");
        return JsdlFaults.unsupported(
                child, "no such element is known in " + Names.shown(node.name()) + advice, "Leave it out.");
    }

    /** Refuses all attributes but these and those of XML itself, which do not describe the job. */
    static void endOfAttributes(Node node, Set<QName> known) {
        for (QName attribute : node.attributes().keySet()) {
            if (!known.contains(attribute) && !OF_XML.contains(attribute.getNamespaceURI())) {
                throw JsdlFaults.unsupported(
                        node, "no attribute " + Names.shown(attribute) + " is known there", "Leave it out.");
            }
        }
    }

    /** The text of an element that holds nothing else, as it stands; with these attributes at the most. */
    static String text(Node node, String... attributes) {
        if (!node.children().isEmpty()) {
            throw JsdlFaults.invalid(
                    node.children().getFirst(), "", Names.shown(node.name()) + " must hold text and no element");
        }
        Set<QName> known = new LinkedHashSet<>();
        for (String attribute : attributes) {
            known.add(new QName(attribute));
        }
        endOfAttributes(node, known);
        if (node.text().indexOf('\0') >= 0) {
            throw JsdlFaults.invalid(node, node.text(), "it must not hold a NUL character");
        }
        return node.text();
    }

    /** The same without its surrounding space, and not empty. */
    static String word(Node node, String... attributes) {
        String word = text(node, attributes).strip();
        if (word.isEmpty()) {
            throw JsdlFaults.invalid(node, "", "it must not be empty");
        }
        return word;
    }

    static boolean truth(Node node) {
        return truth(node, word(node));
    }

    static boolean truth(Node node, String word) {
        return switch (word.strip()) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw JsdlFaults.invalid(node, word, "it must be true or false");
        };
    }

    /** A whole number. */
    static long number(Node node, long from, long to, String... attributes) {
        String text = word(node, attributes);
        long number = -1;
        boolean isNumber = text.matches("[+-]?[0-9]{1,18}");
        if (isNumber) {
            number = Long.parseLong(text);
        }
        if (!isNumber || number < from || number > to) {
            throw JsdlFaults.invalid(node, text, "it must be a whole number from " + from + " to " + to);
        }
        return number;
    }
}
