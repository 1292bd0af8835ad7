// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.HttpReply;
import org.jobgate.perf.wire.HttpsConnection;
import org.jobgate.perf.wire.RefusedException;

/**
 * The connections of a crowd, and what reads on each. Each comes from a loopback address of its own, as from a machine of its own: a
 * service that bounds what one address may do would else take them all for one that misbehaves.
 */
record Clients(Crowd crowd, List<? extends Closeable> connections) implements AutoCloseable {

    private static final int ADDRESSES_OF_A_NET = 250;

    /** So many that ask for the state of a job, each as one of the owners. */
    static Clients ofState(Lab lab, List<JobOwner> owners, int number) {
        List<GramClient> all = new ArrayList<>();
        List<Crowd.Client> readers = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            JobOwner owner = owners.get(i % owners.size());
            GramClient client = lab.client(owner.tls());
            all.add(client);
            readers.add(() -> client.view(owner.job()));
        }
        scatter(all.stream().map(GramClient::connection).toList());
        return new Clients(new Crowd(readers), all);
    }

    /** So many that list a directory of a job, each as one of the owners. */
    static Clients ofListing(Lab lab, List<JobOwner> owners, int files, int number) {
        return getting(
                i -> lab.connection(owners.get(i % owners.size()).tls()),
                i -> owners.get(i % owners.size()).listing(files),
                number);
    }

    /** So many that have the storage resource manager list a directory, each as one of the owners. */
    static Clients ofSrm(Lab lab, List<JobOwner> owners, String directory, int number) {
        List<HttpsConnection> all = IntStream.range(0, number)
                .mapToObj(i -> lab.connection(owners.get(i % owners.size()).tls()))
                .toList();
        scatter(all);
        String asked = Listed.request(directory);
        List<Crowd.Client> readers = new ArrayList<>();
        all.forEach(connection -> readers.add(() -> Listed.ask(connection, asked)));
        return new Clients(new Crowd(readers), all);
    }

    /** Each gets a path on a connection of its own, both by its number. */
    static Clients getting(IntFunction<HttpsConnection> connections, IntFunction<String> paths, int number) {
        List<HttpsConnection> all =
                IntStream.range(0, number).mapToObj(connections).toList();
        scatter(all);
        List<Crowd.Client> readers = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            HttpsConnection connection = all.get(i);
            String path = paths.apply(i);
            readers.add(() -> read(connection, path));
        }
        return new Clients(new Crowd(readers), all);
    }

    private static void scatter(List<HttpsConnection> connections) {
        for (int i = 0; i < connections.size(); i++) {
            connections.get(i).from(address(i));
        }
    }

    /** The loopback address of a client, 127.0.1.1 and on. */
    static InetAddress address(int client) {
        byte net = (byte) (1 + client / ADDRESSES_OF_A_NET);
        byte host = (byte) (1 + client % ADDRESSES_OF_A_NET);
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, net, host});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    private static void read(HttpsConnection connection, String path) throws IOException, RefusedException {
        HttpReply reply = connection.get(path);
        if (reply.status() != 200) {
            throw new RefusedException(reply.status(), reply.body());
        }
    }

    @Override
    public void close() {
        int closed = 0;
        for (Closeable connection : connections) {
            try {
                connection.close();
            } catch (IOException closedByTheServer) {
                closed++;
            }
        }
        if (closed > 0) {
            Scenario.progress(closed + " connections had been closed by the server");
        }
    }
}
