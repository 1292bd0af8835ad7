// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jobgate.access.Access;
import org.jobgate.authz.Decision;
import org.jobgate.door.DoorContexts;
import org.jobgate.door.RestOfBodies;
import org.jobgate.identity.Identity;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A door to the files of jobs, whose jobs and accounts are the tests' own, and a client of it. */
abstract class FileDoorRoom {

    static final String ALICE = "/O=Grid/CN=Alice";
    static final String BOB = "/O=Grid/CN=Bob";

    final TrialJobs jobs = new TrialJobs();
    final TrialFiles files = new TrialFiles();
    final AtomicReference<Decision> decision = new AtomicReference<>(new Decision.Permit(List.of("other", "alice")));
    JobFilesServlet servlet;
    JobStore store;
    final HttpClient client = HttpClient.newHttpClient();
    final Server server = new Server(0);
    JobId job = jobs.add(
            ALICE,
            JobDescription.builder("/bin/true")
                    .directory("/work")
                    .stdout("/out")
                    .stderr("err")
                    .build());

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        store = TestStores.sqlite(folder);
        servlet = new JobFilesServlet(
                DoorContexts.at("http://127.0.0.1")
                        .access(new Access(identity -> Objects.requireNonNull(decision.get())))
                        .jobs(jobs)
                        .store(store)
                        .files(files)
                        .make(),
                new FileDoorSettings(
                        new Limit("files.maxReaders", 4),
                        new Limit("files.maxReadersPerOwner", 3),
                        Duration.ofMinutes(2),
                        new FileDoorSettings.Uploads(
                                new Limit("files.maxFileSize", 100L << 20),
                                new Limit("files.maxUploadBytesPerJob", 150L << 20),
                                new Limit("files.maxUploadsPerJob", 3))),
                System::nanoTime);
        ServletContextHandler context = new ServletContextHandler("/");
        Filter identity = (request, response, chain) -> {
            String subject = ((jakarta.servlet.http.HttpServletRequest) request).getHeader("Subject");
            if (subject != null) {
                request.setAttribute(Identity.REQUEST_ATTRIBUTE, new Identity(subject, "test", false));
            }
            chain.doFilter(request, response);
        };
        context.addFilter(new FilterHolder(identity), "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new ServletHolder(servlet), "/jobs/*");
        // as the container has it
        context.getServletHandler().setDecodeAmbiguousURIs(true);
        ((ServerConnector) server.getConnectors()[0])
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setUriCompliance(UriCompliance.DEFAULT.with(
                        "NAMES",
                        UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                        UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS,
                        UriCompliance.Violation.BAD_UTF8_ENCODING,
                        UriCompliance.Violation.TRUNCATED_UTF8_ENCODING));
        server.setHandler(new RestOfBodies(context));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        client.close();
        store.close();
    }

    HttpRequest.Builder request(String path, String... headers) {
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofMinutes(3));
        return headers.length == 0 ? builder : builder.headers(headers);
    }

    HttpResponse<byte[]> get(String path, String... headers) throws IOException, InterruptedException {
        return client.send(
                request("/jobs/" + job + path, headers).header("Subject", ALICE).build(), BodyHandlers.ofByteArray());
    }

    static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    HttpResponse<String> put(String path, byte[] body, String... headers) throws Exception {
        return client.send(
                request("/jobs/" + job + "/files/" + path, headers)
                        .header("Subject", ALICE)
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
    }
}
