// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.wsdl.Definition;
import javax.wsdl.Operation;
import javax.wsdl.PortType;
import javax.wsdl.extensions.AttributeExtensible;
import javax.wsdl.factory.WSDLFactory;
import javax.wsdl.xml.WSDLReader;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.service.factory.ServiceConstructionException;
import org.apache.cxf.wsdl11.WSDLServiceFactory;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our descriptions of the services: whole, true, and of the same names and actions as the original ones. */
class WsdlTest {

    private static final Set<QName> ACTIONS = Set.of(
            new QName(Generation.GT40.wsa(), "Action"),
            new QName("http://www.w3.org/2006/05/addressing/wsdl", "Action"));
    private static final Door DOOR = new Door();

    @AfterAll
    static void close() {
        DOOR.close();
    }

    @ParameterizedTest
    @CsvSource({
        "ManagedJobFactoryService, wsdl",
        "ManagedExecutableJobService, wsdl",
        "ManagedMultiJobService, wsdl",
        "ManagedMultiJobService, wsdl=gt42",
        "SubscriptionManagerService, wsdl",
        "ManagedJobFactoryService, wsdl=gt42",
        "ManagedExecutableJobService, wsdl=gt42",
        "SubscriptionManagerService, wsdl=gt42",
        "ManagedJobFactoryService, wsdl=jobs",
        "ManagedJobFactoryService, wsdl=jobs42"
    })
    void theDescriptionIsServedWithThePublicAddressAndIsWhole(String service, String query)
            throws ServiceConstructionException {
        Answer wsdl = DOOR.get(service + "?" + query);

        assertThat(wsdl.status()).isEqualTo(200);
        assertThat(wsdl.text()).contains("location=\"" + DOOR.baseUrl() + "/" + service + "\"");
        Bus bus = new CXFBusFactory().createBus();
        try {
            var services = new WSDLServiceFactory(bus, DOOR.baseUrl() + "/" + service + "?" + query).create();
            assertThat(services.getServiceInfos())
                    .isNotEmpty()
                    .allSatisfy(info ->
                            assertThat(info.getInterface().getOperations()).isNotEmpty());
        } finally {
            bus.shutdown(true);
        }
    }

    @Test
    void anUnknownSchemaIsNotFound() {
        assertThat(DOOR.get("ManagedJobFactoryService?xsd=../secret.xsd").status())
                .isEqualTo(404);
        assertThat(DOOR.get("ManagedJobFactoryService?xsd=nothing.xsd").status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gt42/"})
    void ourSchemasCompile(String folder) throws Exception {
        SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
        Source[] sources = List.of(
                        "job.xsd",
                        "resource-lifetime.xsd",
                        "resource-properties.xsd",
                        "keys.xsd",
                        "jobs.xsd",
                        "rendezvous.xsd")
                .stream()
                .map(name -> new StreamSource(
                        String.valueOf(WsdlTest.class.getResource("/org/jobgate/gram/wsdl/" + folder + name))))
                .toArray(Source[]::new);

        assertThat(factory.newSchema(sources)).isNotNull();
    }

    /** Axis2's ADB generates no code at all for a schema with mixed content, and zeep cannot write it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "gt42/"})
    void noTypeHasMixedContent(String generation) throws Exception {
        Path folder = Path.of(requireNonNull(WsdlTest.class.getResource("/org/jobgate/gram/wsdl/" + generation))
                .toURI());
        try (Stream<Path> documents = Files.list(folder).filter(Files::isRegularFile)) {
            assertThat(documents)
                    .hasSizeGreaterThan(10)
                    .allSatisfy(document -> assertThat(document).content().doesNotContain("mixed="));
        }
    }

    /** Else a generated client has an untyped exception of them. */
    @Test
    void createManagedJobDeclaresEveryKindOfFault() throws Exception {
        Operation create = portType(String.valueOf(
                        WsdlTest.class.getResource("/org/jobgate/gram/wsdl/ManagedJobFactoryService.wsdl")))
                .getOperation("createManagedJob", null, null);

        Set<String> declared = new TreeSet<>();
        for (Object name : create.getFaults().keySet()) {
            declared.add(String.valueOf(name));
        }
        // GRAM4's plain fault travels as a BaseFault
        assertThat(declared)
                .contains("createManagedJobFault", "ResourceUnknownFault", "SubscribeCreationFailedFault")
                .contains("TopicPathDialectUnknownFault", "internalFault", "invalidCredentialsFault")
                .contains("serviceLevelAgreementFault", "executionFailedFault", "filePermissionsFault")
                .contains("invalidPathFault", "stagingFault", "unsupportedFeatureFault");
    }

    @ParameterizedTest
    @CsvSource({
        "ManagedJobFactoryService, gt4/gram/managed_job_factory_port_type.wsdl",
        "ManagedExecutableJobService, gt4/gram/managed_executable_job_port_type.wsdl",
        "ManagedMultiJobService, gt4/gram/managed_multi_job_port_type.wsdl",
        "SubscriptionManagerService, gt4/core/notification/subscription_manager_flattened.wsdl",
        "gt42/ManagedJobFactoryService, gt42/gram/jdd/managed_job_factory_port_type.wsdl",
        "gt42/ManagedExecutableJobService, gt42/gram/jdd/managed_executable_job_port_type.wsdl",
        "gt42/ManagedMultiJobService, gt42/gram/jdd/managed_multi_job_port_type.wsdl",
        "gt42/SubscriptionManagerService, gt42/core/notification/pause_subscription_manager_flattened.wsdl"
    })
    void operationsActionsAndFaultsAreThoseOfTheOriginal(String service, String original) throws Exception {
        Path schemas = Path.of(System.getProperty("jobgate.root", "."), "..", "shared", "schemas");
        assumeTrue(
                Files.isDirectory(schemas),
                "NOT TESTED against the original schemas: there are none at " + schemas.toAbsolutePath());
        PortType ours =
                portType(String.valueOf(WsdlTest.class.getResource("/org/jobgate/gram/wsdl/" + service + ".wsdl")));
        PortType theirs = portType(schemas.resolve(original).toUri().toString());

        assertThat(ours.getQName()).isEqualTo(theirs.getQName());
        Map<String, Set<String>> originals = operations(theirs);
        assertThat(operations(ours)).containsKeys(originals.keySet().toArray(String[]::new));
        operations(ours).forEach((name, facts) -> {
            Set<String> declared = new TreeSet<>(facts);
            if (name.equals("createManagedJob")) {
                // ours declares the kinds of its one fault as well
                declared.retainAll(originals.get(name));
            }
            assertThat(declared).as(name).isEqualTo(originals.get(name));
        });
    }

    private static PortType portType(String location) throws Exception {
        WSDLReader reader = WSDLFactory.newInstance().newWSDLReader();
        reader.setFeature("javax.wsdl.verbose", false);
        reader.setFeature("javax.wsdl.importDocuments", false);
        reader.setFeature("com.ibm.wsdl.parseXMLSchemas", false);
        Definition definition = reader.readWSDL(location);
        return (PortType) definition.getPortTypes().values().iterator().next();
    }

    /** Each operation's name with its actions and its faults. */
    private static Map<String, Set<String>> operations(PortType portType) {
        Map<String, Set<String>> operations = new TreeMap<>();
        for (Object entry : portType.getOperations()) {
            Operation operation = (Operation) entry;
            Set<String> facts = new TreeSet<>();
            addAction(facts, operation.getInput());
            addAction(facts, operation.getOutput());
            for (Object fault : operation.getFaults().keySet()) {
                facts.add("fault " + fault);
            }
            // the factory's own operation declares its action under another name: it is in no message
            facts.removeIf(fact -> operation.getName().equals("createManagedJob") && fact.startsWith("action"));
            operations.put(operation.getName(), facts);
        }
        return operations;
    }

    private static void addAction(Set<String> facts, AttributeExtensible message) {
        for (QName attribute : ACTIONS) {
            Object action = message.getExtensionAttribute(attribute);
            if (action != null) {
                facts.add("action " + (action instanceof QName name ? name.getLocalPart() : action));
            }
        }
    }
}
