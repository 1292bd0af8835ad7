// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of ARC's REST interface (1.1), of Jobgate's or A-REX's, on one keep-alive connection, for one thread. */
public final class ArcClient extends WireClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String JOBS = "/arex/rest/1.1/jobs?action=";
    private static final String ADL = "http://www.eu-emi.eu/es/2010/12/adl";
    private static final int CREATED = 201;

    /** A client that speaks over this connection, and closes it when closed. */
    public ArcClient(HttpsConnection connection) {
        super(connection);
    }

    /**
     * The description of a job in ADL.
     *
     * @param program what it runs, with its arguments
     * @param waits whether it wants a file that its client brings, and so does not go to the LRM until that is there
     */
    public static String adl(List<String> program, boolean waits) {
        StringBuilder adl =
                new StringBuilder("<ActivityDescription xmlns=\"").append(ADL).append("\">");
        adl.append("<ActivityIdentification><Name>perf</Name></ActivityIdentification><Application><Executable><Path>");
        adl.append(GramMessages.escape(program.getFirst())).append("</Path>");
        for (String argument : program.subList(1, program.size())) {
            adl.append("<Argument>").append(GramMessages.escape(argument)).append("</Argument>");
        }
        adl.append("</Executable></Application>");
        if (waits) {
            adl.append("<DataStaging><InputFile><Name>brought</Name></InputFile></DataStaging>");
        }
        return adl.append("</ActivityDescription>").toString();
    }

    /**
     * Creates jobs by one request.
     *
     * @return their ids
     * @throws RefusedException if any of them was refused
     * @throws IOException if it is not known which of them were taken
     */
    public List<String> create(List<String> adls) throws IOException, RefusedException {
        String body = adls.size() == 1
                ? adls.getFirst()
                : "<ActivityDescriptions xmlns=\"" + ADL + "\">" + String.join("", adls) + "</ActivityDescriptions>";
        HttpReply reply = connection().send("POST", JOBS + "new", "application/xml", body);
        List<String> ids = new ArrayList<>();
        for (JsonNode job : jobs(reply)) {
            if (!job.path("status-code").asString("").equals(Integer.toString(CREATED))) {
                throw new RefusedException(reply.status(), job.toString());
            }
            ids.add(job.path("id").asString());
        }
        if (ids.size() != adls.size()) {
            throw new RefusedException(reply.status(), ids.size() + " of " + adls.size() + " jobs were answered");
        }
        return ids;
    }

    /**
     * How jobs stand.
     *
     * @return ARC's name of the state, by id
     * @throws RefusedException if one of them is not known
     */
    public Map<String, String> states(List<String> ids) throws IOException, RefusedException {
        HttpReply reply = forIds("status", ids);
        Map<String, String> states = new LinkedHashMap<>();
        for (JsonNode job : jobs(reply)) {
            if (!job.path("status-code").asString("").equals("200")) {
                throw new RefusedException(reply.status(), job.toString());
            }
            states.put(job.path("id").asString(), job.path("state").asString(""));
        }
        if (!states.keySet().containsAll(ids)) {
            throw new RefusedException(reply.status(), states.size() + " of " + ids.size() + " jobs were answered");
        }
        return states;
    }

    /** Ends jobs and lets the service forget them; what it says of each does not matter. */
    public void remove(List<String> ids) throws IOException, RefusedException {
        List<JsonNode> killed = jobs(forIds("kill", ids));
        List<JsonNode> cleaned = jobs(forIds("clean", ids));
        if (killed.size() + cleaned.size() != 2 * ids.size()) {
            throw new RefusedException(CREATED, "not all jobs were answered");
        }
    }

    private HttpReply forIds(String action, List<String> ids) throws IOException {
        List<Map<String, String>> jobs =
                ids.stream().map(id -> Map.of("id", id)).toList();
        return connection()
                .send("POST", JOBS + action, "application/json", JSON.writeValueAsString(Map.of("job", jobs)));
    }

    /** What an answer says of each job; a list of one may stand there as that one. */
    private static List<JsonNode> jobs(HttpReply reply) throws IOException, RefusedException {
        if (reply.status() / 100 != 2) {
            throw new RefusedException(reply.status(), reply.start());
        }
        try {
            JsonNode found = JSON.readTree(reply.body()).path("job");
            List<JsonNode> jobs = new ArrayList<>();
            if (found.isArray()) {
                found.forEach(jobs::add);
            } else if (found.isObject()) {
                jobs.add(found);
            }
            return jobs;
        } catch (JacksonException e) {
            throw new IOException("the answer is not JSON: " + reply.start(), e);
        }
    }
}
