// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.Soap12;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/** Turns what CXF itself refuses (malformed XML, a wrong envelope, a broken limit) into a fault that says what to do. */
final class FaultTidy extends AbstractPhaseInterceptor<Message> {

    private final Dialect dialect;

    FaultTidy(Dialect dialect) {
        super(Phase.SETUP);
        this.dialect = dialect;
    }

    @Override
    public void handleMessage(Message message) {
        tidy(message);
        if (message.getExchange().getInMessage() instanceof SoapMessage request
                && request.getVersion() instanceof Soap12
                && message.getContent(Exception.class) instanceof SoapFault fault) {
            inSoap12(fault);
        }
    }

    /** The codes of SOAP 1.1 in the words of 1.2 (its section 5.4.6); a code of another standard is a subcode there. */
    private static void inSoap12(SoapFault fault) {
        QName code = fault.getFaultCode();
        Soap12 version = Soap12.getInstance();
        switch (code == null ? "" : code.getLocalPart()) {
            case "Server", "Receiver" -> fault.setFaultCode(version.getReceiver());
            case "Client", "Sender", "" -> fault.setFaultCode(version.getSender());
            case "VersionMismatch" -> fault.setFaultCode(version.getVersionMismatch());
            case "MustUnderstand" -> fault.setFaultCode(version.getMustUnderstand());
            default -> {
                fault.setFaultCode(version.getSender());
                fault.setSubCode(code);
            }
        }
    }

    private void tidy(Message message) {
        Exception exception = message.getContent(Exception.class);
        if (exception == null) {
            return;
        }
        SoapFaultException ours = cause(exception, SoapFaultException.class);
        if (ours != null) {
            if (!(exception instanceof SoapFault)) {
                // thrown while CXF read the envelope, before the endpoint
                message.setContent(Exception.class, CxfFaults.of(ours));
            }
            return;
        }
        FaultException refused = cause(exception, FaultException.class);
        if (refused != null) {
            message.setContent(Exception.class, CxfFaults.of(dialect.fault(RequestHead.of(message), refused.fault())));
            return;
        }
        XMLStreamException malformed = cause(exception, XMLStreamException.class);
        if (malformed != null) {
            String text = String.valueOf(malformed.getMessage()).replaceAll("\\s+", " ");
            message.setContent(
                    Exception.class,
                    CxfFaults.of(SoapFaultException.client(
                            "The request is not the XML of a SOAP 1.1 envelope, or is over a limit: " + text
                                    + ". Send a well-formed one within the limits.")));
            return;
        }
        if (exception instanceof SoapFault fault && !hasCodeOfSoap(fault)) {
            fault.setFaultCode(new QName(Soap11.SOAP_NAMESPACE, "Client"));
        }
    }

    private static boolean hasCodeOfSoap(SoapFault fault) {
        String code = fault.getFaultCode() == null ? "" : fault.getFaultCode().getLocalPart();
        return code.equals("VersionMismatch") || code.equals("MustUnderstand");
    }

    private static <T extends Throwable> @Nullable T cause(Throwable exception, Class<T> type) {
        Throwable at = exception;
        for (int depth = 0; at != null && depth < 16; depth++) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
            at = at.getCause();
        }
        return null;
    }
}
