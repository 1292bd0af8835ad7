// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import javax.xml.namespace.QName;
import org.jobgate.gt4.Generation;

/** Names on the wire (facts/gram4.md section 6, facts/gt4-wire.md section 4). */
final class RftNames {

    static final String FACTORY = "ReliableFileTransferFactoryService";
    static final String SERVICE = "ReliableFileTransferService";
    static final String SUBSCRIPTIONS = "ReliableFileTransferSubscriptionService";

    static final String KEY = "TransferKey";
    static final String OVERALL = "OverallStatusProperty";
    static final String STATUS = "RequestStatusProperty";

    private static final QName DELEGATION_KEY =
            new QName("http://www.globus.org/08/2004/delegationService", "DelegationKey", "deleg");

    private RftNames() {}

    static String factoryAction(Generation generation, String message) {
        return generation.transfer("").getNamespaceURI() + "/ReliableFileTransferFactoryPortType/" + message;
    }

    static String action(Generation generation, String message) {
        return generation.transfer("").getNamespaceURI() + "/ReliableFileTransferPortType/" + message;
    }

    static QName delegationKey() {
        return DELEGATION_KEY;
    }
}
