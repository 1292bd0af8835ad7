// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * The part of XPath 1.0 by which parameter sweeps name nodes, evaluated within bounds: location paths from the document's root of steps
 * with the axes child ({@code /}), descendant ({@code //}) and attribute ({@code @}), names and {@code *}, {@code text()} and {@code .} at
 * the end, and predicates that are a place ({@code [2]}, {@code [last()]}, {@code [position()=2]}) or compare an attribute or a child
 * with a text ({@code [@name='X']}, {@code [jsdl:FileName='in']}). Anything else of XPath is refused by name.
 */
final class NodePath {

    private static final int MAX_CHARACTERS = 1_024;
    private static final int MAX_STEPS = 32;
    private static final int MAX_VISITS = 200_000;
    private static final int MAX_NODES = 1_000;

    private static final String NAME = "(?:[A-Za-z_][\\w.-]*:)?(?:[A-Za-z_][\\w.-]*|\\*)";
    private static final Pattern STEP = Pattern.compile("(//?)(@?)(text\\(\\)|\\.|" + NAME + ")");
    private static final Pattern PREDICATE =
            Pattern.compile("\\[\\s*(?:([0-9]{1,9})|(last\\(\\))|position\\(\\)\\s*=\\s*([0-9]{1,9})|(@?)(" + NAME
                    + ")\\s*=\\s*(?:'([^']*)'|\"([^\"]*)\"))\\s*]");

    private final Node match;
    private final Map<String, String> prefixes;
    private final SweepWork work;
    private int visits;

    /**
     * A path as a document gives it.
     *
     * @param match the element that holds it
     * @param prefixes what the prefixes in it stand for
     * @param work where it is counted what the path looks at
     */
    NodePath(Node match, Map<String, String> prefixes, SweepWork work) {
        this.match = match;
        this.prefixes = prefixes;
        this.work = work;
    }

    /** The nodes that it names, in the order of the document; at least one. */
    List<Place> find(Node root) {
        String path = Parts.word(match);
        if (path.length() > MAX_CHARACTERS) {
            throw JsdlFaults.invalid(
                    match, path, "it has " + path.length() + " characters; at most " + MAX_CHARACTERS + " are read");
        }
        Set<Place> found = evaluate(path, root);
        if (found.isEmpty()) {
            throw JsdlFaults.invalid(match, path, "no node of the document is named by it");
        }
        if (found.size() > MAX_NODES) {
            throw JsdlFaults.invalid(
                    match, path, "it names " + found.size() + " nodes; at most " + MAX_NODES + " are exchanged");
        }
        return List.copyOf(found);
    }

    private Set<Place> evaluate(String path, Node root) {
        Set<Place> at = null;
        Matcher step = STEP.matcher(path);
        Matcher predicate = PREDICATE.matcher(path);
        int position = 0;
        boolean isOver = false;
        for (int steps = 1; position < path.length(); steps++) {
            step.region(position, path.length());
            if (isOver || steps > MAX_STEPS || !step.lookingAt()) {
                throw unsupported(path, position);
            }
            position = step.end();
            List<Predicate> predicates = new ArrayList<>();
            for (predicate.region(position, path.length());
                    predicate.lookingAt();
                    predicate.region(position, path.length())) {
                predicates.add(predicate(predicate));
                position = predicate.end();
            }
            String name = step.group(3);
            boolean isDeep = step.group(1).equals("//");
            boolean isAttribute = !step.group(2).isEmpty();
            isOver = isAttribute || name.equals("text()") || name.equals(".");
            if ((isOver && !predicates.isEmpty())
                    || (isOver && isDeep && !isAttribute)
                    || (at == null && isOver && !isDeep)) {
                throw unsupported(path, step.start());
            }
            at = next(at, root, name, isDeep, isAttribute, predicates);
        }
        return at == null ? Set.of() : at;
    }

    private RuntimeException unsupported(String path, int position) {
        return JsdlFaults.unsupported(
                match,
                "of XPath only paths from the root with simple predicates are read, and not '"
                        + JsdlFaults.shown(path.substring(position)) + "'",
                "Name the node by a path such as //jsdl-posix:Argument[2].");
    }

    /** @param at where the step begins; null for the root of the document */
    private Set<Place> next(
            @Nullable Set<Place> at,
            Node root,
            String name,
            boolean isDeep,
            boolean isAttribute,
            List<Predicate> predicates) {
        if (at != null && (name.equals("text()") || name.equals("."))) {
            return at;
        }
        Set<Place> found = new LinkedHashSet<>();
        for (List<Node> brothers : families(at, root, isDeep, isAttribute)) {
            if (isAttribute) {
                brothers.forEach(node -> addAttributes(node, name, found));
            } else {
                List<Node> named = brothers.stream()
                        .filter(node -> isNamed(node.name(), name))
                        .toList();
                for (Predicate one : predicates) {
                    named = one.of(named);
                }
                named.forEach(node -> found.add(Place.of(node)));
            }
        }
        return found;
    }

    /** The nodes that a step looks at, those with one parent together: that is what a place counts among. */
    private List<List<Node>> families(@Nullable Set<Place> at, Node root, boolean isDeep, boolean isAttribute) {
        List<List<Node>> families = new ArrayList<>();
        Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Node> starts = at == null
                ? List.of()
                : at.stream().filter(Place::isElement).map(Place::node).toList();
        if (at == null) {
            visit(List.of(root), families);
            starts = isDeep ? List.of(root) : List.of();
        } else if (isAttribute) {
            visit(starts, families);
        }
        boolean areChildrenWanted = isDeep || !isAttribute;
        for (Node start : starts) {
            if (areChildrenWanted) {
                descend(start, isDeep, seen, families);
            }
        }
        return families;
    }

    private void descend(Node node, boolean isDeep, Set<Node> seen, List<List<Node>> families) {
        if (!seen.add(node)) {
            return;
        }
        visit(node.children(), families);
        if (isDeep) {
            node.children().forEach(child -> descend(child, true, seen, families));
        }
    }

    private void visit(List<Node> nodes, List<List<Node>> families) {
        visits += nodes.size();
        work.count(match, 1 + nodes.size());
        if (visits > MAX_VISITS) {
            throw JsdlFaults.invalid(match, match.text(), "it looks at more than " + MAX_VISITS + " nodes");
        }
        families.add(nodes);
    }

    private void addAttributes(Node node, String name, Set<Place> found) {
        node.attributes().keySet().stream()
                .filter(attribute -> isNamed(attribute, name))
                .forEach(attribute -> found.add(Place.of(node, attribute)));
    }

    private boolean isNamed(QName name, String wanted) {
        int colon = wanted.indexOf(':');
        String local = wanted.substring(colon + 1);
        if (wanted.equals("*")) {
            return true;
        }
        String namespace = colon < 0 ? "" : prefixes.get(wanted.substring(0, colon));
        if (namespace == null) {
            throw JsdlFaults.invalid(
                    match,
                    wanted,
                    "no NamespaceBinding says what the prefix " + wanted.substring(0, colon) + " stands for");
        }
        // as XPath has it: a name without a prefix is of no namespace
        return name.getNamespaceURI().equals(namespace)
                && (local.equals("*") || name.getLocalPart().equals(local));
    }

    private interface Predicate {
        List<Node> of(List<Node> brothers);
    }

    private Predicate predicate(Matcher matched) {
        String place = matched.group(1) != null ? matched.group(1) : matched.group(3);
        if (place != null) {
            int number = Integer.parseInt(place);
            return nodes -> number < 1 || number > nodes.size() ? List.of() : List.of(nodes.get(number - 1));
        }
        if (matched.group(2) != null) {
            return nodes -> nodes.isEmpty() ? List.of() : List.of(nodes.getLast());
        }
        boolean isAttribute = !matched.group(4).isEmpty();
        String name = matched.group(5);
        String text = matched.group(6) != null ? matched.group(6) : matched.group(7);
        return nodes -> nodes.stream()
                .filter(node -> isAttribute
                        ? node.attributes().entrySet().stream()
                                .anyMatch(one -> isNamed(one.getKey(), name)
                                        && one.getValue().equals(text))
                        : node.children().stream()
                                .anyMatch(child -> isNamed(child.name(), name)
                                        && child.text().equals(text)))
                .toList();
    }
}
