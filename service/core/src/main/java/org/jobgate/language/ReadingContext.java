// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.language;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jobgate.limits.JobLimits;

/** What a text is read with: who will own its jobs, and where they can run. */
public final class ReadingContext {

    private final List<String> lrms;
    private final Function<Optional<String>, String> accounts;
    private final JobLimits limits;
    private final boolean takesPasswords;

    /**
     * The context of one request.
     *
     * @param lrms the LRMs of this gateway, the default first; at least one
     * @param accounts answers the local account for the one that a text asks for, and the sender's first for none
     *     ({@code JobPermit::account}); throws a {@code FaultException} where it is none of the sender's
     * @param limits of what one job may ask for
     */
    public ReadingContext(Set<String> lrms, Function<Optional<String>, String> accounts, JobLimits limits) {
        this(lrms, accounts, limits, false);
    }

    private ReadingContext(
            Set<String> lrms, Function<Optional<String>, String> accounts, JobLimits limits, boolean takesPasswords) {
        this.takesPasswords = takesPasswords;
        this.lrms = new ArrayList<>(lrms);
        this.accounts = requireNonNull(accounts, "accounts is null");
        this.limits = requireNonNull(limits, "limits is null");
        if (this.lrms.isEmpty()) {
            throw new IllegalArgumentException("there is no LRM");
        }
    }

    /** The LRMs of this gateway, the default first. */
    public List<String> lrms() {
        return List.copyOf(lrms);
    }

    /** The LRM of jobs that name none. */
    public String defaultLrm() {
        return lrms.getFirst();
    }

    /**
     * The same where the request names another LRM, beside the text, for jobs that name none.
     *
     * @param lrm its name, which may be that of no LRM; submission says so then
     */
    public ReadingContext withDefaultLrm(String lrm) {
        Set<String> others = new LinkedHashSet<>();
        others.add(lrm);
        others.addAll(lrms);
        return new ReadingContext(others, accounts, limits, takesPasswords);
    }

    /**
     * The local account that a job runs as.
     *
     * @param wanted the one that the text names; the sender's first where it names none
     * @throws org.jobgate.job.FaultException of code {@code NOT_AUTHORIZED} where it is none of the sender's
     */
    public String account(Optional<String> wanted) {
        return accounts.apply(wanted);
    }

    /** The same for a door that has passwords of single files sealed. */
    public ReadingContext withPasswords() {
        return new ReadingContext(new LinkedHashSet<>(lrms), accounts, limits, true);
    }

    /** Whether a text may have a name and a password for a single file ({@link DescribedJob#passwords}); where not it is refused. */
    public boolean takesPasswords() {
        return takesPasswords;
    }

    /** The limits of what one job may ask for. */
    public JobLimits limits() {
        return limits;
    }
}
