// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.authz.Action;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.identity.Identity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.job.Later;
import org.jspecify.annotations.Nullable;

/**
 * The sender of one request, and what the site's policy lets the sender do. Made by {@link Access#caller}; front doors pass it to
 * {@link Jobs}, which asks it before anything is done.
 *
 * <p>Refusals are {@link FaultException}s of code {@code NOT_AUTHORIZED}; {@code NOT_NOW} where the policy would let the sender do it at another
 * time: then the fault says when to ask again ({@link Fault#later}).
 */
public final class Caller {

    private static final String ASK = "Ask the site's administrator to be admitted.";
    private static final String AGAIN = "Send the same request again later; jobs that were accepted go on.";
    private static final String LIMITED = "a limited proxy may not start jobs";

    private final @Nullable Identity identity;
    private final Authorizer authorizer;
    private final Set<String> administrators;
    private final AdministratorActs acts;

    Caller(@Nullable Identity identity, Authorizer authorizer, Set<String> administrators, AdministratorActs acts) {
        this.identity = identity;
        this.authorizer = requireNonNull(authorizer, "authorizer is null");
        this.administrators = requireNonNull(administrators, "administrators is null");
        this.acts = requireNonNull(acts, "acts is null");
    }

    /** Whether nothing proves who the sender is. */
    public boolean isAnonymous() {
        return identity == null;
    }

    /**
     * Who the sender is. This does not tell what the sender may do.
     *
     * @throws FaultException for an anonymous sender
     */
    public Identity identity() {
        if (identity == null) {
            throw new FaultException(Fault.of(
                    FaultCode.NOT_AUTHORIZED,
                    "The request came without a credential that says who sends it.",
                    "Connect with a client certificate or proxy that this gateway trusts."));
        }
        return identity;
    }

    /**
     * The sender's name.
     *
     * @throws FaultException for an anonymous sender
     */
    public String subject() {
        return identity().subject();
    }

    /**
     * What the site's policy says of the sender's wish to start jobs: as which accounts, or why not. To be shown only; {@link #submit}
     * asks again.
     *
     * @throws FaultException for an anonymous sender
     */
    public Decision decision() {
        return identity().limited() ? new Decision.Deny(LIMITED) : authorizer.decide(identity(), Action.SUBMIT);
    }

    /**
     * The permission to start jobs. A limited proxy never starts jobs (RFC 3820 section 3.8; Globus' rule for job managers).
     *
     * @throws FaultException for an anonymous sender, a limited proxy, and where the site's policy does not permit it
     */
    public JobPermit submit() {
        Identity who = identity();
        if (who.limited()) {
            throw denied("submit jobs", LIMITED, "Use a full proxy.");
        }
        return new JobPermit(who, permitted(Action.SUBMIT, "submit jobs"));
    }

    /**
     * The local account that the sender's files are moved as. A limited proxy may move files, as at a GridFTP server.
     *
     * @throws FaultException for an anonymous sender, and where the site's policy does not permit it
     */
    public String transferAccount() {
        return permitted(Action.SUBMIT, "have files moved").accounts().getFirst();
    }

    /**
     * Leaves a credential for jobs to use.
     *
     * @return the sender's name
     * @throws FaultException for an anonymous sender, and where the site's policy does not permit it
     */
    public String delegate() {
        permitted(Action.DELEGATE, "delegate");
        return subject();
    }

    /**
     * The local account as which the sender uses files that are not those of a job.
     *
     * @param wanted the one that the request names; the sender's first where it names none
     * @throws FaultException for an anonymous sender, where the site's policy does not permit it, and where it is none of the sender's
     */
    public String filesAccount(Optional<String> wanted) {
        List<String> accounts = permitted(Action.FILES, "use files").accounts();
        String account = wanted.orElse(accounts.getFirst());
        if (!accounts.contains(account)) {
            throw denied("use files as " + account, "you are not mapped to that account", "Leave the account out.");
        }
        return account;
    }

    /**
     * Whether the sender may use the files that a local account keeps for jobs.
     *
     * @throws FaultException for an anonymous sender
     */
    public Decision filesOf(String account) {
        Decision decision = authorizer.decide(identity(), Action.FILES);
        return decision instanceof Decision.Permit permit && !permit.accounts().contains(account)
                ? new Decision.Deny("the job ran as " + account + ", to which you are not mapped any more")
                : decision;
    }

    /**
     * Looks at what is the sender's own.
     *
     * @return the sender's name, by which owners are known
     * @throws FaultException for an anonymous sender, and where the site's policy objects
     */
    public String query(OwnedKind kind) {
        return own(Action.QUERY, kind.query());
    }

    /**
     * Changes what is the sender's own.
     *
     * @return the sender's name, by which owners are known
     * @throws FaultException for an anonymous sender, and where the site's policy objects
     */
    public String manage(OwnedKind kind) {
        return own(Action.MANAGE, kind.manage());
    }

    /**
     * Whether the sender is an administrator of this gateway, by the site's list, for what is shown to administrators only. It says nothing of
     * what the site's policy objects to: {@link #lookAsAdministrator} and {@link #administer} do. A limited proxy never is one.
     */
    public boolean isAdministrator() {
        return isAdministrator(administrators);
    }

    /** The same at a door that has a list of its own. */
    public boolean isAdministrator(Set<String> ofDoor) {
        return identity != null && !identity.limited() && ofDoor.contains(identity.subject());
    }

    /**
     * Looks at what is others', as an administrator. The policy is asked as for the sender's own jobs, so that a ban or a token that may not
     * look holds for administrators too.
     *
     * @param what is wanted, to be told in a refusal, e.g. {@code see the records of others}
     * @return the sender's name
     * @throws FaultException for an anonymous sender, one who is no administrator, a limited proxy, and where the site's policy objects
     */
    public String lookAsAdministrator(String what) {
        return asAdministrator(Action.QUERY, what);
    }

    /**
     * The same for changing what is others', or how the gateway works. What is wanted is on record, as done by the sender, before this answers.
     *
     * @param what also for the record, so with its details, e.g. {@code let LRM Fork have 20 jobs}
     * @param job that it is done to; empty where it is none
     */
    public String administer(String what, Optional<JobId> job) {
        String who = asAdministrator(Action.MANAGE, what);
        acts.record(who, what, job);
        return who;
    }

    /**
     * Refuses who may not {@link #administer}, for a door that is to read what exactly is wanted only after that. Nothing is on record by it.
     *
     * @param what is wanted, to be told in a refusal
     */
    public void requireAdministrator(String what) {
        asAdministrator(Action.MANAGE, what);
    }

    /**
     * The same at a door that names its administrators itself, which has on record what was done by {@link #hasAdministered}. The policy is asked as
     * for the administrators of the gateway.
     *
     * @param setting where the site names them, e.g. {@code bes.administrators}
     * @param ofDoor their subjects
     * @return the sender's name
     */
    public String requireAdministrator(String setting, Set<String> ofDoor, String what) {
        return asAdministrator(Action.MANAGE, what, ofDoor, setting);
    }

    /** Has it on record that the sender did this as an administrator, at a door that names its administrators itself. */
    public void hasAdministered(String what) {
        hasAdministered(what, Optional.empty());
    }

    /** The same, with the job that it was done to; also for what came of something that was on record before it was done. */
    public void hasAdministered(String what, Optional<JobId> job) {
        acts.record(subject(), what, job);
    }

    private String asAdministrator(Action action, String what) {
        return asAdministrator(action, what, administrators, "authorization.administrators");
    }

    private String asAdministrator(Action action, String what, Set<String> who, String setting) {
        if (identity().limited()) {
            throw denied(what, "a limited proxy is never an administrator's", "Use a full proxy.");
        }
        if (!isAdministrator(who)) {
            throw denied(
                    what,
                    "that is for the administrators of the gateway",
                    "Use the credential of an administrator; the site names them in " + setting + ".");
        }
        return own(action, what);
    }

    private String own(Action action, String what) {
        authorizer.objection(identity(), action).ifPresent(deny -> {
            throw denied(what, deny);
        });
        return subject();
    }

    private Decision.Permit permitted(Action action, String what) {
        return switch (authorizer.decide(identity(), action)) {
            case Decision.Permit permit -> permit;
            case Decision.Deny deny -> throw denied(what, deny);
            case Decision.Indeterminate unclear -> throw denied(what, unclear.reason(), ASK);
        };
    }

    /** What the policy denies for now is no matter of who asks: whoever does is to come again. */
    private FaultException denied(String what, Decision.Deny deny) {
        Later later = deny.later();
        return later == null
                ? denied(what, deny.reason(), ASK)
                : new FaultException(Fault.of(
                                FaultCode.NOT_NOW,
                                subject() + " may not " + what + " here at present: " + deny.reason() + ".",
                                AGAIN)
                        .until(later));
    }

    private FaultException denied(String what, String reason, String remedy) {
        return new FaultException(
                Fault.of(FaultCode.NOT_AUTHORIZED, subject() + " may not " + what + " here: " + reason + ".", remedy));
    }
}
