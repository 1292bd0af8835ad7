// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An attacker who owns the name server answers one address to the check and another one to the connection. */
class HeldNamesTest {

    private static final String NAME = "rebound.test";

    private final Deque<String> answers = new ArrayDeque<>();
    private HeldNames names = new HeldNames(host -> names().lookUp(host, this::real));

    private HeldNames names() {
        return names;
    }

    private List<InetAddress> real(String host) throws UnknownHostException {
        String answer = answers.size() > 1 ? answers.remove() : answers.element();
        if (answer.isEmpty()) {
            throw new UnknownHostException(host);
        }
        return List.of(InetAddress.getByName(answer));
    }

    private String looked() throws UnknownHostException {
        return names.lookUp(NAME, this::real).getFirst().getHostAddress();
    }

    @Test
    void aNameKeepsWhatWasCheckedWhileItIsHeld() throws Exception {
        answers.addAll(List.of("192.0.2.1", "127.0.0.1"));
        HeldNames.Held first = names.hold(NAME);
        assertThat(first.addresses()).containsExactly(InetAddress.getByName("192.0.2.1"));
        HeldNames.Held second = names.hold(NAME);
        assertThat(second.addresses()).isEqualTo(first.addresses());
        first.close();
        assertThat(looked()).isEqualTo("192.0.2.1");
        second.close();
        assertThat(looked()).isEqualTo("127.0.0.1");
    }

    @Test
    void whatJavasCacheHasFromBeforeIsWhatIsHeld() throws Exception {
        answers.addAll(List.of("127.0.0.1"));
        names = new HeldNames(host -> List.of(InetAddress.getByName("192.0.2.1")));
        HeldNames.Held held = names.hold(NAME);
        assertThat(held.addresses()).containsExactly(InetAddress.getByName("192.0.2.1"));
        assertThat(looked()).isEqualTo("192.0.2.1");
        held.close();
    }

    @Test
    void aNameThatIsNotKnownIsNotHeld() throws Exception {
        answers.addAll(List.of("", "192.0.2.1"));
        assertThatThrownBy(() -> names.hold(NAME)).isInstanceOf(UnknownHostException.class);
        assertThat(looked()).isEqualTo("192.0.2.1");
    }

    /** In a Java of its own, whose names change their addresses between the check and the connection. */
    @Test
    void javasOwnClientConnectsToWhatWasChecked(@TempDir Path folder) throws Exception {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(InetAddressResolverProvider.class.getName()), Rebinding.class.getName());
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dsun.net.inetaddr.ttl=0",
                        "-cp",
                        folder + File.pathSeparator + System.getProperty("java.class.path"),
                        Child.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(said.lines()).contains("held: the checked one", "not held: the other one");
    }

    /** The provider of the program, with a name's server below it that is hostile. */
    public static final class Rebinding extends InetAddressResolverProvider {

        private static volatile String address = "127.0.0.2";

        public Rebinding() {}

        @Override
        public InetAddressResolver get(Configuration real) {
            InetAddressResolver hostile = new InetAddressResolver() {
                @Override
                public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                    return host.equals(NAME)
                            ? Stream.of(InetAddress.getByAddress(
                                    NAME, InetAddress.getByName(address).getAddress()))
                            : real.builtinResolver().lookupByName(host, policy);
                }

                @Override
                public String lookupByAddress(byte[] bytes) throws UnknownHostException {
                    return real.builtinResolver().lookupByAddress(bytes);
                }
            };
            return HeldNamesProvider.above(hostile);
        }

        @Override
        public String name() {
            return "hostile";
        }
    }

    /** What runs there. */
    static final class Child {

        private Child() {}

        public static void main(String[] arguments) throws Exception {
            HttpServer checked = server("127.0.0.2", 0, "the checked one");
            int port = checked.getAddress().getPort();
            HttpServer other = server("127.0.0.1", port, "the other one");
            URI url = URI.create("http://" + NAME + ":" + port + "/");
            Destinations.Held held = Destinations.ofSite(new OwnPorts()).hold(url);
            try (held) {
                Rebinding.address = "127.0.0.1";
                System.out.println("held: " + ask(url));
            }
            System.out.println("not held: " + ask(url));
            checked.stop(0);
            other.stop(0);
        }

        private static HttpServer server(String address, int port, String answer) throws IOException {
            HttpServer server = HttpServer.create(new InetSocketAddress(address, port), 0);
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
            return server;
        }

        private static String ask(URI url) throws IOException, InterruptedException {
            try (HttpClient client = HttpClient.newHttpClient()) {
                return client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString())
                        .body();
            }
        }
    }
}
