// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.identity.Identity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The site's policy: information points, then decision points in order, then a rule that makes one decision of their answers. Every
 * decision is logged as one line, with the answer of each point that was asked, to the logger {@value #AUDIT}; that an owner may look at
 * an own job only at the level DEBUG, and that somebody may use files once a minute as long as it stays the same.
 *
 * <p>A failure on the way (a point that throws, an information point that cannot answer) never permits: the point's answer is then
 * "indeterminate".
 */
public final class AuthorizationChain implements Authorizer {

    /** The name of the logger of decisions. */
    public static final String AUDIT = "org.jobgate.authz.decisions";

    private static final Decision OWNER = new Decision.Permit(List.of("owner"));
    private static final String NOBODY = "No rule of this gateway admits you";

    private final Map<String, InformationPoint> information;
    private final List<Link> links;
    private final CombiningRule rule;
    private final Set<String> deniedAccounts;
    private final Logger audit = LoggerFactory.getLogger(AUDIT);
    private final ToldPermits told = new ToldPermits(Duration.ofMinutes(1), System::nanoTime);

    /**
     * A chain.
     *
     * @param information by name, asked in this order
     * @param links asked in this order
     * @param deniedAccounts accounts that no job may ever run as, whoever permits them
     */
    public AuthorizationChain(
            Map<String, InformationPoint> information,
            List<Link> links,
            CombiningRule rule,
            Set<String> deniedAccounts) {
        this.information = new LinkedHashMap<>(information);
        this.links = List.copyOf(links);
        this.rule = requireNonNull(rule, "rule is null");
        this.deniedAccounts = Set.copyOf(deniedAccounts);
    }

    @Override
    public Decision decide(Identity identity) {
        return decide(identity, Action.SUBMIT);
    }

    @Override
    public Decision decide(Identity identity, Action action) {
        return decided(identity, action);
    }

    @Override
    public Optional<Decision.Deny> objection(Identity identity, Action action) {
        return switch (decided(identity, action)) {
            case Decision.Permit ignored -> Optional.empty();
            case Decision.Deny deny -> Optional.of(deny);
            case Decision.Indeterminate unclear -> Optional.of(new Decision.Deny(unclear.reason()));
        };
    }

    private Decision decided(Identity identity, Action action) {
        AuthzResult result = result(AuthzRequest.of(identity, action), false);
        if (result.decision() instanceof Decision.Permit permit && !isTold(identity, action, permit)) {
            if (audit.isDebugEnabled()) {
                audit.debug("{}", result.line());
            }
        } else {
            audit.info("{}", result.line());
        }
        return result.decision();
    }

    /** These two are permitted so often that all their lines would hide the others: to own jobs, and to files. */
    private boolean isTold(Identity identity, Action action, Decision.Permit permit) {
        return switch (action) {
            case QUERY -> false;
            case FILES -> told.isNews(identity.subject(), identity.method(), permit);
            default -> true;
        };
    }

    /** What would be decided, with the answers of all points; nothing is changed by it. It is not logged: nothing was decided. */
    public AuthzResult rehearse(Identity identity, Action action) {
        return result(new AuthzRequest(identity, action, Map.of(), true), true);
    }

    /** The rule that makes one decision of many answers. */
    public CombiningRule rule() {
        return rule;
    }

    private AuthzResult result(AuthzRequest asked, boolean everybody) {
        List<Verdict> verdicts = new ArrayList<>();
        AuthzRequest request = informed(asked, verdicts);
        boolean settled = false;
        for (Link link : links) {
            if (!link.actions().contains(request.action()) || (settled && !everybody)) {
                continue;
            }
            Verdict verdict = new Verdict(link, judge(link, request));
            verdicts.add(verdict);
            settled |= rule.isSettledBy(verdict.decision());
        }
        return request.action().isOwners() ? ofOwner(request, verdicts) : combined(request, verdicts);
    }

    private AuthzRequest informed(AuthzRequest asked, List<Verdict> verdicts) {
        AuthzRequest request = asked;
        for (Map.Entry<String, InformationPoint> point : information.entrySet()) {
            try {
                request = request.with(point.getValue().attributes(request));
            } catch (InformationPoint.UnknownException | RuntimeException e) {
                PointDecision unknown = new PointDecision.Indeterminate(String.valueOf(e.getMessage()));
                verdicts.add(new Verdict(Link.of(point.getKey(), Set.of(asked.action()), any -> unknown), unknown));
            }
        }
        return request;
    }

    private PointDecision judge(Link link, AuthzRequest request) {
        try {
            return link.point().judge(request);
        } catch (RuntimeException e) {
            audit.error("The decision point {} failed", link.name(), e);
            return new PointDecision.Indeterminate("The decision point " + link.name() + " failed (the log says why)");
        }
    }

    private static boolean isAgainst(Verdict verdict) {
        return verdict.decision() instanceof PointDecision.Deny
                || verdict.decision() instanceof PointDecision.Indeterminate;
    }

    /** Owning the job is enough, whatever the combining rule, unless somebody objects. */
    private static AuthzResult ofOwner(AuthzRequest request, List<Verdict> verdicts) {
        for (Verdict verdict : verdicts) {
            if (isAgainst(verdict)) {
                Verdict against =
                        CombiningRule.DENY_OVERRIDES.decisive(verdicts).orElse(verdict);
                return new AuthzResult(request, refusal(against, CombiningRule.DENY_OVERRIDES), against, verdicts);
            }
        }
        return new AuthzResult(request, OWNER, null, verdicts);
    }

    private AuthzResult combined(AuthzRequest request, List<Verdict> verdicts) {
        Optional<Verdict> decisive = verdicts.stream()
                .filter(verdict -> verdict.link().point().isFinal() && verdict.decision() instanceof PointDecision.Deny)
                .findFirst()
                .or(() -> rule.decisive(verdicts));
        Decision decision = decisive.map(verdict -> verdict.decision() instanceof PointDecision.Permit permit
                        ? permit(permit, verdict)
                        : refusal(verdict, rule))
                .orElseGet(() -> new Decision.Deny(NOBODY + reasons(verdicts)));
        return new AuthzResult(request, decision, decisive.orElse(null), verdicts);
    }

    /** The reasons of the points that could have admitted the caller; a point that only checks what a credential forbids could not. */
    private static String reasons(List<Verdict> verdicts) {
        String reasons = verdicts.stream()
                .filter(verdict -> !verdict.link().point().isFinal())
                .map(verdict -> verdict.decision().reason())
                .collect(Collectors.joining("; "));
        return reasons.isEmpty() ? "" : ": " + reasons;
    }

    private Decision permit(PointDecision.Permit permit, Verdict verdict) {
        List<String> allowed = permit.accounts().stream()
                .filter(account -> !deniedAccounts.contains(account))
                .toList();
        if (!allowed.isEmpty()) {
            return new Decision.Permit(allowed, verdict.text());
        }
        return permit.accounts().isEmpty()
                ? new Decision.Indeterminate("You are permitted, but no decision point names a local account for you")
                : new Decision.Deny("You are mapped only to accounts that no job may run as: "
                        + String.join(", ", permit.accounts()));
    }

    /** Where a permit goes before every denial, nobody has permitted it: then it is denied later too, whatever was denied for now. */
    private static Decision refusal(Verdict verdict, CombiningRule rule) {
        String reason = verdict.decision().reason();
        if (verdict.decision() instanceof PointDecision.Indeterminate) {
            return new Decision.Indeterminate(reason);
        }
        return verdict.decision() instanceof PointDecision.Deny deny && rule.mayPermitLater()
                ? new Decision.Deny(reason, deny.later())
                : new Decision.Deny(reason);
    }
}
