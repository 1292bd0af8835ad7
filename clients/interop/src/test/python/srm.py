# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the description of an SRM service with zeep, and asks it: srm.py ADDRESS PROXY."""

import os
import sys

import requests
import zeep
from zeep.transports import Transport

address, proxy = sys.argv[1:]
session = requests.Session()
# REQUESTS_CA_BUNDLE in the environment would outdo what is said here
session.trust_env = False
session.cert = proxy
session.verify = os.environ["X509_CERT_DIR"]
client = zeep.Client(address + "?wsdl", transport=Transport(session=session))
assert len(client.service._binding._operations) == 39
service = client.create_service(
    "{http://srm.lbl.gov/StorageResourceManager}srmSoapBinding", address
)
print("version", service.srmPing({})["versionInfo"])
listed = service.srmLs(
    {"arrayOfSURLs": {"urlArray": ["srm://localhost/work"]}, "numOfLevels": 1}
)
print("code", listed["returnStatus"]["statusCode"])
for directory in listed["details"]["pathDetailArray"]:
    for one in directory["arrayOfSubPaths"]["pathDetailArray"]:
        print("path", one["path"], one["size"], one["type"])
