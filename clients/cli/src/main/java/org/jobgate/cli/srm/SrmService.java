// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.srm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Printable;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.PlainSoap;
import org.jobgate.cli.wire.XmlElement;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/** Calls the operations of SRM v2.2, of style rpc. Elements of answers are found by their local names: services differ in namespaces. */
final class SrmService {
    static final String SUCCESS = "SRM_SUCCESS";
    private static final String NAMESPACE = "http://srm.lbl.gov/StorageResourceManager";

    private final PlainSoap soap;

    SrmService(PlainSoap soap) {
        this.soap = requireNonNull(soap, "soap is null");
    }

    /** A TReturnStatus. */
    record Status(String code, String explanation) {
        /** For a person. */
        String line() {
            return Printable.of(explanation.isEmpty() ? code : Sentence.of(explanation) + " (" + code + ")");
        }

        boolean isUnderWay() {
            return code.equals("SRM_REQUEST_QUEUED") || code.equals("SRM_REQUEST_INPROGRESS");
        }
    }

    /** What an element of a request is. */
    static String element(String name, String text) {
        return "<" + name + ">" + XmlText.escaped(text) + "</" + name + ">";
    }

    /** The same; nothing where there is no text. */
    static String optional(String name, @Nullable String text) {
        return text == null ? "" : element(name, text);
    }

    /** An array of texts; nothing where there is none. */
    static String array(String name, String item, List<String> texts) {
        return texts.isEmpty()
                ? ""
                : "<" + name + ">"
                        + texts.stream().map(text -> element(item, text)).collect(Collectors.joining()) + "</" + name
                        + ">";
    }

    /**
     * One operation.
     *
     * @param content of its request
     * @return the part of the answer that holds all
     */
    XmlElement call(String service, String operation, String content) throws IOException, CommandException {
        XmlElement found;
        try {
            found = soap.call(
                    service,
                    operation,
                    "<srm:" + operation + " xmlns:srm=\"" + NAMESPACE + "\"><" + operation + "Request>" + content + "</"
                            + operation + "Request></srm:" + operation + ">");
        } catch (PlainSoap.FaultException e) {
            throw new CommandException(
                    ExitStatus.REFUSED,
                    "The service refused: " + Printable.of(Sentence.of(String.valueOf(e.getMessage()))),
                    e);
        }
        XmlElement part = found == null ? null : child(found, operation + "Response");
        if (part == null) {
            throw new IOException(service + " answered without the result of " + operation + ".");
        }
        return part;
    }

    /**
     * The same, of which these are the good ends.
     *
     * @throws CommandException another one
     */
    XmlElement checked(String service, String operation, String content, Set<String> good)
            throws IOException, CommandException {
        XmlElement answer = call(service, operation, content);
        Status status = status(answer, "returnStatus");
        if (!good.contains(status.code())) {
            throw refused(status);
        }
        return answer;
    }

    static CommandException refused(Status status) {
        ExitStatus exit =
                status.code().equals("SRM_AUTHENTICATION_FAILURE") ? ExitStatus.CREDENTIAL : ExitStatus.REFUSED;
        return new CommandException(exit, status.line());
    }

    static @Nullable XmlElement child(XmlElement element, String name) {
        return element.children().stream()
                .filter(child -> child.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The text of a child; empty where there is none. */
    static String text(XmlElement element, String name) {
        XmlElement child = child(element, name);
        return child == null ? "" : child.text().strip();
    }

    /** A number that a child says; -1 where there is none. */
    static long number(XmlElement element, String name) {
        String text = text(element, name);
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    }

    static List<XmlElement> items(XmlElement element, String array, String item) {
        XmlElement found = child(element, array);
        return found == null
                ? List.of()
                : found.children().stream()
                        .filter(child -> child.name().equals(item))
                        .toList();
    }

    static Status status(XmlElement element, String name) throws IOException {
        XmlElement found = child(element, name);
        if (found == null) {
            throw new IOException("The service answered without a status.");
        }
        return new Status(text(found, "statusCode"), text(found, "explanation"));
    }
}
