// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The harness knows the wire only. */
class ArrowsTest {

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.jobgate.perf");

    @Test
    void nothingKnowsTheService() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.jobgate.job..",
                        "org.jobgate.store..",
                        "org.jobgate.engine..",
                        "org.jobgate.identity..",
                        "org.jobgate.authz..",
                        "org.jobgate.limits..",
                        "org.jobgate.gram..",
                        "org.jobgate.container..")
                .check(classes);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("org.jobgate.perf.(*)..").should().beFreeOfCycles().check(classes);
    }
}
