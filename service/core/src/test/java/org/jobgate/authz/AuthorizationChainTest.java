// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jobgate.identity.Identity;
import org.jobgate.job.Later;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorizationChainTest {

    private static final Identity ALICE = new Identity("/O=Grid/CN=Alice", "tls", false);
    private static final Set<Action> ALL = EnumSet.allOf(Action.class);

    private static Link link(String name, PointDecision decision) {
        return Link.of(name, ALL, request -> decision);
    }

    /** A point by one letter: Permit, Deny, Indeterminate, Abstain, permit without accounts (N). */
    private static PointDecision decision(char letter, int at) {
        return switch (letter) {
            case 'P' -> new PointDecision.Permit(List.of("account" + at), "yes" + at);
            case 'N' -> new PointDecision.Permit(List.of(), "yes" + at);
            case 'D' -> new PointDecision.Deny("no" + at);
            case 'I' -> new PointDecision.Indeterminate("broken" + at);
            default -> new PointDecision.Abstain("none of mine" + at);
        };
    }

    private static AuthorizationChain chain(CombiningRule rule, Link... links) {
        return new AuthorizationChain(Map.of(), List.of(links), rule, Set.of("root"));
    }

    private static String decided(CombiningRule rule, String letters) {
        Link[] links = new Link[letters.length()];
        for (int i = 0; i < letters.length(); i++) {
            links[i] = link("point" + i, decision(letters.charAt(i), i));
        }
        return words(chain(rule, links).decide(ALICE));
    }

    private static String words(Decision decision) {
        return switch (decision) {
            case Decision.Permit permit -> "permit " + String.join("+", permit.accounts());
            case Decision.Deny deny -> "deny " + deny.reason();
            case Decision.Indeterminate unclear -> "indeterminate " + unclear.reason();
        };
    }

    @ParameterizedTest
    @CsvSource({
        "P, permit account0",
        "AP, permit account1",
        "PD, deny no1",
        "DP, deny no0",
        "PI, indeterminate broken1",
        "IP, indeterminate broken0",
        "ID, deny no1",
        "NP, permit account1",
        "AA, deny No rule of this gateway admits you: none of mine0; none of mine1"
    })
    void denyOverrides(String letters, String decision) {
        assertThat(decided(CombiningRule.DENY_OVERRIDES, letters)).isEqualTo(decision);
    }

    @ParameterizedTest
    @CsvSource({
        "PD, permit account0",
        "DP, permit account1",
        "IP, permit account1",
        "ID, indeterminate broken0",
        "DA, deny no0",
        "NP, permit account1",
        "A, deny No rule of this gateway admits you: none of mine0"
    })
    void permitOverrides(String letters, String decision) {
        assertThat(decided(CombiningRule.PERMIT_OVERRIDES, letters)).isEqualTo(decision);
    }

    @ParameterizedTest
    @CsvSource({
        "PD, permit account0",
        "DP, deny no0",
        "ADP, deny no1",
        "AIP, indeterminate broken1",
        "AAP, permit account2"
    })
    void firstApplicable(String letters, String decision) {
        assertThat(decided(CombiningRule.FIRST_APPLICABLE, letters)).isEqualTo(decision);
    }

    @Test
    void whoComesWithoutATokenIsNotToldOfTokens() {
        TokenScopes scopes = new TokenScopes(Map.of());
        AuthorizationChain chain =
                chain(CombiningRule.DENY_OVERRIDES, link("map", decision('A', 0)), Link.of("scopes", ALL, scopes));
        assertThat(words(chain.decide(ALICE))).isEqualTo("deny No rule of this gateway admits you: none of mine0");
    }

    @Test
    void aPermitOfAStrangerCountsOnlyIfTrustLeadsToHim() {
        PointDecision yes = new PointDecision.Permit(List.of("guest"), "yes");
        PointDecision none = new PointDecision.Abstain("none of mine");
        Link stranger = new Link("vo", ALL, "vo", Set.of(), request -> yes);
        Link site = new Link("site map", ALL, Link.SITE, Set.of("partner"), request -> none);
        Link partner = new Link("partner", ALL, "partner", Set.of("vo"), request -> none);
        Link self = new Link("vo too", ALL, "vo", Set.of("vo"), request -> none);
        CombiningRule rule = CombiningRule.PERMIT_OVERRIDES_WITH_DELEGATION;

        assertThat(chain(rule, stranger).decide(ALICE)).isInstanceOf(Decision.Deny.class);
        assertThat(chain(rule, stranger, self).decide(ALICE)).isInstanceOf(Decision.Deny.class);
        assertThat(chain(rule, stranger, partner).decide(ALICE)).isInstanceOf(Decision.Deny.class);
        assertThat(words(chain(rule, stranger, partner, site).decide(ALICE))).isEqualTo("permit guest");
    }

    @Test
    void noPointIsAskedOnceAllIsDecidedAndEveryPointInARehearsal() {
        List<String> asked = new ArrayList<>();
        Link ban = Link.of("ban", ALL, request -> {
            asked.add("ban");
            return new PointDecision.Deny("banned");
        });
        Link map = Link.of("map", ALL, request -> {
            asked.add("map");
            return new PointDecision.Permit(List.of("alice"), "mapped");
        });
        AuthorizationChain chain = chain(CombiningRule.DENY_OVERRIDES, ban, map);

        chain.decide(ALICE);
        assertThat(asked).containsExactly("ban");
        AuthzResult result = chain.rehearse(ALICE, Action.SUBMIT);
        assertThat(asked).containsExactly("ban", "ban", "map");
        assertThat(result.verdicts()).hasSize(2);
        assertThat(result.decision()).isEqualTo(new Decision.Deny("banned"));
    }

    @Test
    void aPointThatFailsNeverPermitsAndAnAccountThatIsDeniedIsNeverAnswered() {
        Link broken = Link.of("broken", ALL, request -> {
            throw new IllegalStateException("no disk");
        });
        Link map = link("map", new PointDecision.Permit(List.of("root", "alice"), "mapped"));
        Link root = link("map", new PointDecision.Permit(List.of("root"), "mapped"));

        assertThat(chain(CombiningRule.DENY_OVERRIDES, broken, map).decide(ALICE))
                .isInstanceOf(Decision.Indeterminate.class);
        assertThat(words(chain(CombiningRule.DENY_OVERRIDES, map).decide(ALICE)))
                .isEqualTo("permit alice");
        assertThat(words(chain(CombiningRule.DENY_OVERRIDES, root).decide(ALICE)))
                .isEqualTo("deny You are mapped only to accounts that no job may run as: root");
        assertThat(words(chain(CombiningRule.DENY_OVERRIDES, link("x", decision('N', 0)))
                        .decide(ALICE)))
                .startsWith("indeterminate You are permitted, but no decision point names a local account");
    }

    /** Where permits go before denials, a point that stops denying permits nobody: then there is nothing to wait for. */
    @Test
    void whatIsDeniedForNowIsSoUnlessNobodyWouldPermitIt() {
        Later later = Later.whenThereIsRoom(Later.Room.SERVICE);
        Link full = link("load", new PointDecision.Deny("full", later));
        Link map = link("map", decision('P', 1));
        Decision now = new Decision.Deny("full", later);

        assertThat(chain(CombiningRule.DENY_OVERRIDES, full, map).decide(ALICE)).isEqualTo(now);
        assertThat(chain(CombiningRule.FIRST_APPLICABLE, full, map).decide(ALICE))
                .isEqualTo(now);
        assertThat(chain(CombiningRule.DENY_OVERRIDES, full).objection(ALICE, Action.QUERY))
                .contains(new Decision.Deny("full", later));
        assertThat(chain(CombiningRule.PERMIT_OVERRIDES, full).objection(ALICE, Action.QUERY))
                .contains(new Decision.Deny("full", later));
        assertThat(chain(CombiningRule.PERMIT_OVERRIDES, full).decide(ALICE)).isEqualTo(new Decision.Deny("full"));
        assertThat(words(chain(CombiningRule.PERMIT_OVERRIDES, full, map).decide(ALICE)))
                .isEqualTo("permit account1");
    }

    @Test
    void anOwnerMayUnlessSomebodyObjects() {
        Link map = Link.of("map", Set.of(Action.SUBMIT), request -> new PointDecision.Deny("not any more"));
        Link scope = Link.of(
                "scope",
                ALL,
                request -> request.action() == Action.MANAGE
                        ? new PointDecision.Deny("the token cannot")
                        : new PointDecision.Abstain("it can"));
        AuthorizationChain chain = chain(CombiningRule.PERMIT_OVERRIDES, map, scope);

        assertThat(chain.objection(ALICE, Action.QUERY)).isEmpty();
        assertThat(chain.objection(ALICE, Action.MANAGE)).contains(new Decision.Deny("the token cannot"));
        assertThat(chain.decide(ALICE)).isInstanceOf(Decision.Deny.class);
    }

    @Test
    void anInformationPointAddsAttributesAndOneThatDoesNotKnowNeverHelps() {
        Link map = Link.of(
                "map",
                ALL,
                request ->
                        request.attributes().getOrDefault("project", List.of()).contains("physics")
                                ? new PointDecision.Permit(List.of("phys"), "of physics")
                                : new PointDecision.Abstain("of no project"));
        InformationPoint knows = request -> Map.of("project", List.of("physics"));
        InformationPoint doesNot = request -> {
            throw new InformationPoint.UnknownException("the directory is closed");
        };

        assertThat(words(new AuthorizationChain(
                                Map.of("people", knows), List.of(map), CombiningRule.DENY_OVERRIDES, Set.of())
                        .decide(ALICE)))
                .isEqualTo("permit phys");
        assertThat(words(new AuthorizationChain(
                                Map.of("people", doesNot), List.of(map), CombiningRule.DENY_OVERRIDES, Set.of())
                        .decide(ALICE)))
                .isEqualTo("indeterminate the directory is closed");
    }

    @Test
    void theAuditLineHasEveryAnswerAndNothingOfACallerCanForgeOne() {
        Identity eve = new Identity("/CN=Eve\" action=\"x\u2028y", "tls", false);
        AuthzResult result = chain(
                        CombiningRule.DENY_OVERRIDES, link("ban", decision('A', 0)), link("map", decision('P', 1)))
                .rehearse(eve, Action.SUBMIT);

        assertThat(result.line())
                .isEqualTo("permit accounts=account1 action=submit subject=\"/CN=Eve\\\" action=\\\"x\\u2028y\""
                        + " method=\"tls\" by=\"map\" because=[\"ban abstain (none of mine0)\","
                        + " \"map permit (yes1)\"]");
        assertThat(Stream.of(result.line().split("\n"))).hasSize(1);
    }
}
