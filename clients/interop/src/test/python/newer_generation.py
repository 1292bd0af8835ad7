# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""GT 4.2's services, multi-jobs and Jobgate's own operations on zeep: newer_generation.py SERVICES_URL LRM

It knows nothing but the served ?wsdl=gt42 and ?wsdl=jobs42. See life_of_a_job.py.
"""

import sys
import time
import uuid

from lxml import etree
import zeep

from life_of_a_job import PATIENCE_SECONDS, Gateway, refused, step, text_element

JOB = "http://www.globus.org/namespaces/2008/03/gram/job"
TYPES = JOB + "/types"
FAULTS = JOB + "/faults"
RELEASE = JOB + "/release"
MULTI = JOB + "/multi"
RESOURCE = "http://docs.oasis-open.org/wsrf/r-2"
LIFETIME = "http://docs.oasis-open.org/wsrf/rl-2"
STATE = f"{{{TYPES}}}state"
XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116"


class NewerGateway(Gateway):
    """The services as GT 4.2 describes them."""

    def __init__(self, services, lrm):
        super().__init__(services, lrm)
        self.factory = self.of(services + "/ManagedJobFactoryService?wsdl=gt42")
        self.job = self.of(services + "/ManagedExecutableJobService?wsdl=gt42")
        self.multi = self.of(services + "/ManagedMultiJobService?wsdl=gt42")
        self.jobs = self.of(services + "/ManagedJobFactoryService?wsdl=jobs42")
        self.lrm = [resource(lrm)]

    def of(self, address):
        return zeep.Client(address, transport=self.transport)


def resource(key):
    return text_element(f"{{{JOB}}}ResourceID", key)


def key(endpoint):
    if etree.iselement(endpoint):  # of an element that no schema of the service declares
        return [resource(endpoint.findtext(f".//{{{JOB}}}ResourceID"))]
    (found,) = endpoint.ReferenceParameters._value_1
    return [resource(found.text if etree.iselement(found) else found)]


def property_of(client, job, name):
    values = client.service.GetResourceProperty(etree.QName(name), _soapheaders=job)
    return values[0] if values else None


def await_state(client, job, wanted):
    end = time.monotonic() + PATIENCE_SECONDS
    while (state := property_of(client, job, STATE)) != wanted:
        assert time.monotonic() < end, f"the job was not {wanted} within {PATIENCE_SECONDS} s, but {state}"
        time.sleep(0.2)


def terminate(gateway, job, destroys):
    return gateway.job.service.terminate(
        destroyAfterCleanup=destroys, continueNotifying=False, destroyDelegatedCredentials=False, _soapheaders=job
    )


def await_unknown(gateway, job):
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            property_of(gateway.job, job, STATE)
        except zeep.exceptions.Fault as fault:
            assert fault.detail[0].tag == f"{{{RESOURCE}}}ResourceUnknownFault", fault.detail[0].tag
            return
        time.sleep(0.2)
    raise AssertionError("the job was still known")


def a_job_is_terminated(gateway):
    created = gateway.factory.service.createManagedJob(job={"executable": "/bin/sleep", "argument": ["300"]})
    job = key(created.managedJobEndpoint)
    step("created at the default LRM")
    await_state(gateway.job, job, "Active")
    refused(lambda: gateway.job.service.release(_soapheaders=job), f"{{{RELEASE}}}resourceNotReleasedFault")
    step("no release of what is not held")
    answer = gateway.job.service.QueryResourceProperties(
        QueryExpression={"_value_1": "//*[local-name()='state']", "Dialect": XPATH}, _soapheaders=job
    )
    assert "Active" in str(answer), answer
    step("queried")
    terminate(gateway, job, False)
    await_state(gateway.job, job, "UserTerminateDone")
    step("terminated")
    assert terminate(gateway, job, True) is True
    await_unknown(gateway, job)
    refused(lambda: terminate(gateway, job, True), f"{{{RESOURCE}}}ResourceUnknownFault")
    step("forgotten")


def wrong_requests_are_refused(gateway):
    create = gateway.factory.service.createManagedJob
    refused(lambda: create(job={"argument": ["x"]}), f"{{{FAULTS}}}serviceLevelAgreementFault")
    refused(
        lambda: create(InitialTerminationTime="2001-01-01T00:00:00Z", job={"executable": "/bin/true"}),
        f"{{{LIFETIME}}}UnableToSetTerminationTimeFault",
    )
    step("wrong requests refused with typed faults")


def a_multi_job_runs(gateway):
    parts = [{"executable": "/bin/sh", "argument": ["-c", f"exit {code}"]} for code in (0, 0)]
    created = gateway.factory.service.createManagedJob(multiJob={"job": parts}, _soapheaders=[resource("Multi")])
    job = key(created.managedJobEndpoint)
    await_state(gateway.multi, job, "Done")
    endpoints = gateway.multi.service.GetResourceProperty(etree.QName(MULTI, "subJobEndpoint"), _soapheaders=job)
    assert len(endpoints) == 2, endpoints
    for endpoint in endpoints:
        assert property_of(gateway.job, key(endpoint), STATE) == "Done"
    step("a multi-job ran with its two sub jobs")


def many_jobs_are_created_and_listed(gateway):
    run = uuid.uuid4()
    template = {"job": {"executable": "/bin/sh", "argument": ["-c", "exit ${CODE}"]}}
    instances = [
        {"JobID": f"{run}/{code}", "variable": [{"name": "CODE", "_value_1": str(code)}]} for code in range(3)
    ] + [{"JobID": f"{run}/lonely"}]
    create = gateway.jobs.service.createManagedJobs
    results = create(template=template, instance=instances, _soapheaders=gateway.lrm).result
    assert [result.JobID for result in results] == [instance["JobID"] for instance in instances], results
    assert [result.isNew for result in results] == [True, True, True, None], results
    assert "CODE" in results[3].explain, results[3]
    assert results[3].fault._value_1.Description, results[3]
    step("many jobs created, one refused with its reason")
    again = create(template=template, instance=instances, _soapheaders=gateway.lrm).result
    assert [result.ResourceID for result in again] == [result.ResourceID for result in results], again
    assert [result.isNew for result in again][:3] == [False] * 3, again
    step("the same again starts nothing")
    for result in results[:3]:
        await_state(gateway.job, key(result.managedJobEndpoint), "Done")
    listed = {}
    cursor = None
    while True:
        page = gateway.jobs.service.listJobs(
            state=["Done"], maxJobs=2, **({"cursor": cursor} if cursor else {}), _soapheaders=gateway.lrm
        )
        listed.update({job.JobID: job for job in page.job})
        cursor = page.nextCursor
        if cursor is None:
            break
    for code in range(3):
        assert listed[f"{run}/{code}"].exitCode == code, listed[f"{run}/{code}"]
    step("listed in pages")
    listing = gateway.jobs.service.listJobs
    try:
        listing(state=["Asleep"], _soapheaders=gateway.lrm)
        raise AssertionError("a state that is none was not refused")
    except zeep.exceptions.Fault as fault:
        assert "is no state" in fault.message, fault.message
    step("a wrong condition refused")


def main(services, lrm):
    gateway = NewerGateway(services, lrm)
    step("read the WSDL of four services")
    a_job_is_terminated(gateway)
    wrong_requests_are_refused(gateway)
    a_multi_job_runs(gateway)
    many_jobs_are_created_and_listed(gateway)
    step("all")


if __name__ == "__main__":
    main(*sys.argv[1:])
