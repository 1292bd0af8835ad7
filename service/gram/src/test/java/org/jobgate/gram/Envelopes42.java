// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import org.jobgate.gt4.Generation;
import org.jobgate.job.JobId;

/** Requests as GT 4.2 clients write them. */
final class Envelopes42 {

    private static final Generation GT42 = Generation.GT42;

    private Envelopes42() {}

    static String of(String headers, String body) {
        return "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\""
                + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:wsa=\"" + GT42.wsa() + "\">"
                + "<soapenv:Header><wsa:MessageID>uuid:request-1</wsa:MessageID>" + headers
                + "</soapenv:Header><soapenv:Body>" + body + "</soapenv:Body></soapenv:Envelope>";
    }

    static String resource(String id) {
        return "<r:ResourceID wsa:IsReferenceParameter=\"true\" xmlns:r=\"" + GT42.gram() + "\">" + id
                + "</r:ResourceID>";
    }

    static String toJob(JobId id, String body) {
        return of(resource(id.toString()), body);
    }

    static String create(String content) {
        return of("", "<createManagedJob xmlns=\"" + GT42.gram() + "\">" + content + "</createManagedJob>");
    }

    static String job() {
        return "<d:job xmlns:d=\"" + GT42.gram() + "/description\"><d:executable>/bin/date</d:executable></d:job>";
    }

    static String initialTime(String time) {
        return "<InitialTerminationTime>" + time + "</InitialTerminationTime>";
    }

    static String subscribe(String address) {
        return "<n:Subscribe xmlns:n=\"" + GT42.wsnt() + "\"><n:ConsumerReference><wsa:Address>" + address
                + "</wsa:Address><wsa:ReferenceParameters><c:NotificationConsumerKey"
                + " xmlns:c=\"http://www.globus.org/namespaces/2004/06/core\">567656864</c:NotificationConsumerKey>"
                + "</wsa:ReferenceParameters></n:ConsumerReference><n:Filter><n:TopicExpression xmlns:j=\""
                + GT42.gram() + "\" Dialect=\"" + GT42.simpleTopics()
                + "\">j:stateChangeInformation</n:TopicExpression></n:Filter></n:Subscribe>";
    }

    static String property(JobId id, String name) {
        return toJob(id, property(name));
    }

    static String property(String name) {
        return "<p:GetResourceProperty xmlns:p=\"" + GT42.wsrp() + "\" xmlns:types=\"" + GT42.gram()
                + "/types\" xmlns:faults=\"" + GT42.gram() + "/faults\" xmlns:desc=\"" + GT42.gram()
                + "/description\" xmlns:wsrl=\"" + GT42.wsrl() + "\" xmlns:wsnt=\"" + GT42.wsnt() + "\" xmlns:exec=\""
                + GT42.gram() + "/exec\" xmlns:rdv=\"" + GT42.rendezvous("").getNamespaceURI() + "\" xmlns:job=\""
                + GT42.gram() + "\">" + name + "</p:GetResourceProperty>";
    }

    static String setTime(JobId id, String time) {
        return toJob(
                id,
                "<SetTerminationTime xmlns=\"" + GT42.wsrl() + "\"><RequestedTerminationTime>" + time
                        + "</RequestedTerminationTime></SetTerminationTime>");
    }

    static String release(JobId id) {
        return toJob(id, "<release xmlns=\"" + GT42.gram() + "/release\"/>");
    }

    static String terminateKeepingCredentials(JobId id) {
        return terminate(id, false, false)
                .replace(
                        "<destroyDelegatedCredentials>true</destroyDelegatedCredentials>",
                        "<destroyDelegatedCredentials>false</destroyDelegatedCredentials>");
    }

    static String terminate(JobId id, boolean destroys, boolean notifies) {
        return toJob(
                id,
                "<terminate xmlns=\"" + GT42.gram() + "/terminate\"><destroyAfterCleanup>" + destroys
                        + "</destroyAfterCleanup><continueNotifying>" + notifies
                        + "</continueNotifying><destroyDelegatedCredentials>true</destroyDelegatedCredentials>"
                        + "</terminate>");
    }
}
