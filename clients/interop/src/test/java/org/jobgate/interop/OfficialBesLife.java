// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.StringReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.axiom.om.OMElement;
import org.apache.axiom.om.OMXMLBuilderFactory;
import org.apache.axis2.databinding.types.URI;
import org.awaitility.Awaitility;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.ActivityDocumentType;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.ActivityStatusType;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.Application_Type;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.CreateActivity;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.CreateActivityType;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.EndpointReferenceType;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.GetActivityDocuments;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.GetActivityDocumentsType;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.GetActivityStatuses;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.GetActivityStatusesType;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.GetFactoryAttributesDocument;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.GetFactoryAttributesDocumentType;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.JobDefinition_Type;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.JobDescription_Type;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.JobIdentification_Type;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.TerminateActivities;
import org.jobgate.interop.stub.bes.BESFactoryServiceStub.TerminateActivitiesType;
import org.jobgate.interop.stub.bes.UnsupportedFeatureFault;

/**
 * The life of activities with a client whose every class Axis2 made of the official WSDL. That WSDL is not in this repository: where it is
 * not beside the checkout, this class is not compiled (the profile official-bes of the pom.xml), so {@link BesClientsIT} finds it by its name.
 */
final class OfficialBesLife implements Callable<String> {

    private static final String HPCPA = "http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final BESFactoryServiceStub factory;

    OfficialBesLife(Axis2Client client, String address) throws Exception {
        factory = client.ready(new BESFactoryServiceStub(client.context(), address));
    }

    @Override
    public String call() throws Exception {
        factoryTellsOfItself();
        EndpointReferenceType ended = create("/bin/sh", "-c", "exit 3");
        EndpointReferenceType sleeper = create("/bin/sleep", "300");
        Awaitility.await().atMost(PATIENCE).until(() -> states(ended, sleeper).equals(List.of("Finished", "Running")));
        assertThat(status(ended).getExtraElement()[0].getText()).isEqualTo("3");
        documentsAreTyped(ended);
        assertThat(terminate(sleeper)).isTrue();
        Awaitility.await().atMost(PATIENCE).until(() -> states(sleeper).equals(List.of("Cancelled")));
        faultsAreTyped(ended);
        return "ok all";
    }

    private void factoryTellsOfItself() throws Exception {
        GetFactoryAttributesDocument request = new GetFactoryAttributesDocument();
        request.setGetFactoryAttributesDocument(new GetFactoryAttributesDocumentType());
        var attributes = factory.getFactoryAttributesDocument(request)
                .getGetFactoryAttributesDocumentResponse()
                .getFactoryResourceAttributesDocument();
        assertThat(attributes.getIsAcceptingNewActivities()).isTrue();
        assertThat(attributes.getTotalNumberOfContainedResources()).isPositive();
        assertThat(Arrays.stream(attributes.getBESExtension()).map(URI::toString))
                .contains("http://schemas.ogf.org/hpcp/2007/01/bp");
        assertThat(attributes.getNamingProfile()).isNotEmpty();
    }

    private static CreateActivity activity(String... words) {
        StringBuilder text = new StringBuilder(
                "<HPCProfileApplication xmlns=\"" + HPCPA + "\"><Executable>" + words[0] + "</Executable>");
        Arrays.stream(words)
                .skip(1)
                .forEach(word -> text.append("<Argument>").append(word).append("</Argument>"));
        Application_Type application = new Application_Type();
        application.addExtraElement(element(text + "</HPCProfileApplication>"));
        JobIdentification_Type identification = new JobIdentification_Type();
        identification.setJobName("by Axis2");
        JobDescription_Type description = new JobDescription_Type();
        description.setJobIdentification(identification);
        description.setApplication(application);
        JobDefinition_Type definition = new JobDefinition_Type();
        definition.setJobDescription(description);
        ActivityDocumentType document = new ActivityDocumentType();
        document.setJobDefinition(definition);
        CreateActivityType content = new CreateActivityType();
        content.setActivityDocument(document);
        CreateActivity request = new CreateActivity();
        request.setCreateActivity(content);
        return request;
    }

    private static OMElement element(String text) {
        return OMXMLBuilderFactory.createOMBuilder(new StringReader(text)).getDocumentElement();
    }

    private EndpointReferenceType create(String... words) throws Exception {
        return factory.createActivity(activity(words))
                .getCreateActivityResponse()
                .getActivityIdentifier();
    }

    private ActivityStatusType status(EndpointReferenceType activity) throws Exception {
        return statuses(activity).getFirst();
    }

    private List<ActivityStatusType> statuses(EndpointReferenceType... activities) throws Exception {
        GetActivityStatusesType content = new GetActivityStatusesType();
        content.setActivityIdentifier(activities);
        GetActivityStatuses request = new GetActivityStatuses();
        request.setGetActivityStatuses(content);
        return Arrays.stream(factory.getActivityStatuses(request)
                        .getGetActivityStatusesResponse()
                        .getResponse())
                .map(response -> response.getActivityStatus())
                .toList();
    }

    private List<String> states(EndpointReferenceType... activities) throws Exception {
        return statuses(activities).stream()
                .map(status -> status.getState().getValue())
                .toList();
    }

    private void documentsAreTyped(EndpointReferenceType activity) throws Exception {
        GetActivityDocumentsType content = new GetActivityDocumentsType();
        content.addActivityIdentifier(activity);
        GetActivityDocuments request = new GetActivityDocuments();
        request.setGetActivityDocuments(content);
        JobDefinition_Type definition = factory.getActivityDocuments(request)
                .getGetActivityDocumentsResponse()
                .getResponse()[0]
                .getJobDefinition();
        assertThat(definition.getJobDescription().getJobIdentification().getJobName())
                .isEqualTo("by Axis2");
        assertThat(definition
                        .getJobDescription()
                        .getApplication()
                        .getExtraElement()[0]
                        .toString())
                .contains("/bin/sh", "exit 3");
    }

    private boolean terminate(EndpointReferenceType activity) throws Exception {
        TerminateActivitiesType content = new TerminateActivitiesType();
        content.addActivityIdentifier(activity);
        TerminateActivities request = new TerminateActivities();
        request.setTerminateActivities(content);
        return factory.terminateActivities(request)
                .getTerminateActivitiesResponse()
                .getResponse()[0]
                .getTerminated();
    }

    private void faultsAreTyped(EndpointReferenceType over) throws Exception {
        assertThat(terminate(over)).isFalse();
        CreateActivity unknown = activity("/bin/true");
        unknown.getCreateActivity()
                .getActivityDocument()
                .getJobDefinition()
                .getJobDescription()
                .getApplication()
                .addExtraElement(element("<Unheard xmlns=\"urn:of\"/>"));
        UnsupportedFeatureFault fault =
                catchThrowableOfType(UnsupportedFeatureFault.class, () -> factory.createActivity(unknown));
        assertThat(fault.getFaultMessage().getUnsupportedFeatureFault().getFeature())
                .anyMatch(feature -> feature.contains("Unheard"));
    }
}
