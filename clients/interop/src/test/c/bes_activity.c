/* SPDX-FileCopyrightText: 2026 The Jobgate authors
   SPDX-License-Identifier: Apache-2.0 */

/* The life of an activity with a client that gSOAP's wsdl2h and soapcpp2 have made of the official WSDL of OGSA-BES:
   bes_activity BES_URL CREDENTIAL CA_DIRECTORY [NAME PASSWORD]

   The credential is a PEM file with the certificate, its chain and the key. With a name and a password there is no credential ("-"): each message
   has a UsernameToken, which gSOAP's plug-in wsse writes. Each step that holds is printed as "ok STEP"; the first that does not ends the program
   with status 1 and what gSOAP says. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "soapH.h"
#include "BESFactoryBinding.nsmap"
#include "wsseapi-lite.h"

static const char *address;
static const char *name;
static const char *password;

/* The header of the next request; an answer's headers take its place. */
static struct soap *named(struct soap *soap)
{
    if (name) {
        soap_wsse_delete_Security(soap);
        soap_wsse_add_UsernameTokenText(soap, NULL, name, password);
    }
    return soap;
}

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

static void create(struct soap *soap, const char *command, struct ns1__CreateActivityResponseType *created)
{
    struct ns1__CreateActivityType request;
    struct ns1__ActivityDocumentType document;
    struct ns2__JobDefinition_USCOREType definition;
    struct ns2__JobDescription_USCOREType description;
    struct ns2__Application_USCOREType application;
    char text[1024];
    char *parts[1];

    soap_default_ns1__CreateActivityType(soap, &request);
    soap_default_ns1__ActivityDocumentType(soap, &document);
    soap_default_ns2__JobDefinition_USCOREType(soap, &definition);
    soap_default_ns2__JobDescription_USCOREType(soap, &description);
    soap_default_ns2__Application_USCOREType(soap, &application);
    snprintf(text, sizeof text,
            "<HPCProfileApplication xmlns=\"http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa\"><Executable>/bin/sh</Executable>"
            "<Argument>-c</Argument><Argument>%s</Argument></HPCProfileApplication>", command);
    parts[0] = text;
    application.__size = 1;
    application.__any = parts;
    description.Application = &application;
    definition.JobDescription = &description;
    document.ns2__JobDefinition = &definition;
    request.ActivityDocument = &document;
    if (soap_call___ns1__CreateActivity(named(soap), address, NULL, &request, created)) {
        fail(soap, "CreateActivity");
    }
}

/* Waits until the activity has this state. gSOAP's endpoint references lose reference parameters, so the address alone goes back. */
static void await(struct soap *soap, struct wsa5__EndpointReferenceType *activity, enum ns1__ActivityStateEnumeration wanted)
{
    int tries;
    for (tries = 0; tries < 1800; tries++) {
        struct ns1__GetActivityStatusesType request;
        struct ns1__GetActivityStatusesResponseType response;
        soap_default_ns1__GetActivityStatusesType(soap, &request);
        request.__sizeActivityIdentifier = 1;
        request.ActivityIdentifier = activity;
        if (soap_call___ns1__GetActivityStatuses(named(soap), address, NULL, &request, &response)) {
            fail(soap, "GetActivityStatuses");
        }
        check(response.__sizeResponse == 1 && response.Response[0].ActivityStatus != NULL, soap, "one status");
        if (response.Response[0].ActivityStatus->state == wanted) {
            return;
        }
        usleep(100000);
    }
    fail(soap, "the state that was waited for");
}

int main(int argc, char **argv)
{
    struct soap *soap = soap_new1(SOAP_XML_STRICT);
    struct ns1__CreateActivityResponseType created, sleeping;
    struct ns1__TerminateActivitiesType ending;
    struct ns1__TerminateActivitiesResponseType ended;
    struct ns1__GetFactoryAttributesDocumentType asking;
    struct ns1__GetFactoryAttributesDocumentResponseType attributes;

    if (argc != 4 && argc != 6) {
        fprintf(stderr, "usage: bes_activity BES_URL CREDENTIAL CA_DIRECTORY [NAME PASSWORD]\n");
        return 2;
    }
    address = argv[1];
    if (argc == 6) {
        name = argv[4];
        password = argv[5];
    }
    soap_ssl_init();
    if (soap_ssl_client_context(soap, SOAP_SSL_DEFAULT, name ? NULL : argv[2], NULL, NULL, argv[3], NULL)) {
        fail(soap, "the credential");
    }
    create(soap, "exit 0", &created);
    printf("ok an activity created\n");
    await(soap, &created.ActivityIdentifier, ns1__ActivityStateEnumeration__Finished);
    printf("ok its end seen\n");

    create(soap, "sleep 600", &sleeping);
    await(soap, &sleeping.ActivityIdentifier, ns1__ActivityStateEnumeration__Running);
    soap_default_ns1__TerminateActivitiesType(soap, &ending);
    ending.__sizeActivityIdentifier = 1;
    ending.ActivityIdentifier = &sleeping.ActivityIdentifier;
    if (soap_call___ns1__TerminateActivities(named(soap), address, NULL, &ending, &ended)) {
        fail(soap, "TerminateActivities");
    }
    check(ended.__sizeResponse == 1 && ended.Response[0].Terminated == xsd__boolean__true_, soap, "terminated");
    await(soap, &sleeping.ActivityIdentifier, ns1__ActivityStateEnumeration__Cancelled);
    printf("ok another terminated\n");

    soap_default_ns1__GetFactoryAttributesDocumentType(soap, &asking);
    if (soap_call___ns1__GetFactoryAttributesDocument(named(soap), address, NULL, &asking, &attributes)) {
        fail(soap, "GetFactoryAttributesDocument");
    }
    printf("ok the factory's attributes read\n");
    printf("ok all\n");
    soap_destroy(soap);
    soap_end(soap);
    soap_free(soap);
    return 0;
}
