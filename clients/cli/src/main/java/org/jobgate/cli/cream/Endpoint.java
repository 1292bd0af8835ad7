// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A computing element: {@code host:port}. */
public record Endpoint(String host, int port) {

    private static final String HOST = "([A-Za-z0-9][A-Za-z0-9.-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}\\])";
    private static final Pattern FORM = Pattern.compile(HOST + "(?::([0-9]{1,5}))?");
    private static final Pattern JOB =
            Pattern.compile("https://" + HOST + "(?::([0-9]{1,5}))?/+([A-Za-z0-9_.-]{1,128})");
    private static final Pattern CEID =
            Pattern.compile(HOST + "(?::([0-9]{1,5}))?/cream-([A-Za-z0-9_.]{1,64})-([A-Za-z0-9_.@-]{1,128})");

    /** A job of one. */
    public record Job(Endpoint endpoint, String id) {}

    /** A queue of one. */
    public record Queue(Endpoint endpoint, String lrm, String name) {}

    public static Endpoint parse(String text, int defaultPort) throws CreamException {
        return of(FORM.matcher(text), defaultPort)
                .orThrow("Endpoint [" + text + "] is not in the right format: should be <host>[:tcpport]. Stop.");
    }

    public static Job job(String text, int defaultPort) throws CreamException {
        Matcher form = JOB.matcher(text.strip());
        Endpoint endpoint = of(form, defaultPort)
                .orThrow("[" + text + "] is not a JobID: should be https://<host>:<tcpport>/CREAM<number>. Stop.");
        return new Job(endpoint, form.group(3));
    }

    public static Queue queue(String text, int defaultPort) throws CreamException {
        Matcher form = CEID.matcher(text);
        Endpoint endpoint = of(form, defaultPort)
                .orThrow(
                        "Specified CEID has wrong format. Must be <host>[:<tcp_port>]/cream-<batch_system_name>-<queue_name>");
        return new Queue(endpoint, form.group(3), form.group(4));
    }

    private static Found of(Matcher form, int defaultPort) {
        if (!form.matches()) {
            return new Found(null);
        }
        int port = form.group(2) == null ? defaultPort : Integer.parseInt(form.group(2));
        return new Found(port < 1 || port > 65_535 ? null : new Endpoint(form.group(1), port));
    }

    private record Found(@org.jspecify.annotations.Nullable Endpoint endpoint) {
        Endpoint orThrow(String sentence) throws CreamException {
            if (endpoint == null) {
                throw new CreamException(sentence);
            }
            return endpoint;
        }
    }

    /** The address of a service there, by its path. */
    public String url(String path) {
        return "https://" + this + "/" + path;
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
