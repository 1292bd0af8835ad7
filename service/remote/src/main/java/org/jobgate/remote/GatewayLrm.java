// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.address.Destinations;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.LoggedJob;
import org.jobgate.job.Resource;
import org.jobgate.job.Resources;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmHealth;
import org.jobgate.lrm.LrmListener;
import org.jobgate.lrm.LrmSource;
import org.jobgate.lrm.LrmThrottle;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.SubmitResult;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Another gateway as an LRM. Each job is submitted there under its own id here as JobID, so that a submission whose answer was lost can
 * be repeated and starts nothing twice; its local id is the address of the job there.
 */
public final class GatewayLrm implements Lrm {

    private static final Logger LOG = LoggerFactory.getLogger(GatewayLrm.class);

    /** By how much the clocks of two gateways that speak TLS with each other can differ at the most. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofDays(1);

    private final GatewaySettings settings;
    private final GatewayClient client;
    private final JobWriter writer;
    private final HandedCredentials handed;
    private final RemoteJobStatus status;
    private final GatewayWatch watch;
    private final Clock clock;

    private volatile LrmThrottle throttle;
    private volatile @Nullable LrmListener listener;

    /** @param destinations where the other gateway may be */
    public GatewayLrm(
            GatewaySettings settings,
            JobWriter writer,
            GatewayCredentials credentials,
            JobStore store,
            Clock clock,
            Destinations destinations) {
        this(settings, writer, credentials, store, clock, new Connections(destinations, settings.requestTimeout()));
    }

    GatewayLrm(
            GatewaySettings settings,
            JobWriter writer,
            GatewayCredentials credentials,
            JobStore store,
            Clock clock,
            Exchange exchange) {
        this.settings = requireNonNull(settings, "settings is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.throttle = settings.throttle();
        this.writer = requireNonNull(writer, "writer is null");
        this.client = new GatewayClient(settings, writer, exchange);
        this.handed = new HandedCredentials(settings, client, credentials, store, clock);
        this.status = new RemoteJobStatus(settings, client, credentials, handed, store, clock);
        this.watch = new GatewayWatch(settings.name(), status, store, clock, () -> throttle.pollInterval());
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public int batchLimit() {
        return throttle.batchLimit();
    }

    @Override
    public LrmThrottle throttle() {
        return throttle;
    }

    @Override
    public void throttle(LrmThrottle changed) {
        throttle = requireNonNull(changed, "changed is null");
    }

    @Override
    public void watch(Collection<String> accounts, LrmListener newListener) {
        listener = requireNonNull(newListener, "newListener is null");
        watch.start(newListener);
    }

    @Override
    public LrmHealth health() {
        return watch.health();
    }

    /** What a job asks of its LRM beside its processes cannot be said in the language of the other gateway. */
    @Override
    public LrmCapabilities capabilities() {
        return new LrmCapabilities("", List.of(), Set.of(), Set.of(), Set.of(), null);
    }

    /** The other gateway moves them, so that the job and its files are one thing that is there once or not at all. */
    @Override
    public boolean movesFiles() {
        return true;
    }

    @Override
    public Optional<Fault> filesRefusal(JobDescription description) {
        return FilesThere.refusal(description, writer);
    }

    // ---- submitting

    @Override
    public List<SubmitResult> submit(String account, List<SubmitRequest> requests) {
        List<SubmitResult> results = new ArrayList<>();
        String away = null;
        for (SubmitRequest request : requests) {
            if (away != null) {
                results.add(new SubmitResult.Unclear(away));
                continue;
            }
            try {
                results.add(submit(request));
            } catch (IOException e) {
                away = "the gateway " + settings.factory().getAuthority() + " gives no clear answer: " + e.getMessage();
                results.add(new SubmitResult.Unclear(away));
            } catch (RuntimeException e) {
                results.add(new SubmitResult.Unclear(failed(request.tag(), e)));
            }
        }
        return results;
    }

    private SubmitResult submit(SubmitRequest request) throws IOException {
        try {
            Optional<Fault> refusal = refusal(request.description());
            if (refusal.isPresent()) {
                return new SubmitResult.Refused(refusal.get());
            }
            Job job = status.job(request.tag());
            return create(request, job, status.actingFor(job));
        } catch (LrmUnavailableException e) {
            return new SubmitResult.Unclear(String.valueOf(e.getMessage()));
        } catch (FaultException e) {
            return new SubmitResult.Refused(e.fault());
        }
    }

    /** What goes wrong with one job is no trouble of the others that go with it. */
    private String failed(JobId job, RuntimeException cause) {
        LoggedJob.says(job, () -> LOG.error("The gateway {} could not be asked about {}", settings.name(), job, cause));
        return "this gateway could not speak for the job with the gateway "
                + settings.factory().getAuthority() + "; its own log says why";
    }

    private SubmitResult create(SubmitRequest request, Job job, ClientCredential as)
            throws IOException, LrmUnavailableException {
        try {
            handed.hand(as, job, request.description());
        } catch (IOException e) {
            // only its delegation service may be away; whether all of it is comes out when it is asked for the job
            return there(as, job)
                    .orElseGet(() -> new SubmitResult.Unclear("the gateway "
                            + settings.factory().getAuthority()
                            + " takes no credential for the job's files: " + e.getMessage()));
        } catch (GatewayFaultException e) {
            return notTaken(request, job, as, e);
        } catch (LrmUnavailableException | FaultException e) {
            Optional<SubmitResult> before = request.mayExist() ? there(as, job) : Optional.empty();
            if (before.isPresent()) {
                return before.get();
            }
            throw e;
        }
        try {
            return accepted(client.create(as, request.tag(), asSent(job.id(), request.description())));
        } catch (GatewayFaultException e) {
            return notTaken(request, job, as, e);
        }
    }

    private SubmitResult notTaken(SubmitRequest request, Job job, ClientCredential as, GatewayFaultException fault)
            throws IOException {
        Optional<SubmitResult> before = request.mayExist() ? there(as, job) : Optional.empty();
        if (before.isPresent()) {
            return before.get();
        }
        if (fault.isFinal()) {
            handed.destroy(as, job.id(), request.description());
            return new SubmitResult.Refused(fault.fault(settings.factory().getAuthority()));
        }
        return new SubmitResult.Unclear(
                "the gateway " + settings.factory().getAuthority() + " says: " + fault.sentence());
    }

    /** One that went well before, unheard: its repetition may be refused now, and what belongs to it may be gone. */
    private Optional<SubmitResult> there(ClientCredential as, Job job) throws IOException {
        return find(as, job).map(this::accepted);
    }

    private SubmitResult accepted(String key) {
        return new SubmitResult.Accepted(List.of(settings.localId(key)));
    }

    private static Optional<Fault> refusal(JobDescription description) {
        Resources resources = description.resources();
        if (resources != null) {
            String names =
                    resources.asked().keySet().stream().map(Resource::word).collect(Collectors.joining(", "));
            return Optional.of(Fault.of(
                    FaultCode.UNSUPPORTED_FEATURE,
                    "The job is for another gateway, which cannot be told that it asks for: " + names + ".",
                    "Leave it out, or submit the job to that gateway itself."));
        }
        return Optional.empty();
    }

    /** Without what this gateway sees to itself: holds; and with those credentials that were delegated there for it. */
    private JobDescription asSent(JobId id, JobDescription description) {
        return description.toBuilder()
                .holdAt(null)
                .holdAgain(null)
                .credentials(handed.named(id, description))
                .build();
    }

    /** The key of the job there; empty where it is certain that it is not there. Starts nothing. */
    private Optional<String> find(ClientCredential as, Job job) throws IOException {
        try {
            Map<String, String> keys = client.keysByJobId(as, job.created().minus(CLOCK_DIFFERENCE));
            return Optional.ofNullable(keys.get(job.id().toString()));
        } catch (GatewayFaultException e) {
            throw new IOException("it does not list its jobs: " + e.sentence(), e);
        }
    }

    // ---- ending

    @Override
    public List<CancelResult> cancel(String account, List<LrmJob> jobs) {
        List<CancelResult> results = new ArrayList<>();
        String away = null;
        for (LrmJob job : jobs) {
            if (away != null) {
                results.add(new CancelResult.Unclear(away));
                continue;
            }
            try {
                results.add(cancel(job));
            } catch (IOException e) {
                away = "the gateway " + settings.factory().getAuthority() + " gives no clear answer: " + e.getMessage();
                results.add(new CancelResult.Unclear(away));
            } catch (RuntimeException e) {
                results.add(new CancelResult.Unclear(failed(job.tag(), e)));
            }
        }
        return results;
    }

    private CancelResult cancel(LrmJob lrmJob) throws IOException {
        try {
            Job job = status.job(lrmJob.tag());
            ClientCredential as = status.actingFor(job);
            Optional<String> key =
                    lrmJob.localIds().isEmpty() ? found(as, job) : Optional.of(status.key(lrmJob.localIds()));
            if (key.isEmpty()) {
                handed.destroy(as, job.id(), status.description(job));
                return new CancelResult.NotThere();
            }
            client.terminate(as, key.get());
            return new CancelResult.Ending();
        } catch (GatewayFaultException e) {
            return e.isUnknown() ? new CancelResult.NotThere() : new CancelResult.Unclear(e.sentence());
        } catch (LrmUnavailableException e) {
            return new CancelResult.Unclear(String.valueOf(e.getMessage()));
        } catch (FaultException e) {
            // nobody could ever act for it: it was never submitted
            return new CancelResult.NotThere();
        }
    }

    /** Looks a job up of which only the tag is known, and tells where it is, so that its end will be seen. */
    private Optional<String> found(ClientCredential as, Job job) throws IOException {
        Optional<String> key = find(as, job);
        LrmListener told = listener;
        if (key.isPresent() && told != null) {
            told.events(LrmSource.ofWhole(settings.name()), List.of(queued(job.id(), key.get())))
                    .join();
        }
        return key;
    }

    private LrmEvent queued(JobId tag, String key) {
        return new LrmEvent(tag, List.of(settings.localId(key)), LrmEvent.Kind.QUEUED, clock.instant(), null);
    }

    // ---- looking

    @Override
    public Map<JobId, List<LrmEvent>> lookup(String account, Collection<JobId> tags) throws LrmUnavailableException {
        Map<JobId, List<LrmEvent>> known = new HashMap<>();
        for (JobId tag : tags) {
            try {
                Job job = status.job(tag);
                find(status.actingFor(job), job).ifPresent(key -> known.put(tag, List.of(queued(tag, key))));
            } catch (IOException e) {
                throw new LrmUnavailableException("the gateway " + settings.name() + " gives no clear answer", e);
            } catch (FaultException e) {
                LOG.debug("{} was never submitted: {}", tag, e.fault().sentence());
            }
        }
        return known;
    }

    @Override
    public void forget(String account, List<LrmJob> jobs) {
        for (LrmJob job : jobs) {
            try {
                Job here = status.job(job.tag());
                ClientCredential as = status.actingFor(here);
                handed.destroy(as, here.id(), status.description(here));
                client.destroy(as, status.key(job.localIds()));
            } catch (GatewayFaultException e) {
                if (!e.isUnknown()) {
                    LOG.warn("The record of {} stays at its gateway until its lifetime is over: {}", job, e.sentence());
                }
            } catch (IOException | LrmUnavailableException | FaultException e) {
                LOG.warn("The record of {} stays at its gateway until its lifetime is over: {}", job, e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        watch.close();
        client.close();
    }
}
