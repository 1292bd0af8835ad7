// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.EnumSet;
import java.util.function.Function;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jobgate.identity.Identity;

/** An HTTP server for one door. Who calls is told by headers: {@code Test-Subject}, and {@code Test-Limited} for a limited proxy. */
public final class DoorHost implements AutoCloseable {

    /** The header that names the caller; without it the caller is anonymous. */
    public static final String SUBJECT = "Test-Subject";

    /** The header that makes the caller's credential a limited proxy. */
    public static final String LIMITED = "Test-Limited";

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    /** A server whose port is known, and which answers nobody yet. */
    public DoorHost() throws Exception {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        connector.open();
    }

    public String url() {
        return "http://127.0.0.1:" + connector.getLocalPort();
    }

    /**
     * Begins to answer.
     *
     * @param servlets makes the servlet of a mount
     */
    public void start(FrontDoor door, Function<Mount, Servlet> servlets) throws Exception {
        ServletContextHandler context = new ServletContextHandler("/");
        context.addFilter(
                new FilterHolder((request, response, chain) -> {
                    HttpServletRequest http = (HttpServletRequest) request;
                    String subject = http.getHeader(SUBJECT);
                    if (subject != null) {
                        request.setAttribute(
                                Identity.REQUEST_ATTRIBUTE,
                                new Identity(subject, "test", http.getHeader(LIMITED) != null));
                    }
                    chain.doFilter(request, response);
                }),
                "/*",
                EnumSet.of(DispatcherType.REQUEST));
        for (Mount mount : door.mounts()) {
            context.addServlet(new ServletHolder(servlets.apply(mount)), mount.root() + "/*");
        }
        server.setHandler(new RestOfBodies(context));
        server.start();
    }

    @Override
    public void close() throws Exception {
        server.stop();
        connector.close();
    }
}
