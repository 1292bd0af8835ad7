// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.cream.CreamException;
import org.jobgate.cli.cream.JdlText;
import org.jobgate.cli.cream.LocalJdl;
import org.jobgate.cli.proxy.UserProxy;
import org.jobgate.cli.tls.CredentialException;
import org.jspecify.annotations.Nullable;

/** Makes a request for the queue of a JDL. What is wrong with it is said here, before it is in the queue. */
final class Intake {

    private static final int RETRIES_MAX = 100;
    private static final int PLACES_MAX = 100;

    private Intake() {}

    /**
     * Makes the request.
     *
     * @param places as given; where there are none, those of the JDL's attribute {@code ce_id}
     * @param proxy null for the one of the JDL's attribute {@code X509UserProxy}
     * @param myProxy {@code [USER@]HOST[:PORT]}; null for none
     * @throws CreamException what is wrong with the JDL or a place
     * @throws CredentialException the proxy cannot be used
     */
    static JobRequest request(
            String id, LocalJdl jdl, List<String> places, @Nullable Path proxy, @Nullable String myProxy)
            throws CreamException, CredentialException {
        Map<String, String> attributes = jdl.jdl().attributes();
        List<String> wanted = places.isEmpty() ? JdlText.texts(attributes.getOrDefault("ce_id", "")) : places;
        if (wanted.isEmpty()) {
            throw new CreamException("No queue is named. Use -r CEID, or the attribute ce_id in the JDL.");
        }
        if (wanted.size() > PLACES_MAX) {
            throw new CreamException("More than " + PLACES_MAX + " queues are named.");
        }
        List<String> canonical = new ArrayList<>();
        for (String place : wanted) {
            String one = Places.canonical(place);
            if (!canonical.contains(one)) {
                canonical.add(one);
            }
        }
        List<String> named = JdlText.texts(attributes.getOrDefault("X509UserProxy", ""));
        if (proxy == null && named.isEmpty()) {
            throw new CreamException("No proxy is named. Use -p FILE, or the attribute X509UserProxy in the JDL.");
        }
        Path file = (proxy == null ? Path.of(named.getFirst()) : proxy)
                .toAbsolutePath()
                .normalize();
        UserProxy user = UserProxy.read(file);
        String server = myProxy == null || myProxy.indexOf('@') >= 0 ? myProxy : user.identity() + "@" + myProxy;
        return new JobRequest(
                id,
                user.owner(),
                file.toString(),
                server,
                canonical,
                jdl.jdl().toString(),
                count(attributes, "RetryCount"),
                count(attributes, "ShallowRetryCount"));
    }

    /** 0 where the attribute is not there; -1 is what gLite writes for never. */
    private static int count(Map<String, String> attributes, String name) throws CreamException {
        String text = attributes.getOrDefault(name, "0");
        if (text.equals("-1")) {
            return 0;
        }
        if (!text.matches("[0-9]{1,3}") || Integer.parseInt(text) > RETRIES_MAX) {
            throw new CreamException(name + " is no number from 0 to " + RETRIES_MAX + ": [" + text + "].");
        }
        return Integer.parseInt(text);
    }
}
