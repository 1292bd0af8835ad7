// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.UUID;
import org.jobgate.job.Fault;
import org.jobgate.soap.Dialect;
import org.jobgate.soap.RequestHead;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;
import org.jspecify.annotations.Nullable;

/**
 * How GT4's services speak SOAP: faults of WSRF, and the WS-Addressing headers of replies, each in the generation of the request. GT4
 * clients need none of the headers (facts/gt4-wire.md section 4, replies), but the original sent them all.
 */
public final class Gt4Dialect implements Dialect {

    /** How a refusal is said in one generation. */
    @FunctionalInterface
    public interface Faults {
        SoapFaultException of(Generation generation, Fault fault);
    }

    private final Faults faults;

    public Gt4Dialect(Faults faults) {
        this.faults = requireNonNull(faults, "faults is null");
    }

    @Override
    public SoapFaultException fault(RequestHead request, Fault fault) {
        return faults.of(Generation.ofReply(request), fault);
    }

    @Override
    public Optional<XmlContent> replyHeaders(RequestHead request, String address, @Nullable String action) {
        Generation generation = Generation.ofReply(request);
        String said = action == null ? Actions.fault(generation) : action;
        String relatesTo =
                request.headerText(generation.addressing("MessageID")).orElse(null);
        return Optional.of(out -> write(out, generation, address, said, relatesTo));
    }

    private static void write(
            XmlWriter out, Generation generation, String address, String action, @Nullable String relatesTo) {
        out.element(generation.addressing("MessageID"), "uuid:" + UUID.randomUUID());
        out.element(generation.addressing("To"), generation.anonymous());
        out.element(generation.addressing("Action"), action);
        out.open(generation.addressing("From"));
        out.element(generation.addressing("Address"), address).close();
        if (relatesTo != null) {
            out.open(generation.addressing("RelatesTo"));
            if (generation == Generation.GT40) {
                out.attribute("RelationshipType", out.qualified(generation.addressing("Reply")));
            }
            out.text(relatesTo).close();
        }
    }
}
