// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.w3c.dom.Node;
import org.xmlunit.builder.DiffBuilder;
import org.xmlunit.diff.Comparison;
import org.xmlunit.diff.ComparisonResult;
import org.xmlunit.diff.ComparisonType;
import org.xmlunit.diff.Diff;
import org.xmlunit.diff.DifferenceEvaluators;

/** Compares SOAP bodies: the same elements, attributes and texts in the same order, but for what differs from run to run. */
final class SoapComparison {

    private static final Set<String> FREE_TEXTS = Set.of(
            "CurrentTime",
            "Timestamp",
            "ResourceID",
            "SubscriptionKey",
            "Address",
            "faultcode",
            "faultstring",
            "Description");

    private SoapComparison() {}

    static void assertSameBody(String expected, String actual) {
        Diff diff = DiffBuilder.compare(body(expected))
                .withTest(body(actual))
                .ignoreWhitespace()
                .ignoreComments()
                .withNodeFilter(SoapComparison::isCompared)
                .withDifferenceEvaluator(
                        DifferenceEvaluators.chain(DifferenceEvaluators.Default, SoapComparison::forgiveFreeTexts))
                .checkForSimilar()
                .build();
        assertThat(diff.hasDifferences()).as(diff + " in " + actual).isFalse();
    }

    private static ComparisonResult forgiveFreeTexts(Comparison comparison, ComparisonResult outcome) {
        Node node = comparison.getControlDetails().getTarget();
        Node element = node != null && node.getNodeType() == Node.TEXT_NODE ? node.getParentNode() : node;
        boolean isText = List.of(
                        ComparisonType.TEXT_VALUE, ComparisonType.CHILD_NODELIST_LENGTH, ComparisonType.CHILD_LOOKUP)
                .contains(comparison.getType());
        boolean isFree = element != null && FREE_TEXTS.contains(String.valueOf(element.getLocalName()));
        return isText && isFree ? ComparisonResult.EQUAL : outcome;
    }

    /** The words of a faultstring are free; the attribute that the schema demands was left out by the captured peer. */
    private static boolean isCompared(Node node) {
        String parent = node.getParentNode() == null
                ? ""
                : String.valueOf(node.getParentNode().getLocalName());
        boolean isDemanded = parent.equals("executionFailedFault") && "attribute".equals(node.getLocalName());
        return !isDemanded && !parent.equals("faultstring");
    }

    /** What is in the SOAP body, for the headers are free. */
    private static String body(String envelope) {
        return envelope.replaceFirst("(?s)<soap:Header[^>]*>.*</soap:Header>", "")
                .replaceFirst("(?s)^<\\?xml.*?\\?>", "")
                .strip();
    }
}
