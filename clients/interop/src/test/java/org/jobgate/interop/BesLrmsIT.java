// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The documents of independent clients, and some of ours with more in them, run on Fork, HTCondor and Slurm, at a gateway as a site has it;
 * and everything that those clients were seen to send is answered as they expect it.
 */
class BesLrmsIT {

    private static final String A = SeparateAccounts.ACCOUNTS.getFirst();
    private static final String FACTORY = "http://schemas.ggf.org/bes/2006/08/bes-factory";
    private static final String WSA = "http://www.w3.org/2005/08/addressing";
    private static final Path LAB = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"));
    private static final Path CONDOR = LAB.resolve("htcondor/etc/condor_config");
    private static final Path SLURM = LAB.resolve("slurm/etc/slurm.conf");
    private static final Duration PATIENCE = Duration.ofMinutes(6);
    private static final Pattern ADDRESS =
            Pattern.compile("ActivityIdentifier\\b.*?Address\\b[^>]*>([^<]+)<", Pattern.DOTALL);
    private static final Pattern IDENTIFIER =
            Pattern.compile("<((?:\\w+:)?)ActivityIdentifier\\b.*?</\\1ActivityIdentifier>", Pattern.DOTALL);

    /** Where the captured job of a network's routes wants to run. */
    private static final Path ROUTES = Path.of("/tmp/bes_netstat_output");

    private static final List<String> OWN = List.of(
            document(
                    "<p:POSIXApplication xmlns:p='http://schemas.ggf.org/jsdl/2005/11/jsdl-posix'><p:Executable>/bin/sh</p:Executable>"
                            + "<p:Argument>-c</p:Argument><p:Argument>test \"$COLOUR\" = blue</p:Argument>"
                            + "<p:Environment name='COLOUR'>blue</p:Environment><p:WallTimeLimit>60</p:WallTimeLimit></p:POSIXApplication>"),
            document(
                    "<h:HPCProfileApplication xmlns:h='http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa'><h:Executable>/usr/bin/wc</h:Executable>"
                            + "<h:Argument>-c</h:Argument><h:Input>/etc/passwd</h:Input></h:HPCProfileApplication>"));

    private static SeparateAccounts site;
    private static final List<String> LRMS = new ArrayList<>(List.of("Fork"));

    private static String document(String application) {
        return "<JobDefinition xmlns='http://schemas.ggf.org/jsdl/2005/11/jsdl'><JobDescription><JobIdentification>"
                + "<JobName>own</JobName><JobProject>of the site (all)</JobProject></JobIdentification><Application>"
                + application
                + "</Application></JobDescription></JobDefinition>";
    }

    @BeforeAll
    static void start() throws Exception {
        BesCaptures.requests(); // or skipped
        StringBuilder lrms = new StringBuilder();
        if (Files.isReadable(CONDOR)) {
            LRMS.add("HTCondor");
            lrms.append(", { name: HTCondor, adapter: condor, spool: \"~/.jobgate/%s-condor\", options: [ condor_bin="
                    + LAB.resolve("htcondor/root/usr/bin") + ", condor_config=" + CONDOR + " ] }");
        }
        if (Files.isReadable(SLURM)) {
            LRMS.add("Slurm");
            lrms.append(", { name: Slurm, adapter: slurm, spool: \"~/.jobgate/%s-slurm\", options: [ slurm_conf="
                    + SLURM + " ] }");
        }
        site = SeparateAccounts.start("bes: { jobProject: note }\n", lrms.toString());
        site.as(A, "mkdir -p " + ROUTES);
    }

    @AfterAll
    static void stop() throws Exception {
        if (site != null) {
            site.as(A, "rm -rf " + ROUTES);
            site.close();
        }
    }

    @Test
    void theDocumentsOfOtherClientsRunOnEachLrm() throws Exception {
        assumeTrue(LRMS.size() > 1, "SKIPPED: neither the lab's HTCondor nor its Slurm is there; see docker/lab/up");
        List<String> documents = new ArrayList<>(BesCaptures.documents());
        assertThat(documents).hasSizeGreaterThan(1);
        documents.addAll(OWN);
        Map<String, String> activities = new LinkedHashMap<>();
        for (String lrm : LRMS) {
            for (String document : documents) {
                String asked = document.replaceFirst(
                        "(</(?:\\w+:)?JobDefinition>)$",
                        "<jg:Lrm xmlns:jg='https://jobgate.org/ns/2026/jsdl'>" + lrm + "</jg:Lrm>$1");
                String answer = site.post(
                        A,
                        "\"\"",
                        envelope("<b:CreateActivity><b:ActivityDocument>" + asked
                                + "</b:ActivityDocument></b:CreateActivity>"));
                assertThat(answer).as(lrm + ": " + document).contains("status 200");
                activities.put(addressIn(answer), lrm + ": " + document);
            }
        }
        for (Map.Entry<String, String> activity : activities.entrySet()) {
            String[] last = new String[1];
            await().atMost(PATIENCE).until(() -> {
                last[0] = site.post(
                        A,
                        "\"\"",
                        envelope("<b:GetActivityStatuses>" + identifier(activity.getKey())
                                + "</b:GetActivityStatuses>"));
                return last[0].matches("(?s).*state=\"(Finished|Failed|Cancelled)\".*");
            });
            assertThat(last[0])
                    .as(activity.getValue())
                    .contains("state=\"Finished\"")
                    .containsPattern("ExitCode\\b[^>]*>0<");
        }
    }

    /** Sends each recorded request for an activity of the sender, and for an activity that does not exist. */
    @Test
    void whatOtherClientsWereSeenToSendIsAnsweredAsTheyExpect() throws Exception {
        String ours = null;
        for (BesCaptures.Request request : BesCaptures.requests()) {
            String name = request.client() + " " + request.operation();
            String answer = site.post(A, request.action(), request.envelope());
            assertThat(answer)
                    .as(name)
                    .contains("status 200")
                    .containsPattern("<\\w+:" + request.operation() + "Response\\b");
            if (request.operation().equals("CreateActivity")) {
                ours = addressIn(answer);
            } else if (request.operation().startsWith("Get")
                    && request.operation().endsWith("AttributesDocument")) {
                assertThat(answer)
                        .as(name)
                        .containsPattern("IsAcceptingNewActivities\\b[^>]*>true<")
                        .contains("/hpcp/2007/01/bp");
            } else {
                assertThat(answer).as(name).contains("InvalidActivityIdentifierFault");
                assertThat(inOrder(answer)).as(name).isEqualTo(1);
                String known = IDENTIFIER
                        .matcher(request.envelope())
                        .replaceAll(Matcher.quoteReplacement(identifier(String.valueOf(ours))));
                assertThat(site.post(A, request.action(), known))
                        .as(name)
                        .contains("status 200")
                        .doesNotContain("InvalidActivityIdentifierFault")
                        .containsPattern(
                                switch (request.operation()) {
                                    case "GetActivityStatuses" ->
                                        "ActivityStatus\\b[^>]* state=\"(Pending|Running|Finished|Cancelled)\"";
                                    case "TerminateActivities" -> "Terminated\\b[^>]*>(true|false)<";
                                    default -> "JobDefinition\\b";
                                });
            }
        }
        assertThat(ours).isNotNull();
    }

    private static long inOrder(String answer) {
        return Pattern.compile("<(?:\\w+:)?Response\\b")
                .matcher(answer)
                .results()
                .count();
    }

    private static String envelope(String body) {
        return "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/' xmlns:b='" + FACTORY + "'><s:Body>"
                + body + "</s:Body></s:Envelope>";
    }

    private static String identifier(String address) {
        return "<b:ActivityIdentifier xmlns:b='" + FACTORY + "'><w:Address xmlns:w='" + WSA + "'>" + address
                + "</w:Address></b:ActivityIdentifier>";
    }

    private static String addressIn(String answer) {
        Matcher matcher = ADDRESS.matcher(answer);
        assertThat(matcher.find()).as(answer).isTrue();
        return matcher.group(1);
    }
}
