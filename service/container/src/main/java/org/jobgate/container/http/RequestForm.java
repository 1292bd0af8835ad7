// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jobgate.job.ShortText;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests whose head asks for a part of HTTP that is not supported here: methods that are for proxies and for tests of them, bodies
 * that are packed, character sets that do not exist, and what a page of another site has a browser send. The servers and libraries behind would leave such things unheeded, and read
 * something else than was sent, or fail.
 */
final class RequestForm extends Handler.Wrapper {

    /** Times the limit of a body that is read and dropped of a refused one, so that its client sees the refusal. */
    private static final int DRAINED = 8;

    private static final Pattern PARAMETERS = Pattern.compile("[;,]");
    private static final String CODED = "CONTENT_ENCODING";

    /** So many characters of a client's word are shown in a refusal. */
    private static final int TOLD = 64;

    /** So many different values of Content-Type are remembered; few are in use. */
    private static final int MOST_GOOD = 64;

    private final long maxBodyBytes;

    /** Values of Content-Type that were looked at before and found good: nearly all requests have one of a few. */
    private final Map<String, Boolean> good = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;

    RequestForm(long maxBodyBytes, LongSupplier nanoTime, Handler next) {
        super(requireNonNull(next, "next is null"));
        this.maxBodyBytes = maxBodyBytes;
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Refusal refusal = refusal(request);
        if (refusal == null) {
            return super.handle(request, response, callback);
        }
        if (refusal.status() == 405) {
            response.getHeaders().put(HttpHeader.ALLOW, allowed(request));
        }
        if (refusal.code().equals(CODED)) {
            response.getHeaders().put(HttpHeader.ACCEPT_ENCODING, "identity");
        }
        Drain drain = new Drain(request, DRAINED * maxBodyBytes, nanoTime);
        refusal.answer(request, response, drain.before(callback));
        return true;
    }

    private @Nullable Refusal refusal(Request request) {
        String method = request.getMethod();
        if (method.equals("TRACE") || method.equals("CONNECT")) {
            return new Refusal(
                    405,
                    "METHOD_NOT_ALLOWED",
                    "The method " + method + " is not served here.",
                    "Use one of those that the header Allow names.",
                    null);
        }
        Refusal other = OtherSites.refusal(request);
        if (other != null) {
            return other;
        }
        Refusal packed = packed(request);
        return packed != null ? packed : contentType(request.getHeaders().getValuesList(HttpHeader.CONTENT_TYPE));
    }

    /** Codings that would be read as if they were the content. */
    private static @Nullable Refusal packed(Request request) {
        String transfer = other(request, HttpHeader.TRANSFER_ENCODING, "chunked");
        if (transfer != null) {
            return new Refusal(
                    501,
                    "TRANSFER_ENCODING",
                    "The request's body comes in the transfer coding " + told(transfer) + ", which is not served here.",
                    "Send it with a Content-Length, or chunked alone.",
                    null);
        }
        String content = other(request, HttpHeader.CONTENT_ENCODING, "identity");
        if (content != null) {
            return new Refusal(
                    415,
                    CODED,
                    "The request's body comes in the content coding " + told(content) + ", which is not served here.",
                    "Send it as it is, without Content-Encoding.",
                    null);
        }
        return null;
    }

    private static @Nullable String other(Request request, HttpHeader header, String served) {
        if (!request.getHeaders().contains(header)) {
            return null;
        }
        return request.getHeaders().getCSV(header, false).stream()
                .filter(coding -> !coding.isBlank() && !coding.strip().equalsIgnoreCase(served))
                .findFirst()
                .orElse(null);
    }

    private @Nullable Refusal contentType(List<String> types) {
        if (types.size() > 1) {
            return new Refusal(
                    400,
                    "BAD_REQUEST",
                    "The request has " + types.size() + " headers Content-Type.",
                    "Send one.",
                    null);
        }
        if (types.isEmpty() || good.containsKey(types.getFirst())) {
            return null;
        }
        Refusal refusal = unknownCharset(types.getFirst());
        if (refusal == null && good.size() < MOST_GOOD) {
            good.put(types.getFirst(), true);
        }
        return refusal;
    }

    private static @Nullable Refusal unknownCharset(String type) {
        return charsets(type)
                .filter(charset -> !exists(charset))
                .findFirst()
                .map(charset -> new Refusal(
                        415,
                        "CHARSET",
                        "The character set " + told(charset) + " of the header Content-Type is not known here.",
                        "Send UTF-8, and say charset=utf-8.",
                        null))
                .orElse(null);
    }

    /** Each that somebody behind could find there: they do not all read the header alike, so what they disagree on is refused too. */
    private static Stream<String> charsets(String type) {
        return PARAMETERS
                .splitAsStream(type)
                .map(parameter -> parameter.split("=", 2))
                .filter(parameter -> parameter.length == 2
                        && parameter[0].strip().toLowerCase(Locale.ROOT).equals("charset"))
                .map(parameter -> unquoted(parameter[1].strip()));
    }

    private static String unquoted(String value) {
        boolean isQuoted = value.length() > 1
                && (value.charAt(0) == '"' || value.charAt(0) == '\'')
                && value.charAt(0) == value.charAt(value.length() - 1);
        return isQuoted ? value.substring(1, value.length() - 1) : value;
    }

    private static boolean exists(String charset) {
        try {
            return Charset.isSupported(charset);
        } catch (IllegalCharsetNameException e) {
            return false; // no character set can have such a name
        }
    }

    /** What a client wrote, so that it can stand in a sentence. */
    static String told(String word) {
        String plain = word.strip().replaceAll("[^\\x20-\\x7E]", "?");
        return "'" + ShortText.of(plain, TOLD) + "'";
    }

    private static String allowed(Request request) {
        Mounts mounts = Mounts.of(request);
        String path = Request.getPathInContext(request);
        Mounts.Place place = mounts.at(path);
        if (place != null) {
            return String.join(", ", place.mount().methods());
        }
        return mounts.isOfSoap(path) ? "GET, POST" : "GET";
    }
}
