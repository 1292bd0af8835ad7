// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.adl.Activity;
import org.jobgate.adl.ActivityFaults;
import org.jobgate.adl.ActivityRules;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Reads descriptions in xRSL (facts/condor-g-and-arc-rest.md section 8). Names may be of either case and with underscores anywhere. What it does
 * not know it refuses by name; what has no effect here is in the notes.
 */
public final class XrslReader {

    private final ActivityRules rules;
    private final XrslDialect dialect;

    public XrslReader(ActivityRules rules, XrslDialect dialect) {
        this.rules = requireNonNull(rules, "rules is null");
        this.dialect = requireNonNull(dialect, "dialect is null");
    }

    /**
     * One of several descriptions.
     *
     * @param activity absent where the description is refused
     * @param fault why it is refused
     */
    public record Result(
            @Nullable Activity activity, @Nullable Fault fault) {}

    /** Whether the text is meant to be xRSL: it begins with {@code &}, {@code +}, {@code |} or a parenthesis. */
    public static boolean recognizes(String text) {
        String start = text.stripLeading();
        return !start.isEmpty() && "&+|(".indexOf(start.charAt(0)) >= 0;
    }

    /**
     * Reads one description.
     *
     * @throws FaultException that names the attribute, its value and the rule
     */
    public Activity read(String text) {
        List<Rsl> all = descriptions(text);
        if (all.size() != 1) {
            throw ActivityFaults.XRSL.invalid(
                    "+", "", "one job is described at a time, and it describes " + all.size());
        }
        return activity(all.getFirst());
    }

    /**
     * Reads one description or several, each by itself: what is wrong with one does not refuse the others.
     *
     * @throws FaultException if the text cannot be read at all
     */
    public List<Result> readAll(String text) {
        List<Rsl> all = descriptions(text);
        rules.limits().jobsAtOnce().check(all.size(), "Jobs of one request");
        List<Result> results = new ArrayList<>();
        for (Rsl one : all) {
            try {
                results.add(new Result(activity(one), null));
            } catch (FaultException e) {
                results.add(new Result(null, e.fault()));
            }
        }
        return results;
    }

    private List<Rsl> descriptions(String text) {
        Rsl rsl = RslParser.parse(text, rules.limits().textBytes());
        return rsl instanceof Rsl.Group group && group.operator() == '+' ? group.parts() : List.of(rsl);
    }

    private Activity activity(Rsl rsl) {
        List<Rsl.Relation> relations = new ArrayList<>();
        collect(rsl, relations);
        return new XrslReading(rules, dialect).read(relations);
    }

    private static void collect(Rsl rsl, List<Rsl.Relation> relations) {
        switch (rsl) {
            case Rsl.Relation relation -> relations.add(relation);
            case Rsl.Group group -> {
                if (group.operator() == '+') {
                    throw ActivityFaults.XRSL.invalid("+", "", "it may stand at the beginning only");
                }
                if (group.operator() == '|' && group.parts().size() > 1) {
                    throw ActivityFaults.XRSL.unsupported(
                            "|",
                            "of several alternatives a client chooses one, and not the service",
                            "Leave one of them.");
                }
                group.parts().forEach(part -> collect(part, relations));
            }
        }
    }
}
