// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jobgate.door.DoorAddresses;
import org.jobgate.gt4.Generation;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The operations that a gateway offers, read from the descriptions that it publishes itself (OpenAPI, WSDL): what is added to a door and
 * described is asked for without a change here. ARC's interface and the files of jobs publish no description; their operations stand below.
 */
final class OfferedOperations {

    /** An id that nothing has. */
    static final String NOTHING = "01234567-89ab-7def-8123-456789abcdef";

    private static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";
    private static final String WSDL_SOAP = "http://schemas.xmlsoap.org/wsdl/soap/";
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

    private static final String RFT_STATUS = "RequestStatusProperty";
    /** In the place of a time that is to come. */
    private static final String LATER = "LATER";

    /** What has to be in a request that is refused for its form before anybody asks who sends it. */
    private static final Map<String, String> REST_BODIES = Map.of(
            "POST /jobs/{id}/extend",
            "{\"terminationTime\": \"" + LATER + "\"}",
            "POST /bulk/jobs/{action}",
            "{\"ids\": [\"" + NOTHING + "\"]}",
            "POST /bulk/jobs/extend",
            "{\"ids\": [\"" + NOTHING + "\"], \"terminationTime\": \"" + LATER + "\"}",
            "PATCH /arrays/{id}",
            "{\"maxRunning\": 1}",
            "POST /transfers",
            "{\"files\": [{\"source\": \"gsiftp://localhost/x\", \"destination\": \"gsiftp://localhost/y\"}]}",
            "POST /trees/{tree}/rename/{path}",
            "{\"to\": \"y\"}",
            "POST /trees/{tree}/chmod/{path}",
            "{\"mode\": \"600\"}");

    private static final String SRM_CONTENT = "<requestToken>1</requestToken><spaceToken>1</spaceToken>"
            + "<SURL>srm://localhost/work/x</SURL><arrayOfSURLs><urlArray>srm://localhost/work/x</urlArray></arrayOfSURLs>";

    private static final String ACTIVITY =
            "<b:ActivityIdentifier xmlns:b=\"http://schemas.ggf.org/bes/2006/08/bes-factory\">"
                    + "<w:Address xmlns:w=\"http://www.w3.org/2005/08/addressing\">https://any.example.org/bes?activity="
                    + NOTHING
                    + "</w:Address></b:ActivityIdentifier>";

    private static final Map<String, String> SOAP_CONTENTS = Map.of(
            "setLease",
            "<leaseId>x</leaseId><leaseTime>" + LATER + "</leaseTime>",
            "GetActivityStatuses",
            ACTIVITY,
            "TerminateActivities",
            ACTIVITY,
            "GetActivityDocuments",
            ACTIVITY,
            "terminate",
            "<destroyAfterCleanup>true</destroyAfterCleanup><continueNotifying>true</continueNotifying>"
                    + "<destroyDelegatedCredentials>true</destroyDelegatedCredentials>",
            "SetTerminationTime",
            "<RequestedTerminationTime>" + LATER + "</RequestedTerminationTime>",
            "QueryResourceProperties",
            "<QueryExpression Dialect=\"http://www.w3.org/TR/1999/REC-xpath-19991116\">/*</QueryExpression>");

    /**
     * One operation as a request with as little in it as possible.
     *
     * @param name for messages, and for lists of exceptions
     * @param type of the body; empty for a request without one
     * @param action of SOAP's header; empty where there is none
     */
    record Request(String name, String door, String method, String path, String type, String body, String action) {

        Request withBody(String changed) {
            return new Request(name, door, method, path, type, changed, action);
        }

        Request withPath(String changed) {
            return new Request(name, door, method, changed, type, body, action);
        }
    }

    /** Reads a document of the gateway. */
    @FunctionalInterface
    interface Documents {
        String get(String door, String path) throws Exception;
    }

    private OfferedOperations() {}

    /** The addresses of the SOAP services, each by the query that asks for its description. */
    static Map<String, String> descriptions() {
        Map<String, String> doors = new HashMap<>();
        for (String generation : List.of("wsdl", "wsdl=gt42")) {
            for (String service : List.of(
                    "ManagedJobFactoryService",
                    "ManagedExecutableJobService",
                    "ManagedMultiJobService",
                    "SubscriptionManagerService")) {
                doors.put("/wsrf/services/" + service + "?" + generation, DoorAddresses.GRAM);
            }
            for (String service : List.of("DelegationFactoryService", "DelegationService")) {
                doors.put("/wsrf/services/" + service + "?" + generation, DoorAddresses.DELEGATION);
            }
            for (String service : List.of(
                    "ReliableFileTransferFactoryService",
                    "ReliableFileTransferService",
                    "ReliableFileTransferSubscriptionService")) {
                doors.put("/wsrf/services/" + service + "?" + generation, DoorAddresses.RFT);
            }
        }
        doors.put("/wsrf/services/ManagedJobFactoryService?wsdl=jobs", DoorAddresses.GRAM);
        doors.put("/wsrf/services/ManagedJobFactoryService?wsdl=jobs42", DoorAddresses.GRAM);
        doors.put("/wsrf/services/gridsite-delegation?wsdl", DoorAddresses.GRIDSITE);
        doors.put("/ce-cream/services/CREAM2?wsdl", DoorAddresses.CREAM);
        doors.put("/ce-cream/services/gridsite-delegation?wsdl", DoorAddresses.CREAM);
        doors.put("/bes/BESFactory?wsdl", DoorAddresses.BES);
        doors.put("/bes/BESManagement?wsdl", DoorAddresses.BES);
        doors.put("/srm/managerv2?wsdl", DoorAddresses.SRM);
        return doors;
    }

    /** All of them. */
    static List<Request> of(Documents documents) throws Exception {
        List<Request> all = new ArrayList<>(ofRest(documents.get(DoorAddresses.REST, "/api/v1/openapi.json")));
        for (Map.Entry<String, String> description : descriptions().entrySet()) {
            all.addAll(ofSoap(
                    description.getValue(),
                    description.getKey(),
                    documents.get(description.getValue(), description.getKey())));
        }
        all.addAll(ofArc());
        all.addAll(ofFiles());
        String later = Instant.now()
                .plus(Duration.ofDays(30))
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        return all.stream()
                .map(request -> request.withBody(request.body().replace(LATER, later)))
                .toList();
    }

    private static List<Request> ofRest(String openApi) {
        List<Request> requests = new ArrayList<>();
        JsonNode paths = new JsonMapper().readTree(openApi).get("paths");
        paths.properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    String method = operation.getKey().toUpperCase(Locale.ROOT);
                    // what is described for later is not there yet
                    boolean isServed = !operation.getValue().has("x-status");
                    if (isServed && METHODS.contains(method)) {
                        boolean isChain = method.equals("PUT") && path.getKey().startsWith("/delegations/");
                        boolean hasBody = !method.equals("GET") && !method.equals("DELETE");
                        requests.add(new Request(
                                "rest " + method + " " + path.getKey(),
                                DoorAddresses.REST,
                                method,
                                "/api/v1"
                                        + path.getKey()
                                                .replace("{action}", "cancel")
                                                .replace("{tree}", "work")
                                                .replace("{lrm}", "Fork")
                                                .replace("{path}", "x")
                                                .replaceAll("\\{[a-z]+\\}", NOTHING),
                                isChain ? "application/x-pem-file" : hasBody ? "application/json" : "",
                                hasBody ? REST_BODIES.getOrDefault(method + " " + path.getKey(), "{}") : "",
                                ""));
                    }
                }));
        return requests;
    }

    private static List<Request> ofSoap(String door, String address, String wsdl) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        Document document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(wsdl)));
        Map<String, String> bodies = new HashMap<>();
        for (Element message : elements(document.getDocumentElement(), "message")) {
            List<Element> parts = elements(message, "part");
            if (!parts.isEmpty() && parts.getFirst().hasAttribute("element")) {
                String[] name = parts.getFirst().getAttribute("element").split(":", 2);
                bodies.put(
                        message.getAttribute("name"),
                        "<" + name[1] + " xmlns=\"" + parts.getFirst().lookupNamespaceURI(name[0]) + "\"/>");
            }
        }
        Map<String, String> actions = new HashMap<>();
        Set<String> ofStyleRpc = new HashSet<>();
        for (Element binding : elements(document.getDocumentElement(), "binding")) {
            boolean isRpc = soap(binding, "binding", "style").equals("rpc");
            for (Element operation : elements(binding, "operation")) {
                actions.put(operation.getAttribute("name"), soap(operation, "operation", "soapAction"));
                if (isRpc || soap(operation, "operation", "style").equals("rpc")) {
                    ofStyleRpc.add(operation.getAttribute("name"));
                }
            }
        }
        List<Request> requests = new ArrayList<>();
        for (Element type : elements(document.getDocumentElement(), "portType")) {
            for (Element operation : elements(type, "operation")) {
                String name = operation.getAttribute("name");
                String message = elements(operation, "input").getFirst().getAttribute("message");
                // of style rpc the body has an element of the operation's name
                String otherwise = ofStyleRpc.contains(name)
                        ? "<o:" + name + " xmlns:o=\""
                                + document.getDocumentElement().getAttribute("targetNamespace") + "\"/>"
                        : "";
                String empty = bodies.getOrDefault(message.substring(message.indexOf(':') + 1), otherwise);
                requests.add(new Request(
                        door + " " + name + " at " + address,
                        door,
                        "POST",
                        address.substring(0, address.indexOf('?')),
                        "text/xml; charset=utf-8",
                        body(new Operation(door, address, name), empty),
                        actions.getOrDefault(name, "")));
            }
        }
        return requests;
    }

    /** An operation at the address of a service's description. */
    private record Operation(String door, String address, String name) {

        Generation generation() {
            return address.contains("42") ? Generation.GT42 : Generation.GT40;
        }

        /** A property of the resources there. */
        QName property() {
            return switch (door) {
                case DoorAddresses.DELEGATION ->
                    new QName("http://www.globus.org/08/2004/delegationService", "CertificateChain");
                case DoorAddresses.RFT ->
                    generation().transfer(address.contains("Factory") ? "TotalNumberOfTransfers" : RFT_STATUS);
                default ->
                    address.contains("Factory")
                            ? generation().job("localResourceManager")
                            : generation().types("state");
            };
        }
    }

    private static String body(Operation operation, String empty) {
        String binding = " xmlns:p=\"" + operation.property().getNamespaceURI() + "\"";
        String property = "p:" + operation.property().getLocalPart();
        String body = switch (operation.name()) {
            case "GetResourceProperty" -> filled(empty.replace("/>", binding + "/>"), property);
            case "GetMultipleResourceProperties" ->
                filled(empty, "<ResourceProperty" + binding + ">" + property + "</ResourceProperty>");
            default -> filled(empty, content(operation));
        };
        // an LRM or a job is named by a header
        return operation.address().matches(".*/Managed.*")
                ? AccessWalkRoom.envelope(
                        "<g:ResourceID xmlns:g=\""
                                + operation.generation().job("x").getNamespaceURI() + "\">"
                                + (operation.address().contains("Factory") ? "Fork" : NOTHING) + "</g:ResourceID>",
                        body)
                : body;
    }

    private static String content(Operation operation) {
        return operation.door().equals(DoorAddresses.SRM)
                ? "<" + operation.name() + "Request>" + SRM_CONTENT + "</" + operation.name() + "Request>"
                : SOAP_CONTENTS.getOrDefault(operation.name(), "");
    }

    /** An empty element with something in it. */
    static String filled(String empty, String content) {
        if (content.isEmpty()) {
            return empty;
        }
        String name = empty.substring(1, empty.indexOf(' '));
        return empty.substring(0, empty.length() - "/>".length()) + ">" + content + "</" + name + ">";
    }

    private static String soap(Element parent, String name, String attribute) {
        NodeList found = parent.getElementsByTagNameNS(WSDL_SOAP, name);
        return found.getLength() == 0 ? "" : ((Element) found.item(0)).getAttribute(attribute);
    }

    private static List<Element> elements(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList all = parent.getChildNodes();
        for (int i = 0; i < all.getLength(); i++) {
            if (all.item(i) instanceof Element element
                    && WSDL.equals(element.getNamespaceURI())
                    && element.getLocalName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    private static Request arc(String method, String place, String type, String body) {
        return new Request(
                "arc " + method + " " + place, DoorAddresses.ARC, method, "/arex/rest/1.1" + place, type, body, "");
    }

    private static List<Request> ofArc() {
        String ids = "{\"job\": [{\"id\": \"" + NOTHING + "\"}]}";
        List<Request> requests = new ArrayList<>();
        requests.add(arc("GET", "/info", "", ""));
        requests.add(arc("GET", "/jobs", "", ""));
        requests.add(arc("POST", "/jobs?action=new", "application/rsl", "&(executable=/bin/true)"));
        for (String action : List.of("status", "info", "kill", "clean", "restart", "delegations")) {
            requests.add(arc("POST", "/jobs?action=" + action, "application/json", ids));
        }
        for (String method : List.of("GET", "PUT", "DELETE")) {
            requests.add(arc(method, "/jobs/" + NOTHING + "/session/x", "", ""));
        }
        requests.add(arc("GET", "/jobs/" + NOTHING + "/diagnose/errors", "", ""));
        requests.add(arc("GET", "/delegations", "", ""));
        requests.add(arc("POST", "/delegations?action=new", "", ""));
        for (String action : List.of("get", "renew", "delete")) {
            requests.add(arc("POST", "/delegations/" + NOTHING + "?action=" + action, "", ""));
        }
        requests.add(arc("PUT", "/delegations/" + NOTHING, "application/x-pem-file", "x"));
        return requests;
    }

    private static List<Request> ofFiles() {
        List<Request> requests = new ArrayList<>();
        for (String place : List.of("/stdout", "/stderr", "/files/x")) {
            requests.add(new Request(
                    "files GET " + place, DoorAddresses.FILES, "GET", "/jobs/" + NOTHING + place, "", "", ""));
        }
        requests.add(new Request(
                "files PUT /files/x",
                DoorAddresses.FILES,
                "PUT",
                "/jobs/" + NOTHING + "/files/x",
                "text/plain",
                "x",
                ""));
        requests.add(new Request(
                "files DELETE /files/x", DoorAddresses.FILES, "DELETE", "/jobs/" + NOTHING + "/files/x", "", "", ""));
        return requests;
    }
}
