// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.jetty.server.Request;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.limits.Limit;
import org.jobgate.soap.SoapMount;
import org.jspecify.annotations.Nullable;

/** Which door answers at which path. Filled once, when the doors are made, before the first request is answered. It is a bean of the server. */
final class Mounts {

    private static final Mounts NONE = new Mounts();

    /**
     * One path at which a door answers all that is at it and below.
     *
     * @param bodyBytes of one request to the door
     * @param hasOwnPort whether the door is served on a port of its own and nowhere else
     */
    record Place(String door, String path, Mount mount, Limit bodyBytes, boolean hasOwnPort) {

        /** What metrics call it: the name of a SOAP service, the path of another mount. */
        String label() {
            return mount instanceof SoapMount ? path.substring(mount.root().length() + 1) : path.substring(1);
        }
    }

    private volatile Map<String, Place> places = Map.of();
    private volatile List<String> soapFamilies = List.of();
    private volatile Map<String, String> all = Map.of();
    private volatile String where = "";

    /** Those of the server that takes the request. */
    static Mounts of(Request request) {
        Mounts mounts =
                request.getConnectionMetaData().getConnector().getServer().getBean(Mounts.class);
        return mounts == null ? NONE : mounts;
    }

    /**
     * Takes the mounts of all doors.
     *
     * @param bodyBytes the limit of a door's bodies
     * @param ownPort whether a door has a port of its own
     */
    void fill(List<FrontDoor> doors, Function<String, Limit> bodyBytes, Function<String, Boolean> ownPort) {
        Map<String, Place> made = new HashMap<>();
        List<String> families = new ArrayList<>();
        Map<String, String> told = new LinkedHashMap<>();
        for (FrontDoor door : doors) {
            for (Mount mount : door.mounts()) {
                told.put(mount.root(), mount.what());
                if (mount instanceof SoapMount) {
                    int end = mount.root().indexOf('/', 1);
                    families.add(end < 0 ? mount.root() + "/" : mount.root().substring(0, end + 1));
                }
                for (String path : mount.paths()) {
                    Place place = new Place(
                            door.name(), path, mount, bodyBytes.apply(door.name()), ownPort.apply(door.name()));
                    Place other = made.put(path, place);
                    if (other != null) {
                        throw new IllegalStateException(
                                "the doors " + other.door() + " and " + door.name() + " are both mounted at " + path);
                    }
                }
            }
        }
        places = Map.copyOf(made);
        soapFamilies =
                families.stream().filter(family -> !family.isEmpty()).distinct().toList();
        all = Collections.unmodifiableMap(told);
        where = sentence(told);
    }

    private static String sentence(Map<String, String> told) {
        StringBuilder text = new StringBuilder();
        told.forEach((root, what) -> text.append(text.isEmpty() ? what + " are below " : ", " + what + " below ")
                .append(root));
        return text.toString();
    }

    /** The place that answers for this path: the longest that it is at or below. */
    @Nullable
    Place at(@Nullable String path) {
        Map<String, Place> known = places;
        String prefix = path == null ? "" : path;
        while (!prefix.isEmpty()) {
            Place place = known.get(prefix);
            if (place != null) {
                return place;
            }
            prefix = prefix.substring(0, Math.max(prefix.lastIndexOf('/'), 0));
        }
        return null;
    }

    /** Whether who asks for this path speaks SOAP. A request of the method CONNECT has no path. */
    boolean isOfSoap(@Nullable String path) {
        return path != null && soapFamilies.stream().anyMatch(path::startsWith);
    }

    /** What is found below which path, in the order of the doors. */
    Map<String, String> all() {
        return all;
    }

    /** Where everything is, as the rest of a sentence. Empty where there is nothing. */
    String where() {
        return requireNonNull(where);
    }
}
