// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * What a gateway of an earlier build left: its database as SQL, its authority, its user and its keys. Made by {@code stored-state/make},
 * which says what is in it.
 *
 * @param build the directory below {@code stored-state}
 */
record StoredState(String build) {

    /** The account that the jobs belonged to. */
    private static final String ACCOUNT = "root";

    /** Where the databases are restored. */
    sealed interface Database extends AutoCloseable permits Sqlite, Postgres {

        String name();

        /** Lines of the gateway's configuration. */
        String store(Gateway gateway) throws IOException;

        Connection connect(Gateway gateway) throws IOException, SQLException;

        /** Runs the text of several statements. */
        void run(Statement statement, String sql) throws SQLException;

        @Override
        void close() throws SQLException;
    }

    /** A file in the gateway's state directory. */
    record Sqlite() implements Database {
        @Override
        public String name() {
            return "sqlite";
        }

        @Override
        public String store(Gateway gateway) {
            return "store: { url: \"sqlite:jobgate.db\" }\n";
        }

        @Override
        public Connection connect(Gateway gateway) throws IOException, SQLException {
            Path state = Files.createDirectories(
                    gateway.directory().resolve("state"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return DriverManager.getConnection("jdbc:sqlite:" + state.resolve("jobgate.db"));
        }

        /** This driver's {@code execute} takes one statement. */
        @Override
        public void run(Statement statement, String sql) throws SQLException {
            int unused = statement.executeUpdate(sql);
        }

        @Override
        public void close() {
            // its file goes with the gateway's directory
        }
    }

    /** A database of its own on the server of the tests. */
    record Postgres(String server, String user, String password, String database) implements Database {

        /** Makes it. */
        static Postgres make(String server) throws SQLException {
            Map<String, String> environment = System.getenv();
            Postgres made = new Postgres(
                    server,
                    environment.getOrDefault("JOBGATE_TEST_POSTGRES_USER", "jobgate"),
                    environment.getOrDefault("JOBGATE_TEST_POSTGRES_PASSWORD", ""),
                    "stored_state_" + Long.toUnsignedString(System.nanoTime(), 36));
            made.execute("CREATE DATABASE " + made.database);
            return made;
        }

        private void execute(String sql) throws SQLException {
            try (Connection connection = DriverManager.getConnection(server, user, password);
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        private String url() {
            return server.substring(0, server.lastIndexOf('/') + 1) + database;
        }

        @Override
        public String name() {
            return "postgres";
        }

        @Override
        public String store(Gateway gateway) throws IOException {
            Path file = Files.createFile(
                    gateway.directory().resolve("store-password"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, password + "\n");
            return "store: { url: \"%s\", user: %s, passwordFile: %s }\n".formatted(url(), user, file);
        }

        @Override
        public Connection connect(Gateway gateway) throws SQLException {
            return DriverManager.getConnection(url(), user, password);
        }

        /** This driver's {@code executeUpdate} takes none that has a result, and a dump has some. */
        @Override
        public void run(Statement statement, String sql) throws SQLException {
            boolean unused = statement.execute(sql);
        }

        @Override
        public void close() throws SQLException {
            execute("DROP DATABASE " + database + " WITH (FORCE)");
        }
    }

    private byte[] resource(String file) throws IOException {
        String name = "/stored-state/" + build + "/" + file;
        try (InputStream in = StoredState.class.getResourceAsStream(name)) {
            return requireNonNull(in, () -> "no resource " + name).readAllBytes();
        }
    }

    private String unpacked(String file) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(resource(file)))) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            in.transferTo(out);
            return out.toString(StandardCharsets.UTF_8);
        }
    }

    private void unpack(String file, Path directory) throws IOException, InterruptedException {
        Path archive = Files.write(directory.resolve(file), resource(file));
        new Programs(directory, Map.of())
                .runWell(List.of("tar", "-C", directory.toString(), "--no-same-owner", "-xzf", archive.toString()));
        Files.delete(archive);
    }

    private static String named(Gateway gateway, Map<String, String> names, String text) {
        String result = text.replace("@ROOM@", gateway.directory().toString())
                .replace("@PORT@", String.valueOf(gateway.port()));
        for (Map.Entry<String, String> name : names.entrySet()) {
            result = result.replace(name.getKey(), name.getValue());
        }
        return result;
    }

    /** The account's name where it is a value of its own, in SQL and in JSON. */
    private static String ofAccount(String sql, String account) {
        return sql.replace("'" + ACCOUNT + "'", "'" + account + "'")
                .replace("\"account\":\"" + ACCOUNT + "\"", "\"account\":\"" + account + "\"")
                .replace("Fork/" + ACCOUNT, "Fork/" + account);
    }

    /** Puts the authority, the user and the keys into the gateway's directory; the user is mapped to the account of the test. */
    void putKeysInto(Gateway gateway) throws IOException, InterruptedException {
        unpack("keys.tar.gz", gateway.directory());
        gateway.makeHostAndProxy();
        Files.writeString(
                gateway.directory().resolve("grid-mapfile"),
                "\"/O=Jobgate Trial/CN=stored\" " + System.getProperty("user.name") + "\n");
    }

    /**
     * Restores the database, and the endpoint references in {@code references}.
     *
     * @param names what stands in the state, and what it is now, beside the room and the port of the gateway
     * @return lines of the gateway's configuration
     */
    String putInto(Gateway gateway, Database database, Map<String, String> names)
            throws IOException, InterruptedException, SQLException {
        Path directory = gateway.directory();
        String account = System.getProperty("user.name");
        unpack("references.tar.gz", directory);
        Path references = Files.move(directory.resolve(database.name()), directory.resolve("references"));
        try (var files = Files.newDirectoryStream(references)) {
            for (Path file : files) {
                Files.writeString(file, named(gateway, names, Files.readString(file)));
            }
        }
        String sql = ofAccount(named(gateway, names, unpacked(database.name() + ".sql.gz")), account);
        try (Connection connection = database.connect(gateway);
                Statement statement = connection.createStatement()) {
            database.run(statement, sql);
        }
        return database.store(gateway) + "delegation: { siteKey: %s }\n".formatted(directory.resolve("delegation.key"));
    }
}
