# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The life of an activity with zeep, by the official WSDL of OGSA-BES: bes_activity.py BES_URL WSDL_DIRECTORY [NAME PASSWORD | sign CERTIFICATE KEY]

Without a name the caller is known by the certificate of the connection (X509_USER_PROXY); with one, by a UsernameToken over a connection
without a certificate; with "sign", by the X.509 signature of each message, to which each reply has one of the gateway. Each step that holds is printed as "ok STEP"; the first that does not ends the program with status 1 and a traceback.
"""

import os
import sys
import time
import uuid

import requests
import zeep
from lxml import etree
from zeep.wsa import WsAddressingPlugin
from zeep.wsse.username import UsernameToken

from protected_messages import WholeSignature

BES = "http://schemas.ggf.org/bes/2006/08/bes-factory"
HPCPA = "http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa"
OURS = "https://jobgate.org/ns/2026/bes"
PATIENCE_SECONDS = 180


class Factory:
    """The operations of BESFactory, called through what zeep makes of the official WSDL."""

    def __init__(self, address, directory, credentials):
        session = requests.Session()
        # REQUESTS_CA_BUNDLE in the environment would outdo what is said here
        session.trust_env = False
        session.verify = os.environ["X509_CERT_DIR"]
        token = None
        self.history = zeep.plugins.HistoryPlugin()
        plugins = [self.history]
        if len(credentials) == 3:
            _, certificate, key = credentials
            token = WholeSignature(key, certificate)
            plugins.append(WsAddressingPlugin())
        elif credentials:
            token = UsernameToken(*credentials)
        else:
            session.cert = os.environ["X509_USER_PROXY"]
        self.token = token
        client = zeep.Client(
            os.path.join(directory, "bes-factory.wsdl"),
            transport=zeep.Transport(session=session, timeout=PATIENCE_SECONDS, operation_timeout=PATIENCE_SECONDS),
            wsse=token,
            plugins=plugins,
        )
        self.client = client
        self.service = client.create_service(f"{{{BES}}}BESFactoryBinding", address)

    def create(self, executable, *arguments, submission=None):
        """CreateActivity of a program; answers the activity's identifier as zeep has read it."""
        application = etree.Element(f"{{{HPCPA}}}HPCProfileApplication")
        etree.SubElement(application, f"{{{HPCPA}}}Executable").text = executable
        for argument in arguments:
            etree.SubElement(application, f"{{{HPCPA}}}Argument").text = argument
        document = {
            "JobDefinition": {
                "JobDescription": {
                    "JobIdentification": {"JobName": "zeep"},
                    "Application": {"_value_1": [application]},
                    "Resources": {"TotalCPUCount": {"Exact": [{"_value_1": 1}]}},
                }
            }
        }
        if submission:
            extension = etree.Element(f"{{{OURS}}}SubmissionId")
            extension.text = submission
            document["_value_1"] = [extension]
        return self.service.CreateActivity(ActivityDocument=document).ActivityIdentifier

    def statuses(self, *identifiers):
        return self.service.GetActivityStatuses(ActivityIdentifier=list(identifiers)).Response

    def await_state(self, identifier, *wanted):
        end = time.monotonic() + PATIENCE_SECONDS
        state = None
        while state not in wanted and time.monotonic() < end:
            state = self.statuses(identifier)[0].ActivityStatus.state
            time.sleep(0.1)
        assert state in wanted, state


def step(name):
    print("ok", name, flush=True)


def key(identifier):
    """The id in an identifier, which a client need not know of; here it is compared."""
    return identifier.ReferenceParameters._value_1[0].text


def main(address, directory, *credentials):
    factory = Factory(address, directory, credentials)
    identifier = factory.create("/bin/sh", "-c", "exit 3")
    step("an activity created")
    factory.await_state(identifier, "Finished")
    (answer,) = factory.statuses(identifier)
    assert key(answer.ActivityIdentifier) == key(identifier), answer
    codes = [node.text for node in answer.ActivityStatus._value_1 if node.tag == f"{{{OURS}}}ExitCode"]
    assert codes == ["3"], codes
    step("its end and its exit code seen")

    sleeping = factory.create("/bin/sleep", "600")
    factory.await_state(sleeping, "Running")
    first, second = factory.service.TerminateActivities(ActivityIdentifier=[sleeping, identifier]).Response
    assert first.Terminated is True and first.Fault is None, first
    assert second.Terminated is False and str(second.Fault.faultcode).endswith("Client"), second
    factory.await_state(sleeping, "Cancelled")
    step("one terminated, and one that was over not")

    same = str(uuid.uuid4())
    assert key(factory.create("/bin/true", submission=same)) == key(factory.create("/bin/true", submission=same))
    step("a repeated submission is the same activity")

    try:
        factory.create("/no/such", "x" * 200_000)
        raise AssertionError("not refused")
    except zeep.exceptions.Fault as fault:
        assert fault.detail[0].tag == f"{{{BES}}}InvalidRequestMessageFault", etree.tostring(fault.detail)
    step("a document over a limit refused by a typed fault")

    attributes = factory.service.GetFactoryAttributesDocument().FactoryResourceAttributesDocument
    assert attributes.IsAcceptingNewActivities is True
    assert attributes.NamingProfile == [f"{BES[: BES.rindex('/')]}/bes/naming/BasicWSAddressing"], attributes.NamingProfile
    assert attributes.TotalNumberOfContainedResources == len(attributes.ContainedResource), attributes
    step("the factory's attributes read")
    if isinstance(factory.token, WholeSignature):
        assert factory.token.replies >= 8, factory.token.replies
        step("every reply signed by the gateway")
    step("all")


if __name__ == "__main__":
    main(*sys.argv[1:])
