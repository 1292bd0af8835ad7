// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.util.ListIterator;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Writes the names of some headers in small letters, for the mounts that say so. The case of such names means nothing (RFC 9110 section
 * 5.1), but there are clients that know only one.
 */
final class SmallLetterHeaders extends Handler.Wrapper {

    SmallLetterHeaders(Handler next) {
        super(requireNonNull(next, "next is null"));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Mounts.Place place = Mounts.of(request).at(request.getHttpURI().getCanonicalPath());
        Set<String> names = place == null ? Set.of() : place.mount().smallLetters();
        if (!names.isEmpty()) {
            request.addHttpStreamWrapper(stream -> new SmallLetters(stream, names));
        }
        return super.handle(request, response, callback);
    }

    private static final class SmallLetters extends HttpStream.Wrapper {

        private final Set<String> names;

        SmallLetters(HttpStream stream, Set<String> names) {
            super(stream);
            this.names = names;
        }

        @Override
        public void prepareResponse(HttpFields.Mutable headers) {
            ListIterator<HttpField> fields = headers.listIterator();
            while (fields.hasNext()) {
                HttpField field = fields.next();
                String name = field.getName().toLowerCase(Locale.ROOT);
                if (names.contains(name)) {
                    // a field of a known header is written as the server knows it, whatever its name
                    fields.set(new HttpField((HttpHeader) null, name, field.getValue()));
                }
            }
            super.prepareResponse(headers);
        }
    }
}
