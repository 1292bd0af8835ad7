// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** How one decision is made of what several points say. In every rule, a decision that nobody permits is a denial. */
public enum CombiningRule {

    /** One denial denies; then one point that cannot say leaves it open; then one permit permits. */
    DENY_OVERRIDES {
        @Override
        Optional<Verdict> decisive(List<Verdict> verdicts) {
            return first(verdicts, PointDecision.Deny.class)
                    .or(() -> first(verdicts, PointDecision.Indeterminate.class))
                    .or(() -> permit(verdicts, verdict -> true));
        }
    },

    /** One permit permits, whatever the others say. */
    PERMIT_OVERRIDES {
        @Override
        Optional<Verdict> decisive(List<Verdict> verdicts) {
            return permit(verdicts, verdict -> true)
                    .or(() -> first(verdicts, PointDecision.Indeterminate.class))
                    .or(() -> first(verdicts, PointDecision.Deny.class));
        }
    },

    /** The first point that does not abstain decides; those behind it are not asked. */
    FIRST_APPLICABLE {
        @Override
        Optional<Verdict> decisive(List<Verdict> verdicts) {
            return verdicts.stream()
                    .filter(verdict -> !(verdict.decision() instanceof PointDecision.Abstain))
                    .findFirst();
        }
    },

    /**
     * As {@link #PERMIT_OVERRIDES}, but a permit counts only if a chain of trust leads from the site to the one in whose name it is
     * given: the site trusts what its own points trust, these what theirs do.
     */
    PERMIT_OVERRIDES_WITH_DELEGATION {
        @Override
        Optional<Verdict> decisive(List<Verdict> verdicts) {
            Set<String> trusted = trusted(verdicts);
            return permit(verdicts, verdict -> trusted.contains(verdict.link().issuer()))
                    .or(() -> first(verdicts, PointDecision.Indeterminate.class))
                    .or(() -> first(verdicts, PointDecision.Deny.class));
        }
    };

    /** The answer that decides; empty if nobody has said anything that counts. */
    abstract Optional<Verdict> decisive(List<Verdict> verdicts);

    /** Whether what a point denies for now may be permitted when that point does not deny it any more. Not where a permit goes before every denial. */
    boolean mayPermitLater() {
        return switch (this) {
            case DENY_OVERRIDES, FIRST_APPLICABLE -> true;
            case PERMIT_OVERRIDES, PERMIT_OVERRIDES_WITH_DELEGATION -> false;
        };
    }

    /** Whether what the points behind this one say could change nothing. */
    boolean isSettledBy(PointDecision decision) {
        return switch (this) {
            case DENY_OVERRIDES -> decision instanceof PointDecision.Deny;
            case FIRST_APPLICABLE -> !(decision instanceof PointDecision.Abstain);
            case PERMIT_OVERRIDES, PERMIT_OVERRIDES_WITH_DELEGATION -> false;
        };
    }

    private static Optional<Verdict> first(List<Verdict> verdicts, Class<? extends PointDecision> kind) {
        return verdicts.stream()
                .filter(verdict -> kind.isInstance(verdict.decision()))
                .findFirst();
    }

    /** One that names accounts before one that does not. */
    private static Optional<Verdict> permit(List<Verdict> verdicts, Predicate<Verdict> counts) {
        List<Verdict> permits = verdicts.stream()
                .filter(verdict -> verdict.decision() instanceof PointDecision.Permit && counts.test(verdict))
                .toList();
        return permits.stream()
                .filter(verdict -> verdict.decision() instanceof PointDecision.Permit permit
                        && !permit.accounts().isEmpty())
                .findFirst()
                .or(() -> permits.stream().findFirst());
    }

    private static Set<String> trusted(List<Verdict> verdicts) {
        Set<String> trusted = new HashSet<>(Set.of(Link.SITE));
        boolean grew = true;
        while (grew) {
            grew = false;
            for (Verdict verdict : verdicts) {
                grew |= trusted.contains(verdict.link().issuer())
                        && trusted.addAll(verdict.link().trusts());
            }
        }
        return trusted;
    }
}
