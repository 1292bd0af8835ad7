// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.ToLongFunction;
import javax.xml.namespace.QName;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.PropertySet;
import org.jobgate.gt4.Times;
import org.jobgate.gt4.query.Queries;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.soap.Reply;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.transfer.Tally;
import org.jobgate.xml.XmlWriter;

/**
 * The resource properties of one kind of resource, and the operations that ask for them (facts/gram4.md section 6.1).
 *
 * @param <T> what is asked
 */
final class RftProperties<T> {

    private final Generation generation;
    private final RftFaults faults;
    private final QName document;
    private final PropertySet<T> properties;

    private RftProperties(Generation generation, RftFaults faults, String document) {
        this.generation = requireNonNull(generation, "generation is null");
        this.faults = requireNonNull(faults, "faults is null");
        this.document = generation.transfer(document);
        this.properties = new PropertySet<>(generation, faults, this.document);
    }

    /** Those of one request. */
    static RftProperties<RftRequests.Present> ofRequests(Generation generation, RftFaults faults, Clock clock) {
        RftProperties<RftRequests.Present> set =
                new RftProperties<>(generation, faults, "reliableFileTransferResourceProperties");
        StatusWriting statuses = new StatusWriting(generation, faults);
        set.properties.with(generation.transfer(RftNames.OVERALL), statuses::overall);
        set.properties.with(generation.transfer(RftNames.STATUS), statuses::request);
        set.properties.with(
                generation.transfer("TotalBytes"),
                (out, present) -> out.open(generation.transfer("TotalBytes"))
                        .element(
                                generation.transfer("totalBytes"),
                                Long.toString(present.tally().bytes()))
                        .close());
        set.properties.with(
                generation.transfer("TotalTime"),
                (out, present) -> out.open(generation.transfer("TotalTime"))
                        .element(
                                generation.transfer("timeTaken"),
                                Long.toString(taken(present.state(), clock.instant())))
                        .close());
        set.properties.with(
                generation.lifetime("TerminationTime"),
                (out, present) -> out.element(
                        generation.lifetime("TerminationTime"),
                        Times.format(present.state().terminates())));
        set.properties.with(
                generation.lifetime("CurrentTime"),
                (out, present) -> out.element(generation.lifetime("CurrentTime"), Times.format(clock.instant())));
        return set;
    }

    /** In milliseconds. */
    private static long taken(StoredState state, Instant now) {
        Instant started = state.started();
        Instant ended = state.ended();
        return started == null
                ? 0
                : Duration.between(started, ended == null ? now : ended).toMillis();
    }

    /**
     * Those of the factory.
     *
     * @param delegationFactory where credentials are delegated for it
     */
    static RftProperties<RftRequests.Figures> ofFactory(
            Generation generation, RftFaults faults, Instant started, String delegationFactory) {
        RftProperties<RftRequests.Figures> set =
                new RftProperties<>(generation, faults, "reliableFileTransferFactoryResourceProperties");
        set.number("ActiveResourceInstances", figures -> figures.requests());
        set.number(
                "TotalNumberOfTransfers",
                figures -> figures.engine().made() + figures.engine().failed());
        set.number("TotalNumberOfActiveTransfers", figures -> figures.engine().active());
        set.number("TotalNumberOfBytesTransferred", figures -> figures.engine().bytes());
        set.properties.with(
                generation.transfer("RFTFactoryStartTime"),
                (out, figures) -> out.element(generation.transfer("RFTFactoryStartTime"), Times.format(started)));
        set.properties.with(
                generation.transfer("DelegationServiceEPR"),
                (out, figures) -> EndpointReference.of(delegationFactory)
                        .write(out, generation, generation.transfer("DelegationServiceEPR")));
        return set;
    }

    private void number(String name, ToLongFunction<T> value) {
        QName element = generation.transfer(name);
        properties.with(element, (out, resource) -> out.element(element, Long.toString(value.applyAsLong(resource))));
    }

    /** Answers GetResourceProperty and GetMultipleResourceProperties. */
    Reply answer(SoapCall call, T resource) {
        return properties.reply(call.body(), properties.requested(call.body()), resource);
    }

    /** Answers QueryResourceProperties. */
    Reply query(SoapCall call, T resource, QueryLimits limits) throws SoapFaultException {
        return new Queries(generation, faults, limits)
                .answer(call.body(), document, out -> properties.writeAll(out, resource));
    }

    /** Writes the two statuses of a request. */
    static final class StatusWriting {

        private final Generation generation;
        private final RftFaults faults;

        StatusWriting(Generation generation, RftFaults faults) {
            this.generation = generation;
            this.faults = faults;
        }

        /** The content of a message on a topic. */
        void topic(XmlWriter out, QName topic, RftRequests.Present present) {
            if (topic.getLocalPart().equals(RftNames.STATUS)) {
                request(out, present);
            } else {
                overall(out, present);
            }
        }

        void overall(XmlWriter out, RftRequests.Present present) {
            Tally tally = present.tally();
            out.open(generation.transfer(RftNames.OVERALL));
            count(out, "transfersFinished", tally.finished());
            count(out, "transfersRestarted", tally.retrying());
            count(out, "transfersFailed", tally.failed());
            count(out, "transfersActive", tally.active());
            count(out, "transfersPending", tally.pending());
            count(out, "transfersCancelled", tally.cancelled());
            fault(out, present);
            out.close();
        }

        void request(XmlWriter out, RftRequests.Present present) {
            out.open(generation.transfer(RftNames.STATUS));
            out.element(generation.transfer("requestStatus"), present.status().word());
            if (present.status() == RequestStatus.FAILED) {
                fault(out, present);
            }
            out.close();
        }

        private void count(XmlWriter out, String name, int value) {
            out.element(generation.transfer(name), Integer.toString(value));
        }

        private void fault(XmlWriter out, RftRequests.Present present) {
            String sentence = present.tally().fault();
            Instant ended = present.state().ended();
            if (sentence != null && (ended == null || present.tally().failed() > 0)) {
                faults.write(out, sentence, present.tally().failed() > 0, ended);
            }
        }
    }
}
