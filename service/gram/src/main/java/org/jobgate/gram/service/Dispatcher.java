// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import org.jobgate.job.ShortText;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.soap.SoapService;

/** A service that tells its operations by the element in the SOAP body. */
final class Dispatcher implements SoapService {

    private final String name;
    private final Map<QName, Operation> operations;

    Dispatcher(String name, Map<QName, Operation> operations) {
        this.name = name;
        this.operations = Map.copyOf(operations);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Reply answer(SoapCall call) {
        Operation operation = operations.get(call.body().name());
        if (operation == null) {
            String known =
                    operations.keySet().stream().map(QName::toString).sorted().collect(Collectors.joining(", "));
            throw SoapFaultException.client(name + " has no operation "
                    + shown(call.body().name().toString()) + ". Call one of: " + known + ".");
        }
        return operation.answer(call);
    }

    private static String shown(String text) {
        return ShortText.of(text, 200);
    }
}
