# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""The values are those of the gateway's own document."""

import json
from pathlib import Path

import pytest

from jobgate import models
from jobgate._async.client import AsyncJobgate

DOCUMENT = Path(__file__).parents[3] / "service/rest/src/main/resources/org/jobgate/rest/api/openapi.json"
NAMES = {
    "Job": "JobStatus", "Array": "ArrayStatus", "TransferJob": "TransferStatus", "Transfers": "TransferList",
    "Tree": "TreeStatus", "Trees": "TreeList", "Delegation": "DelegationStatus", "Delegations": "DelegationList",
}  # fmt: skip
#: What this client does not have yet: audit records, what administrators do, other languages.
ELSEWHERE = {
    "Holdable", "JobId", "JobText", "BulkRequest", "BulkIds", "Extend", "BulkExtend", "Hold", "ArrayPart",
    "Record", "Records", "Acts", "Usage",
    "AdminStatus", "AdminFigure", "AdminFigures", "AdminPool", "AdminPools", "AdminWorkers", "AdminThrottle",
    "AdminLrm", "AdminLrms", "AdminOwner", "AdminOwners", "AdminTransfer", "AdminTransfers",
    "AdminJob", "AdminJobs", "AdminReason",
}  # fmt: skip


@pytest.fixture(scope="module")
def schemas():
    if not DOCUMENT.exists():
        pytest.skip("SKIPPED: not in a checkout, no OpenAPI document to compare with")
    return json.loads(DOCUMENT.read_text())["components"]["schemas"]


def test_every_value_has_the_members_of_the_document(schemas):
    different = {}
    for name, schema in schemas.items():
        model = getattr(models, NAMES.get(name, name), None)
        if model is None:
            if name not in ELSEWHERE:
                different[name] = "not in this client"
            continue
        if "enum" in schema:
            assert [state.value for state in model] == schema["enum"]
            continue
        ours = {field.alias or field_name for field_name, field in model.model_fields.items()}
        theirs = set(schema["properties"])
        if ours != theirs:
            different[name] = {"only here": ours - theirs, "only in the document": theirs - ours}
        # a client may ask for some members of a job only; this one never does
        if issubclass(model, models._Answer) and name not in ("Problem", "Job"):
            required = {f.alias or n for n, f in model.model_fields.items() if f.is_required()}
            assert required <= set(schema.get("required", ())), name
    assert not different


def test_requests_refuse_members_that_the_document_does_not_have():
    with pytest.raises(ValueError, match="executible"):
        models.JobRequest(executible="/bin/true")


def test_answers_keep_members_of_newer_gateways():
    info = models.Info.model_validate(
        {"service": "s", "api": "1", "time": "2026-11-25T10:00:00Z", "links": {}, "newer": 5}
    )
    assert info.model_extra == {"newer": 5}


def test_both_clients_have_the_same_methods():
    from jobgate import Jobgate

    asynchronous = {name for name in vars(AsyncJobgate) if not name.startswith("_")}
    assert asynchronous - {"aclose"} == {name for name in vars(Jobgate) if not name.startswith("_")} - {"close"}
