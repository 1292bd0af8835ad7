// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import javax.wsdl.Definition;
import javax.wsdl.Input;
import javax.wsdl.Message;
import javax.wsdl.Operation;
import javax.wsdl.Output;
import javax.wsdl.Part;
import javax.wsdl.PortType;
import javax.wsdl.factory.WSDLFactory;
import javax.wsdl.xml.WSDLReader;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.wsdl11.WSDLServiceFactory;
import org.jobgate.soap.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The descriptions of the delegation services: whole, with the public address, and true to the original ones. */
class DelegationWsdlTest {

    private static DelegationDoor door;

    @BeforeAll
    static void open(@TempDir Path directory) {
        door = new DelegationDoor(new TestGrid(), directory);
    }

    @AfterAll
    static void close() {
        door.close();
    }

    @ParameterizedTest
    @CsvSource({
        "DelegationFactoryService, wsdl, 4",
        "DelegationFactoryService, wsdl=gt42, 4",
        "DelegationService, wsdl, 6",
        "DelegationService, wsdl=gt42, 6",
        "gridsite-delegation, wsdl, 9"
    })
    void theDescriptionIsServedAndAnotherStackReadsIt(String service, String query, int operations) throws Exception {
        Answer wsdl = door.get(service + "?" + query);

        assertThat(wsdl.status()).isEqualTo(200);
        assertThat(wsdl.text()).contains("location=\"" + door.baseUrl() + "/" + service + "\"");
        Bus bus = new CXFBusFactory().createBus();
        try {
            var services = new WSDLServiceFactory(bus, door.baseUrl() + "/" + service + "?" + query).create();
            assertThat(services.getServiceInfos())
                    .singleElement()
                    .satisfies(info ->
                            assertThat(info.getInterface().getOperations()).hasSize(operations));
        } finally {
            bus.shutdown(true);
        }
    }

    @Test
    void aSchemaThatIsNotThereIsNotFound() {
        assertThat(door.get("DelegationService?xsd=nothing.xsd").status()).isEqualTo(404);
        assertThat(door.get("DelegationService?wsdl=jobs").status()).isEqualTo(404);
        assertThat(door.get("gridsite-delegation?wsdl=gt42").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "DelegationFactoryService.wsdl, gt4/delegationService/delegation_factory_flattened.wsdl",
        "DelegationService.wsdl, gt4/delegationService/delegation_flattened.wsdl",
        "gridsite-delegation.wsdl, delegation/delegation-2.0.0-2.1.wsdl"
    })
    void messagesAreThoseOfTheOriginal(String ours, String original) throws Exception {
        Path schemas = Path.of(System.getProperty("jobgate.root", "."), "..", "shared", "schemas");
        assumeTrue(
                Files.isDirectory(schemas),
                "NOT TESTED against the original schemas: there are none at " + schemas.toAbsolutePath());
        PortType theirs = portType(schemas.resolve(original).toUri().toString());
        PortType mine =
                portType(String.valueOf(DelegationWsdlTest.class.getResource("/org/jobgate/delegation/wsdl/" + ours)));

        assertThat(mine.getQName()).isEqualTo(theirs.getQName());
        Map<String, String> originals = messages(theirs);
        originals.keySet().remove("RequestSecurityToken2"); // not served
        assertThat(messages(mine)).containsAllEntriesOf(originals);
    }

    private static PortType portType(String location) throws Exception {
        WSDLReader reader = WSDLFactory.newInstance().newWSDLReader();
        reader.setFeature("javax.wsdl.verbose", false);
        reader.setFeature("com.ibm.wsdl.parseXMLSchemas", false);
        Definition definition = reader.readWSDL(location);
        return (PortType) definition.getPortTypes().values().iterator().next();
    }

    /** Each operation's name with the elements of its request and its reply, as far as they are declared. */
    private static Map<String, String> messages(PortType portType) {
        Map<String, String> operations = new TreeMap<>();
        for (Object entry : portType.getOperations()) {
            Operation operation = (Operation) entry;
            Input input = operation.getInput();
            Output output = operation.getOutput();
            // gridsite's original has replies of no part, where an empty element is sent
            String reply = output.getMessage().getParts().isEmpty() ? "" : element(output.getMessage());
            String answered = reply.endsWith("putProxyResponse") || reply.endsWith("destroyResponse") ? "" : reply;
            operations.put(operation.getName(), element(input.getMessage()) + " -> " + answered);
        }
        return operations;
    }

    private static String element(Message message) {
        return String.valueOf(((Part) message.getParts().values().iterator().next()).getElementName());
    }
}
