# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""A parallel program of several sub-jobs, whose processes know nothing of each other at first: meet_and_sum.py [SECONDS]

Each waits SECONDS, meets those of its own job and then those of the whole multi-job at the rendezvous, connects with everyone,
and adds up the ranks that the others tell it. It prints "process RANK of COUNT: sum SUM" and ends with status 0 if the sum is
right. Environment: GLOBUS_GRAM_JOB_HANDLE, GLOBUS_GRAM_MULTIJOB_HANDLE, GLOBUS_GRAM_SUBJOB_RANK, X509_USER_PROXY, X509_CERT_DIR.
"""

import base64
import http.client
import os
import socket
import ssl
import struct
import sys
import time
import urllib.parse
import uuid
import xml.etree.ElementTree as ElementTree
from xml.sax import saxutils

SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
WSA = "http://schemas.xmlsoap.org/ws/2004/03/addressing"
WSRP = "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties-1.2-draft-01.xsd"
WSRP_ACTION = "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties/GetResourceProperty"
JOB = "http://www.globus.org/namespaces/2004/10/gram/job"
RDV = "http://www.globus.org/namespaces/2004/09/rendezvous"
PATIENCE_SECONDS = 360
CALL_SECONDS = 60
RANK = struct.Struct("!I")


class Meeting:
    """The rendezvous of one job, at the gateway that the handle names."""

    def __init__(self, handle):
        service, _, self.key = handle.partition("?")
        self.service = urllib.parse.urlsplit(service)
        self.trust = ssl.create_default_context(capath=os.environ["X509_CERT_DIR"])
        self.trust.load_cert_chain(os.environ["X509_USER_PROXY"])

    def register(self, data, rank=-1):
        """Leaves the bytes; answers the rank, which is the caller's for good."""
        text = base64.b64encode(data).decode("ascii")
        reply = self._call(
            RDV + "/register", f'<r:register xmlns:r="{RDV}"><r:data>{text}</r:data><r:rank>{rank}</r:rank></r:register>')
        return int(reply.findtext(f".//{{{RDV}}}rank"))

    def everybody(self):
        """Waits for all others; answers how many there are, and what all have left."""
        end = time.monotonic() + PATIENCE_SECONDS
        request = f'<p:GetResourceProperty xmlns:p="{WSRP}" xmlns:r="{RDV}">r:RegistrantData</p:GetResourceProperty>'
        pause = 0.1
        while time.monotonic() < end:
            text = self._call(WSRP_ACTION, request).findtext(f".//{{{RDV}}}RegistrantData")
            if text:
                count, _, data = base64.b64decode(text).partition(b" ")
                return int(count), data
            time.sleep(pause)
            pause = min(2 * pause, 1.0)
        raise TimeoutError(f"not all have come to the job {self.key} in {PATIENCE_SECONDS} s")

    def _call(self, action, body):
        # the same message is sent until it is answered: by its id the gateway knows that it is one registration
        message = self._envelope(action, body).encode("utf-8")
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return self._post(action, message)
            except (OSError, http.client.HTTPException) as e:
                if time.monotonic() > end:
                    raise TimeoutError(f"{self.service.geturl()} did not answer in {PATIENCE_SECONDS} s: {e}") from e
                time.sleep(0.5)

    def _envelope(self, action, body):
        return (
            f'<s:Envelope xmlns:s="{SOAP}" xmlns:a="{WSA}"><s:Header>'
            f"<a:MessageID>uuid:{uuid.uuid4()}</a:MessageID>"
            f"<a:To>{saxutils.escape(self.service.geturl())}</a:To><a:Action>{action}</a:Action>"
            f'<j:ResourceID xmlns:j="{JOB}">{saxutils.escape(self.key)}</j:ResourceID>'
            f"</s:Header><s:Body>{body}</s:Body></s:Envelope>")

    def _post(self, action, message):
        connection = http.client.HTTPSConnection(
            self.service.hostname, self.service.port, timeout=CALL_SECONDS, context=self.trust)
        try:
            connection.request(
                "POST", self.service.path, message,
                {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": f'"{action}"'})
            response = connection.getresponse()
            text = response.read()
        finally:
            connection.close()
        if response.status == 503:
            raise http.client.HTTPException("the gateway says 503")
        reply = ElementTree.fromstring(text)
        fault = reply.find(f".//{{{SOAP}}}Fault")
        if fault is not None:
            raise SystemExit(f"the gateway refuses: {fault.findtext('faultstring')}")
        return reply


def meet(address):
    """Tells everybody this process's address; answers its rank among all, and the addresses of all by rank."""
    job = Meeting(os.environ["GLOBUS_GRAM_JOB_HANDLE"])
    sub_job = int(os.environ["GLOBUS_GRAM_SUBJOB_RANK"])
    # a line for each process, and an empty one after those of a sub-job: what is left is put together without anything between
    rank = job.register(b"%s:%d\n" % (address[0].encode("ascii"), address[1]))
    _, lines = job.everybody()
    multi_job = Meeting(os.environ["GLOBUS_GRAM_MULTIJOB_HANDLE"])
    if rank == 0:
        multi_job.register(lines + b"\n", sub_job)
    count, all_lines = multi_job.everybody()
    groups = [group.splitlines() for group in all_lines.decode("ascii").split("\n\n")[:count]]
    before = sum(len(group) for group in groups[:sub_job])
    return before + rank, [line for group in groups for line in group]


def read_rank(connection):
    received = b""
    while len(received) < RANK.size:
        part = connection.recv(RANK.size - len(received))
        if not part:
            raise ConnectionError("a process hung up before it said its rank")
        received += part
    return RANK.unpack(received)[0]


def exchange(listener, rank, addresses):
    """Connects with everyone, those of higher rank from here, and tells each the own rank; answers the ranks of the others."""
    own = RANK.pack(rank)
    connections = []
    for line in addresses[rank + 1:]:
        host, _, port = line.partition(":")
        connections.append(socket.create_connection((host, int(port)), PATIENCE_SECONDS))
    for _ in range(rank):
        connection, _ = listener.accept()
        connection.settimeout(PATIENCE_SECONDS)
        connections.append(connection)
    for connection in connections:
        connection.sendall(own)
    heard = [read_rank(connection) for connection in connections]
    for connection in connections:
        connection.close()
    return heard


def main():
    time.sleep(float(sys.argv[1]) if len(sys.argv) > 1 else 0)
    with socket.create_server(("127.0.0.1", 0), backlog=socket.SOMAXCONN) as listener:
        listener.settimeout(PATIENCE_SECONDS)
        rank, addresses = meet(listener.getsockname())
        heard = exchange(listener, rank, addresses)
    count = len(addresses)
    total = sum(heard) + rank
    print(f"process {rank} of {count}: sum {total}", flush=True)
    return 0 if sorted(heard + [rank]) == list(range(count)) and total == count * (count - 1) // 2 else 1


if __name__ == "__main__":
    sys.exit(main())
