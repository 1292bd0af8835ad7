// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.bes;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.Protocol;
import org.jobgate.cli.wire.SoapClient;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.XmlElement;
import org.jobgate.cli.wire.XmlText;
import org.jspecify.annotations.Nullable;

/** The operations of OGSA-BES (GFD.108), and ours that forgets activities. */
final class BesService {
    static final String FACTORY = "http://schemas.ggf.org/bes/2006/08/bes-factory";
    static final String MANAGEMENT = "http://schemas.ggf.org/bes/2006/08/bes-management";
    static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
    static final String OURS = "https://jobgate.org/ns/2026/bes";

    private static final String FACTORY_PORT = FACTORY + "/BESFactoryPortType/";

    private final SoapClient soap;

    BesService(SoapClient soap) {
        this.soap = requireNonNull(soap, "soap is null");
    }

    private XmlElement call(String address, String action, String body) throws IOException, SoapFaultException {
        return soap.call(new Epr(address, List.of(), Protocol.GT42), action, "", body);
    }

    /**
     * Creates an activity.
     *
     * @param document a JSDL document, without its XML declaration
     * @param submission by which a repeated request is known
     */
    Activity create(String factory, XmlElement document, String submission) throws IOException, SoapFaultException {
        StringBuilder body = new StringBuilder(2_000);
        body.append("<CreateActivity xmlns=\"").append(FACTORY).append("\"><ActivityDocument>");
        document.write(body, "");
        body.append("<SubmissionId xmlns=\"").append(OURS).append("\">");
        XmlText.append(body, submission);
        body.append("</SubmissionId></ActivityDocument></CreateActivity>");
        return Activity.of(
                call(factory, FACTORY_PORT + "CreateActivity", body.toString()).child(FACTORY, "ActivityIdentifier"));
    }

    /** Each answer about one of several activities, in their order. */
    private List<XmlElement> each(String namespace, String port, String operation, List<Activity> activities)
            throws IOException, SoapFaultException {
        StringBuilder body = new StringBuilder(1_000);
        body.append('<').append(operation).append(" xmlns=\"").append(namespace).append("\">");
        activities.forEach(activity -> activity.reference().write(body, ""));
        body.append("</").append(operation).append('>');
        String address = activities.getFirst().service();
        List<XmlElement> answers = new ArrayList<>();
        for (XmlElement answer :
                call(address, port + operation, body.toString()).children()) {
            if (answer.name().equals("Response")) {
                answers.add(answer);
            }
        }
        if (answers.size() != activities.size()) {
            throw new IOException(
                    address + " answered about " + answers.size() + " of " + activities.size() + " activities.");
        }
        return answers;
    }

    List<XmlElement> each(String operation, List<Activity> activities) throws IOException, SoapFaultException {
        return each(FACTORY, FACTORY_PORT, operation, activities);
    }

    List<XmlElement> destroy(List<Activity> activities) throws IOException, SoapFaultException {
        return each(OURS, OURS + "/", "DestroyActivities", activities);
    }

    /** What is wrong with one of several activities; null where nothing is. */
    static @Nullable String fault(XmlElement answer) {
        XmlElement fault = answer.child(FACTORY, "Fault");
        return fault == null ? null : fault.childText("", "faultstring");
    }

    XmlElement attributes(String factory) throws IOException, SoapFaultException {
        XmlElement found = call(
                        factory,
                        FACTORY_PORT + "GetFactoryAttributesDocument",
                        "<GetFactoryAttributesDocument xmlns=\"" + FACTORY + "\"/>")
                .child(FACTORY, "FactoryResourceAttributesDocument");
        if (found == null) {
            throw new IOException(factory + " answered without its attributes.");
        }
        return found;
    }

    void accept(String factory, boolean isOn) throws IOException, SoapFaultException {
        String operation = isOn ? "StartAcceptingNewActivities" : "StopAcceptingNewActivities";
        call(
                factory,
                MANAGEMENT + "/BESManagementPortType/" + operation,
                "<" + operation + " xmlns=\"" + MANAGEMENT + "\"/>");
    }
}
