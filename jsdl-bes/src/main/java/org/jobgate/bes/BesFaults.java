// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import javax.xml.namespace.QName;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.language.JobLanguage;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;

/**
 * Refusals as the typed faults of BES (GFD.108 section 5), each with its detail. Every detail ends with our own {@code Problem}, which has the
 * gateway's code, sentence and remedy apart.
 */
final class BesFaults {

    private static final QName MESSAGE = BesNames.factory("Message");

    private final JobLanguage language;

    /** @param language whose names for parts of a description clients read */
    BesFaults(JobLanguage language) {
        this.language = language;
    }

    /** A fault that answers a whole request, which is none to create an activity. */
    SoapFaultException of(Fault fault) {
        return of(fault, detail(fault));
    }

    /** A fault that answers a request to create an activity: of that alone BES says that it is not accepted at present (GFD.108). */
    SoapFaultException ofCreation(Fault fault) {
        boolean isForLater = fault.later() != null || fault.code() == FaultCode.SHUTTING_DOWN;
        return of(fault, isForLater ? bare("NotAcceptingNewActivitiesFault", fault) : detail(fault));
    }

    private static SoapFaultException of(Fault fault, XmlContent detail) {
        return new SoapFaultException(SoapFaultException.Code.of(fault.origin()), text(fault), detail);
    }

    /** The same inside a response, for one activity of many: an element whose type is SOAP 1.1's Fault (GFD.108 section 5.3). */
    XmlContent inBand(Fault fault) {
        return inBand(fault, detail(fault));
    }

    /** The fault for what cannot be done with an activity as it stands. */
    XmlContent cannotApply(Fault fault, XmlContent status) {
        return inBand(fault, out -> {
            out.open(BesNames.factory("CantApplyOperationToCurrentStateFault"));
            status.write(out);
            out.element(MESSAGE, text(fault));
            problem(out, fault);
            out.close();
        });
    }

    /** The fault for an identifier of no activity of the caller's. */
    XmlContent unknown(Fault fault) {
        return inBand(fault, out -> {
            out.open(BesNames.factory("InvalidActivityIdentifierFault")).element(MESSAGE, text(fault));
            problem(out, fault);
            out.close();
        });
    }

    private static XmlContent inBand(Fault fault, XmlContent detail) {
        String code =
                SoapFaultException.Code.of(fault.origin()) == SoapFaultException.Code.CLIENT ? "Client" : "Server";
        return out -> {
            out.open(BesNames.FAULT);
            String qualified = out.qualified(new QName(BesNames.SOAP_11, code, "soap"));
            out.element(new QName("faultcode"), qualified);
            out.element(new QName("faultstring"), text(fault));
            out.open(new QName("detail"));
            detail.write(out);
            out.close().close();
        };
    }

    private XmlContent detail(Fault fault) {
        return switch (fault.code()) {
            case NOT_AUTHORIZED -> bare("NotAuthorizedFault", fault);
            case UNSUPPORTED_FEATURE ->
                out -> {
                    out.open(BesNames.factory("UnsupportedFeatureFault"));
                    out.element(BesNames.factory("Feature"), about(fault).isEmpty() ? fault.sentence() : about(fault));
                    problem(out, fault);
                    out.close();
                };
            case INTERNAL, STORE_UNAVAILABLE, LRM_UNAVAILABLE, NOT_NOW, SHUTTING_DOWN -> out -> problem(out, fault);
            default ->
                out -> {
                    out.open(BesNames.factory("InvalidRequestMessageFault"));
                    if (!about(fault).isEmpty()) {
                        out.element(BesNames.factory("InvalidElement"), about(fault));
                    }
                    out.element(MESSAGE, text(fault));
                    problem(out, fault);
                    out.close();
                };
        };
    }

    private XmlContent bare(String name, Fault fault) {
        return out -> {
            out.open(BesNames.factory(name));
            problem(out, fault);
            out.close();
        };
    }

    private void problem(XmlWriter out, Fault fault) {
        out.open(BesNames.ours("Problem")).attribute("code", fault.code().name());
        out.element(BesNames.ours("Sentence"), fault.sentence());
        if (!fault.remedy().isEmpty()) {
            out.element(BesNames.ours("Remedy"), fault.remedy());
        }
        if (!about(fault).isEmpty()) {
            out.element(BesNames.ours("About"), about(fault));
        }
        out.close();
    }

    private String about(Fault fault) {
        DescriptionPart part = fault.part();
        if (part != null) {
            return language.nameOf(part);
        }
        return fault.attribute() == null ? "" : fault.attribute();
    }

    private static String text(Fault fault) {
        return (fault.sentence() + " " + fault.remedy()).strip();
    }

    /** A request that is not as the operation's schema has it. */
    static FaultException invalid(String element, String sentence, String remedy) {
        return new FaultException(
                Fault.of(FaultCode.INVALID_DESCRIPTION, sentence, remedy).about(element, null));
    }

    /** For an identifier of another's activity, of one that is gone and of one that never was: all three look alike. */
    static Fault unknownActivity(String shown) {
        return Fault.of(
                FaultCode.INVALID_DESCRIPTION,
                "There is no activity " + shown + " of yours here.",
                "Send the identifier as CreateActivity answered it; activities are forgotten some time after their end.");
    }
}
