// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.apache.cxf.Bus;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.jobgate.soap.MessageGuards;
import org.jobgate.soap.SoapMount;

/** Makes the servlets that answer for SOAP services: one for each root, with a bus of its own, for all the doors that share the root. */
public final class SoapServlets implements AutoCloseable {

    private final LongFunction<Bus> buses;
    private final MessageGuards guards;
    private final List<Bus> made = new ArrayList<>();

    /** @param guards which services have their messages protected */
    public SoapServlets(MessageGuards guards) {
        this(SoapBus::create, guards);
    }

    /** @param buses makes a bus, given the most bytes that a text in a message may have */
    SoapServlets(LongFunction<Bus> buses, MessageGuards guards) {
        this.buses = requireNonNull(buses, "buses is null");
        this.guards = requireNonNull(guards, "guards is null");
    }

    /** The servlet of the mounts, which have the same root. */
    ServletHolder servlet(List<SoapMount> mounts) {
        long longest = mounts.stream()
                .mapToLong(mount -> mount.limits().bodyBytes().value())
                .max()
                .orElseThrow();
        Bus bus = buses.apply(longest);
        made.add(bus);
        mounts.forEach(mount -> mount.publish(bus, guards));
        SoapServlet soap = new SoapServlet();
        soap.setBus(bus);
        ServletHolder holder = new ServletHolder("soap " + mounts.getFirst().root(), soap);
        holder.setInitParameter("hide-service-list-page", "true");
        holder.setInitOrder(1);
        return holder;
    }

    /** Ends all services. */
    @Override
    public void close() {
        made.forEach(bus -> bus.shutdown(true));
        made.clear();
    }
}
