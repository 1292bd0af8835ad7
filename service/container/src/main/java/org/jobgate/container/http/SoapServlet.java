// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import jakarta.servlet.ServletConfig;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.apache.cxf.transport.http.DestinationRegistry;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.apache.cxf.transport.servlet.ServletController;
import org.apache.cxf.transport.servlet.servicelist.ServiceListGeneratorServlet;

/** The door of the SOAP services, which tells who asks for a service that does not exist so in SOAP. */
final class SoapServlet extends CXFNonSpringServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected ServletController createServletController(ServletConfig config) {
        DestinationRegistry registry = getDestinationRegistryFromBusOrDefault(config.getInitParameter(TRANSPORT_ID));
        return new ServletController(registry, config, new ServiceListGeneratorServlet(registry, getBus())) {
            @Override
            protected void updateDestination(HttpServletRequest request, AbstractHTTPDestination destination) {
                // the services have the addresses that the configuration gives them, whatever host a request names
            }

            @Override
            protected void generateNotFound(HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                // the server tells it in the form of the door that was asked
                response.sendError(HttpServletResponse.SC_NOT_FOUND);
            }
        };
    }
}
