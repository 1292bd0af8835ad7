// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jobgate.gram.jdd.Variables;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.ShortText;
import org.jobgate.xml.XmlElement;

/**
 * The variables that one job of a template has beyond those that every job has. Their values are texts: a variable in one is not
 * replaced. None can stand in the place of a variable of the gateway's, whose names begin with {@code GLOBUS_}.
 */
record InstanceVariables(Map<String, String> values) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");
    private static final String RESERVED = "GLOBUS_";

    InstanceVariables {
        values = Map.copyOf(values);
    }

    /** Reads the {@code variable} elements inside this one. */
    static InstanceVariables read(XmlElement instance) {
        Map<String, String> values = new HashMap<>();
        for (XmlElement element : instance.children()) {
            if (element.localName().equals("variable")) {
                String name = element.attribute("name").map(String::strip).orElse("");
                if (!NAME.matcher(name).matches() || name.startsWith(RESERVED)) {
                    throw wrong(
                            name, "its name must be letters, digits and _, at most 64, and not begin with " + RESERVED);
                }
                if (values.put(name, element.text()) != null) {
                    throw wrong(name, "it is given twice for one job");
                }
            }
        }
        return new InstanceVariables(values);
    }

    private static FaultException wrong(String name, String rule) {
        String shown = ShortText.of(name, 64);
        return new FaultException(Fault.of(
                        FaultCode.INVALID_DESCRIPTION,
                        "The variable '" + shown + "' of the job is wrong: " + rule + ".",
                        "Correct it and send the same request again.")
                .about("variable", shown));
    }

    /** These before the others. */
    Variables before(Variables others) {
        return new Variables() {
            @Override
            public Optional<String> value(String name) {
                return Optional.ofNullable(values.get(name)).or(() -> others.value(name));
            }

            @Override
            public Optional<String> definition(String name) {
                return others.definition(name);
            }
        };
    }
}
