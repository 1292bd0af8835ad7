// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jobgate.access.AdministratorActs;
import org.jobgate.audit.Audit;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.engine.JobEngine;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.job.Reason;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * The administrator's endpoint: HTTP and JSON over a Unix domain socket in the state directory. Whoever can open the socket is the
 * administrator: the directory is the service's own (0700) before the socket is made, so nobody else can reach it at any moment.
 */
public final class AdminService implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AdminService.class);

    private static final int MAX_BODY = 64 * 1024;
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(2);

    private final Path socket;
    private final Server server;
    private final AdminRequests requests;

    public AdminService(
            Path socket,
            ServiceControl service,
            JobEngine engine,
            TransferPool transfers,
            JobStore store,
            AuthzRequests authz,
            @Nullable Audit audit,
            AdministratorActs acts,
            BackupRequests backups) {
        this.socket = requireNonNull(socket, "socket is null");
        QueuedThreadPool threads = new QueuedThreadPool(8, 2);
        threads.setName("admin");
        threads.setVirtualThreadsExecutor(Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("admin-", 0).factory()));
        this.server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        UnixDomainServerConnector connector =
                new UnixDomainServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setUnixDomainPath(socket);
        server.addConnector(connector);
        // the order to stop is answered over the socket that the stop closes: the answer must be out first
        this.requests = new AdminRequests(service, engine, transfers, store, authz, new AuditRequests(audit), backups);
        server.setHandler(new GracefulHandler(new JsonHandler(requests, acts)));
        server.setStopTimeout(ANSWER_PATIENCE.toMillis());
    }

    /** What the requests do, for others who carry them. */
    AdminRequests requests() {
        return requests;
    }

    /** The status as JSON has it. */
    static Map<String, Object> view(ServiceControl.Status status) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("state", status.state().toString());
        view.put("version", status.version());
        view.put("pid", status.pid());
        view.put("startedAt", status.startedAt().toString());
        view.put("url", status.url());
        view.put("liveJobs", status.liveJobs());
        view.put("health", status.health());
        return view;
    }

    /**
     * Makes the socket and listens. The caller holds the state directory for itself, so a socket that is there was left by a server
     * that was killed.
     *
     * @throws ConfigurationException if it cannot be made
     */
    public void start() {
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > UnixDomainServerConnector.MAX_UNIX_DOMAIN_PATH_LENGTH) {
            throw refused("the path of a socket may have at most "
                    + UnixDomainServerConnector.MAX_UNIX_DOMAIN_PATH_LENGTH + " bytes and this has " + length
                    + "; choose a shorter state.directory");
        }
        try {
            Files.deleteIfExists(socket);
            server.start();
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            close();
            throw refused(Reason.of(e));
        } catch (Exception e) {
            close();
            throw new IllegalStateException("the admin socket cannot be served", e);
        }
    }

    private ConfigurationException refused(String why) {
        return new ConfigurationException(List.of("the admin socket " + socket + " cannot be made: " + why));
    }

    @Override
    public void close() {
        try {
            server.stop();
            Files.deleteIfExists(socket);
        } catch (Exception e) {
            LOG.warn("The admin socket {} was not closed cleanly", socket, e);
        }
    }

    /** JSON in and out. */
    private static final class JsonHandler extends Handler.Abstract {

        private static final String SOMEBODY = "somebody at the admin socket";
        private static final Pattern JOB =
                Pattern.compile("/jobs/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/cancel");

        private final JsonMapper json = new JsonMapper();
        private final AdminRequests requests;

        private final AdministratorActs acts;

        JsonHandler(AdminRequests requests, AdministratorActs acts) {
            this.requests = requests;
            this.acts = acts;
        }

        /** On record before it is done, so that nothing is done by somebody who could not be named later. */
        private void record(Request request, String path, String outcome) {
            if (request.getMethod().equals("GET") || path.equals("/authz/explain")) {
                return; // nothing is changed by it
            }
            String what = request.getMethod() + " "
                    + URLDecoder.decode(request.getHttpURI().getPathQuery(), StandardCharsets.UTF_8);
            Matcher job = JOB.matcher(path);
            acts.record(
                    who(request),
                    what + outcome,
                    job.matches() ? Optional.of(JobId.parse(job.group(1))) : Optional.empty());
        }

        /** The account on the other side of the socket, by the kernel's word. */
        private static String who(Request request) {
            Object channel = request.getConnectionMetaData()
                    .getConnection()
                    .getEndPoint()
                    .getTransport();
            try {
                return channel instanceof SocketChannel socket
                        ? "the account "
                                + socket.getOption(ExtendedSocketOptions.SO_PEERCRED)
                                        .user()
                                        .getName()
                        : SOMEBODY;
            } catch (IOException | UnsupportedOperationException e) {
                LOG.debug("The kernel does not say who is at the admin socket", e);
                return SOMEBODY;
            }
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            String path = Request.getPathInContext(request);
            int status = 200;
            Object answer;
            try {
                Fields parameters = Request.extractQueryParameters(request);
                String body = body(request);
                record(request, path, "");
                answer = requests.answer(request.getMethod(), path, parameters::getValue, body);
                if (!request.getMethod().equals("GET")) {
                    LOG.info(
                            "Administrator: {} {}",
                            request.getMethod(),
                            request.getHttpURI().getPathQuery());
                }
            } catch (AdminFault e) {
                status = e.status();
                answer = error(e.code(), String.valueOf(e.getMessage()), e.remedy());
                record(request, path, ": refused, " + e.code());
            } catch (FaultException e) {
                AdminFault fault = AdminFault.of(e.fault());
                status = fault.status();
                answer = error(fault.code(), String.valueOf(fault.getMessage()), fault.remedy());
                record(request, path, ": refused, " + fault.code());
            } catch (RuntimeException e) {
                LOG.error("The administrator's request {} {} failed", request.getMethod(), path, e);
                status = 500;
                answer = error("INTERNAL", "The request failed: " + Reason.of(e) + ".", "The log has the details.");
            }
            response.setStatus(status);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
            Content.Sink.write(response, true, json.writeValueAsString(shown(answer)) + "\n", callback);
            return true;
        }

        private static String body(Request request) {
            if (request.getLength() > MAX_BODY) {
                throw AdminFault.badRequest(
                        "The body has " + request.getLength() + " bytes; at most " + MAX_BODY + " are taken.",
                        "Send less.");
            }
            try (InputStream in = Request.asInputStream(request)) {
                return new String(in.readNBytes(MAX_BODY), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw AdminFault.badRequest("The body broke off: " + Reason.of(e) + ".", "Send it again.");
            }
        }

        private static Map<String, Object> error(String code, String sentence, String remedy) {
            return Map.of("error", Map.of("code", code, "sentence", sentence, "remedy", remedy));
        }

        private static Object shown(Object answer) {
            return answer instanceof ServiceControl.Status status ? view(status) : answer;
        }
    }
}
