// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jobgate.authz.Action;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Later;
import org.jobgate.job.Owner;
import org.jobgate.jobs.GroupsBySubject;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.jobs.Submission;
import org.jobgate.store.JobQuery;
import org.jobgate.store.TestStores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Nobody reaches a job through {@link Jobs} without the site's policy. */
class AccessTest {

    private static final Identity ALICE = new Identity("/O=Grid/CN=Alice", "tls", false);
    private static final Identity BANNED = new Identity("/O=Grid/CN=Banned", "tls", false);
    private static final JobId ID = JobId.create(java.time.Clock.systemUTC(), RandomGenerator.getDefault());

    private final List<String> acts = new ArrayList<>();
    private final List<String> reached = new ArrayList<>();
    private final Access access = new Access(new Authorizer() {
        @Override
        public Decision decide(Identity identity) {
            return identity.equals(BANNED)
                    ? new Decision.Deny("the ban list names the subject")
                    : new Decision.Permit(List.of("alice", "shared"));
        }

        @Override
        public Optional<Decision.Deny> objection(Identity identity, Action action) {
            return identity.equals(BANNED)
                    ? Optional.of(new Decision.Deny("the ban list names the subject"))
                    : Optional.empty();
        }
    });
    private final Jobs jobs = new Jobs(engine());

    /** An engine that tells which of its methods were reached. */
    private JobsBySubject engine() {
        return told(JobsBySubject.class);
    }

    private <T> T told(Class<T> port) {
        return port.cast(Proxy.newProxyInstance(
                AccessTest.class.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    Class<?> result = method.getReturnType();
                    if (result == GroupsBySubject.class) {
                        return told(GroupsBySubject.class);
                    }
                    reached.add(method.getName());
                    if (result == long.class) {
                        return 0L;
                    }
                    return result == Optional.class ? Optional.empty() : result == List.class ? List.of() : null;
                }));
    }

    /** All methods that take a caller, so that a new one is tried too. */
    private static Stream<Method> operations() {
        return Stream.of(Jobs.class, JobGroups.class)
                .flatMap(facade -> Stream.of(facade.getMethods()))
                .filter(method -> List.of(method.getParameterTypes()).contains(Caller.class));
    }

    private static @Nullable Object argument(Class<?> type, Caller caller) {
        if (type == Caller.class) {
            return caller;
        }
        if (type == JobId.class) {
            return ID;
        }
        if (type == List.class) {
            return List.of(ID);
        }
        if (type == JobQuery.class) {
            return JobQuery.live();
        }
        if (type == int.class) {
            return 1;
        }
        if (type == long.class) {
            return 0L;
        }
        return type == Duration.class ? Duration.ZERO : type == Instant.class ? Instant.MAX : null;
    }

    private void call(Method operation, Caller caller) throws Throwable {
        Object[] arguments = Stream.of(operation.getParameterTypes())
                .map(type -> argument(type, caller))
                .toArray();
        try {
            operation.invoke(operation.getDeclaringClass() == Jobs.class ? jobs : jobs.groups(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @TestFactory
    Stream<DynamicTest> everyOperationAsksThePolicyFirst() {
        assertThat(operations().count()).isGreaterThanOrEqualTo(25);
        return operations()
                .map(operation -> DynamicTest.dynamicTest(
                        operation.getDeclaringClass().getSimpleName() + "." + operation.getName(), () -> {
                            for (Caller refused : List.of(access.caller(null), access.caller(BANNED))) {
                                reached.clear();
                                assertThatExceptionOfType(FaultException.class)
                                        .isThrownBy(() -> call(operation, refused))
                                        .satisfies(e ->
                                                assertThat(e.fault().code()).isEqualTo(FaultCode.NOT_AUTHORIZED));
                                assertThat(reached).isEmpty();
                            }
                            call(operation, access.caller(ALICE));
                            assertThat(reached).isNotEmpty();
                        }));
    }

    @Test
    void aLimitedProxyStartsNoJobsButMovesFiles() {
        Caller limited = access.caller(new Identity("/O=Grid/CN=Alice", "tls", true));
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(limited::submit)
                .withMessageContaining("a limited proxy may not start jobs");
        assertThat(limited.transferAccount()).isEqualTo("alice");
    }

    @Test
    void nobodyAndTheBannedGetNoPermit() {
        for (Caller refused : List.of(access.caller(null), access.caller(BANNED))) {
            assertThatExceptionOfType(FaultException.class).isThrownBy(refused::submit);
            assertThatExceptionOfType(FaultException.class).isThrownBy(refused::transferAccount);
            assertThatExceptionOfType(FaultException.class).isThrownBy(refused::delegate);
        }
    }

    @Test
    void whatIsDeniedForNowIsNoMatterOfWhoAsks() {
        Decision.Deny full = new Decision.Deny("the load is high", Later.inAMoment());
        Caller alice = new Access(new Authorizer() {
                    @Override
                    public Decision decide(Identity identity) {
                        return full;
                    }

                    @Override
                    public Optional<Decision.Deny> objection(Identity identity, Action action) {
                        return Optional.of(full);
                    }
                })
                .caller(ALICE);
        List<ThrowingCallable> requests = List.of(
                alice::submit,
                alice::transferAccount,
                alice::delegate,
                () -> alice.query(OwnedKind.JOBS),
                () -> alice.manage(OwnedKind.JOBS));
        for (ThrowingCallable request : requests) {
            assertThatExceptionOfType(FaultException.class)
                    .isThrownBy(request)
                    .withMessageContaining("at present: the load is high")
                    .satisfies(e -> {
                        assertThat(e.fault().code()).isEqualTo(FaultCode.NOT_NOW);
                        assertThat(e.fault().later()).isEqualTo(Later.inAMoment());
                    });
        }
    }

    @Test
    void aPermitIsForItsSenderAndItsAccountsOnly() {
        JobPermit permit = access.caller(ALICE).submit();
        JobDescription job = JobDescription.builder("/bin/true").build();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> jobs.submit(
                        permit,
                        Submission.of(TestStores.ORIGIN, new Owner("/O=Grid/CN=Bob", "alice"), "one", "Fork", job)));
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> jobs.submit(
                        permit,
                        Submission.of(TestStores.ORIGIN, new Owner(ALICE.subject(), "root"), "one", "Fork", job)))
                .withMessageContaining("root");
        assertThat(reached).isEmpty();
        jobs.submit(permit, Submission.of(TestStores.ORIGIN, new Owner(ALICE.subject(), "shared"), "one", "Fork", job));
        assertThat(reached).containsExactly("submit");
    }

    @Test
    void filesAreForWhoIsStillMappedToTheAccount() {
        assertThat(access.caller(ALICE).filesOf("shared")).isInstanceOf(Decision.Permit.class);
        assertThat(access.caller(ALICE).filesOf("bob")).isInstanceOf(Decision.Deny.class);
        assertThat(access.caller(BANNED).filesOf("alice")).isInstanceOf(Decision.Deny.class);
    }

    @Test
    void onlyWhomTheSiteNamesIsAnAdministratorAndNeitherByALimitedProxyNorAgainstABan() {
        Authorizer objecting = new Authorizer() {
            @Override
            public Decision decide(Identity identity) {
                return new Decision.Permit(List.of("alice"));
            }

            @Override
            public Optional<Decision.Deny> objection(Identity identity, Action action) {
                return identity.equals(BANNED) || (identity.method().equals("token") && action == Action.MANAGE)
                        ? Optional.of(new Decision.Deny("the ban list names the subject"))
                        : Optional.empty();
            }
        };
        Access admins = new Access(
                objecting,
                Set.of(ALICE.subject(), BANNED.subject()),
                (who, what, job) ->
                        acts.add(who + " " + what + job.map(id -> " " + id).orElse("")));
        Caller alice = admins.caller(ALICE);
        assertThat(alice.isAdministrator()).isTrue();
        assertThat(alice.lookAsAdministrator("look")).isEqualTo(ALICE.subject());
        assertThat(alice.administer("drain", Optional.of(ID))).isEqualTo(ALICE.subject());
        assertThat(admins.caller(null).isAdministrator()).isFalse();
        refused(admins.caller(null), "credential");
        Caller limited = admins.caller(new Identity(ALICE.subject(), "tls", true));
        assertThat(limited.isAdministrator()).isFalse();
        refused(limited, "limited proxy");
        refused(admins.caller(new Identity("/O=Grid/CN=Bob", "tls", false)), "for the administrators");
        refused(admins.caller(BANNED), "ban list");
        Caller token = admins.caller(new Identity(ALICE.subject(), "token", false));
        assertThat(token.lookAsAdministrator("look")).isEqualTo(ALICE.subject());
        assertThatExceptionOfType(FaultException.class).isThrownBy(() -> token.administer("drain", Optional.empty()));
        assertThatExceptionOfType(FaultException.class).isThrownBy(() -> token.requireAdministrator("drain"));
        alice.requireAdministrator("drain");
        refused(access.caller(ALICE), "for the administrators");
        assertThat(acts).as("what was refused was not done").containsExactly(ALICE.subject() + " drain " + ID);
    }

    private static void refused(Caller caller, String why) {
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> caller.lookAsAdministrator("see the records of others"))
                .satisfies(e -> assertThat(e.fault().code()).isEqualTo(FaultCode.NOT_AUTHORIZED))
                .withMessageContaining(why);
        assertThatExceptionOfType(FaultException.class).isThrownBy(() -> caller.administer("drain", Optional.empty()));
        assertThatExceptionOfType(FaultException.class).isThrownBy(() -> caller.requireAdministrator("drain"));
    }
}
