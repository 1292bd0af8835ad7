// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.rft;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.SoapClient;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.WaitHeader;
import org.jobgate.cli.wire.XmlElement;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/** RFT's operations (facts/gram4.md section 6.1; captures 30, 32, 33 and 35). */
final class RftService {

    private static final String FACTORY = Names.RFT + "/ReliableFileTransferFactoryPortType/";
    private static final String SERVICE = Names.RFT + "/ReliableFileTransferPortType/";

    private final SoapClient soap;

    RftService(SoapClient soap) {
        this.soap = requireNonNull(soap, "soap is null");
    }

    /**
     * Makes a request that has not started.
     *
     * @param credential what was delegated for it; absent where nothing was
     */
    Epr create(Epr factory, TransferFile file, @Nullable Epr credential, boolean isDeletion, Instant end)
            throws IOException, SoapFaultException {
        StringBuilder body = new StringBuilder(1000);
        String element = isDeletion ? "deleteRequest" : "transferRequest";
        body.append("<createReliableFileTransferRequest xmlns=\"").append(Names.RFT);
        body.append("\"><InitialTerminationTime>").append(end).append("</InitialTerminationTime><");
        body.append(element).append('>');
        append(body, "concurrency", file.concurrency());
        append(body, "maxAttempts", file.maxAttempts());
        if (credential != null) {
            body.append("<transferCredentialEndpoint><wsa:Address>");
            XmlText.append(body, credential.address());
            body.append("</wsa:Address><wsa:ReferenceProperties>");
            credential.properties().forEach(property -> property.write(body, ""));
            body.append("</wsa:ReferenceProperties></transferCredentialEndpoint>");
        }
        file.files().forEach(entry -> append(body, entry));
        append(body, file, isDeletion);
        body.append("</").append(element).append("></createReliableFileTransferRequest>");
        XmlElement response = soap.call(factory, FACTORY + "createReliableFileTransferRequest", "", body.toString());
        XmlElement reference = response.child(Names.RFT, "reliableTransferEPR");
        if (reference == null) {
            throw new IOException(factory.address() + " answered without the request's endpoint reference.");
        }
        try {
            return Epr.of(reference);
        } catch (XMLStreamException e) {
            throw new IOException(factory.address() + " answered with a broken endpoint reference.", e);
        }
    }

    private static void append(StringBuilder body, TransferFile file, boolean isDeletion) {
        if (!file.options().isEmpty()) {
            String options = isDeletion ? "deleteOptions" : "rftOptions";
            body.append('<').append(options).append('>');
            file.options().forEach((name, value) -> append(body, name, value));
            body.append("</").append(options).append('>');
        }
        if (file.allOrNone()) {
            append(body, "allOrNone", "true");
        }
    }

    private static void append(StringBuilder body, TransferFile.Entry entry) {
        if (entry.source() == null) {
            body.append("<deletion>");
            append(body, "file", entry.destination());
            body.append("</deletion>");
        } else {
            body.append("<transfer>");
            append(body, "sourceUrl", entry.source());
            append(body, "destinationUrl", entry.destination());
            body.append("</transfer>");
        }
    }

    private static void append(StringBuilder body, String name, @Nullable String value) {
        if (value != null) {
            body.append('<').append(name).append('>');
            XmlText.append(body, value);
            body.append("</").append(name).append('>');
        }
    }

    void start(Epr request) throws IOException, SoapFaultException {
        soap.call(request, SERVICE + "startRequest", "", "<start xmlns=\"" + Names.RFT + "\"/>");
    }

    /** Cancels all that is not over. */
    void cancel(Epr request) throws IOException, SoapFaultException {
        soap.call(request, SERVICE + "cancelRequest", "", "<cancel xmlns=\"" + Names.RFT + "\"/>");
    }

    void destroy(Epr request) throws IOException, SoapFaultException {
        soap.call(request, Names.DESTROY_ACTION, "", "<Destroy xmlns=\"" + Names.LIFETIME + "\"/>");
    }

    /** How the request stands now. */
    RftState state(Epr request) throws IOException, SoapFaultException {
        return state(request, "");
    }

    /** How the request stands when its status is no longer this one, or after the time; a service without our extension answers at once. */
    RftState awaitChange(Epr request, String status, Duration atMost) throws IOException, SoapFaultException {
        return state(request, WaitHeader.of(status, "", atMost));
    }

    private RftState state(Epr request, String header) throws IOException, SoapFaultException {
        StringBuilder body = new StringBuilder(600);
        body.append("<GetMultipleResourceProperties xmlns=\"").append(Names.PROPERTIES);
        body.append("\" xmlns:rft=\"").append(Names.RFT).append("\">");
        for (String name : List.of("OverallStatusProperty", "RequestStatusProperty", "TotalBytes")) {
            body.append("<ResourceProperty>rft:").append(name).append("</ResourceProperty>");
        }
        body.append("</GetMultipleResourceProperties>");
        return RftState.of(soap.call(request, Names.GET_PROPERTIES_ACTION, header, body.toString()), request.address());
    }

    /** One line for each transfer. */
    List<String> transfers(Epr request) throws IOException, SoapFaultException {
        XmlElement set =
                soap.call(request, SERVICE + "getStatusSetRequest", "", "<getStatusSet xmlns=\"" + Names.RFT + "\"/>");
        List<String> lines = new ArrayList<>();
        for (XmlElement each : set.children()) {
            lines.add(text(each, "transferId") + " " + text(each, "status") + " " + text(each, "attempts") + " "
                    + text(each, "sourceUrl") + " " + text(each, "destinationUrl") + why(each));
        }
        return lines;
    }

    private static String why(XmlElement transfer) {
        XmlElement fault = transfer.child(Names.RFT, "fault");
        String sentence = fault == null || fault.children().isEmpty()
                ? null
                : fault.children().getFirst().childText(Names.BASE_FAULTS, "Description");
        return sentence == null ? "" : " " + sentence;
    }

    private static String text(XmlElement element, String name) {
        String text = element.childText(Names.RFT, name);
        return text == null || text.isEmpty() ? "-" : text;
    }
}
