// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jobgate.jsdl.NodePath.Place;

/**
 * A Sweep (GFD.149): its assignments take their values at the same time, one after the other; for each, the sweeps inside it are gone
 * through. Of several sweeps side by side one is gone through after the other, while the nodes of the others have what the document says.
 */
final class Sweep {

    private static final int MAX_ASSIGNMENTS = 64;

    private record Assignment(List<Place> places, Values values) {}

    /** What a node held before it was exchanged. */
    private record Saved(Node copy, Place place, String text) {}

    private final List<Assignment> assignments = new ArrayList<>();
    private final List<Sweep> inside = new ArrayList<>();
    private final Node node;

    /**
     * Reads one.
     *
     * @param description the JobDescription, whose document's root the paths begin at and which holds all that they may name
     */
    Sweep(Node node, Node description) {
        this.node = node;
        Parts parts = new Parts(node);
        List<Node> assigned = parts.many(Names.of(Names.SWEEP, "Assignment"));
        List<Node> nested = parts.many(Names.of(Names.SWEEP, "Sweep"));
        parts.end();
        if (assigned.isEmpty() || assigned.size() > MAX_ASSIGNMENTS) {
            throw JsdlFaults.invalid(node, "", "it must hold 1 to " + MAX_ASSIGNMENTS + " Assignments");
        }
        assigned.forEach(assignment -> assignments.add(assignment(assignment, description)));
        for (Assignment assignment : assignments) {
            if (!assignment
                    .values()
                    .size()
                    .equals(assignments.getFirst().values().size())) {
                throw JsdlFaults.invalid(
                        assignment.values().node(),
                        "",
                        "it has " + assignment.values().size() + " values, and the first assignment beside it has "
                                + assignments.getFirst().values().size());
            }
        }
        nested.forEach(sweep -> inside.add(new Sweep(sweep, description)));
    }

    private static Assignment assignment(Node node, Node description) {
        Parts parts = new Parts(node);
        parts.many(Names.of(Names.FILE_SWEEP, "FileSweep")).forEach(sweep -> {
            throw JsdlFaults.unsupported(
                    sweep,
                    "the gateway changes nothing in files, and all points would share the one template",
                    "Sweep an Argument or an Environment, by a DocumentNode.");
        });
        List<Node> parameters = parts.many(Names.of(Names.SWEEP, "DocumentNode"));
        List<Node> functions = new ArrayList<>();
        for (String name : List.of("Values", "LoopInteger", "LoopDouble")) {
            functions.addAll(parts.many(Names.of(Names.FUNCTIONS, name)));
        }
        parts.end();
        if (functions.size() != 1 || parameters.isEmpty()) {
            throw JsdlFaults.invalid(node, "", "it must hold one function, and at least one DocumentNode");
        }
        List<Place> places = new ArrayList<>();
        parameters.forEach(parameter -> places.addAll(places(parameter, description)));
        return new Assignment(places, Values.read(functions.getFirst()));
    }

    private static List<Place> places(Node parameter, Node description) {
        Parts parts = new Parts(parameter);
        Map<String, String> prefixes = new HashMap<>();
        for (Node binding : parts.many(Names.of(Names.SWEEP, "NamespaceBinding"))) {
            Parts of = new Parts(binding);
            prefixes.put(of.attribute("prefix").orElse(""), of.attribute("ns").orElse(""));
            of.end();
        }
        Node match = parts.needed(Names.of(Names.SWEEP, "Match"));
        parts.end();
        Node root = description.parent().orElse(description);
        List<Place> found = new NodePath(match, prefixes).find(root);
        for (Place place : found) {
            if (place.node() == description || !isInside(place.node(), description)) {
                throw JsdlFaults.invalid(
                        match,
                        match.text(),
                        "it must name nodes in the JobDescription, and names "
                                + place.node().path());
            }
        }
        return found;
    }

    private static boolean isInside(Node node, Node description) {
        for (Node at = node; at != null; at = at.parent().orElse(null)) {
            if (at == description) {
                return true;
            }
        }
        return false;
    }

    Node node() {
        return node;
    }

    /** How many points there are; counted and not gone through. */
    BigInteger size() {
        BigInteger own = assignments.getFirst().values().size();
        return inside.isEmpty()
                ? own
                : own.multiply(inside.stream().map(Sweep::size).reduce(BigInteger.ZERO, BigInteger::add));
    }

    /** Goes through the points: each has its values in the document while it is told. Afterwards the document is what it was. */
    void forEach(Runnable point) {
        List<Saved> saved = new ArrayList<>();
        for (Assignment assignment : assignments) {
            for (Place place : assignment.places()) {
                saved.add(new Saved(
                        place.node().copy(),
                        place,
                        place.isElement() ? "" : place.node().attributes().getOrDefault(place.attribute(), "")));
            }
        }
        int count = assignments.getFirst().values().size().intValueExact();
        for (int number = 0; number < count; number++) {
            for (Assignment assignment : assignments) {
                for (Place place : assignment.places()) {
                    assignment.values().put(number, place);
                }
            }
            if (inside.isEmpty()) {
                point.run();
            }
            inside.forEach(sweep -> sweep.forEach(point));
        }
        for (Saved before : saved.reversed()) {
            if (before.place().isElement()) {
                before.place().node().setContent(before.copy());
            } else {
                before.place().node().setAttribute(before.place().attribute(), before.text());
            }
        }
    }
}
