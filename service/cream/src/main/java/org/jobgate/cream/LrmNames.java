// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/** Which LRM of the site a JDL means by {@code BatchSystem}: by its own name, or by a name that grids have for that kind. */
final class LrmNames {

    private static final List<Set<String>> ALIKE = List.of(
            Set.of("pbs", "torque", "openpbs", "pbspro"),
            Set.of("sge", "gridengine", "grid engine", "uge", "ge"),
            Set.of("condor", "htcondor"),
            Set.of("slurm"),
            Set.of("lsf"),
            Set.of("fork", "local"));

    private LrmNames() {}

    /**
     * The LRM's name at this site.
     *
     * @param lrms those of the site
     * @throws FaultException {@code UNKNOWN_LRM} where there is none
     */
    static String find(@Nullable String wanted, Set<String> lrms) {
        if (wanted == null) {
            return lrms.iterator().next();
        }
        String small = wanted.toLowerCase(Locale.ROOT);
        for (String lrm : lrms) {
            if (lrm.toLowerCase(Locale.ROOT).equals(small)) {
                return lrm;
            }
        }
        for (String lrm : lrms) {
            String other = lrm.toLowerCase(Locale.ROOT);
            if (ALIKE.stream().anyMatch(names -> names.contains(small) && names.contains(other))) {
                return lrm;
            }
        }
        throw new FaultException(Fault.of(
                        FaultCode.UNKNOWN_LRM,
                        "The batch system " + CreamNames.shown(wanted) + " is not here.",
                        "BatchSystem can be: " + String.join(", ", lrms) + ".")
                .about(DescriptionPart.LRM, CreamNames.shown(wanted)));
    }
}
