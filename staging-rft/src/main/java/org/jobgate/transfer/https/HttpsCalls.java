// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jobgate.address.Destinations;
import org.jobgate.files.UrlText;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.TransferPassword;
import org.jobgate.transfer.protocol.TransferProxy;
import org.jobgate.transfer.protocol.TransferToken;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Requests and their answers, over redirects: the front of a storage system names the machine that has the file. Each host on the way is
 * checked like the first. A token or password goes to the server that the job names and to no other.
 *
 * <p>A body can be sent once. It is offered first ({@code Expect: 100-continue}, RFC 9110 section 10.1.1), so that a server points elsewhere
 * before it has it; one that does not answer the offer gets it all the same.
 */
final class HttpsCalls implements AutoCloseable {

    private static final int MAX_REDIRECTS = 5;
    private static final Set<Integer> ELSEWHERE = Set.of(301, 302, 307, 308);
    private static final int SEE_OTHER = 303;
    private static final int MAX_SILENT = 256;
    private static final String AUTHORIZATION = "Authorization";

    private final HttpsClients clients;
    private final UrlPolicy policy;
    private final PlainHosts plain;
    private final Duration patience;

    /** Servers that have left an offer without an answer. */
    private final Set<String> silent = Collections.newSetFromMap(Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_SILENT;
        }
    }));

    /**
     * @param plain hosts that may be asked, and pointed to, without encryption
     * @param patience how long a server may take to answer an offer
     */
    HttpsCalls(HttpsClients clients, UrlPolicy policy, PlainHosts plain, Duration patience) {
        this.plain = requireNonNull(plain, "plain is null");
        this.clients = requireNonNull(clients, "clients is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.patience = requireNonNull(patience, "patience is null");
    }

    /** The answer of the server that did not point elsewhere. */
    HttpResponse<InputStream> send(HttpRequest first, TransferContext context)
            throws TransferException, InterruptedException {
        HttpRequest request = authorized(first, context);
        for (int i = 0; i < MAX_REDIRECTS; i++) {
            HttpResponse<InputStream> response = sendOnce(request, context);
            if (!isElsewhere(request, response)) {
                return response;
            }
            HttpsAnswers.discard(response);
            request = followed(request, target(request, response), first.uri());
        }
        throw new TransferException(
                Kind.PERMANENT,
                "the server " + first.uri().getRawAuthority() + " points elsewhere more than " + MAX_REDIRECTS
                        + " times, at last from " + shown(request.uri()),
                "Ask the server's administrator.");
    }

    /** An unencrypted request carries no credential: anybody on the way could use it. */
    private static HttpRequest authorized(HttpRequest request, TransferContext context) throws TransferException {
        String authorization = isEncrypted(request.uri()) ? authorization(context.credential()) : null;
        return authorization == null
                ? request
                : HttpRequest.newBuilder(request, (name, value) -> true)
                        .setHeader(AUTHORIZATION, authorization)
                        .build();
    }

    private static @Nullable String authorization(@Nullable TransferCredential credential) throws TransferException {
        return switch (credential) {
            case TransferToken token -> "Bearer " + token.token();
            case TransferPassword password -> basic(password);
            case TransferProxy proxy -> null;
            case null -> null;
        };
    }

    /** RFC 7617, in UTF-8 as its section 2.1 has it. */
    private static String basic(TransferPassword password) throws TransferException {
        if (password.userName().indexOf(':') >= 0) {
            throw new TransferException(
                    Kind.PERMANENT,
                    "the name of the user for the file has a colon, and no server can be told such a name by https",
                    "Use another name.");
        }
        byte[] both = (password.userName() + ":" + password.password()).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }

    private static boolean isEncrypted(URI url) {
        return "https".equalsIgnoreCase(url.getScheme());
    }

    private static boolean isElsewhere(HttpRequest request, HttpResponse<?> response) {
        return ELSEWHERE.contains(response.statusCode())
                || (response.statusCode() == SEE_OTHER && request.method().equals("GET"));
    }

    private URI target(HttpRequest request, HttpResponse<?> response) throws TransferException {
        String location = response.headers().firstValue("Location").orElse("");
        URI target;
        try {
            target = request.uri().resolve(UrlText.ofHeader(location));
        } catch (IllegalArgumentException e) {
            throw pointsWrong(request, "to what is no URL", e);
        }
        if (location.isEmpty()) {
            throw pointsWrong(request, "nowhere", null);
        }
        boolean mayBe = isEncrypted(target)
                || (!isEncrypted(request.uri())
                        && "http".equalsIgnoreCase(target.getScheme())
                        && plain.contain(target));
        if (!mayBe || target.getHost() == null || target.getRawUserInfo() != null) {
            throw pointsWrong(
                    request,
                    "to " + shown(target) + ", which is no https URL of a host"
                            + (plain.isEmpty() ? "" : ", nor one of staging.httpHosts"),
                    null);
        }
        policy.check(target);
        return target;
    }

    private static TransferException pointsWrong(HttpRequest request, String where, @Nullable Exception cause) {
        String sentence = "the server " + request.uri().getRawAuthority() + " points " + where;
        String remedy = "Ask the server's administrator.";
        return cause == null
                ? new TransferException(Kind.PERMANENT, sentence, remedy)
                : new TransferException(Kind.PERMANENT, sentence, remedy, cause);
    }

    /** Without the query: storage systems put what permits the access there. */
    private static String shown(URI url) {
        String text = url.toString();
        int query = text.indexOf('?');
        return query < 0 ? text : text.substring(0, query);
    }

    private static HttpRequest followed(HttpRequest request, URI target, URI first) throws TransferException {
        if (request.bodyPublisher().orElse(null) instanceof OfferedBody body && body.isTaken()) {
            throw new TransferException(
                    Kind.PERMANENT,
                    "the server " + request.uri().getRawAuthority() + " took the file, and then pointed to "
                            + shown(target),
                    "Name that server in the job, or ask the administrator of the first to point there at once.");
        }
        boolean isFirst = target.getRawAuthority().equalsIgnoreCase(first.getRawAuthority());
        return HttpRequest.newBuilder(request, (name, value) -> isFirst || !name.equalsIgnoreCase(AUTHORIZATION))
                .uri(target)
                .build();
    }

    private HttpResponse<InputStream> sendOnce(HttpRequest request, TransferContext context)
            throws TransferException, InterruptedException {
        // a proxy of the owner is for the server that the job names, by https
        HttpClient client = clients.of(plain.isEmpty() ? ofConnections(context.credential()) : null);
        // the client looks the name up by itself, and again where a request is repeated
        Destinations.Held held = policy.hold(request.uri());
        try (held) {
            if (request.bodyPublisher().orElse(null) instanceof OfferedBody body
                    && !silent.contains(request.uri().getRawAuthority())) {
                return offer(client, request, body);
            }
            return client.send(request, BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw HttpsAnswers.broken(request, e);
        }
    }

    /** A password goes with each request, and connections without a client's certificate are anybody's. */
    private static @Nullable TransferCredential ofConnections(@Nullable TransferCredential credential) {
        return credential instanceof TransferPassword ? null : credential;
    }

    private HttpResponse<InputStream> offer(HttpClient client, HttpRequest request, OfferedBody body)
            throws IOException, InterruptedException {
        HttpRequest asking = HttpRequest.newBuilder(request, (name, value) -> true)
                .expectContinue(true)
                .build();
        CompletableFuture<HttpResponse<InputStream>> answer = client.sendAsync(asking, BodyHandlers.ofInputStream());
        try {
            return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (body.isTaken()) {
                return whole(answer);
            }
        } catch (ExecutionException e) {
            throw broken(e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        }
        answer.cancel(true);
        silent.add(request.uri().getRawAuthority());
        return client.send(request, BodyHandlers.ofInputStream());
    }

    private static HttpResponse<InputStream> whole(CompletableFuture<HttpResponse<InputStream>> answer)
            throws IOException, InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw broken(e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        }
    }

    private static IOException broken(ExecutionException e) {
        return e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    }

    /** Uses no connection again that was opened with these credentials. */
    void forget(String credential) {
        clients.forget(credential);
    }

    @Override
    public void close() {
        clients.close();
    }
}
