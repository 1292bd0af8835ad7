// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jobgate.soap.Answer;

/** Requests of a client of BES as text, and the posting of them. */
final class BesWire {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private BesWire() {}

    static String envelope(String headers, String body) {
        return "<s:Envelope xmlns:s='" + BesNames.SOAP_11 + "' xmlns:wsa='" + BesNames.ADDRESSING + "' xmlns:b='"
                + BesNames.FACTORY + "' xmlns:m='" + BesNames.MANAGEMENT + "' xmlns:j='" + BesNames.JSDL
                + "' xmlns:jg='"
                + BesNames.OURS + "'><s:Header>" + headers + "</s:Header><s:Body>" + body + "</s:Body></s:Envelope>";
    }

    static String envelope(String body) {
        return envelope("", body);
    }

    /** CreateActivity of a program; the extension stands behind its JobDefinition. */
    static String creation(String executable, String attributes, String extension) {
        return "<b:CreateActivity><b:ActivityDocument><j:JobDefinition " + attributes
                + "><j:JobDescription><j:Application><p:POSIXApplication"
                + " xmlns:p='http://schemas.ggf.org/jsdl/2005/11/jsdl-posix'><p:Executable>" + executable
                + "</p:Executable></p:POSIXApplication></j:Application></j:JobDescription></j:JobDefinition>"
                + extension
                + "</b:ActivityDocument></b:CreateActivity>";
    }

    static String creation(String executable) {
        return creation(executable, "", "");
    }

    static String identifier(String id) {
        return "<b:ActivityIdentifier><wsa:Address>https://any.example.org/bes</wsa:Address><wsa:ReferenceParameters>"
                + "<jg:Activity>" + id + "</jg:Activity></wsa:ReferenceParameters></b:ActivityIdentifier>";
    }

    /** One of the operations on many activities. */
    static String vector(String operation, String... ids) {
        String prefix = operation.equals("DestroyActivities") ? "jg:" : "b:";
        return "<" + prefix + operation + ">"
                + Arrays.stream(ids).map(BesWire::identifier).collect(Collectors.joining()) + "</" + prefix + operation
                + ">";
    }

    static Answer post(String url, String envelope, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(envelope));
        boolean hasType = Arrays.stream(headers).anyMatch("Content-Type"::equalsIgnoreCase);
        if (!hasType) {
            request.header("Content-Type", "text/xml; charset=utf-8");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
