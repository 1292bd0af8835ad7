/* SPDX-FileCopyrightText: 2026 The Jobgate authors
   SPDX-License-Identifier: Apache-2.0 */

/* The life of two jobs with a client that gSOAP's wsdl2h and soapcpp2 have made of the official WSDL of CREAM2:
   cream_job CREAM2_URL CREDENTIAL CA_DIRECTORY DELEGATION_ID

   The credential is a PEM file with the certificate, its chain and the key. Each step that holds is printed as "ok STEP"; the first that does not
   ends the program with status 1 and what gSOAP says. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "soapH.h"
#include "CreamBinding.nsmap"

static const char *address;
static char *delegation;

static void fail(struct soap *soap, const char *step)
{
    fprintf(stderr, "not ok %s\n", step);
    soap_print_fault(soap, stderr);
    exit(1);
}

static void check(int holds, struct soap *soap, const char *step)
{
    if (!holds) {
        fail(soap, step);
    }
}

/* A filter that names one job. */
static struct ns2__JobFilter of(struct soap *soap, struct ns2__JobId *job)
{
    struct ns2__JobFilter filter;
    soap_default_ns2__JobFilter(soap, &filter);
    filter.__sizejobId = 1;
    filter.jobId = job;
    return filter;
}

/* The id alone goes back: the properties are answers. */
static struct ns2__JobId registered(struct soap *soap, char *jdl, char *lease, enum xsd__boolean starts)
{
    struct ns2__JobDescription description;
    struct _ns2__JobRegisterRequest request;
    struct _ns2__JobRegisterResponse response;
    struct ns2__JobId *given;
    struct ns2__JobId job;

    soap_default_ns2__JobDescription(soap, &description);
    soap_default__ns2__JobRegisterRequest(soap, &request);
    description.JDL = jdl;
    description.delegationId = delegation;
    description.leaseId = lease;
    description.autoStart = starts;
    description.jobDescriptionId = "of gSOAP";
    request.__sizejobDescriptionList = 1;
    request.jobDescriptionList = &description;
    if (soap_call___ns1__JobRegister(soap, address, NULL, &request, &response)) {
        fail(soap, "JobRegister");
    }
    check(response.__sizeresult == 1
              && response.result[0].__union_JobRegisterResult == SOAP_UNION__ns2__union_JobRegisterResult_jobId
              && !strcmp(response.result[0].jobDescriptionId, "of gSOAP"), soap, "one job registered");
    given = response.result[0].union_JobRegisterResult.jobId;
    check(given->__sizeproperty >= 2, soap, "the addresses of the sandboxes");
    soap_default_ns2__JobId(soap, &job);
    job.id = given->id;
    job.creamURL = given->creamURL;
    return job;
}

/* Waits until the job has this state. */
static struct ns2__Status *await(struct soap *soap, struct ns2__JobId *job, const char *wanted)
{
    int tries;
    for (tries = 0; tries < 1800; tries++) {
        struct ns2__JobFilter request = of(soap, job);
        struct _ns2__JobStatusResponse response;
        struct ns2__Status *status;
        if (soap_call___ns1__JobStatus(soap, address, NULL, &request, &response)) {
            fail(soap, "JobStatus");
        }
        check(response.__sizeresult == 1
                  && response.result[0].__union_JobStatusResult == SOAP_UNION__ns2__union_JobStatusResult_jobStatus, soap, "one status");
        status = response.result[0].union_JobStatusResult.jobStatus;
        if (!strcmp(status->name, wanted)) {
            return status;
        }
        usleep(100000);
    }
    fail(soap, "the state that was waited for");
    return NULL;
}

static void look(struct soap *soap, struct ns2__JobId *job)
{
    struct ns2__JobFilter request = of(soap, job);
    struct _ns2__JobInfoResponse response;
    struct _ns2__JobListResponse all;
    struct ns2__JobInfo *info;
    int i;
    int found = 0;

    if (soap_call___ns1__JobInfo(soap, address, NULL, &request, &response)) {
        fail(soap, "JobInfo");
    }
    check(response.__sizeresult == 1 && response.result[0].__union_JobInfoResult == SOAP_UNION__ns2__union_JobInfoResult_jobInfo, soap,
          "one job");
    info = response.result[0].union_JobInfoResult.jobInfo;
    check(info->__sizestatus > 2 && !strcmp(info->status[0].name, "REGISTERED") && info->__sizelastCommand == 2
              && !strcmp(info->delegationProxyId, delegation), soap, "its history and commands");
    /* gSOAP sends this one with an empty Body */
    if (soap_call___ns1__JobList(soap, address, NULL, &all)) {
        fail(soap, "JobList");
    }
    for (i = 0; i < all.__sizeresult; i++) {
        found |= !strcmp(all.result[i].id, job->id);
    }
    check(found, soap, "the list has it");
}

static void purge(struct soap *soap, struct ns2__JobId *job)
{
    struct ns2__JobFilter request = of(soap, job);
    struct ns2__CommandResult purged;
    struct _ns2__JobStatusResponse gone;

    if (soap_call___ns1__JobPurge(soap, address, NULL, &request, &purged)) {
        fail(soap, "JobPurge");
    }
    check(purged.__sizeresult == 1 && purged.result[0].__union_Result == 0, soap, "purged");
    if (soap_call___ns1__JobStatus(soap, address, NULL, &request, &gone)) {
        fail(soap, "JobStatus of a job that is purged");
    }
    check(gone.__sizeresult == 1
              && gone.result[0].__union_JobStatusResult == SOAP_UNION__ns2__union_JobStatusResult_JobUnknownFault, soap, "the typed fault");
}

int main(int argc, char **argv)
{
    struct soap *soap = soap_new1(SOAP_XML_STRICT);
    struct ns2__ServiceInfo info;
    struct ns2__JobId job, sleeping;
    struct ns2__JobFilter filter;
    struct ns2__CommandResult done;
    struct ns2__Lease wanted, granted;
    struct ns2__Status *status;
    struct __ns1__acceptNewJobSubmissionsResponse nothing;

    if (argc != 5) {
        fprintf(stderr, "usage: cream_job CREAM2_URL CREDENTIAL CA_DIRECTORY DELEGATION_ID\n");
        return 2;
    }
    address = argv[1];
    delegation = argv[4];
    soap_ssl_init();
    if (soap_ssl_client_context(soap, SOAP_SSL_DEFAULT, argv[2], NULL, NULL, argv[3], NULL)) {
        fail(soap, "the credential");
    }
    if (soap_call___ns1__getServiceInfo(soap, address, NULL, 0, &info)) {
        fail(soap, "getServiceInfo");
    }
    check(info.doesAcceptNewJobSubmissions == xsd__boolean__true_, soap, "jobs are taken");
    printf("ok the service says what it is\n");

    job = registered(soap, "[ Executable = \"/bin/sh\"; Arguments = \"-c 'exit 5'\"; BatchSystem = \"fork\"; QueueName = \"any\" ]", NULL,
                     xsd__boolean__false_);
    await(soap, &job, "REGISTERED");
    filter = of(soap, &job);
    if (soap_call___ns1__JobStart(soap, address, NULL, &filter, &done)) {
        fail(soap, "JobStart");
    }
    check(done.__sizeresult == 1 && done.result[0].__union_Result == 0, soap, "started");
    status = await(soap, &job, "DONE-OK");
    check(status->exitCode && !strcmp(status->exitCode, "5"), soap, "the exit code");
    printf("ok a job registered, started, and its end seen\n");
    look(soap, &job);
    printf("ok its history read\n");

    wanted.leaseId = "gSOAP";
    wanted.leaseTime = time(NULL) + 600;
    if (soap_call___ns1__setLease(soap, address, NULL, &wanted, &granted)) {
        fail(soap, "setLease");
    }
    check(!strcmp(granted.leaseId, "gSOAP") && granted.leaseTime <= wanted.leaseTime + 1, soap, "the lease");
    sleeping = registered(soap, "[ Executable = \"/bin/sleep\"; Arguments = \"300\"; BatchSystem = \"fork\"; QueueName = \"any\" ]", "gSOAP",
                          xsd__boolean__true_);
    await(soap, &sleeping, "REALLY-RUNNING");
    filter = of(soap, &sleeping);
    if (soap_call___ns1__JobCancel(soap, address, NULL, &filter, &done)) {
        fail(soap, "JobCancel");
    }
    status = await(soap, &sleeping, "CANCELLED");
    check(status->description && !strcmp(status->description, "Cancelled by user"), soap, "by whom");
    printf("ok another under a lease cancelled\n");

    check(soap_call___ns1__acceptNewJobSubmissions(soap, address, NULL, xsd__boolean__false_, &nothing) == SOAP_FAULT
              && soap->fault && soap->fault->detail && soap->fault->detail->ns2__AuthorizationFault, soap, "the typed fault of the request");
    printf("ok refused by a typed fault\n");

    purge(soap, &job);
    purge(soap, &sleeping);
    printf("ok purged\n");
    printf("ok all\n");
    soap_destroy(soap);
    soap_end(soap);
    soap_free(soap);
    return 0;
}
