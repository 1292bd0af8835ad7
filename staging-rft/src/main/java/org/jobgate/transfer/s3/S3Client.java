// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.s3;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jobgate.address.Destinations;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.UrlPolicy;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * Sends requests to the store, each signed with AWS Signature Version 4 by Amazon's own library. The body is not signed
 * ({@code UNSIGNED-PAYLOAD}): TLS guards it, and it is read once. Redirects are not followed.
 */
final class S3Client implements AutoCloseable {

    /** A request that has not been signed. */
    record Call(
            String method, S3Place place, Map<String, String> query, Map<String, String> headers, BodyPublisher body) {
        Call {
            query = new TreeMap<>(query);
            headers = new TreeMap<>(headers);
        }

        /** For people. */
        String what() {
            return method + " " + place;
        }
    }

    // what the HTTP client itself says
    private static final Set<String> OWN_HEADERS = Set.of("host", "content-length");

    private final S3Settings settings;
    private final UrlPolicy policy;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http;
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

    S3Client(S3Settings settings, SSLContext tls, Duration connectTimeout, UrlPolicy policy) {
        this.settings = requireNonNull(settings, "settings is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connectTimeout)
                .sslContext(tls)
                .executor(executor)
                .build();
    }

    /** @param answer how long it may take from now on; absent where the engine sees to it that something moves */
    HttpResponse<InputStream> send(Call call, S3Keys keys, java.util.Optional<Duration> answer)
            throws TransferException, InterruptedException {
        String path = settings.basePath() + call.place().encodedPath();
        String query = call.query().entrySet().stream()
                .map(each -> S3Place.encode(each.getKey(), "") + "=" + S3Place.encode(each.getValue(), ""))
                .collect(Collectors.joining("&"));
        URI url = URI.create(settings.endpoint().getScheme() + "://"
                + settings.endpoint().getRawAuthority() + path + (query.isEmpty() ? "" : "?" + query));
        HttpRequest.Builder request = HttpRequest.newBuilder(url).header("User-Agent", "jobgate");
        sign(call, path, keys).request().headers().forEach((name, values) -> {
            if (!OWN_HEADERS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        answer.ifPresent(request::timeout);
        Destinations.Held held = policy.hold(url);
        try (held) {
            return http.send(request.method(call.method(), call.body()).build(), BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw S3Answers.broken(e, call.what());
        }
    }

    /** As if it were always https: to others the library signs bodies, which would have to be read twice. */
    private SignedRequest sign(Call call, String path, S3Keys keys) {
        SdkHttpRequest.Builder request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.fromValue(call.method()))
                .protocol("https")
                .host(settings.endpoint().getHost())
                .port(
                        settings.endpoint().getPort() < 0
                                ? 443
                                : settings.endpoint().getPort())
                .encodedPath(path);
        call.query().forEach(request::putRawQueryParameter);
        call.headers().forEach(request::putHeader);
        String token = keys.token();
        AwsCredentialsIdentity identity = token == null
                ? AwsCredentialsIdentity.create(keys.id(), keys.secret())
                : AwsSessionCredentialsIdentity.create(keys.id(), keys.secret(), token);
        return signer.sign(unsigned -> unsigned.identity(identity)
                .request(request.build())
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, settings.region())
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false));
    }

    @Override
    public void close() {
        http.shutdownNow();
        executor.shutdownNow();
    }
}
