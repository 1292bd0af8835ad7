// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.jobgate.job.ShortText;
import org.jobgate.soap.RequestHead;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * A generation of GT4: its namespaces (facts/gram4.md section 1.1), and what is called otherwise in it. A request belongs to the
 * generation whose namespaces it uses; both are served at the same addresses.
 */
public enum Generation {
    /** GT 4.0: drafts of 2004. */
    GT40(
            "http://schemas.xmlsoap.org/ws/2004/03/addressing",
            "http://schemas.xmlsoap.org/ws/2004/03/addressing/role/anonymous",
            "ReferenceProperties",
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceProperties-1.2-draft-01.xsd",
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime-1.2-draft-01.xsd",
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-BaseFaults-1.2-draft-01.xsd",
            "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd",
            "http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple",
            "http://www.globus.org/namespaces/2004/10/gram/job"),
    /** GT 4.2: WS-Addressing 2005/08, WSRF 1.2, WS-Notification 1.3. */
    GT42(
            "http://www.w3.org/2005/08/addressing",
            "http://www.w3.org/2005/08/addressing/anonymous",
            "ReferenceParameters",
            "http://docs.oasis-open.org/wsrf/rp-2",
            "http://docs.oasis-open.org/wsrf/rl-2",
            "http://docs.oasis-open.org/wsrf/bf-2",
            "http://docs.oasis-open.org/wsn/b-2",
            "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Simple",
            "http://www.globus.org/namespaces/2008/03/gram/job");

    /** The namespace of the subscription and consumer keys; the same in both. */
    private static final String CORE = "http://www.globus.org/namespaces/2004/06/core";

    private static final String RESOURCE = "http://docs.oasis-open.org/wsrf/r-2";

    private final String wsa;
    private final String anonymous;
    private final String referenceKeys;
    private final String wsrp;
    private final String wsrl;
    private final String wsbf;
    private final String wsnt;
    private final String simpleTopics;
    private final String gram;
    /** One for each generation, for the answers of our own operations hold endpoint references and faults of it. */
    private final String jobs = "https://jobgate.org/ns/2026/jobs/" + name().toLowerCase(Locale.ROOT);

    Generation(
            String wsa,
            String anonymous,
            String referenceKeys,
            String wsrp,
            String wsrl,
            String wsbf,
            String wsnt,
            String simpleTopics,
            String gram) {
        this.wsa = wsa;
        this.anonymous = anonymous;
        this.referenceKeys = referenceKeys;
        this.wsrp = wsrp;
        this.wsrl = wsrl;
        this.wsbf = wsbf;
        this.wsnt = wsnt;
        this.simpleTopics = simpleTopics;
        this.gram = gram;
    }

    /**
     * The generation of a request: that of its body's namespace, or of its headers where the body does not say.
     *
     * @throws SoapFaultException where neither says it: a request of an unknown namespace is not taken for one of GT 4.0
     */
    public static Generation of(SoapCall call) {
        return find(call.body().name(), call.headers())
                .orElseThrow(() -> SoapFaultException.client("The body's element "
                        + shown(call.body().name().toString())
                        + " is in no namespace that is served here. Send a request of GT 4.0 or of GT 4.2: ?wsdl and"
                        + " ?wsdl=gt42 describe them."));
    }

    /**
     * The generation of a request whose body both generations have in common: that of its headers, else GT 4.0, whose clients send
     * none.
     */
    public static Generation ofShared(SoapCall call) {
        return find(call.body().name(), call.headers()).orElse(GT40);
    }

    /** What a reply is written in: the request's generation as far as it was read, else GT 4.0. */
    static Generation ofReply(RequestHead request) {
        return find(request.body(), request.headers()).orElse(GT40);
    }

    private static Optional<Generation> find(@Nullable QName body, List<Element> headers) {
        Optional<Generation> told = body == null ? Optional.empty() : ofNamespace(body.getNamespaceURI());
        return told.isPresent()
                ? told
                : headers.stream()
                        .map(header -> ofNamespace(Objects.requireNonNullElse(header.getNamespaceURI(), "")))
                        .flatMap(Optional::stream)
                        .findFirst();
    }

    private static String shown(String text) {
        return ShortText.of(text, 200);
    }

    /** The generation that the namespace belongs to; empty where it belongs to none. */
    public static Optional<Generation> ofNamespace(String namespace) {
        return Arrays.stream(values())
                .filter(generation -> generation.has(namespace))
                .findFirst();
    }

    private boolean has(String namespace) {
        return namespace.startsWith(gram)
                || namespace.equals(jobs)
                || List.of(
                                wsa,
                                wsrp,
                                wsrl,
                                wsbf,
                                wsnt,
                                rendezvous(),
                                transfer("").getNamespaceURI())
                        .contains(namespace);
    }

    /** WS-Addressing. */
    public String wsa() {
        return wsa;
    }

    /** WS-ResourceProperties. */
    public String wsrp() {
        return wsrp;
    }

    /** WS-ResourceLifetime. */
    public String wsrl() {
        return wsrl;
    }

    /** WS-BaseFaults. */
    public String wsbf() {
        return wsbf;
    }

    /** WS-BaseNotification. */
    public String wsnt() {
        return wsnt;
    }

    /** What the namespaces of GRAM begin with. */
    public String gram() {
        return gram;
    }

    /** The dialect of topic expressions that are one name. */
    public String simpleTopics() {
        return simpleTopics;
    }

    /** The address for replies to the sender itself. */
    public String anonymous() {
        return anonymous;
    }

    /** The part of an endpoint reference whose content is repeated in the headers. */
    public QName referenceKeys() {
        return addressing(referenceKeys);
    }

    /** A name of requests to move files. */
    public QName transfer(String local) {
        return new QName(
                this == GT40
                        ? "http://www.globus.org/namespaces/2004/10/rft"
                        : "http://www.globus.org/namespaces/2008/04/rft",
                local,
                "rft");
    }

    /** A name of the rendezvous of a job's processes. */
    public QName rendezvous(String local) {
        return new QName(rendezvous(), local, "rdv");
    }

    private String rendezvous() {
        return this == GT40
                ? "http://www.globus.org/namespaces/2004/09/rendezvous"
                : "http://www.globus.org/namespaces/2008/04/rendezvous";
    }

    public QName multi(String local) {
        return new QName(gram + "/multi", local, "multi");
    }

    public QName addressing(String local) {
        return new QName(wsa, local, "wsa");
    }

    public QName properties(String local) {
        return new QName(wsrp, local, "wsrp");
    }

    public QName lifetime(String local) {
        return new QName(wsrl, local, "wsrl");
    }

    public QName baseFault(String local) {
        return new QName(wsbf, local, "wsbf");
    }

    public QName notification(String local) {
        return new QName(wsnt, local, "wsnt");
    }

    /** A name of the faults about resources as such, which WSRF 1.2 has in a namespace of their own. */
    public QName resource(String local) {
        return new QName(RESOURCE, local, "wsrf");
    }

    public QName core(String local) {
        return new QName(CORE, local, "core");
    }

    public QName job(String local) {
        return new QName(gram, local, "job");
    }

    public QName types(String local) {
        return new QName(gram + "/types", local, "types");
    }

    public QName faults(String local) {
        return new QName(gram + "/faults", local, "faults");
    }

    public QName description(String local) {
        return new QName(gram + "/description", local, "desc");
    }

    public QName exec(String local) {
        return new QName(gram + "/exec", local, "exec");
    }

    /** {@code release} and its parts: GT 4.2 has them in a namespace of their own. */
    public QName release(String local) {
        return this == GT40 ? job(local) : new QName(gram + "/release", local, "rel");
    }

    /** {@code terminate} and its parts, of GT 4.2. */
    public QName terminate(String local) {
        return new QName(gram + "/terminate", local, "term");
    }

    /** Our own operations. */
    public QName extension(String local) {
        return new QName(jobs, local, "jg");
    }

    /** A job's other topic: that all have come to its rendezvous. */
    public QName rendezvousTopic() {
        return rendezvous("RendezvousCompleted");
    }

    /** The topic of a job's state (facts/gt4-wire.md section 4, 1.8 and 1.9). */
    public QName stateTopic() {
        return this == GT40 ? types("state") : job("stateChangeInformation");
    }
}
