// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.ConfigurationFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connector as a client meets it: over TLS, with real certificates. */
class HttpServiceTest extends HttpServiceRoom {

    private static HttpResponse<String> post(HttpService service, HttpRequest.BodyPublisher body)
            throws IOException, InterruptedException {
        try (HttpClient client = client(ALICE)) {
            return client.send(soap(service, "/wsrf/services/WhoAmI", body).build(), BodyHandlers.ofString());
        }
    }

    @Test
    void aDocumentTypeAndAnEntityBombAreRefused() throws Exception {
        HttpService service = start("");
        String bomb = "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">"
                + "<!ENTITY x SYSTEM \"file:///etc/passwd\">]>" + envelope("<ask>&b;&x;</ask>");
        HttpResponse<String> answer = post(service, BodyPublishers.ofString(bomb));
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("Fault").doesNotContain("root:", "at org.");
    }

    @Test
    void requestsOverTheLimitAreToldTheLimitAndTheCount() throws Exception {
        HttpService service = start("maxConcurrentRequests: 1");
        try (HttpClient client = client(ALICE)) {
            HttpRequest slow = soap(service, "/wsrf/services/Slow", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            CompletableFuture<HttpResponse<String>> first = client.sendAsync(slow, BodyHandlers.ofString());
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> metrics.scrape().contains("jobgate_http_active 1.0"));
            HttpResponse<String> second = ask(service, ALICE);
            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.headers().firstValue("Retry-After")).contains("2");
            assertThat(second.body())
                    .contains("There are 2 requests at once; the limit is limits.maxConcurrentRequests = 1.");
            mayAnswer.countDown();
            assertThat(first.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
        }
        // a request is over a moment after its client has the answer
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(
                        () -> assertThat(ask(service, ALICE).statusCode()).isEqualTo(200));
    }

    @Test
    void requestsThatOnlyWaitLetOthersOfTheSameOwnerWork() throws Exception {
        HttpService service = start("maxWorking: 1");
        try (HttpClient crowd = client(ALICE)) {
            HttpRequest slow = soap(service, "/wsrf/services/Slow", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                answers.add(crowd.sendAsync(slow, BodyHandlers.ofString()));
            }
            assertThat(ask(service, ALICE).statusCode()).isEqualTo(200);
            mayAnswer.countDown();
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                assertThat(answer.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void connectionsOverTheLimitAreToldTheLimitAndClosed() throws Exception {
        HttpService service = start("maxConnections: 1");
        try (HttpClient holder = client(ALICE)) {
            HttpRequest request = soap(service, "/wsrf/services/WhoAmI", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            assertThat(holder.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            HttpResponse<String> second = ask(service, ALICE);
            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.body()).contains("There are 2 open connections; the limit is limits.maxConnections = 1.");
            assertThat(second.headers().firstValue("Connection")).contains("close");
            assertThat(holder.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void healthSaysWhatIsWrong() throws Exception {
        HttpService service = start("");
        HttpResponse<String> answer = get(service, "/health");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"status\":\"well\"", "\"probeMs\":1");
        draining.set(true);
        assertThat(get(service, "/health").body()).contains("\"status\":\"draining\"");
        well.set(false);
        org.awaitility.Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            HttpResponse<String> unwell = get(service, "/health");
            assertThat(unwell.statusCode()).isEqualTo(503);
            assertThat(unwell.body()).contains("\"status\":\"unwell\"", "The disk is full.");
        });
    }

    /** The gateway can be made to fetch from itself, and then comes from this machine. */
    @ParameterizedTest
    @ValueSource(strings = {"/metrics", "/health"})
    void comingFromThisMachineIsNoReasonToBeToldHowTheServiceIs(String path) throws Exception {
        HttpService service = start("");
        assertThat(get(service, path, null).statusCode()).isEqualTo(403);
        assertThat(get(service, path, ALICE).statusCode()).isEqualTo(200);
    }

    @Test
    void monitoringThatIsOpenAnswersEverybody() throws Exception {
        HttpService service = start("} \nmonitoring: { access: open");
        assertThat(get(service, "/metrics", null).statusCode()).isEqualTo(200);
    }

    @Test
    void metricsCountRequestsByServiceAndStatus() throws Exception {
        HttpService service = start("");
        ask(service, ALICE);
        get(service, "/nowhere");
        assertThat(get(service, "/metrics").body())
                .containsPattern("jobgate_http_requests_seconds_count\\{door=\"WhoAmI\",status=\"200\"} 1")
                .containsPattern("jobgate_http_requests_seconds_count\\{door=\"other\",status=\"404\"} 1")
                .contains("jvm_memory_used_bytes", "process_resident_memory_bytes");
    }

    @Test
    void aRequestSearchesNoArchives() throws Exception {
        HttpService service = start("");
        ask(service, ALICE);
        searched.clear();
        ask(service, ALICE);
        assertThat(searched).isEmpty();
    }

    @Test
    void theServerDoesNotSayWhatItIs() throws Exception {
        HttpResponse<String> answer = get(start(""), "/nowhere");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.headers().firstValue("Server")).isEmpty();
        assertThat(answer.headers().firstValue("Jobgate-Request").orElseThrow()).hasSize(16);
        assertThat(answer.body()).doesNotContainIgnoringCase("jetty");
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        HttpService service = start("");
        String yaml = Files.readString(folder.resolve("gate.yaml")).replace("port: 0", "port: " + service.port());
        Path file = Files.writeString(folder.resolve("second.yaml"), yaml);
        assertThatThrownBy(() -> start(ConfigurationFile.read(file, Map.of())))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("server.port = " + service.port());
    }

    @Test
    void aStopLetsRunningRequestsFinish() throws Exception {
        HttpService service = start("");
        try (HttpClient client = client(ALICE)) {
            HttpRequest slow = soap(service, "/wsrf/services/Slow", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            CompletableFuture<HttpResponse<String>> running = client.sendAsync(slow, BodyHandlers.ofString());
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> metrics.scrape().contains("jobgate_http_active 1.0"));
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> service.stop(Duration.ofMinutes(1)));
            Thread.sleep(300);
            assertThat(stopped).isNotDone();
            mayAnswer.countDown();
            assertThat(running.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
            stopped.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void aRequestThatDoesNotEndIsWaitedForOnce() throws Exception {
        HttpService service = start("");
        try (HttpClient client = client(ALICE)) {
            HttpRequest stuck = soap(service, "/wsrf/services/Slow", BodyPublishers.ofString(envelope("<ask/>")))
                    .build();
            CompletableFuture<HttpResponse<String>> running = client.sendAsync(stuck, BodyHandlers.ofString());
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> metrics.scrape().contains("jobgate_http_active 1.0"));
            int port = service.port();
            assertThatThrownBy(() -> service.stop(Duration.ofSeconds(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("did not stop cleanly");
            long stopped = System.nanoTime();
            // it still runs: who waited for it again would wait so long
            service.stop(Duration.ofMinutes(5));
            service.close();
            assertThat(Duration.ofNanos(System.nanoTime() - stopped)).isLessThan(Duration.ofMinutes(2));
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                    .isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> running.get(1, TimeUnit.MINUTES)).isInstanceOf(ExecutionException.class);
        } finally {
            mayAnswer.countDown();
        }
    }
}
