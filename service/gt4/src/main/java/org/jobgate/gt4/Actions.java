// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

/** The WS-Addressing actions of what is sent (facts/gram4.md section 1.6; the 4.2 forms are those of its WSDL). */
public final class Actions {

    private static final String DRAFT = "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-";
    private static final String DRAFT_NOTIFICATION = "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification/";
    private static final String WSRF = "http://docs.oasis-open.org/wsrf/";
    private static final String WSN = "http://docs.oasis-open.org/wsn/bw-2/";

    private Actions() {}

    /** The action of the answer to an operation on properties, e.g. {@code GetResourceProperty}. */
    public static String properties(Generation generation, String operation) {
        return generation == Generation.GT40
                ? DRAFT + "ResourceProperties/" + operation + "Response"
                : WSRF + "rpw-2/" + operation + "/" + operation + "Response";
    }

    public static String destroyed(Generation generation) {
        return generation == Generation.GT40
                ? DRAFT + "ResourceLifetime/DestroyResponse"
                : WSRF + "rlw-2/ImmediateResourceTermination/DestroyResponse";
    }

    public static String terminationTimeSet(Generation generation) {
        return generation == Generation.GT40
                ? DRAFT + "ResourceLifetime/SetTerminationTimeResponse"
                : WSRF + "rlw-2/ScheduledResourceTermination/SetTerminationTimeResponse";
    }

    /** The action of the answer to an operation of a notification producer, e.g. {@code Subscribe}. */
    public static String producer(Generation generation, String operation) {
        return (generation == Generation.GT40 ? DRAFT_NOTIFICATION : WSN + "NotificationProducer/")
                + operation
                + "Response";
    }

    /** The action of the answer to an operation on a subscription that WS-Notification defines, e.g. {@code PauseSubscription}. */
    public static String subscription(Generation generation, String operation) {
        String portType = operation.endsWith("Subscription") ? "PausableSubscriptionManager/" : "SubscriptionManager/";
        return (generation == Generation.GT40 ? DRAFT_NOTIFICATION : WSN + portType) + operation + "Response";
    }

    public static String notify(Generation generation) {
        return (generation == Generation.GT40 ? DRAFT_NOTIFICATION : WSN + "NotificationConsumer/") + "Notify";
    }

    /** The action of an operation of GRAM's own, e.g. {@code releaseResponse}. */
    public static String gram(Generation generation, String message) {
        return generation.gram() + "/" + message;
    }

    /** The action of an operation of our own, e.g. {@code listJobsResponse}. */
    public static String extension(Generation generation, String message) {
        return generation.extension(message).getNamespaceURI() + "/" + message;
    }

    /** The action of the answer to a registration: the port types name none, so it is the one that WSDL's rules make. */
    public static String registered(Generation generation) {
        return generation.rendezvous("").getNamespaceURI() + "/RendezvousPortType/registerResponse";
    }

    /** The action of a fault. */
    public static String fault(Generation generation) {
        return generation == Generation.GT40 ? generation.wsa() + "/fault" : WSRF + "fault";
    }
}
