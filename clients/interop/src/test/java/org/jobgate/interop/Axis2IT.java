// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.TimeZone;
import javax.xml.namespace.QName;
import org.apache.axiom.om.OMAbstractFactory;
import org.apache.axiom.om.OMElement;
import org.apache.axiom.om.OMXMLBuilderFactory;
import org.apache.axis2.databinding.types.URI;
import org.awaitility.Awaitility;
import org.jobgate.interop.stub.factory.FaultsServiceLevelAgreementFault;
import org.jobgate.interop.stub.factory.ManagedJobFactoryServiceStub;
import org.jobgate.interop.stub.factory.WsrpInvalidResourcePropertyQNameFault;
import org.jobgate.interop.stub.factory.WsrpResourceUnknownFault;
import org.jobgate.interop.stub.job.ManagedExecutableJobServiceStub;
import org.jobgate.interop.stub.job.ManagedExecutableJobServiceStub.InvalidPathFaultType;
import org.jobgate.interop.stub.job.ManagedExecutableJobServiceStub.StateChangeNotificationMessage;
import org.jobgate.interop.stub.job.ManagedExecutableJobServiceStub.StateChangeNotificationMessageType;
import org.jobgate.interop.stub.job.WsrlResourceUnknownFault;
import org.jobgate.interop.stub.job.WsrlUnableToSetTerminationTimeFault;
import org.jobgate.interop.stub.subscription.SubscriptionManagerServiceStub;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The life of jobs with a client whose every class Axis2 generated from our WSDL (ADB data binding). */
@ExtendWith(OneGateway.class)
class Axis2IT {

    private static final String JOB = "http://www.globus.org/namespaces/2004/10/gram/job";
    private static final String TYPES = JOB + "/types";
    private static final String SIMPLE = "http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple";
    private static final String WSNT =
            "http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd";
    private static final String WSRL =
            "http://docs.oasis-open.org/wsrf/2004/06/wsrf-WS-ResourceLifetime-1.2-draft-01.xsd";
    private static final QName STATE = new QName(TYPES, "state", "types");
    private static final List<QName> MESSAGE_PATH = List.of(
            new QName("http://schemas.xmlsoap.org/soap/envelope/", "Body"),
            new QName(WSNT, "Notify"),
            new QName(WSNT, "NotificationMessage"),
            new QName(WSNT, "Message"),
            new QName(JOB, "stateChangeNotificationMessage"));
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Axis2Client client;

    Axis2IT(Gateway gateway) throws Exception {
        this.client = new Axis2Client(gateway);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
    }

    @Test
    void theFactoryAnswersItsProperties() throws Exception {
        var wanted = new ManagedJobFactoryServiceStub.GetResourceProperty();
        wanted.setGetResourceProperty(new QName(JOB, "localResourceManager", "job"));

        OMElement value = factory().getResourceProperty(wanted).getExtraElement()[0];

        assertThat(ManagedJobFactoryServiceStub.LocalResourceManager.Factory.parse(value.getXMLStreamReader())
                        .getLocalResourceManager())
                .isEqualTo(Gateway.LRM);
    }

    @Test
    void aJobIsNotifiedToItsEnd() throws Exception {
        try (Consumer consumer = new Consumer()) {
            var description =
                    description("/bin/sh", "-c", "test \"$GREETING\" = '<two  words & more>' && sleep 1 && exit 3");
            var greeting = new ManagedJobFactoryServiceStub.NameValuePairType();
            greeting.setName("GREETING");
            greeting.setValue("<two  words & more>");
            description.addEnvironment(greeting);
            var request = request(description);
            request.setSubscribe(subscribe(consumer));
            var created = factory().createManagedJob(request);
            var told = told(consumer);

            assertThat(told)
                    .extracting(message -> message.getState().getValue())
                    .contains("Active")
                    .endsWith("Done");
            assertThat(told.getLast().getExitCode()).isEqualTo(3);
            var job = client.job(key(created.getManagedJobEndpoint()));
            assertThat(exitCode(job)).isEqualTo(3);
            endAndForget(job);
        }
    }

    @Test
    void aFailedJobTellsWhyAsATypedFault() throws Exception {
        try (Consumer consumer = new Consumer()) {
            var request = request("/no/such/program");
            request.setSubscribe(subscribe(consumer));
            var created = factory().createManagedJob(request);

            InvalidPathFaultType fault = told(consumer).getLast().getFault().getInvalidPathFault();
            assertThat(fault.getPath()).isEqualTo("/no/such/program");
            assertThat(fault.getGt2ErrorCode()).isEqualTo(5);
            assertThat(fault.getDescription()[0]).contains("/no/such/program");
            endAndForget(client.job(key(created.getManagedJobEndpoint())));
        }
    }

    @Test
    void aRunningJobIsGivenATimeAndCancelled() throws Exception {
        var job = client.job(
                key(factory().createManagedJob(request("/bin/sleep", "300")).getManagedJobEndpoint()));
        Awaitility.await().atMost(PATIENCE).until(() -> state(job).equals("Active"));

        Instant inAnHour = Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS);
        assertThat(job.setTerminationTime(termination(inAnHour))
                        .getNewTerminationTime()
                        .toInstant())
                .isEqualTo(inAnHour);
        assertThat(terminationTime(job)).isEqualTo(inAnHour);
        assertThat(catchThrowableOfType(
                                WsrlUnableToSetTerminationTimeFault.class,
                                () -> job.setTerminationTime(termination(inAnHour.minus(2, ChronoUnit.HOURS))))
                        .getFaultMessage()
                        .getUnableToSetTerminationTimeFault()
                        .getDescription())
                .isNotEmpty();
        endAndForget(job);
        assertThat(catchThrowableOfType(
                        WsrlResourceUnknownFault.class,
                        () -> job.destroy(new ManagedExecutableJobServiceStub.Destroy())))
                .isNotNull();
    }

    @Test
    void aHeldJobIsReleased() throws Exception {
        var description = description("/bin/true");
        description.setHoldState(ManagedJobFactoryServiceStub.StateEnumeration.Pending);
        var request = request(description);
        var job = client.job(key(factory().createManagedJob(request).getManagedJobEndpoint()));
        Awaitility.await().atMost(PATIENCE).until(() -> state(job).equals("Pending"));

        job.release(new ManagedExecutableJobServiceStub.Release());

        Awaitility.await().atMost(PATIENCE).until(() -> state(job).equals("Done"));
        endAndForget(job);
    }

    @Test
    void aSubscriptionIsDestroyedOnce() throws Exception {
        try (Consumer consumer = new Consumer()) {
            var request = request("/bin/sleep", "300");
            request.setSubscribe(subscribe(consumer));
            var created = factory().createManagedJob(request);
            var subscription = client.subscription(key(created.getSubscriptionEndpoint()));

            subscription.destroy(new SubscriptionManagerServiceStub.Destroy());

            assertThat(catchThrowableOfType(
                            org.jobgate.interop.stub.subscription.WsrlResourceUnknownFault.class,
                            () -> subscription.destroy(new SubscriptionManagerServiceStub.Destroy())))
                    .isNotNull();
            endAndForget(client.job(key(created.getManagedJobEndpoint())));
        }
    }

    @Test
    void wrongRequestsAreTypedExceptions() throws Exception {
        var incomplete = request(new ManagedJobFactoryServiceStub.JobDescriptionType());
        assertThat(catchThrowableOfType(
                                FaultsServiceLevelAgreementFault.class,
                                () -> factory().createManagedJob(incomplete))
                        .getFaultMessage()
                        .getServiceLevelAgreementFault()
                        .getAttribute())
                .isEqualTo("executable");
        var shoeSize = new ManagedJobFactoryServiceStub.GetResourceProperty();
        shoeSize.setGetResourceProperty(new QName(JOB, "shoeSize", "job"));
        assertThat(catchThrowableOfType(
                        WsrpInvalidResourcePropertyQNameFault.class,
                        () -> factory().getResourceProperty(shoeSize)))
                .isNotNull();
        assertThat(catchThrowableOfType(
                        WsrpResourceUnknownFault.class,
                        () -> client.factory(resourceId("NoSuchLrm")).createManagedJob(request("/bin/true"))))
                .isNotNull();
    }

    private ManagedJobFactoryServiceStub factory() throws IOException {
        return client.factory(resourceId(Gateway.LRM));
    }

    private static OMElement resourceId(String text) {
        var factory = OMAbstractFactory.getOMFactory();
        OMElement header = factory.createOMElement(new QName(JOB, "ResourceID", "job"));
        header.setText(text);
        return header;
    }

    private static ManagedJobFactoryServiceStub.JobDescriptionType description(String executable, String... arguments) {
        var job = new ManagedJobFactoryServiceStub.JobDescriptionType();
        job.setExecutable(executable);
        for (String argument : arguments) {
            job.addArgument(argument);
        }
        return job;
    }

    private static ManagedJobFactoryServiceStub.CreateManagedJob request(String executable, String... arguments) {
        return request(description(executable, arguments));
    }

    private static ManagedJobFactoryServiceStub.CreateManagedJob request(
            ManagedJobFactoryServiceStub.JobDescriptionType job) {
        var jobOrMultiJob = new ManagedJobFactoryServiceStub.CreateManagedJobChoice_type0();
        jobOrMultiJob.setJob(job);
        var request = new ManagedJobFactoryServiceStub.CreateManagedJob();
        request.setCreateManagedJobChoice_type0(jobOrMultiJob);
        return request;
    }

    private static ManagedJobFactoryServiceStub.Subscribe_type0 subscribe(Consumer consumer) throws Exception {
        var address = new ManagedJobFactoryServiceStub.AttributedURI();
        address.setAnyURI(new URI(consumer.address()));
        var reference = new ManagedJobFactoryServiceStub.EndpointReferenceType();
        reference.setAddress(address);
        var topic = new ManagedJobFactoryServiceStub.TopicExpressionType();
        topic.setQName(STATE);
        topic.setDialect(new URI(SIMPLE));
        var subscribe = new ManagedJobFactoryServiceStub.Subscribe_type0();
        subscribe.setConsumerReference(reference);
        subscribe.setTopicExpression(topic);
        return subscribe;
    }

    private static OMElement key(ManagedJobFactoryServiceStub.EndpointReferenceType endpoint) {
        return endpoint.getReferenceProperties().getExtraElement()[0];
    }

    /**
     * The messages up to the one that says Done or Failed, as the generated types. From inside the Message only: ADB generates no class
     * for the type that its xsi:type names, for no element is declared to have it, and then cannot read the Message.
     */
    private static List<StateChangeNotificationMessageType> told(Consumer consumer) throws Exception {
        List<StateChangeNotificationMessageType> told = new ArrayList<>();
        while (told.isEmpty()
                || !List.of("Done", "Failed").contains(told.getLast().getState().getValue())) {
            OMElement message = OMXMLBuilderFactory.createOMBuilder(new ByteArrayInputStream(consumer.next()))
                    .getDocumentElement();
            for (QName step : MESSAGE_PATH) {
                message = message.getFirstChildWithName(step);
            }
            told.add(StateChangeNotificationMessage.Factory.parse(message.getXMLStreamReader())
                    .getStateChangeNotificationMessage());
        }
        return told;
    }

    private static OMElement property(ManagedExecutableJobServiceStub job, QName name) throws Exception {
        var wanted = new ManagedExecutableJobServiceStub.GetResourceProperty();
        wanted.setGetResourceProperty(name);
        return job.getResourceProperty(wanted).getExtraElement()[0];
    }

    private static String state(ManagedExecutableJobServiceStub job) throws Exception {
        return ManagedExecutableJobServiceStub.State.Factory.parse(
                        property(job, STATE).getXMLStreamReader())
                .getState()
                .getValue();
    }

    private static int exitCode(ManagedExecutableJobServiceStub job) throws Exception {
        return ManagedExecutableJobServiceStub.ExitCode.Factory.parse(
                        property(job, new QName(TYPES, "exitCode", "types")).getXMLStreamReader())
                .getExitCode();
    }

    private static Instant terminationTime(ManagedExecutableJobServiceStub job) throws Exception {
        return ManagedExecutableJobServiceStub.TerminationTime.Factory.parse(
                        property(job, new QName(WSRL, "TerminationTime", "wsrl"))
                                .getXMLStreamReader())
                .getTerminationTime()
                .toInstant();
    }

    private static ManagedExecutableJobServiceStub.SetTerminationTime termination(Instant time) {
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
        calendar.setTimeInMillis(time.toEpochMilli());
        var request = new ManagedExecutableJobServiceStub.SetTerminationTime();
        request.setRequestedTerminationTime(calendar);
        return request;
    }

    /** Destroys the job and sees that it is unknown then. */
    private static void endAndForget(ManagedExecutableJobServiceStub job) throws Exception {
        job.destroy(new ManagedExecutableJobServiceStub.Destroy());
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> catchThrowableOfType(
                                org.jobgate.interop.stub.job.WsrpResourceUnknownFault.class, () -> state(job))
                        != null);
    }
}
