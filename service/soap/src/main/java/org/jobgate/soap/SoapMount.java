// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.cxf.Bus;
import org.jobgate.door.Mount;

/**
 * The SOAP services of one door. Doors whose mounts have the same root share it, each with services of its own names.
 *
 * @param root the path that the services are below, each at {@code ROOT/NAME}
 * @param publicBaseUrl what the public addresses of the services begin with, without a slash at the end: the door's URL and the root
 * @param limits how big a request may be
 * @param dialect of the services
 * @param documents answers the document for a service's query string, given as {@code Service?query}
 * @param soap12 whether the services take SOAP 1.2 beside SOAP 1.1; each request is answered in its own version
 */
public record SoapMount(
        String root,
        String publicBaseUrl,
        SoapLimits limits,
        Dialect dialect,
        Function<String, Optional<byte[]>> documents,
        List<SoapService> services,
        boolean soap12)
        implements Mount {

    public SoapMount {
        requireNonNull(root, "root is null");
        requireNonNull(publicBaseUrl, "publicBaseUrl is null");
        requireNonNull(limits, "limits is null");
        requireNonNull(dialect, "dialect is null");
        requireNonNull(documents, "documents is null");
        services = List.copyOf(services);
    }

    /** Services that speak SOAP 1.1 only. */
    public SoapMount(
            String root,
            String publicBaseUrl,
            SoapLimits limits,
            Dialect dialect,
            Function<String, Optional<byte[]>> documents,
            List<SoapService> services) {
        this(root, publicBaseUrl, limits, dialect, documents, services, false);
    }

    @Override
    public List<String> paths() {
        return services.stream().map(service -> root + "/" + service.name()).toList();
    }

    @Override
    public String what() {
        return "SOAP services";
    }

    /** A service's description is read with GET. */
    @Override
    public List<String> methods() {
        return List.of("GET", "POST");
    }

    /** Registers the services with the bus of the servlet that serves the root; they end with the bus. */
    public void publish(Bus bus, MessageGuards guards) {
        SoapPublisher publisher = new SoapPublisher(publicBaseUrl, limits, dialect, documents, guards, soap12);
        services.forEach(service -> publisher.publish(bus, service));
    }
}
