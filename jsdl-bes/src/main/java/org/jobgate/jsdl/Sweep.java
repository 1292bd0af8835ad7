// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A Sweep (GFD.149): its assignments take their values at the same time, one after the other; for each, the sweeps inside it are gone
 * through. Of several sweeps side by side one is gone through after the other, while the nodes of the others have what the document says.
 */
final class Sweep {

    private static final int MAX_ASSIGNMENTS = 64;

    /** The work that a place stands for: it is kept, and looked at for each sweep inside. */
    static final long PLACE = 20;

    private record Assignment(List<Place> places, Values values) {}

    private final List<Assignment> assignments = new ArrayList<>();
    private final List<Sweep> inside = new ArrayList<>();
    private final Node node;
    private final Node description;
    private final SweepWork work;

    /**
     * Reads one.
     *
     * @param description the JobDescription, whose document's root the paths begin at and which holds all that they may name
     * @param work that all sweeps of the document count together
     */
    static Sweep read(Node node, Node description, SweepWork work) {
        return new Sweep(node, description, work, List.of());
    }

    /** @param outer the places of the sweeps around it */
    private Sweep(Node node, Node description, SweepWork work, List<Place> outer) {
        this.node = node;
        this.description = description;
        this.work = work;
        Parts parts = new Parts(node);
        List<Node> assigned = parts.many(Names.of(Names.SWEEP, "Assignment"));
        List<Node> nested = parts.many(Names.of(Names.SWEEP, "Sweep"));
        parts.end();
        if (assigned.isEmpty() || assigned.size() > MAX_ASSIGNMENTS) {
            throw JsdlFaults.invalid(node, "", "it must hold 1 to " + MAX_ASSIGNMENTS + " Assignments");
        }
        assigned.forEach(assignment -> assignments.add(assignment(assignment)));
        List<Place> places = new ArrayList<>(outer);
        assignments.forEach(assignment -> places.addAll(assignment.places()));
        requireApart(places);
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
        nested.forEach(sweep -> inside.add(new Sweep(sweep, description, work, places)));
    }

    /**
     * Refuses values that would be lost silently: those of a place that is exchanged twice at the same time, and one inside an element whose whole
     * content is exchanged.
     */
    private void requireApart(List<Place> places) {
        work.count(node, places.size());
        Set<Place> seen = new HashSet<>();
        for (Place place : places) {
            if (!seen.add(place)) {
                throw JsdlFaults.invalid(node, "", "two assignments exchange " + place.shown() + " at the same time");
            }
        }
        for (Place place : places) {
            Node around = place.node().parent().orElse(description);
            for (Node at = around; at != description; at = at.parent().orElse(description)) {
                if (seen.contains(Place.of(at))) {
                    throw JsdlFaults.invalid(
                            node,
                            "",
                            "one assignment exchanges all that is in " + at.path() + ", another " + place.shown()
                                    + " inside it");
                }
            }
        }
    }

    private Assignment assignment(Node node) {
        Parts parts = new Parts(node);
        List<Node> fileSweeps = parts.many(Names.of(Names.FILE_SWEEP, "FileSweep"));
        List<Node> parameters = parts.many(Names.of(Names.SWEEP, "DocumentNode"));
        List<Node> functions = new ArrayList<>();
        for (String name : List.of("Values", "LoopInteger", "LoopDouble")) {
            functions.addAll(parts.many(Names.of(Names.FUNCTIONS, name)));
        }
        parts.end();
        if (functions.size() != 1 || (parameters.isEmpty() && fileSweeps.isEmpty())) {
            throw JsdlFaults.invalid(node, "", "it must hold one function, and at least one DocumentNode or FileSweep");
        }
        // a node that two paths of one assignment name has one value all the same
        Set<Place> places = new LinkedHashSet<>();
        parameters.forEach(parameter -> places.addAll(places(parameter)));
        fileSweeps.forEach(parameter -> places.addAll(FileSweep.places(parameter, description, work)));
        Assignment assignment = new Assignment(List.copyOf(places), Values.read(functions.getFirst()));
        requireSecret(assignment);
        return assignment;
    }

    /**
     * A password goes into credentials only: from any other place it would be shown again, in documents of the points and in the arguments of
     * their programs.
     */
    private void requireSecret(Assignment assignment) {
        boolean isForCredentials = assignment.places().stream().map(Place::node).anyMatch(Secrets::isInside);
        boolean bringsCredentials = assignment.values().bringCredentials();
        for (Place place : assignment.places()) {
            boolean isInside = Secrets.isInside(place.node());
            boolean isFile = place.node().is(Names.JSDL, "DataStaging")
                    && place.node().parent().filter(description::equals).isPresent();
            if (!isInside && (isForCredentials || (bringsCredentials && !isFile))) {
                throw JsdlFaults.invalid(
                        assignment.values().node(),
                        "",
                        "what is in a credential may stand in no other element, and this would put it into "
                                + place.shown());
            }
        }
    }

    private List<Place> places(Node parameter) {
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
        List<Place> found = new NodePath(match, prefixes, work).find(root);
        work.count(match, PLACE * found.size());
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
        List<Runnable> saved = new ArrayList<>();
        for (Assignment assignment : assignments) {
            assignment.places().forEach(place -> saved.add(place.saved()));
        }
        int count = assignments.getFirst().values().size().intValueExact();
        for (int number = 0; number < count; number++) {
            for (Assignment assignment : assignments) {
                work.count(
                        node,
                        assignment.values().work(number) * assignment.places().size());
                for (Place place : assignment.places()) {
                    assignment.values().put(number, place);
                }
            }
            if (inside.isEmpty()) {
                work.count(node, description.size());
                point.run();
            }
            inside.forEach(sweep -> sweep.forEach(point));
        }
        saved.reversed().forEach(Runnable::run);
    }

    /** Whether files are filled in by it, or by a sweep inside it. */
    boolean fillsFiles() {
        return assignments.stream()
                        .flatMap(assignment -> assignment.places().stream())
                        .anyMatch(place -> !place.token().isEmpty())
                || inside.stream().anyMatch(Sweep::fillsFiles);
    }
}
