// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xml;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/** One element of a document that was read, with the prefixes that are bound where it stands. Immutable once read. */
public final class XmlElement {

    private final QName name;
    private final @Nullable XmlElement parent;
    private final Map<QName, String> attributes = new LinkedHashMap<>(4);
    private Map<String, String> declared = Map.of();
    private List<XmlElement> children = List.of();
    private String text = "";

    XmlElement(QName name, @Nullable XmlElement parent) {
        this.name = name;
        this.parent = parent;
    }

    /** An element without attributes and content, as if it had been read. */
    public static XmlElement empty(QName name) {
        return new XmlElement(name, null);
    }

    void declare(String prefix, String namespace) {
        if (declared.isEmpty()) {
            declared = new LinkedHashMap<>(4);
        }
        declared.put(prefix, namespace);
    }

    void addAttribute(QName attribute, String value) {
        attributes.put(attribute, value);
    }

    void addChild(XmlElement child) {
        if (children.isEmpty()) {
            children = new ArrayList<>(4);
        }
        children.add(child);
    }

    void setText(String value) {
        text = value;
    }

    public QName name() {
        return name;
    }

    public String localName() {
        return name.getLocalPart();
    }

    /** The character data directly inside it, as it stands. */
    public String text() {
        return text;
    }

    public String trimmedText() {
        return text.strip();
    }

    public List<XmlElement> children() {
        return Collections.unmodifiableList(children);
    }

    public Map<QName, String> attributes() {
        return Collections.unmodifiableMap(attributes);
    }

    /** The first child of this local name, in whatever namespace. */
    public Optional<XmlElement> child(String localName) {
        return children.stream()
                .filter(child -> child.localName().equals(localName))
                .findFirst();
    }

    /** The attribute of this local name, qualified or not: GT4 clients write both (facts/gt4-wire.md section 4, Subscribe). */
    public Optional<String> attribute(String localName) {
        return attributes.entrySet().stream()
                .filter(entry -> entry.getKey().getLocalPart().equals(localName))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Whether it says {@code xsi:nil="true"}. */
    public boolean isNil() {
        String nil = attributes.get(XmlNames.XSI_NIL);
        return nil != null && (nil.strip().equals("true") || nil.strip().equals("1"));
    }

    /** Its text read as a qualified name; empty where the text is none or its prefix is not bound here. */
    public Optional<QName> qualifiedName() {
        String value = trimmedText();
        int colon = value.indexOf(':');
        String local = value.substring(colon + 1);
        if (local.isEmpty() || local.indexOf(':') >= 0 || colon == 0) {
            return Optional.empty();
        }
        String namespace = namespaceOf(colon < 0 ? "" : value.substring(0, colon));
        if (namespace == null) {
            return colon < 0 ? Optional.of(new QName(local)) : Optional.empty();
        }
        return Optional.of(new QName(namespace, local));
    }

    private @Nullable String namespaceOf(String prefix) {
        for (XmlElement at = this; at != null; at = at.parent) {
            String namespace = at.declared.get(prefix);
            if (namespace != null) {
                return namespace;
            }
        }
        return null;
    }

    /** What the prefix is bound to here. */
    public Optional<String> namespace(String prefix) {
        return Optional.ofNullable(namespaceOf(prefix));
    }

    /** Whether any prefix is bound to the namespace here. */
    public boolean isBound(String namespace) {
        for (XmlElement at = this; at != null; at = at.parent) {
            for (Map.Entry<String, String> entry : at.declared.entrySet()) {
                if (entry.getValue().equals(namespace) && namespace.equals(namespaceOf(entry.getKey()))) {
                    return true;
                }
            }
        }
        return false;
    }

    boolean binds(String prefix) {
        return namespaceOf(prefix) != null;
    }

    XmlElement root() {
        XmlElement at = this;
        while (at.parent != null) {
            at = at.parent;
        }
        return at;
    }

    /** The prefixes declared on it. */
    Map<String, String> declaredPrefixes() {
        return declared;
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
