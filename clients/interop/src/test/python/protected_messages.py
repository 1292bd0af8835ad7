# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Messages that say themselves who sends them, by zeep's WS-Security: protected_messages.py SERVICES_URL CERTIFICATE KEY NAME PASSWORD

The connections have no client certificate: the gateway knows the caller by the message alone, an X.509 signature (xmlsec) or a
UsernameToken. Each step that holds is printed as "ok STEP"; the first that does not ends the program with status 1 and a traceback.
"""

import datetime
import os
import sys
import time

import requests
import xmlsec
import zeep
from lxml import etree
from zeep import ns
from zeep.utils import detect_soap_env
from zeep.wsa import WsAddressingPlugin
from zeep.wsse import signature
from zeep.wsse.username import UsernameToken
from zeep.wsse.utils import get_security_header

JOB = "http://www.globus.org/namespaces/2004/10/gram/job"
STATE = "{http://www.globus.org/namespaces/2004/10/gram/job/types}state"
WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
PATIENCE_SECONDS = 180


class WholeSignature(signature.BinarySignature):
    """zeep's signature with a BinarySecurityToken; zeep itself signs Body and Timestamp, the header blocks are signed besides."""

    def __init__(self, key, certificate, algorithm=xmlsec.Transform.RSA_SHA256, digest=xmlsec.Transform.SHA256):
        super().__init__(key, certificate, signature_method=algorithm, digest_method=digest)
        self.replies = 0

    def apply(self, envelope, headers):
        security = get_security_header(envelope)
        now = datetime.datetime.now(datetime.timezone.utc)
        timestamp = etree.SubElement(security, etree.QName(ns.WSU, "Timestamp"), nsmap={"wsu": ns.WSU})
        for name, moment in (("Created", now), ("Expires", now + datetime.timedelta(minutes=4))):
            etree.SubElement(timestamp, etree.QName(ns.WSU, name)).text = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        header = envelope.find(etree.QName(detect_soap_env(envelope), "Header"))
        original = signature._sign_node

        def sign_body_and_headers(context, element, target, digest_method=None):
            original(context, element, target, digest_method)
            if target.tag == etree.QName(detect_soap_env(envelope), "Body"):
                for block in header:
                    if block.tag != etree.QName(WSSE, "Security"):
                        original(context, element, block, digest_method)

        signature._sign_node = sign_body_and_headers
        try:
            return super().apply(envelope, headers)
        finally:
            signature._sign_node = original

    def verify(self, envelope):
        """zeep checks with the certificate it was given; the reply is signed with that of the gateway, which comes with it."""
        security = envelope.find(f".//{{{WSSE}}}Security")
        assert security is not None, "the reply is not signed"
        token = security.find(f"{{{WSSE}}}BinarySecurityToken").text
        element = security.find(etree.QName(ns.DS, "Signature"))
        context = xmlsec.SignatureContext()
        signed = set()
        for reference in element.iter(etree.QName(ns.DS, "Reference").text):
            signed.add(reference.get("URI")[1:])
        for node in envelope.iter():
            identifier = node.get(etree.QName(ns.WSU, "Id"))
            if identifier:
                context.register_id(node, "Id", ns.WSU)
        body = envelope.find(etree.QName(detect_soap_env(envelope), "Body"))
        assert body.get(etree.QName(ns.WSU, "Id")) in signed, "the reply's body is not signed"
        pem = "-----BEGIN CERTIFICATE-----\n" + token + "\n-----END CERTIFICATE-----\n"
        context.key = xmlsec.Key.from_memory(pem, xmlsec.KeyFormat.CERT_PEM)
        context.verify(element)
        self.replies += 1
        return envelope


def text_element(name, text):
    element = etree.Element(name)
    element.text = text
    return element


def client(services, name, wsse):
    session = requests.Session()
    session.trust_env = False
    session.verify = os.environ["X509_CERT_DIR"]
    transport = zeep.Transport(session=session, timeout=PATIENCE_SECONDS, operation_timeout=PATIENCE_SECONDS)
    return zeep.Client(f"{services}/{name}?wsdl", transport=transport, wsse=wsse, plugins=[WsAddressingPlugin()])


def run_a_job(services, wsse):
    """Submits, watches to its end, destroys: with messages of one kind."""
    factory = client(services, "ManagedJobFactoryService", wsse).service
    jobs = client(services, "ManagedExecutableJobService", wsse).service
    created = factory.createManagedJob(
        _soapheaders=[text_element(f"{{{JOB}}}ResourceID", "Fork")], job={"executable": "/bin/true"}
    )
    (key,) = created.managedJobEndpoint.ReferenceProperties._value_1
    headers = [text_element(f"{{{JOB}}}ResourceID", key)]
    end = time.monotonic() + PATIENCE_SECONDS
    state = None
    while state != "Done" and time.monotonic() < end:
        (state,) = jobs.GetResourceProperty(etree.QName(STATE), _soapheaders=headers)
        time.sleep(0.1)
    assert state == "Done", state
    jobs.Destroy(_soapheaders=headers)


def refused(services, wsse, code, reason):
    if wsse:
        # who is not known gets no signed answer; zeep would look at the signature before the fault
        wsse.verify = lambda envelope: envelope
    try:
        run_a_job(services, wsse)
    except zeep.exceptions.Fault as fault:
        assert fault.code.endswith(code), (fault.code, fault.message)
        assert reason in fault.message, fault.message
        return
    raise AssertionError(f"not refused with {code}")


def step(name):
    print("ok", name, flush=True)


def main(services, certificate, key, name, password):
    signing = WholeSignature(key, certificate)
    run_a_job(services, signing)
    assert signing.replies >= 3, signing.replies
    step("a job by signed messages, every reply signed by the gateway")
    run_a_job(services, UsernameToken(name, password))
    step("a job by a name and a password")
    run_a_job(services, UsernameToken(name, password, use_digest=True))
    step("a job by a name and a digest")
    refused(services, UsernameToken(name, "guess"), "FailedAuthentication", "do not fit")
    step("a wrong password refused")
    old = WholeSignature(key, certificate, xmlsec.Transform.RSA_SHA1, xmlsec.Transform.SHA1)
    refused(services, old, "UnsupportedAlgorithm", "SHA-1")
    step("SHA-1 refused")
    bare = signature.BinarySignature(
        key, certificate, signature_method=xmlsec.Transform.RSA_SHA256, digest_method=xmlsec.Transform.SHA256
    )
    refused(services, bare, "InvalidSecurity", "has no Timestamp")
    step("a signature of the body alone refused")
    refused(services, None, "InvalidSecurity", "takes only messages that say themselves")
    step("an unprotected message refused")
    step("all")


if __name__ == "__main__":
    main(*sys.argv[1:])
