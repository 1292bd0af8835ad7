// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * A generation of GT4's protocol. Messages are made and read in the names of GT 4.0 ({@link Names}) everywhere in this program; for a
 * service of GT 4.2 they are translated where they leave and where they come in. The two differ in namespaces, in the names of actions
 * and in how resources are referred to (facts/gram4.md sections 1.1 and 1.3); what else differs is said where it is called.
 */
public enum Protocol {
    /** GT 4.0: drafts of 2004. */
    GT40("4.0", Names.WSA, Names.WSA_ANONYMOUS, "ReferenceProperties"),
    /** GT 4.2: WS-Addressing 2005/08, WSRF 1.2, WS-Notification 1.3. */
    GT42("4.2", Names.WSA_2005, Names.WSA_2005 + "/anonymous", "ReferenceParameters");

    private static final String JOB_42 = "http://www.globus.org/namespaces/2008/03/gram/job";
    private static final String WSRF_42 = "http://docs.oasis-open.org/wsrf/";

    private static final String RFT_42 = "http://www.globus.org/namespaces/2008/04/rft";
    private static final String RFT_FACTORY = Names.RFT + "/ReliableFileTransferFactoryPortType/";
    private static final String RFT_FACTORY_42 = RFT_42 + "/ReliableFileTransferFactoryPortType/";
    private static final String RFT_SERVICE = Names.RFT + "/ReliableFileTransferPortType/";
    private static final String RFT_SERVICE_42 = RFT_42 + "/ReliableFileTransferPortType/";

    /** Namespaces of 4.0 and 4.2 in pairs; those of GRAM go by their beginning. */
    private static final String[] NAMESPACES = {
        Names.WSA,
        Names.WSA_2005,
        Names.RFT,
        RFT_42,
        Names.PROPERTIES,
        WSRF_42 + "rp-2",
        Names.LIFETIME,
        WSRF_42 + "rl-2",
        Names.BASE_FAULTS,
        WSRF_42 + "bf-2",
        Names.NOTIFICATION,
        "http://docs.oasis-open.org/wsn/b-2",
        Names.SIMPLE_TOPIC,
        "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Simple",
    };

    /** Actions of 4.0 and 4.2 in pairs (facts/gt4-wire.md section 4, captures 54 and 59); those of GRAM go by their beginning. */
    private static final String[] ACTIONS = {
        Names.GET_PROPERTY_ACTION,
        WSRF_42 + "rpw-2/GetResourceProperty/GetResourcePropertyRequest",
        Names.GET_PROPERTIES_ACTION,
        WSRF_42 + "rpw-2/GetMultipleResourceProperties/GetMultipleResourcePropertiesRequest",
        Names.QUERY_ACTION,
        WSRF_42 + "rpw-2/QueryResourceProperties/QueryResourcePropertiesRequest",
        Names.DESTROY_ACTION,
        WSRF_42 + "rlw-2/ImmediateResourceTermination/DestroyRequest",
        Names.SET_TERMINATION_ACTION,
        WSRF_42 + "rlw-2/ScheduledResourceTermination/SetTerminationTimeRequest",
        RFT_FACTORY + "createReliableFileTransferRequest",
        RFT_FACTORY_42 + "createReliableFileTransferRequest",
        RFT_SERVICE + "startRequest",
        RFT_SERVICE_42 + "startRequest",
        RFT_SERVICE + "cancelRequest",
        RFT_SERVICE_42 + "cancelRequest",
        RFT_SERVICE + "getStatusSetRequest",
        RFT_SERVICE_42 + "getStatusSetRequest",
        Names.SUBSCRIBE_ACTION,
        "http://docs.oasis-open.org/wsn/bw-2/NotificationProducer/SubscribeRequest",
    };

    private final String version;
    private final String addressing;
    private final String anonymous;
    private final String referenceKeys;

    Protocol(String version, String addressing, String anonymous, String referenceKeys) {
        this.version = version;
        this.addressing = addressing;
        this.anonymous = anonymous;
        this.referenceKeys = referenceKeys;
    }

    /** As users write it: 4.0 or 4.2. */
    public String version() {
        return version;
    }

    /** The namespace of WS-Addressing. */
    String addressing() {
        return addressing;
    }

    /** The address for replies to the sender itself. */
    String anonymous() {
        return anonymous;
    }

    /** The part of an endpoint reference whose content is repeated in the headers. */
    String referenceKeys() {
        return referenceKeys;
    }

    /** What marks a header that was such a part. */
    String headerMark() {
        return this == GT40
                ? " soapenv:mustUnderstand=\"0\""
                : " soapenv:mustUnderstand=\"0\" wsa:IsReferenceParameter=\"true\"";
    }

    /** The name of an action of 4.0. */
    String action(String action) {
        return this == GT40 ? action : translated(action, ACTIONS, 0, Names.JOB, JOB_42);
    }

    /**
     * Markup with the names of 4.0 as this generation writes it. Text is escaped in it, so that a namespace between quotes is one, and
     * no word of a job's arguments.
     */
    String toWire(String markup) {
        if (this == GT40) {
            return markup;
        }
        StringBuilder out = new StringBuilder(markup.length());
        int copied = 0;
        for (int at = markup.indexOf("=\""); at >= 0; at = markup.indexOf("=\"", copied)) {
            int end = markup.indexOf('"', at + 2);
            if (end < 0) {
                break;
            }
            out.append(markup, copied, at + 2);
            out.append(translated(markup.substring(at + 2, end), NAMESPACES, 0, Names.JOB, JOB_42));
            copied = end;
        }
        return out.append(markup, copied, markup.length()).toString();
    }

    /** An element of either generation, in the names of 4.0. */
    static XmlElement canonical(XmlElement element) {
        List<XmlElement> children = new ArrayList<>(element.children().size());
        element.children().forEach(child -> children.add(canonical(child)));
        return new XmlElement(
                canonical(element.namespace()), element.name(), element.attributes(), children, element.text());
    }

    /** A namespace of either generation as 4.0 has it. WS-Addressing keeps its name: an endpoint reference tells by it what is spoken there. */
    public static String canonical(String namespace) {
        boolean isAddressing = namespace.equals(Names.WSA_2005);
        return isAddressing ? namespace : translated(namespace, NAMESPACES, 1, JOB_42, Names.JOB);
    }

    private static String translated(String name, String[] pairs, int from, String prefix, String otherPrefix) {
        if (name.startsWith(prefix)) {
            return otherPrefix + name.substring(prefix.length());
        }
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i + from].equals(name)) {
                return pairs[i + 1 - from];
            }
        }
        return name;
    }
}
