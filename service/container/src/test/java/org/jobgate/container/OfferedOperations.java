// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jobgate.door.DoorAddresses;
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

    private static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";
    private static final String NOTHING = "01234567-89ab-7def-8123-456789abcdef";

    /**
     * One operation as a request with as little in it as possible.
     *
     * @param name for messages, and for lists of exceptions
     * @param type of the body; empty for a request without one
     */
    record Request(String name, String door, String method, String path, String type, String body) {}

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
        return all;
    }

    private static List<Request> ofRest(String openApi) {
        List<Request> requests = new ArrayList<>();
        JsonNode paths = new JsonMapper().readTree(openApi).get("paths");
        paths.properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    String method = operation.getKey().toUpperCase(java.util.Locale.ROOT);
                    if (List.of("GET", "POST", "PUT", "PATCH", "DELETE").contains(method)) {
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
                                hasBody ? "application/json" : "",
                                hasBody ? "{}" : ""));
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
        List<Request> requests = new ArrayList<>();
        for (Element type : elements(document.getDocumentElement(), "portType")) {
            for (Element operation : elements(type, "operation")) {
                String name = operation.getAttribute("name");
                String message = elements(operation, "input").getFirst().getAttribute("message");
                // of style rpc the body has an element of the operation's name
                String rpc = "<o:" + name + " xmlns:o=\""
                        + document.getDocumentElement().getAttribute("targetNamespace") + "\"/>";
                requests.add(new Request(
                        door + " " + name + " at " + address,
                        door,
                        "POST",
                        address.substring(0, address.indexOf('?')),
                        "text/xml; charset=utf-8",
                        bodies.getOrDefault(message.substring(message.indexOf(':') + 1), rpc)));
            }
        }
        return requests;
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
                "arc " + method + " " + place, DoorAddresses.ARC, method, "/arex/rest/1.1" + place, type, body);
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
            requests.add(
                    new Request("files GET " + place, DoorAddresses.FILES, "GET", "/jobs/" + NOTHING + place, "", ""));
        }
        requests.add(new Request(
                "files PUT /files/x", DoorAddresses.FILES, "PUT", "/jobs/" + NOTHING + "/files/x", "text/plain", "x"));
        requests.add(new Request(
                "files DELETE /files/x", DoorAddresses.FILES, "DELETE", "/jobs/" + NOTHING + "/files/x", "", ""));
        return requests;
    }
}
