// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A client of the OGSA-BES factory, on one keep-alive connection, for one thread. */
public final class BesClient extends WireClient {

    static final String PATH = "/bes/BESFactory";

    private static final String FACTORY = "http://schemas.ggf.org/bes/2006/08/bes-factory";
    private static final String OURS = "https://jobgate.org/ns/2026/bes";
    private static final String ACTION = FACTORY + "/BESFactoryPortType/";
    private static final String POSIX = "http://schemas.ggf.org/jsdl/2005/11/jsdl-posix";
    private static final Pattern STATUS = Pattern.compile("<[^<>]*:?ActivityStatus\\b[^<>]*\\bstate=\"(\\w+)\"");
    private static final Pattern POINTS = Pattern.compile("<[^<>/]*\\bstate=\"(\\w+)\"[^<>]*>(\\d+)</");

    /** A client that speaks over this connection, and closes it when closed. */
    public BesClient(HttpsConnection connection) {
        super(connection);
    }

    /**
     * A document of a program that does nothing.
     *
     * @param points of a sweep over its argument; 1 for no sweep
     */
    public static String document(int points) {
        String sweep = points == 1
                ? ""
                : "<s:Sweep xmlns:s=\"http://schemas.ogf.org/jsdl/2009/03/sweep\"><s:Assignment><s:DocumentNode>"
                        + "<s:NamespaceBinding ns=\"" + POSIX
                        + "\" prefix=\"p\"/><s:Match>//p:Argument</s:Match></s:DocumentNode>"
                        + "<f:LoopInteger xmlns:f=\"http://schemas.ogf.org/jsdl/2009/03/sweep/functions\" start=\"1\" end=\""
                        + points + "\"/></s:Assignment></s:Sweep>";
        return "<JobDefinition xmlns=\"http://schemas.ggf.org/jsdl/2005/11/jsdl\"><JobDescription><Application>"
                + "<POSIXApplication xmlns=\"" + POSIX + "\"><Executable>/bin/true</Executable><Argument>0</Argument>"
                + "</POSIXApplication></Application></JobDescription>" + sweep + "</JobDefinition>";
    }

    /**
     * Creates an activity.
     *
     * @param key by which the service knows a request that comes again
     * @return its id
     * @throws IOException if it is not known whether the service took it
     */
    public String create(String document, String key) throws IOException, RefusedException {
        SoapReply reply = SoapReply.accepted(post(
                "CreateActivity",
                "<b:ActivityDocument>" + document + "<j:SubmissionId>" + key
                        + "</j:SubmissionId></b:ActivityDocument>"));
        return reply.text("CreateActivityResponse/ActivityIdentifier/ReferenceParameters/Activity")
                .orElseThrow(() -> new IOException("CreateActivity was answered without an identifier"));
    }

    /** How many of the activities are in which state; what is not known to the service is in none. */
    public Map<String, Long> states(List<String> ids) throws IOException, RefusedException {
        Map<String, Long> states = new TreeMap<>();
        STATUS.matcher(statuses(ids)).results().forEach(found -> states.merge(found.group(1), 1L, Long::sum));
        return states;
    }

    /** How many points of a sweep are in which state. */
    public Map<String, Long> points(String id) throws IOException, RefusedException {
        Map<String, Long> states = new TreeMap<>();
        for (MatchResult found : POINTS.matcher(statuses(List.of(id))).results().toList()) {
            states.merge(found.group(1), Long.parseLong(found.group(2)), Long::sum);
        }
        return states;
    }

    private String statuses(List<String> ids) throws IOException, RefusedException {
        HttpReply reply = post("GetActivityStatuses", identifiers(ids));
        SoapReply unused = SoapReply.accepted(reply);
        return reply.body();
    }

    /** Asks for the end of an activity. */
    public void terminate(String id) throws IOException, RefusedException {
        SoapReply unused = SoapReply.accepted(post("TerminateActivities", identifiers(List.of(id))));
    }

    private static String identifiers(List<String> ids) {
        StringBuilder all = new StringBuilder();
        for (String id : ids) {
            all.append(
                            "<b:ActivityIdentifier><a:Address>https://localhost/</a:Address><a:ReferenceParameters><j:Activity>")
                    .append(id)
                    .append("</j:Activity></a:ReferenceParameters></b:ActivityIdentifier>");
        }
        return all.toString();
    }

    private HttpReply post(String operation, String body) throws IOException {
        return connection()
                .post(
                        PATH,
                        ACTION + operation,
                        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:b=\"" + FACTORY
                                + "\" xmlns:a=\"http://www.w3.org/2005/08/addressing\" xmlns:j=\"" + OURS
                                + "\"><s:Body><b:"
                                + operation + ">" + body + "</b:" + operation + "></s:Body></s:Envelope>");
    }
}
