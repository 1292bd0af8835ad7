# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""One job with pyarcrest, as its users write it: one_job.py URL PROXY DIRECTORY. Prints what it saw, one thing a line."""
import sys
import time

from pyarcrest.arc import ARCRest

url, proxy, directory = sys.argv[1:]
client = ARCRest.getClient(url=url, proxypath=proxy)
print("versions", client.getAPIVersions())

delegation = client.createDelegation()
print("delegated", delegation in [one["id"] for one in client.getDelegationsList()])
adl = """<?xml version="1.0"?>
<ActivityDescription xmlns="http://www.eu-emi.eu/es/2010/12/adl">
  <Application>
    <Executable><Path>run.sh</Path><Argument>a  b</Argument><Argument>it's "q"</Argument></Executable>
    <Output>out.txt</Output>
    <Environment><Name>FOO</Name><Value>bar</Value></Environment>
  </Application>
  <DataStaging>
    <InputFile><Name>run.sh</Name><IsExecutable>true</IsExecutable></InputFile>
    <InputFile><Name>in/data.txt</Name></InputFile>
    <OutputFile><Name>out.txt</Name></OutputFile>
  </DataStaging>
</ActivityDescription>"""
(job, state) = client.createJobs(adl, delegationID=delegation)[0].value
print("submitted", state)
client.uploadFile(job, "in/data.txt", directory + "/data.txt")
client.uploadFile(job, "run.sh", directory + "/run.sh")
for _ in range(900):
    state = client.getJobsStatus([job])[0].value
    if state in ("FINISHED", "FAILED", "KILLED"):
        break
    time.sleep(0.2)
info = client.getJobsInfo([job])[0].value
print("ended", state, info["ExitCode"], info["state"])
print("of", client.getJobsDelegations([job])[0].value == [delegation])
print("files", sorted(client.downloadListing(job, "")["file"]))
client.downloadFile(job, "out.txt", directory + "/out.txt")
with open(directory + "/out.txt", encoding="utf-8") as output:
    print("wrote", output.read().strip())
client.refreshDelegation(delegation)
print("cleaned", client.cleanJobs([job])[0].value)
client.deleteDelegation(delegation)
print("left", job in client.getJobsList(), delegation in [one["id"] for one in client.getDelegationsList()])
