// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is done with multi-jobs, by the project's own commands; and by curl what only GT 4.2 has. */
final class MultiJobCommands {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Pattern RESOURCE = Pattern.compile("Job resource: (\\S+)");
    private static final Pattern KEY = Pattern.compile("ResourceID[^>]*>([0-9a-f-]{36})<");
    private static final Pattern ADDRESS = Pattern.compile("Address[^>]*>([^<]+)<");
    private static final Pattern STATE = Pattern.compile(":state>([^<]+)<");
    private static final String GRAM42 = "http://www.globus.org/namespaces/2008/03/gram/job";

    private final Gateway gateway;

    MultiJobCommands(Gateway gateway) {
        this.gateway = requireNonNull(gateway, "gateway is null");
    }

    private Programs.Result command(String name, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin").resolve(name).toString()));
        command.addAll(List.of(arguments));
        return gateway.clients().run(command);
    }

    private String well(String name, String... arguments) throws IOException, InterruptedException {
        Programs.Result result = command(name, arguments);
        assertThat(result.status()).as(result.output()).isZero();
        return result.output();
    }

    private String description(String content) throws IOException {
        Path file = Files.createTempFile(gateway.directory(), "multi-", ".xml");
        Files.writeString(file, "<multiJob>" + content + "</multiJob>");
        return file.toString();
    }

    /** Submits a multi-job of this content, and follows it to its end. */
    Programs.Result run(String content) throws IOException, InterruptedException {
        return command(
                "globusrun-ws",
                "-submit",
                "-F",
                gateway.services() + "/ManagedJobFactoryService",
                "-f",
                description(content));
    }

    /** Runs globusrun-ws against the gateway's factory. */
    Programs.Result globusrun(String operation, String... more) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of(operation, "-F", gateway.services() + "/ManagedJobFactoryService"));
        words.addAll(List.of(more));
        return command("globusrun-ws", words.toArray(String[]::new));
    }

    /** Submits it only; answers its handle. */
    String submit(String content) throws IOException, InterruptedException {
        String said = well(
                "globusrun-ws",
                "-submit",
                "-b",
                "-F",
                gateway.services() + "/ManagedJobFactoryService",
                "-f",
                description(content));
        Matcher resource = RESOURCE.matcher(said);
        assertThat(resource.find()).as(said).isTrue();
        return gateway.services() + "/ManagedMultiJobService?" + resource.group(1);
    }

    /** Follows it to its end. */
    Programs.Result monitor(String handle) throws IOException, InterruptedException {
        return command("globusrun-ws", "-monitor", "-j", handle);
    }

    String status(String handle) throws IOException, InterruptedException {
        return command("globusrun-ws", "-status", "-j", handle).output();
    }

    void release(String handle) throws IOException, InterruptedException {
        well("globusrun-ws", "-release", "-j", handle);
    }

    /** Asks for its end, and does not wait for it. */
    void destroy(String handle) throws IOException, InterruptedException {
        well("wsrf-destroy", "-e", handle);
    }

    /** The handles of its sub-jobs, by rank. */
    List<String> subJobs(String handle) throws IOException, InterruptedException {
        String said = await(
                () -> command("wsrf-get-property", "-e", handle, "multi:subJobEndpoint")
                        .output(),
                text -> text.contains("ResourceID"));
        List<String> handles = new ArrayList<>();
        Matcher address = ADDRESS.matcher(said);
        Matcher key = KEY.matcher(said);
        while (address.find() && key.find()) {
            handles.add(address.group(1) + "?" + key.group(1));
        }
        return handles;
    }

    void awaitState(String handle, String state) {
        await(() -> status(handle), text -> text.contains("Current job state: " + state));
    }

    void awaitGone(String handle) {
        await(() -> status(handle), text -> text.contains("There is no job"));
    }

    void awaitLines(Path file, int number) {
        await(() -> Files.exists(file) ? Files.readAllLines(file) : List.<String>of(), lines -> lines.size() >= number);
    }

    /** A process may be there a moment longer than its job is not over: it is killed, and then taken off the system's list by its parent. */
    void awaitEnds(List<String> processes) {
        await(
                () -> processes.stream()
                        .filter(process -> Files.exists(Path.of("/proc", process)))
                        .toList(),
                List::isEmpty);
    }

    /** GT 4.2's terminate, with its subscriptions left alone. */
    String terminate(String handle, boolean destroys) {
        return post42(
                handle,
                "<t:terminate xmlns:t=\"" + GRAM42 + "/terminate\"><t:destroyAfterCleanup>" + destroys
                        + "</t:destroyAfterCleanup><t:continueNotifying>true</t:continueNotifying>"
                        + "<t:destroyDelegatedCredentials>false</t:destroyDelegatedCredentials></t:terminate>");
    }

    String state42(String handle) {
        Matcher state = STATE.matcher(post42(
                handle,
                "<p:GetResourceProperty xmlns:p=\"http://docs.oasis-open.org/wsrf/rp-2\" xmlns:types=\"" + GRAM42
                        + "/types\">types:state</p:GetResourceProperty>"));
        return state.find() ? state.group(1) : "none";
    }

    void awaitState42(String handle, String state) {
        await(() -> state42(handle), state::equals);
    }

    private String post42(String handle, String body) {
        int end = handle.indexOf('?');
        String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header><j:ResourceID"
                + " xmlns:j=\"" + GRAM42 + "\">" + handle.substring(end + 1) + "</j:ResourceID></e:Header><e:Body>"
                + body
                + "</e:Body></e:Envelope>";
        try {
            return gateway.clients()
                    .runWell(List.of(
                            "curl",
                            "--silent",
                            "--show-error",
                            "--capath",
                            gateway.trustDirectory().toString(),
                            "--cert",
                            gateway.proxy().toString(),
                            "--header",
                            "Content-Type: text/xml",
                            "--header",
                            "SOAPAction: \"\"",
                            "--data",
                            envelope,
                            handle.substring(0, end)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Looks again until it is as it should be; fails with what it was last when some minutes are over. */
    private static <T> T await(Callable<T> look, Predicate<T> condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (true) {
                T seen = look.call();
                if (condition.test(seen)) {
                    return seen;
                }
                assertThat(System.nanoTime()).as("after %s: %s", PATIENCE, seen).isLessThan(end);
                Thread.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
