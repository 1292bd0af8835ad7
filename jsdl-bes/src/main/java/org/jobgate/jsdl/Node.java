// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;

/** One element of a document while it is read. It knows its path; and its content can be exchanged, as a parameter sweep does. */
final class Node {

    private final QName name;
    private final @Nullable Node parent;
    private final Map<QName, String> attributes;

    /** What a file sweep has replaced in the file that the element fetches; of most elements none. */
    private final Map<String, String> tokens = new LinkedHashMap<>();

    private List<Node> children = new ArrayList<>();
    private String text;

    private Node(XmlElement element, @Nullable Node parent) {
        this.name = element.name();
        this.parent = parent;
        this.attributes = new LinkedHashMap<>(element.attributes());
        this.text = element.text();
        element.children().forEach(child -> children.add(new Node(child, this)));
    }

    /** What an element holds, without its attributes. */
    record Content(String text, List<Node> children) {}

    private Node(Node copied, @Nullable Node parent) {
        this.name = copied.name;
        this.parent = parent;
        this.attributes = new LinkedHashMap<>(copied.attributes);
        this.text = copied.text;
        copied.children.forEach(child -> children.add(new Node(child, this)));
    }

    static Node of(XmlElement element) {
        return new Node(element, null);
    }

    QName name() {
        return name;
    }

    boolean is(String namespace, String local) {
        return name.getLocalPart().equals(local) && name.getNamespaceURI().equals(namespace);
    }

    /** The document's topmost element has none. */
    Optional<Node> parent() {
        return Optional.ofNullable(parent);
    }

    List<Node> children() {
        return children;
    }

    Optional<Node> child(QName wanted) {
        return children.stream().filter(child -> child.name.equals(wanted)).findFirst();
    }

    /** The character data directly inside it, as it stands. */
    String text() {
        return text;
    }

    Map<QName, String> attributes() {
        return attributes;
    }

    Optional<String> attribute(String local) {
        return Optional.ofNullable(attributes.get(new QName(local)));
    }

    void setAttribute(QName attribute, String value) {
        attributes.put(attribute, value);
    }

    Map<String, String> tokens() {
        return tokens;
    }

    /** Lets a token of the element's file be replaced; or not any more, where the value is null. */
    void setToken(String token, @Nullable String value) {
        if (value == null) {
            tokens.remove(token);
        } else {
            tokens.put(token, value);
        }
    }

    /** What it holds now; whatever is put in its place does not change that. */
    Content content() {
        return new Content(text, children);
    }

    /** Puts back what it held: the same nodes, so that references to them stay valid. */
    void restore(Content before) {
        text = before.text();
        children = before.children();
    }

    /** About how much work it is to read it with all inside it; 1 for the least element. */
    long size() {
        long size = 1L + attributes.size() + tokens.size() + text.length() / 64L;
        for (Node child : children) {
            size += child.size();
        }
        return size;
    }

    /** Puts the content of another element in the place of its own. */
    void setContent(Node other) {
        text = other.text;
        children = new ArrayList<>();
        other.children.forEach(child -> children.add(new Node(child, this)));
    }

    /** Puts a text in the place of all its content. */
    void setText(String value) {
        text = value;
        children = new ArrayList<>();
    }

    /** From the topmost element on; with a number where it has brothers of its name. */
    String path() {
        StringBuilder path = new StringBuilder();
        for (Node at = this; at != null; at = at.parent) {
            path.insert(0, "/" + Names.shown(at.name) + at.number());
        }
        return path.toString();
    }

    private String number() {
        if (parent == null) {
            return "";
        }
        int place = 0;
        int count = 0;
        for (Node brother : parent.children) {
            if (brother.name.equals(name)) {
                count++;
                place = brother == this ? count : place;
            }
        }
        return count > 1 ? "[" + place + "]" : "";
    }

    @Override
    public String toString() {
        return path();
    }
}
