# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""A whole GRAM4 client on zeep: life_of_a_job.py SERVICES_URL LRM

It knows nothing but the served ?wsdl. Identity and trust are those of every grid client: X509_USER_PROXY, X509_CERT_DIR.
Each step that holds is printed as "ok STEP"; the first that does not ends the program with status 1 and a traceback.
"""

import datetime
import http.server
import os
import queue
import sys
import threading
import time

import requests
import zeep
from lxml import etree

JOB = "http://www.globus.org/namespaces/2004/10/gram/job"
TYPES = JOB + "/types"
DESCRIPTION = JOB + "/description"
FAULTS = JOB + "/faults"
STATE = f"{{{TYPES}}}state"
CORE = "http://www.globus.org/namespaces/2004/06/core"
WSA = "http://schemas.xmlsoap.org/ws/2004/03/addressing"
WSNT = "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd"
WSRL = "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime-1.2-draft-01.xsd"
WSRP = "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties-1.2-draft-01.xsd"
SIMPLE = "http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple"
PATIENCE_SECONDS = 180


class Consumer:
    """An HTTP server on the loopback interface that keeps the Notify messages it is sent."""

    def __init__(self):
        self.messages = queue.Queue()
        consumer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                consumer.messages.put(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server.server_port}/consumer"


class Gateway:
    """The services of one gateway, called through what zeep makes of their WSDL."""

    def __init__(self, services, lrm):
        session = requests.Session()
        # REQUESTS_CA_BUNDLE in the environment would outdo what is said here
        session.trust_env = False
        session.cert = os.environ["X509_USER_PROXY"]
        session.verify = os.environ["X509_CERT_DIR"]
        self.transport = zeep.Transport(session=session, timeout=PATIENCE_SECONDS, operation_timeout=PATIENCE_SECONDS)
        self.factory = self.client(services + "/ManagedJobFactoryService")
        self.job = self.client(services + "/ManagedExecutableJobService")
        self.subscription = self.client(services + "/SubscriptionManagerService")
        self.lrm = [text_element(f"{{{JOB}}}ResourceID", lrm)]

    def client(self, address):
        return zeep.Client(address + "?wsdl", transport=self.transport)

    def create(self, consumer=None, **description):
        """Submits a job, described by keyword arguments in the words of the schema."""
        arguments = {"job": description}
        if consumer:
            arguments["Subscribe"] = {
                "ConsumerReference": {"Address": consumer.address},
                # a topic is a QName: zeep declares the prefix of an lxml QName, and would send a str as it is
                "TopicExpression": {"Dialect": SIMPLE, "_value_1": etree.QName(STATE)},
            }
        return self.factory.service.createManagedJob(_soapheaders=self.lrm, **arguments)

    def property(self, headers, name):
        """The value of one resource property of a job; None if it has none. Of several, zeep would drop the names."""
        values = self.job.service.GetResourceProperty(etree.QName(name), _soapheaders=headers)
        return values[0] if values else None

    def await_state(self, headers, wanted):
        end = time.monotonic() + PATIENCE_SECONDS
        state = None
        while time.monotonic() < end:
            state = self.property(headers, STATE)
            if state == wanted:
                return
            time.sleep(0.2)
        raise AssertionError(f"the job was not {wanted} within {PATIENCE_SECONDS} s, but {state}")

    def states_told(self, consumer):
        """The messages to the consumer up to the one that says Done or Failed, as the schema's types."""
        told = []
        while not told or told[-1].state not in ("Done", "Failed"):
            envelope = etree.fromstring(consumer.messages.get(timeout=PATIENCE_SECONDS))
            notify = envelope.find(f".//{{{WSNT}}}Notify")
            message = self.job.get_element(f"{{{WSNT}}}Notify").parse(notify, self.job.wsdl.types)
            told += [one.Message.stateChangeNotificationMessage for one in message.NotificationMessage]
        return told


def text_element(name, text):
    element = etree.Element(name)
    element.text = text
    return element


def job_headers(created):
    """The SOAP header that names the job: zeep gives the key as its text alone."""
    (key,) = created.managedJobEndpoint.ReferenceProperties._value_1
    return [text_element(f"{{{JOB}}}ResourceID", key)]


def refused(call, element, **members):
    """That the call is refused with this fault, which has these members besides; the fault."""
    try:
        call()
    except zeep.exceptions.Fault as fault:
        assert fault.message, "the fault has no faultstring"
        (detail,) = fault.detail
        assert detail.tag == element, f"{detail.tag} instead of {element}"
        for name, wanted in members.items():
            found = detail.findtext(f"{{{FAULTS}}}{name}")
            assert found == wanted, f"{name} is {found!r} instead of {wanted!r}"
        return detail
    raise AssertionError(f"not refused with {element}")


def step(name):
    print("ok", name, flush=True)


def a_job_is_watched_to_its_end(gateway):
    consumer = Consumer()
    created = gateway.create(
        consumer,
        executable="/bin/sh",
        argument=["-c", 'test "$GREETING" = "<two  words & more>" && sleep 1 && exit 3'],
        environment=[{"name": "GREETING", "value": "<two  words & more>"}],
    )
    job = job_headers(created)
    step("created")
    told = gateway.states_told(consumer)
    states = [message.state for message in told]
    assert states[-1] == "Done" and "Active" in states, states
    assert told[-1].exitCode == 3 and told[-1].holding is False, told[-1]
    step("notified: " + " ".join(states))
    assert gateway.property(job, STATE) == "Done"
    assert gateway.property(job, f"{{{TYPES}}}exitCode") == 3
    assert gateway.property(job, f"{{{FAULTS}}}fault") is None
    description = gateway.property(job, f"{{{DESCRIPTION}}}serviceLevelAgreement")
    assert description.job.executable == "/bin/sh", description
    step("read its properties")
    gateway.job.service.Destroy(_soapheaders=job)
    await_unknown(gateway, job)
    step("destroyed")


def await_unknown(gateway, job):
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            gateway.property(job, STATE)
        except zeep.exceptions.Fault as fault:
            assert fault.detail[0].tag == f"{{{WSRP}}}ResourceUnknownFault", fault.detail[0].tag
            return
        time.sleep(0.2)
    raise AssertionError(f"the job was still known after {PATIENCE_SECONDS} s")


def a_running_job_is_given_a_time_and_cancelled(gateway):
    consumer = Consumer()
    created = gateway.create(consumer, executable="/bin/sleep", argument=["300"])
    job = job_headers(created)
    gateway.await_state(job, "Active")
    in_an_hour = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(hours=1)
    reply = gateway.job.service.SetTerminationTime(RequestedTerminationTime=in_an_hour, _soapheaders=job)
    assert reply.NewTerminationTime == in_an_hour, reply
    assert gateway.property(job, f"{{{WSRL}}}TerminationTime") == in_an_hour
    step("termination time set")
    reply = gateway.job.service.SetTerminationTime(RequestedTerminationTime=zeep.xsd.Nil, _soapheaders=job)
    assert reply.NewTerminationTime is None, reply
    step("termination time taken back")
    past = in_an_hour - datetime.timedelta(hours=2)
    refused(
        lambda: gateway.job.service.SetTerminationTime(RequestedTerminationTime=past, _soapheaders=job),
        f"{{{WSRL}}}UnableToSetTerminationTimeFault",
    )
    step("a time in the past refused")
    (key,) = created.subscriptionEndpoint.ReferenceProperties._value_1
    subscription = [key if etree.iselement(key) else text_element(f"{{{CORE}}}SubscriptionKey", key)]
    gateway.subscription.service.Destroy(_soapheaders=subscription)
    refused(lambda: gateway.subscription.service.Destroy(_soapheaders=subscription), f"{{{WSRL}}}ResourceUnknownFault")
    step("subscription destroyed")
    gateway.job.service.Destroy(_soapheaders=job)
    await_unknown(gateway, job)
    refused(lambda: gateway.job.service.Destroy(_soapheaders=job), f"{{{WSRL}}}ResourceUnknownFault")
    step("cancelled")


def a_held_job_is_released(gateway):
    created = gateway.create(executable="/bin/true", holdState="Pending")
    job = job_headers(created)
    gateway.await_state(job, "Pending")
    assert gateway.property(job, f"{{{TYPES}}}holding") is True
    gateway.job.service.release(_soapheaders=job)
    gateway.await_state(job, "Done")
    gateway.job.service.Destroy(_soapheaders=job)
    step("held and released")


def a_failed_job_tells_why(gateway):
    consumer = Consumer()
    job = job_headers(gateway.create(consumer, executable="/no/such/program"))
    told = gateway.states_told(consumer)[-1]
    for fault in (told.fault.invalidPathFault, gateway.property(job, f"{{{FAULTS}}}fault").invalidPathFault):
        assert (fault.path, fault.gt2ErrorCode) == ("/no/such/program", 5), fault
        assert fault.Description, fault
    gateway.job.service.Destroy(_soapheaders=job)
    step("a failed job's typed fault notified and read")


def wrong_requests_are_refused(gateway):
    refused(lambda: gateway.create(argument=["lonely"]), f"{{{FAULTS}}}serviceLevelAgreementFault", attribute="executable")
    unknown = [text_element(f"{{{JOB}}}ResourceID", "no-such-job")]
    refused(lambda: gateway.property(unknown, STATE), f"{{{WSRP}}}ResourceUnknownFault")
    gateway_property = gateway.factory.service.GetResourceProperty
    refused(
        lambda: gateway_property(etree.QName(JOB, "shoeSize"), _soapheaders=gateway.lrm),
        f"{{{WSRP}}}InvalidResourcePropertyQNameFault",
    )
    step("wrong requests refused with typed faults")


def main(services, lrm):
    gateway = Gateway(services, lrm)
    step("read the WSDL of three services")
    name = etree.QName(JOB, "localResourceManager")
    assert gateway.factory.service.GetResourceProperty(name, _soapheaders=gateway.lrm) == [lrm]
    step("asked the factory")
    a_job_is_watched_to_its_end(gateway)
    a_running_job_is_given_a_time_and_cancelled(gateway)
    a_held_job_is_released(gateway)
    a_failed_job_tells_why(gateway)
    wrong_requests_are_refused(gateway)
    step("all")


if __name__ == "__main__":
    main(*sys.argv[1:])
