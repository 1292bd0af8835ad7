// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What each module of the service may know, as ARCHITECTURE.md has it: one positive list per module. A package that no list names fails,
 * and so does a class that knows a package of ours that its module's list does not have.
 */
class ArchitectureTest {

    /** What doors, adapters and the transfer engine may know of the core: neither the engine nor the store's SQL. */
    private static final List<String> PORTS = List.of(
            "access",
            "address",
            "authz",
            "files",
            "identity",
            "job",
            "jobs",
            "language",
            "limits",
            "lrm",
            "notify",
            "packing",
            "site",
            "store");

    private static final List<String> CORE_ROOMS = List.of(
            "access",
            "address",
            "authz",
            "engine",
            "files",
            "identity",
            "job",
            "jobs",
            "language",
            "limits",
            "lrm",
            "notify",
            "packing",
            "site",
            "store");

    /** The packages of each module, and the packages of other modules that it may know. */
    private record Module(List<String> packages, List<String> mayKnow) {}

    private static final Map<String, Module> MODULES = Map.ofEntries(
            Map.entry("core", new Module(CORE_ROOMS, List.of())),
            Map.entry("door", new Module(List.of("door"), List.of("access", "files", "limits", "notify", "store"))),
            Map.entry("soap", new Module(List.of("soap", "xml"), List.of("door", "identity", "job", "limits"))),
            Map.entry(
                    "wssecurity",
                    new Module(List.of("wssecurity"), List.of("soap", "xml", "identity", "job", "limits"))),
            Map.entry(
                    "gt4",
                    new Module(List.of("gt4"), List.of("soap", "xml", "address", "job", "limits", "notify", "store"))),
            Map.entry("cream", new Module(List.of("cream"), with(PORTS, "door", "soap", "xml", "jdl"))),
            Map.entry("jdl", new Module(List.of("jdl"), List.of("files", "job", "language", "limits"))),
            Map.entry("gram", new Module(List.of("gram"), with(PORTS, "door", "soap", "xml", "gt4"))),
            Map.entry("rft", new Module(List.of("rft"), with(PORTS, "door", "soap", "xml", "gt4", "transfer"))),
            Map.entry("srm", new Module(List.of("srm"), with(PORTS, "door", "soap", "xml", "transfer", "gridftp"))),
            Map.entry("delegation", new Module(List.of("delegation"), with(PORTS, "door", "soap", "xml", "gt4"))),
            Map.entry("jsdl", new Module(List.of("jsdl"), with(PORTS, "xml"))),
            Map.entry("bes", new Module(List.of("bes"), with(PORTS, "door", "soap", "xml", "jsdl"))),
            Map.entry("rest", new Module(List.of("rest", "adl", "xrsl"), with(PORTS, "door", "language"))),
            Map.entry("remote", new Module(List.of("remote"), with(PORTS, "soap", "xml", "gt4"))),
            Map.entry("transfer", new Module(List.of("transfer"), with(PORTS, "gridftp"))),
            Map.entry("gridftp", new Module(List.of("gridftp"), List.of())),
            Map.entry("audit", new Module(List.of("audit"), PORTS)),
            Map.entry("htcondor", new Module(List.of("htcondor"), List.of())),
            Map.entry("adapter", new Module(List.of("adapter"), with(PORTS, "htcondor"))));

    private static JavaClasses all;

    private static List<String> with(List<String> some, String... more) {
        List<String> sum = new ArrayList<>(some);
        sum.addAll(List.of(more));
        return sum;
    }

    @BeforeAll
    static void read() {
        all = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("org.jobgate");
    }

    private static String room(JavaClass type) {
        return type.getPackageName().replaceFirst("^org\\.jobgate\\.?", "").replaceFirst("\\..*", "");
    }

    /** A rule over classes that were not read would hold for ever, and a package without a rule has none. */
    @Test
    void everyPackageBelongsToOneModuleAndEveryModuleWasRead() {
        List<String> known = MODULES.values().stream()
                .flatMap(module -> module.packages().stream())
                .toList();
        assertThat(known).doesNotHaveDuplicates();
        assertThat(all.stream().map(ArchitectureTest::room).distinct().filter(room -> !room.equals("container")))
                .containsExactlyInAnyOrderElementsOf(known);
    }

    @TestFactory
    Stream<DynamicTest> aModuleKnowsWhatItsListHasAndNothingElseOfOurs() {
        return MODULES.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> check(entry.getValue())));
    }

    private static void check(Module module) {
        List<String> allowed = new ArrayList<>(module.packages());
        allowed.addAll(module.mayKnow());
        classes()
                .that(DescribedPredicate.describe(
                        "are in " + module.packages(), type -> module.packages().contains(room(type))))
                .should()
                .onlyDependOnClassesThat(DescribedPredicate.describe(
                        "are not ours or in " + allowed,
                        type -> !type.getPackageName().startsWith("org.jobgate") || allowed.contains(room(type))))
                .check(all);
    }

    /** A door that decides by itself, or reads jobs without asking the site's policy, would be a hole in that policy. */
    @Test
    void doorsReachJobsAndThePolicyThroughAccessOnly() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "org.jobgate.gram..",
                        "org.jobgate.cream..",
                        "org.jobgate.rest..",
                        "org.jobgate.rft..",
                        "org.jobgate.bes..",
                        "org.jobgate.srm..",
                        "org.jobgate.delegation..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.jobgate.authz.Authorizer")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.jobgate.authz.AuthorizationChain")
                .check(all);
        noClasses()
                .that()
                .resideInAnyPackage(
                        "org.jobgate.gram..",
                        "org.jobgate.cream..",
                        "org.jobgate.rest..",
                        "org.jobgate.rft..",
                        "org.jobgate.bes..",
                        "org.jobgate.srm..",
                        "org.jobgate.delegation..")
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "a method of JobsBySubject is called",
                        call -> call.getTargetOwner().getFullName().equals("org.jobgate.jobs.JobsBySubject")))
                .check(all);
    }

    /** A door gets a view of the store that is limited to its own records; the whole store holds the jobs of everybody. */
    @Test
    void doorsDoNotSeeTheStore() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "org.jobgate.door..",
                        "org.jobgate.gram..",
                        "org.jobgate.cream..",
                        "org.jobgate.rest..",
                        "org.jobgate.rft..",
                        "org.jobgate.bes..",
                        "org.jobgate.srm..",
                        "org.jobgate.delegation.gt4..",
                        "org.jobgate.delegation.gridsite..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.jobgate.store.JobStore")
                .check(all);
    }

    /** What a door has in common with others is in the core or in the wire kit of its family. */
    @Test
    void noDoorKnowsAnother() {
        List<String> doors = List.of("gram", "cream", "rest", "rft", "srm", "delegation", "bes");
        for (String door : doors) {
            noClasses()
                    .that()
                    .resideInAPackage("org.jobgate." + door + "..")
                    .should()
                    .dependOnClassesThat(DescribedPredicate.describe(
                            "are of another door",
                            type -> doors.contains(room(type)) && !room(type).equals(door)))
                    .check(all);
        }
    }

    @Test
    void theCoreHasNoHttpXmlOrSoap() {
        noClasses()
                .that(DescribedPredicate.describe("are in the core", type -> CORE_ROOMS.contains(room(type))))
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
                .resideOutsideOfPackages(
                        "org.jobgate.store.sql..", "org.jobgate.store.postgres..", "org.jobgate.audit..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "org.sqlite..", "org.postgresql..", "com.zaxxer..")
                .check(all);
        noClasses()
                .that()
                .resideOutsideOfPackages("org.jobgate.store.sql..", "org.jobgate.container..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.jobgate.store.sql..")
                .check(all);
    }

    @Test
    void protocolsOfTransferKnowNoJobs() {
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.transfer.protocol..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jobgate.job..", "org.jobgate.store..", "org.jobgate.engine..")
                .check(all);
    }

    @Test
    void theVaultKnowsNoWire() {
        noClasses()
                .that()
                .resideInAPackage("org.jobgate.delegation.vault..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jobgate.soap..", "org.jobgate.xml..", "org.jobgate.gt4..", "org.apache.cxf..")
                .check(all);
    }

    /** The packages below the container's own serve any wiring. */
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
                        "org.jobgate.adapter..",
                        "org.jobgate.remote..",
                        "org.jobgate.transfer..",
                        "org.jobgate.rft..",
                        "org.jobgate.srm..",
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
