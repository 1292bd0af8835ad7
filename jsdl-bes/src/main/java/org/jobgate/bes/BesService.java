// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.job.ShortText;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapService;
import org.jobgate.xml.XmlContent;

/**
 * The services: two addresses, at each of which all operations are served. An operation is known by the element in the body alone, for clients
 * differ in their SOAPAction and in the names of port types in it, and some know one address for both.
 */
final class BesService implements SoapService {

    static final String FACTORY = "BESFactory";
    static final String MANAGEMENT = "BESManagement";

    private final String name;
    private final Access access;
    private final Map<QName, Operation> operations;

    /** Answers one operation for a caller. */
    @FunctionalInterface
    interface Operation {
        XmlContent answer(Caller caller, SoapCall call);
    }

    BesService(String name, Access access, Map<QName, Operation> operations) {
        this.name = requireNonNull(name, "name is null");
        this.access = requireNonNull(access, "access is null");
        this.operations = Map.copyOf(operations);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Reply answer(SoapCall call) {
        QName asked = call.body().name();
        Operation operation = Optional.ofNullable(operations.get(asked)).orElseThrow(() -> unknown(asked));
        return new Reply(action(asked), operation.answer(access.caller(call.identity()), call));
    }

    /** As the official WSDLs have it. */
    private static String action(QName operation) {
        String port = switch (operation.getNamespaceURI()) {
            case BesNames.FACTORY -> "/BESFactoryPortType/";
            case BesNames.MANAGEMENT -> "/BESManagementPortType/";
            default -> "/";
        };
        return operation.getNamespaceURI() + port + operation.getLocalPart() + "Response";
    }

    private RuntimeException unknown(QName asked) {
        String shown = ShortText.of(asked.toString(), 200);
        String known = operations.keySet().stream()
                .filter(operation -> !operation.getNamespaceURI().equals(BesNames.OURS))
                .map(QName::getLocalPart)
                .sorted()
                .collect(Collectors.joining(", "));
        return BesFaults.invalid(
                shown,
                "There is no operation " + shown + " here.",
                "This is OGSA-BES 1.0: send an element of the namespace " + BesNames.FACTORY + " or "
                        + BesNames.MANAGEMENT + "; served are " + known + ".");
    }
}
