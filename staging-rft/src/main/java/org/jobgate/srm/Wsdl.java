// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import javax.xml.namespace.QName;
import org.jobgate.xml.XmlWriter;

/** The description of the service, made of the list of the interface's types and operations. */
final class Wsdl {

    private static final String LIST = "/org/jobgate/srm/operations.txt";
    private static final String NS = SrmService.NAMESPACE;
    private static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";
    private static final String SOAP = "http://schemas.xmlsoap.org/wsdl/soap/";
    private static final String XSD = "http://www.w3.org/2001/XMLSchema";
    private static final String ENCODING = "http://schemas.xmlsoap.org/soap/encoding/";
    private static final String REQUEST = "Request";
    private static final String RESPONSE = "Response";
    private static final QName BODY = soap("body");
    private static final List<String[]> LINES = lines();

    private Wsdl() {}

    private static List<String[]> lines() {
        try (InputStream in = Wsdl.class.getResourceAsStream(LIST)) {
            if (in == null) {
                throw new IllegalStateException(LIST + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" ", -1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String[]> lines(String kind) {
        return LINES.stream().filter(line -> line[0].equals(kind)).toList();
    }

    /** The names of all operations of SRM v2.2. */
    static List<String> operations() {
        return lines("operation").stream().map(line -> line[1]).toList();
    }

    private static QName wsdl(String name) {
        return new QName(WSDL, name, "wsdl");
    }

    private static QName soap(String name) {
        return new QName(SOAP, name, "soap");
    }

    private static QName xsd(String name) {
        return new QName(XSD, name, "xsd");
    }

    private static String ours(XmlWriter out, String name) {
        return out.qualified(new QName(NS, name, "srm"));
    }

    private static String typeName(XmlWriter out, String type) {
        return type.startsWith("xsd:") ? out.qualified(xsd(type.substring("xsd:".length()))) : ours(out, type);
    }

    private static XmlWriter named(XmlWriter out, QName element, String name) {
        return out.open(element).attribute("name", name);
    }

    /** The description of the service at this address. */
    static byte[] document(String address) {
        return XmlWriter.toDocument(out -> {
            named(out, wsdl("definitions"), "StorageResourceManager").attribute("targetNamespace", NS);
            out.binding(new QName(NS, "any", "srm")).binding(xsd("any")).binding(soap("any"));
            types(out);
            operations().forEach(name -> messages(out, name));
            named(out, wsdl("portType"), "ISRM");
            operations().forEach(name -> operation(out, name));
            out.close();
            binding(out);
            named(out, wsdl("service"), "SRMService");
            named(out, wsdl("port"), "srm").attribute("binding", ours(out, "srmSoapBinding"));
            out.open(soap("address")).attribute("location", address).close();
            out.close().close().close();
        });
    }

    private static void types(XmlWriter out) {
        out.open(wsdl("types")).open(xsd("schema")).attribute("targetNamespace", NS);
        for (String[] line : lines("enum")) {
            named(out, xsd("simpleType"), line[1]);
            out.open(xsd("restriction")).attribute("base", out.qualified(xsd("string")));
            for (String word : Arrays.asList(line).subList(2, line.length)) {
                out.open(xsd("enumeration")).attribute("value", word).close();
            }
            out.close().close();
        }
        for (String[] line : lines("type")) {
            named(out, xsd("complexType"), line[1]).open(xsd("sequence"));
            Arrays.asList(line).subList(2, line.length).forEach(element -> element(out, element));
            out.close().close();
        }
        out.close().close();
    }

    private static void element(XmlWriter out, String text) {
        int colon = text.indexOf(':');
        String name = text.substring(0, colon);
        boolean isOptional = name.endsWith("?");
        boolean isRepeated = name.endsWith("*");
        named(out, xsd("element"), isOptional || isRepeated ? name.substring(0, name.length() - 1) : name)
                .attribute("type", typeName(out, text.substring(colon + 1)));
        if (isOptional) {
            out.attribute("minOccurs", "0");
        }
        if (isRepeated) {
            out.attribute("maxOccurs", "unbounded");
        }
        if (isOptional || isRepeated) {
            out.attribute("nillable", "true");
        }
        out.close();
    }

    private static void messages(XmlWriter out, String operation) {
        for (String end : List.of(REQUEST, RESPONSE)) {
            String name = operation + end;
            named(out, wsdl("message"), name);
            named(out, wsdl("part"), name).attribute("type", ours(out, name)).close();
            out.close();
        }
    }

    private static void operation(XmlWriter out, String name) {
        named(out, wsdl("operation"), name).attribute("parameterOrder", name + REQUEST);
        named(out, wsdl("input"), name + REQUEST)
                .attribute("message", ours(out, name + REQUEST))
                .close();
        named(out, wsdl("output"), name + RESPONSE)
                .attribute("message", ours(out, name + RESPONSE))
                .close();
        out.close();
    }

    private static void binding(XmlWriter out) {
        named(out, wsdl("binding"), "srmSoapBinding").attribute("type", ours(out, "ISRM"));
        out.open(soap("binding")).attribute("style", "rpc");
        out.attribute("transport", "http://schemas.xmlsoap.org/soap/http").close();
        for (String name : operations()) {
            named(out, wsdl("operation"), name);
            out.open(soap("operation")).attribute("soapAction", "").close();
            body(named(out, wsdl("input"), name + REQUEST)).close();
            body(named(out, wsdl("output"), name + RESPONSE)).close();
            out.close();
        }
        out.close();
    }

    private static XmlWriter body(XmlWriter out) {
        return out.open(BODY)
                .attribute("use", "encoded")
                .attribute("encodingStyle", ENCODING)
                .attribute("namespace", NS)
                .close();
    }
}
