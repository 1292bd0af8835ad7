// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jobgate.transfer.Daemon;
import org.jobgate.transfer.Heard;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plain http with nginx. */
class HttpProtocolIT {

    private static final Path NGINX = Path.of("/usr/sbin/nginx");
    private static final int SIZE = 3_000_001;

    @TempDir
    static Path folder;

    private static Daemon server;
    private static int port;
    private static HttpsProtocol protocol;
    private static byte[] content;

    private final Heard heard = new Heard();

    @BeforeAll
    static void prepare() throws Exception {
        Daemon.need(NGINX, "install it with: apt-get install nginx-light");
        port = Daemon.freePort();
        content = Heard.content(SIZE);
        Path files = Files.createDirectory(folder.resolve("files"));
        Files.write(files.resolve("file"), content);
        Path config = Files.writeString(folder.resolve("nginx.conf"), """
                user root;
                daemon off;
                pid %1$s/pid;
                error_log %1$s/error.log;
                events {}
                http {
                    access_log off;
                    client_body_temp_path %1$s/body;
                    proxy_temp_path %1$s/proxy;
                    fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi;
                    scgi_temp_path %1$s/scgi;
                    client_max_body_size 0;
                    server {
                        listen 127.0.0.1:%2$d;
                        root %1$s/files;
                        location / { dav_methods PUT DELETE MKCOL; create_full_put_path on; }
                        location /moved { return 302 /file; }
                        location /away { return 302 http://127.0.0.2:%2$d/file; }
                    }
                }
                """.formatted(folder, port));
        server = Daemon.start(
                List.of(NGINX.toString(), "-c", config.toString()), Map.of(), port, folder.resolve("nginx.log"));
        SSLContext tls = SSLContext.getDefault();
        protocol = HttpsProtocol.plain(
                credential -> tls,
                Heard.TIMEOUT,
                new UrlPolicy(true),
                PackingSettings.DEFAULTS,
                PlainHosts.parse(List.of("127.0.0.1:" + port)));
    }

    @AfterAll
    static void tidy() {
        if (protocol != null) {
            protocol.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private static URI url(String name) {
        return URI.create("http://127.0.0.1:" + port + "/" + name);
    }

    @Test
    void aFileIsFetchedAndGoesOnWhereItStopped() throws Exception {
        String version;
        try (Source source = protocol.open(url("moved"), 0, "", heard.context("r1"))) {
            assertThat(source.bytes().readAllBytes()).isEqualTo(content);
            version = source.version();
        }
        assertThat(version).isNotEmpty();
        try (Source source = protocol.open(url("file"), 1_000_000, version, heard.context("r1"))) {
            assertThat(source.start()).isEqualTo(1_000_000);
            assertThat(source.bytes().readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 1_000_000, SIZE));
        }
    }

    @Test
    void aFileIsSentAndDeleted() throws Exception {
        protocol.store(Heard.source(content, 0), url("new/sent"), heard.context("w1"));
        assertThat(folder.resolve("files/new/sent")).hasBinaryContent(content);
        assertThat(protocol.delete(url("new/sent"), heard.context("w1"))).isTrue();
        assertThat(protocol.delete(url("new/sent"), heard.context("w1"))).isFalse();
    }

    @Test
    void aRedirectToAHostThatIsNotListedIsNotFollowed() {
        assertThatThrownBy(() -> protocol.open(url("away"), 0, "", heard.context("r2")))
                .hasMessageContaining("127.0.0.2")
                .hasMessageContaining("staging.httpHosts");
    }
}
