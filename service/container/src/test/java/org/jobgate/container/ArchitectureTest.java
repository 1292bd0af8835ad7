// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.GeneralCodingRules;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The arrows between modules, as ARCHITECTURE.md has them: an arrow the other way fails here. */
class ArchitectureTest {

    private static final String[] CORE = {
        "org.jobgate.job..",
        "org.jobgate.lifecycle..",
        "org.jobgate.store..",
        "org.jobgate.files..",
        "org.jobgate.identity..",
        "org.jobgate.authz..",
        "org.jobgate.limits..",
        "org.jobgate.address.."
    };

    private static JavaClasses all;

    @BeforeAll
    static void read() {
        all = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("org.jobgate");
    }

    /** A rule over classes that were not read would hold for ever. */
    @Test
    void everyModuleWasRead() {
        assertThat(all.stream().map(JavaClass::getPackageName))
                .contains(
                        "org.jobgate.job",
                        "org.jobgate.store.sql",
                        "org.jobgate.gram",
                        "org.jobgate.delegation.vault",
                        "org.jobgate.lrm",
                        "org.jobgate.rest.files",
                        "org.jobgate.remote",
                        "org.jobgate.transfer",
                        "org.jobgate.rft",
                        "org.jobgate.container.http");
    }

    @Test
    void theCoreKnowsNoOtherModule() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.jobgate.gram..",
                        "org.jobgate.rest..",
                        "org.jobgate.delegation..",
                        "org.jobgate.lrm..",
                        "org.jobgate.remote..",
                        "org.jobgate.transfer..",
                        "org.jobgate.rft..",
                        "org.jobgate.container..")
                .check(all);
    }

    @Test
    void theRftDoorKnowsTheEngineAndWhatTheSoapDoorsShareAndNoDoor() {
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.rft..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.jobgate.gram",
                        "org.jobgate.gram.fault..",
                        "org.jobgate.gram.jdd..",
                        "org.jobgate.gram.multi..",
                        "org.jobgate.gram.notification..",
                        "org.jobgate.gram.service..",
                        "org.jobgate.rest..",
                        "org.jobgate.lrm..",
                        "org.jobgate.delegation..",
                        "org.jobgate.remote..",
                        "org.jobgate.container..",
                        "org.jobgate.store.sql..")
                .check(all);
        noClasses()
                .that()
                .resideInAnyPackage("org.jobgate.gram..", "org.jobgate.rest..", "org.jobgate.delegation..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.jobgate.rft..")
                .check(all);
    }

    @Test
    void theTransferEngineKnowsTheCoreOnly() {
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.transfer..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.jobgate.gram..",
                        "org.jobgate.rft..",
                        "org.jobgate.rest..",
                        "org.jobgate.delegation..",
                        "org.jobgate.lrm..",
                        "org.jobgate.remote..",
                        "org.jobgate.container..",
                        "org.jobgate.store.sql..")
                .check(all);
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.transfer.protocol..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jobgate.job..", "org.jobgate.store..", "org.jobgate.lifecycle..")
                .check(all);
    }

    @Test
    void anotherGatewayAsLrmKnowsWhatTheSoapDoorsShareAndNoDoor() {
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.remote..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.jobgate.gram",
                        "org.jobgate.gram.fault..",
                        "org.jobgate.gram.jdd..",
                        "org.jobgate.gram.multi..",
                        "org.jobgate.gram.notification..",
                        "org.jobgate.gram.service..",
                        "org.jobgate.rest..",
                        "org.jobgate.lrm..",
                        "org.jobgate.delegation..",
                        "org.jobgate.container..",
                        "org.jobgate.store.sql..")
                .check(all);
        noClasses()
                .that()
                .resideInAnyPackage(
                        "org.jobgate.gram..", "org.jobgate.rest..", "org.jobgate.lrm..", "org.jobgate.delegation..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.jobgate.remote..")
                .check(all);
    }

    @Test
    void theCoreHasNoHttpXmlOrSoap() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.net.http..",
                        "jakarta.servlet..",
                        "jakarta.xml..",
                        "javax.xml..",
                        "org.w3c.dom..",
                        "org.xml.sax..",
                        "org.apache.cxf..",
                        "org.eclipse.jetty..",
                        "com.ctc.wstx..")
                .check(all);
    }

    @Test
    void onlyTheStoreKnowsSql() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.jobgate.store.sql..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "org.sqlite..", "org.postgresql..", "com.zaxxer..")
                .check(all);
    }

    @Test
    void frontDoorsAndAdaptersKnowTheCoreOnly() {
        noClasses()
                .that()
                .resideInAnyPackage("org.jobgate.gram..", "org.jobgate.rest..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jobgate.lrm..", "org.jobgate.container..", "org.jobgate.store.sql..")
                .check(all);
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.lrm..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.jobgate.gram..",
                        "org.jobgate.rest..",
                        "org.jobgate.container..",
                        "org.jobgate.store.sql..")
                .check(all);
    }

    @Test
    void noFrontDoorKnowsAnother() {
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.gram..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.jobgate.rest..")
                .check(all);
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.rest..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.jobgate.gram..")
                .check(all);
    }

    @Test
    void delegationKnowsNoDoorAndNoDoorKnowsIt() {
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.delegation..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.jobgate.gram",
                        "org.jobgate.gram.fault..",
                        "org.jobgate.gram.jdd..",
                        "org.jobgate.gram.multi..",
                        "org.jobgate.gram.notification..",
                        "org.jobgate.gram.service..",
                        "org.jobgate.lrm..",
                        "org.jobgate.container..",
                        "org.jobgate.store.sql..")
                .check(all);
        noClasses()
                .that()
                .resideInAnyPackage("org.jobgate.gram..", "org.jobgate.lrm..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.jobgate.delegation..")
                .check(all);
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.delegation.vault..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jobgate.gram..", "org.apache.cxf..")
                .check(all);
    }

    /** The packages of service/soap: several doors stand on them, so they know none. */
    @Test
    void whatTheSoapDoorsShareKnowsNoDoor() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "org.jobgate.gram.soap..",
                        "org.jobgate.gram.xml..",
                        "org.jobgate.gram.wsrf..",
                        "org.jobgate.gram.query..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.jobgate.gram",
                        "org.jobgate.gram.fault..",
                        "org.jobgate.gram.jdd..",
                        "org.jobgate.gram.multi..",
                        "org.jobgate.gram.notification..",
                        "org.jobgate.gram.service..")
                .check(all);
    }

    /** What guards messages knows how they travel, and no service. */
    @Test
    void theProtectionOfMessagesKnowsNoDoor() {
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.wssecurity..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.jobgate.gram",
                        "org.jobgate.gram.service..",
                        "org.jobgate.delegation..",
                        "org.jobgate.rest..",
                        "org.jobgate.lrm..",
                        "org.jobgate.store..",
                        "org.jobgate.container..")
                .check(all);
    }

    @Test
    void onlyTheWiringKnowsWhichPartsThereAre() {
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.container.*..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.jobgate.gram..",
                        "org.jobgate.rest..",
                        "org.jobgate.lrm..",
                        "org.jobgate.remote..",
                        "org.jobgate.transfer..",
                        "org.jobgate.rft..",
                        "org.jobgate.store.sql..")
                .check(all);
        classes()
                .that()
                .resideInAPackage("org.jobgate.container")
                .and()
                .doNotHaveSimpleName("Wiring")
                .and()
                .doNotHaveSimpleName("Gram")
                .and()
                .doNotHaveSimpleName("GramLimits")
                .and()
                .doNotHaveSimpleName("Gateways")
                .and()
                .doNotHaveSimpleName("OwnersOrHost")
                .and()
                .doNotHaveSimpleName("Delegations")
                .and()
                .doNotHaveSimpleName("Messages")
                .and()
                .doNotHaveSimpleName("FileDoor")
                .and()
                .doNotHaveSimpleName("Staging")
                .and()
                .doNotHaveSimpleName("Rft")
                .and()
                .doNotHaveSimpleName("RftConsumers")
                .and()
                .doNotHaveSimpleName("FileSystemMaps")
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackages(
                        "org.jobgate.gram..",
                        "org.jobgate.rest..",
                        "org.jobgate.lrm..",
                        "org.jobgate.remote..",
                        "org.jobgate.store.sql..")
                .check(all);
    }

    @Test
    void thereAreNoPackageCycles() {
        slices().matching("org.jobgate.(**)").should().beFreeOfCycles().check(all);
    }

    @Test
    void everybodyLogsThroughSlf4j() {
        GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(all);
        GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(all);
        noClasses()
                .that()
                .resideOutsideOfPackage("org.jobgate.container.log..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.logging..")
                .check(all);
    }
}
