// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

/** Replies as a GRAM4 service gives them (captures/gt4/05, 12, 22; shortened headers). */
final class Replies {

    static final String JOB_ID = "0190a1b2-0000-7000-8000-000000000001";

    private static final String OPEN = """
            <soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"\
             xmlns:wsa="http://schemas.xmlsoap.org/ws/2004/03/addressing"\
             xmlns:job="http://www.globus.org/namespaces/2004/10/gram/job"\
             xmlns:types="http://www.globus.org/namespaces/2004/10/gram/job/types"\
             xmlns:wsrp="http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties-1.2-draft-01.xsd">
              <soap:Header><wsa:To>http://schemas.xmlsoap.org/ws/2004/03/addressing/role/anonymous</wsa:To></soap:Header>
              <soap:Body>""";

    private static final String CLOSE = "</soap:Body></soap:Envelope>";

    static final String CREATED = OPEN + """
            <job:createManagedJobResponse>
              <job:NewTerminationTime>2026-11-21T14:57:46.764Z</job:NewTerminationTime>
              <job:CurrentTime>2026-11-20T14:57:47.000Z</job:CurrentTime>
              <job:managedJobEndpoint>
                <wsa:Address>https://localhost:31001/wsrf/services/ManagedExecutableJobService</wsa:Address>
                <wsa:ReferenceProperties><job:ResourceID>%s</job:ResourceID></wsa:ReferenceProperties>
              </job:managedJobEndpoint>
              <job:subscriptionEndpoint>
                <wsa:Address>https://localhost:31001/wsrf/services/SubscriptionManagerService</wsa:Address>
                <wsa:ReferenceProperties><job:ResourceID>not this one</job:ResourceID></wsa:ReferenceProperties>
              </job:subscriptionEndpoint>
            </job:createManagedJobResponse>""".formatted(JOB_ID) + CLOSE;

    /** Of two jobs that were asked for in one request the second was refused. */
    static final String ONE_OF_TWO = OPEN + """
            <jg:createManagedJobsResponse xmlns:jg="https://jobgate.org/ns/2026/jobs/gt40">
              <jg:CurrentTime>2026-11-20T14:57:47.000Z</jg:CurrentTime>
              <jg:result><jg:JobID>uuid:1</jg:JobID><job:ResourceID>%s</job:ResourceID><jg:isNew>true</jg:isNew></jg:result>
              <jg:result><jg:JobID>uuid:2</jg:JobID><jg:explain>limits.maxLiveJobs is 10</jg:explain></jg:result>
            </jg:createManagedJobsResponse>""".formatted(JOB_ID) + CLOSE;

    static final String TWO_LISTED = OPEN + """
            <jg:listJobsResponse xmlns:jg="https://jobgate.org/ns/2026/jobs/gt40">
              <jg:job><job:ResourceID>1</job:ResourceID><jg:state>Active</jg:state></jg:job>
              <jg:job><job:ResourceID>2</job:ResourceID><jg:state>Pending</jg:state></jg:job>
            </jg:listJobsResponse>""" + CLOSE;

    static final String DONE = OPEN
            + "<wsrp:GetMultipleResourcePropertiesResponse><types:state>Done</types:state><types:holding>false</types:holding>"
            + "<types:exitCode>3</types:exitCode></wsrp:GetMultipleResourcePropertiesResponse>" + CLOSE;

    static final String ACTIVE = OPEN
            + "<wsrp:GetMultipleResourcePropertiesResponse><types:state>Active</types:state><types:holding>false</types:holding>"
            + "</wsrp:GetMultipleResourcePropertiesResponse>" + CLOSE;

    static final String FAULT = OPEN
            + "<soap:Fault><faultcode>soap:Server</faultcode><faultstring>limits.maxLiveJobs is 10</faultstring></soap:Fault>"
            + CLOSE;

    /** What the service sends to a consumer, as in captures/gt4/10. */
    static String notify(String jobId, String state) {
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                %s<wsnt:Notify xmlns:wsnt="http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd">\
                <wsnt:NotificationMessage><wsnt:Topic xmlns:tns="http://www.globus.org/namespaces/2004/10/gram/job/types"\
                 Dialect="http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple">tns:state</wsnt:Topic>\
                <wsnt:ProducerReference><wsa:Address>https://localhost:30001/wsrf/services/ManagedExecutableJobService</wsa:Address>\
                <wsa:ReferenceProperties><job:ResourceID>%s</job:ResourceID></wsa:ReferenceProperties></wsnt:ProducerReference>\
                <wsnt:Message><job:stateChangeNotificationMessage><types:state>%s</types:state><types:exitCode>0</types:exitCode>\
                <types:holding>false</types:holding></job:stateChangeNotificationMessage></wsnt:Message>\
                </wsnt:NotificationMessage></wsnt:Notify>%s""".formatted(OPEN, jobId, state, CLOSE);
    }

    private Replies() {}
}
