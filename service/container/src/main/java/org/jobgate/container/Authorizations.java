// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.authz.Action;
import org.jobgate.authz.AttributeFile;
import org.jobgate.authz.AuthorizationChain;
import org.jobgate.authz.BanList;
import org.jobgate.authz.CachedPoint;
import org.jobgate.authz.DecisionPoint;
import org.jobgate.authz.FqanMap;
import org.jobgate.authz.GridMapfile;
import org.jobgate.authz.InformationPoint;
import org.jobgate.authz.Link;
import org.jobgate.authz.OwnerQuota;
import org.jobgate.authz.PoolAccounts;
import org.jobgate.authz.ServerLoad;
import org.jobgate.authz.TimeWindows;
import org.jobgate.authz.TokenScopes;
import org.jobgate.authz.Watched;
import org.jobgate.authz.WatchedFile;
import org.jobgate.container.authz.CommandCallout;
import org.jobgate.container.authz.HttpCallout;
import org.jobgate.container.authz.LocalAccounts;
import org.jobgate.container.authz.Wording;
import org.jobgate.container.authz.XacmlWording;
import org.jobgate.container.config.AuthorizationConfig;
import org.jobgate.container.config.DecisionPointConfig;
import org.jobgate.container.config.DecisionPointConfig.Kind;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.health.HealthCheck;
import org.jobgate.container.tls.HostCredential;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/** Makes the chain that decides who may do what of its configuration. */
final class Authorizations implements AutoCloseable {

    /** The scopes of a token limit its owner also if the configuration does not mention them. */
    private static final List<String> USUAL_SCOPES = List.of(
            "submit=compute.create",
            "delegate=compute.create",
            "files=compute.read",
            "query=compute.read",
            "manage=compute.cancel",
            "manage=compute.modify");

    private final AuthorizationConfig config;
    private final Set<String> deniedAccounts;
    private final JobStore store;
    private final SSLContext tls;
    private final HostCredential host;
    private final String publicName;
    private final Destinations destinations;
    private final Clock clock;
    private final ExecutorService executor;
    private final WatchedFile.Watch watch;
    private final Map<String, Watched> watched = new LinkedHashMap<>();
    private final List<HttpCallout> made = new ArrayList<>();

    final AuthorizationChain chain;

    /**
     * Asks nobody yet.
     *
     * @param tls for connections to services that are asked
     * @param host by which we are known to them
     */
    Authorizations(
            JobgateConfig whole, JobStore store, SSLContext tls, HostCredential host, OwnPorts ports, Clock clock) {
        this.host = requireNonNull(host, "host is null");
        this.publicName = whole.server().publicName();
        this.destinations = Destinations.ofSite(ports);
        this.config = whole.authorization();
        this.deniedAccounts = Set.copyOf(config.deniedAccounts());
        this.store = store;
        this.tls = tls;
        this.clock = clock;
        this.executor = Executors.newVirtualThreadPerTaskExecutor();
        this.watch = new WatchedFile.Watch(config.gridMapfileCheck(), System::nanoTime, executor);
        this.chain = chain(whole.decisionPoints());
    }

    private AuthorizationChain chain(List<DecisionPointConfig> points) {
        Map<String, InformationPoint> information = new LinkedHashMap<>();
        List<Link> links = new ArrayList<>();
        if (points.stream().noneMatch(point -> point.kind() == Kind.TOKEN_SCOPE)) {
            links.add(Link.of(
                    "token-scope", EnumSet.allOf(Action.class), new TokenScopes(TokenScopes.parse(USUAL_SCOPES))));
        }
        for (DecisionPointConfig point : points) {
            if (point.kind() == Kind.ATTRIBUTE_FILE) {
                information.put(
                        point.shownName(), watch(point, new AttributeFile(requireNonNull(point.file()), watch)));
            } else {
                links.add(new Link(
                        point.shownName(),
                        point.askedAbout(),
                        point.issuer(),
                        Set.copyOf(point.trusts()),
                        point(point, executor)));
            }
        }
        return new AuthorizationChain(information, links, config.combiningRule(), deniedAccounts);
    }

    private DecisionPoint point(DecisionPointConfig point, Executor threads) {
        return switch (point.kind()) {
            case GRID_MAPFILE ->
                watch(
                        point,
                        new GridMapfile(
                                Optional.ofNullable(point.file()).orElse(config.gridMapfile()), deniedAccounts, watch));
            case FQAN_MAP ->
                watch(point, new FqanMap(requireNonNull(point.file()), deniedAccounts, pool(point), watch));
            case BAN_LIST -> watch(point, new BanList(requireNonNull(point.file()), watch));
            case TOKEN_SCOPE -> new TokenScopes(TokenScopes.parse(point.scopes()));
            case TIME_WINDOW -> new TimeWindows(point.windows(), ZoneId.of(point.zone()), clock);
            case SERVER_LOAD ->
                new ServerLoad(
                        point.maxLoadPercent() / 100.0,
                        point.maxJobs(),
                        Authorizations::loadOfEachProcessor,
                        store::countLive);
            case OWNER_QUOTA -> new OwnerQuota(point.maxJobs(), store::countLive);
            case CALLOUT -> cached(point, http(point, Wording.JSON));
            case XACML -> cached(point, http(point, new XacmlWording(asker(point), new LocalAccounts(), clock)));
            case COMMAND ->
                cached(point, new CommandCallout(point.shownName(), point.command(), point.timeout(), threads));
            case ATTRIBUTE_FILE -> throw new IllegalStateException("an attribute file decides nothing");
        };
    }

    private static @Nullable PoolAccounts pool(DecisionPointConfig point) {
        return point.poolDirectory() == null ? null : new PoolAccounts(point.poolDirectory());
    }

    private XacmlWording.Asker asker(DecisionPointConfig point) {
        return new XacmlWording.Asker(
                host.rfc2253Name(), host.slashName(), host.authority(), publicName, point.resourceType());
    }

    private HttpCallout http(DecisionPointConfig point, Wording wording) {
        HttpCallout callout = new HttpCallout(
                point.shownName(),
                URI.create(requireNonNull(point.url())),
                wording,
                point.timeout(),
                tls,
                destinations);
        made.add(callout);
        return callout;
    }

    private static CachedPoint cached(DecisionPointConfig point, DecisionPoint slow) {
        return new CachedPoint(slow, point.keepAnswer(), System::nanoTime);
    }

    private <T extends Watched> T watch(DecisionPointConfig point, T part) {
        watched.put(point.shownName() + " " + watched.size(), part);
        return part;
    }

    private static double loadOfEachProcessor() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
                / Runtime.getRuntime().availableProcessors();
    }

    /** Whether everything that the chain follows can be followed. What is left out of a file is said, and nothing else suffers by it. */
    HealthCheck health() {
        return () -> {
            String trouble = watched.values().stream()
                    .flatMap(part -> part.trouble().stream())
                    .collect(Collectors.joining(" "));
            String leftOut = watched.values().stream()
                    .flatMap(part -> part.leftOut().stream())
                    .collect(Collectors.joining(" "));
            return trouble.isEmpty()
                    ? new HealthCheck.Finding(true, leftOut, Map.of("points", watched.size()))
                    : HealthCheck.Finding.unwell(trouble);
        };
    }

    @Override
    public void close() {
        executor.shutdownNow();
        made.forEach(HttpCallout::close);
    }
}
