# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""A client of CREAM2 on zeep and a WSDL: cream.py GATEWAY_URL WSDL DELEGATION_ID [WSDL_OF_DELEGATION]

Identity and trust are those of every grid client: X509_USER_PROXY, X509_CERT_DIR. Each step that holds is printed as "ok STEP"; the
first that does not ends the program with status 1 and a traceback.
"""

import datetime
import os
import sys
import time

import requests
import zeep

BINDING = "{http://glite.org/2007/11/ce/cream}CreamBinding"
PATIENCE_SECONDS = 180
JDL = """[
  // a program that comes with the job
  Executable = "run.sh"; Arguments = "hello world"; InputSandbox = { "/some/where/run.sh", "/some/where/.BrokerInfo" };
  edg_jobid = "https://lb.example.org:9000/abc"; HLRLocation = "hlr.example.org:56568";
  Environment = { "GREETED=you" };
  StdOutput = "out.txt"; StdError = "err.txt";
  OutputSandbox = { "out.txt", "err.txt" }; OutputSandboxBaseDestURI = "gsiftp://localhost";
  BatchSystem = "fork"; QueueName = "default";
]"""
PROGRAM = b"""#!/bin/sh
echo "$GREETED: $1, $2, $CREAM_JOBID"
printf '%s\\n' "$GRID_JOBID" "$GLITE_WMS_JOBID" "$EDG_WL_JOBID" "$HLR_LOCATION" "$GLITE_WMS_LOG_DESTINATION"
cat "$GLITE_WMS_RB_BROKERINFO"; echo
sed -n 1p "$X509_USER_PROXY"
exit 3
"""
SLEEPER = '[ executable = "/bin/sleep"; arguments = "300"; batchsystem = "fork"; queuename = "default"; ]'


def session():
    made = requests.Session()
    made.trust_env = False
    made.cert = os.environ["X509_USER_PROXY"]
    made.verify = os.environ["X509_CERT_DIR"]
    return made


class Cream:
    def __init__(self, gateway, wsdl, delegation):
        self.http = session()
        transport = zeep.Transport(session=self.http, timeout=PATIENCE_SECONDS, operation_timeout=PATIENCE_SECONDS)
        client = zeep.Client(wsdl, transport=transport)
        # two slashes, as CREAM's own command line has them
        self.service = client.create_service(BINDING, gateway + "//ce-cream/services/CREAM2")
        self.gateway = gateway
        self.delegation = delegation

    def register(self, jdl, start, **more):
        description = {"JDL": jdl, "delegationId": self.delegation, "autoStart": start, "jobDescriptionId": "JobName_1"}
        description.update(more)
        result = self.service.JobRegister(jobDescriptionList=[description])[0]
        assert result["jobId"] is not None, result
        assert result["jobDescriptionId"] == "JobName_1", result
        return result["jobId"]

    @staticmethod
    def named(job):
        return {"id": job["id"], "creamURL": job["creamURL"]}

    def state(self, job):
        return self.service.JobStatus(jobId=[self.named(job)])[0]["jobStatus"]

    def await_cancelled(self, job):
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            status = self.state(job)
            if status["name"] == "CANCELLED":
                return status
            assert time.monotonic() < end, status
            time.sleep(0.2)

    def await_state(self, job, *names):
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            status = self.state(job)
            if status["name"] in names:
                return status
            assert time.monotonic() < end and not status["name"].startswith(("DONE", "ABORTED", "CANCELLED")), status
            time.sleep(0.2)


def properties(job):
    return {each["name"]: each["value"] for each in job["property"]}


def step(name):
    print("ok " + name)


def main(gateway, wsdl, delegation, of_delegation=""):
    if of_delegation:
        # the client itself goes where the description says that the service is
        client = zeep.Client(of_delegation, transport=zeep.Transport(session=session()))
        end = client.service.getTerminationTime(delegation)
        assert end > datetime.datetime.now(datetime.timezone.utc), end
        step("the delegation by its own description")
    cream = Cream(gateway, wsdl, delegation)
    info = cream.service.getServiceInfo(2)
    assert info["doesAcceptNewJobSubmissions"], info
    step("service info")

    job = cream.register(JDL, False)
    places = properties(job)
    assert cream.state(job)["name"] == "REGISTERED"
    for name, content in (("run.sh", PROGRAM), (".BrokerInfo", b"chosen")):
        put = cream.http.put(places["CREAMInputSandboxURI"] + "/" + name, data=content)
        assert put.status_code in (201, 204), put.text
    step("registered and uploaded")

    result = cream.service.JobStart(jobId=[cream.named(job)], delegationId=delegation)
    assert result[0]["JobStatusInvalidFault"] is None, result
    status = cream.await_state(job, "DONE-OK")
    assert status["exitCode"] == "3", status
    output = cream.http.get(places["CREAMOutputSandboxURI"] + "/out.txt")
    lines = output.text.splitlines()
    assert lines[0].startswith("you: hello, world, " + gateway) and lines[0].endswith("/" + job["id"]), output.text
    step("ran with its sandbox")
    host = gateway.split("://")[1].split(":")[0]
    grid = "https://lb.example.org:9000/abc"
    assert lines[1:] == [grid, grid, grid, "hlr.example.org:56568", host, "chosen", "-----BEGIN CERTIFICATE-----"], output.text
    step("found CREAM's variables in its environment")

    told = cream.service.JobInfo(jobId=[cream.named(job)])[0]["jobInfo"]
    states = [each["name"] for each in told["status"]]
    assert states[0] == "REGISTERED" and states[-1] == "DONE-OK", states
    assert [each["name"] for each in told["lastCommand"]] == ["JOB_REGISTER", "JOB_START"], told["lastCommand"]
    assert told["delegationProxyId"] == delegation and told["LRMSJobId"] == "[reserved]", told
    # zeep sends JobList with an empty Body, as the WSDL has it
    assert job["id"] in [each["id"] for each in cream.service.JobList()]
    step("info and list")

    # in pages: the user may have many jobs by now
    mine = []
    begin = 0
    while True:
        events = cream.service.QueryEvent(fromEventId=str(begin), eventType="JOB_STATUS", maxQueryEventResultSize=100, verbosityLevel=0)["event"]
        if not events:
            break
        mine += [properties(each)["type"] for each in events if properties(each)["jobId"] == job["id"]]
        begin = max(int(each["id"]) for each in events) + 1
    assert mine[0] == "0" and mine[-1] == "7", mine
    step("events")

    def leased(seconds):
        until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
        lease = cream.service.setLease(leaseId="zeeps", leaseTime=until)
        assert lease["leaseId"] == "zeeps", lease

    leased(600)
    sleeper = cream.register(SLEEPER, True, leaseId="zeeps")
    cream.await_state(sleeper, "REALLY-RUNNING")
    # however long it took until it ran, it loses its lease while it runs; a time that is past would be refused
    leased(4)
    # CREAM's own words, when the lease is over
    ended = cream.await_cancelled(sleeper)
    assert ended["description"] == "Job cancelled by Lease Manager!", ended
    # another suite of the same server may have leases of its own
    assert "zeeps" not in [each["leaseId"] for each in cream.service.getLeaseList() or []], "a lease that is past is gone"
    step("lease")

    other = cream.register(SLEEPER, True)
    cream.await_state(other, "REALLY-RUNNING")
    cream.service.JobCancel(jobId=[cream.named(other)])
    assert cream.await_cancelled(other)["description"] == "Cancelled by user"
    step("cancel")

    for each in (job, sleeper, other):
        purged = cream.service.JobPurge(jobId=[cream.named(each)])
        assert purged[0]["GenericFault"] is None, purged
    gone = cream.service.JobStatus(jobId=[cream.named(job)])[0]
    assert gone["JobUnknownFault"]["Description"] == "job not found!", gone
    step("purge")
    step("all")


if __name__ == "__main__":
    main(*sys.argv[1:])
