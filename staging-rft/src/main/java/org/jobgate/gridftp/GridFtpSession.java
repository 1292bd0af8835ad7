// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A user logged in at a server: one control connection. Not for two threads at once. After a failure that leaves it unknown what the
 * server will say next ({@link #isUsable} is false) it can only be closed ({@link #close}).
 *
 * <p>Every method throws {@link PermanentGridFtpException} or {@link TransientGridFtpException} when the server refuses or is lost, and
 * {@link IllegalArgumentException} for a path that is empty or holds a line break: nothing is sent then. Interrupting the thread ends
 * the call and the session.
 */
public final class GridFtpSession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GridFtpSession.class);

    /** How Globus's server says whom it has mapped the credential to. */
    private static final Pattern LOGGED_IN = Pattern.compile("[Uu]ser (\\S{1,64}) logged in");

    private final ControlChannel control;
    private final Reply welcome;
    private final GsiSecurity security;
    private final GridFtpSettings settings;
    private final ChannelSettings told = new ChannelSettings();
    private final OwnDataConnection ownData = new OwnDataConnection();
    private @Nullable Set<String> features;
    private @Nullable DataConnections kept;

    private GridFtpSession(ControlChannel control, Reply welcome, GsiSecurity security, GridFtpSettings settings) {
        this.control = control;
        this.welcome = welcome;
        this.security = security;
        this.settings = settings;
    }

    /**
     * Connects, authenticates both sides, delegates, and logs in as the account that the server maps the credential to.
     *
     * @param clock says whether the credential has expired
     */
    public static GridFtpSession open(ServerAddress server, GsiSecurity security, GridFtpSettings settings, Clock clock)
            throws GridFtpException {
        ControlChannel control = ControlChannel.connect(requireNonNull(server, "server is null"), settings);
        boolean done = false;
        try {
            Reply welcome = new Login(control, requireNonNull(security, "security is null"), clock, settings).run();
            done = true;
            return new GridFtpSession(control, welcome, security, settings);
        } finally {
            if (!done) {
                control.close();
            }
        }
    }

    /** Where. */
    public ServerAddress server() {
        return control.server();
    }

    /** The local account that the server has mapped the credential to; empty where it does not say. */
    public Optional<String> account() {
        Matcher matcher = LOGGED_IN.matcher(welcome.text());
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** Whether it can take another command. */
    public boolean isUsable() {
        return control.isInStep();
    }

    /**
     * Sends one command and answers its reply, a success.
     *
     * @param command without the end of its line; one that moves no data
     */
    public Reply execute(String command) throws GridFtpException {
        return execute(command, settings.replyTimeout());
    }

    Reply execute(String command, Duration limit) throws GridFtpException {
        control.send(List.of(command));
        Reply reply = last(command, new Patience(limit));
        return succeeded(command, reply);
    }

    /**
     * Sends commands without waiting for replies between them, {@link GridFtpSettings#maxPipelined} at a time, and answers their replies
     * in order; refusals too, for the caller to look at.
     */
    public List<Reply> pipeline(List<String> commands) throws GridFtpException {
        List<Reply> replies = new ArrayList<>();
        for (int from = 0; from < commands.size(); from += settings.maxPipelined()) {
            List<String> some = commands.subList(from, Math.min(commands.size(), from + settings.maxPipelined()));
            control.send(some);
            for (String command : some) {
                replies.add(last(command, new Patience(settings.replyTimeout())));
            }
        }
        return replies;
    }

    private Reply last(String command, Patience patience) throws GridFtpException {
        Reply reply = control.read(command, patience);
        while (reply.isPreliminary()) {
            patience.renew();
            reply = control.read(command, patience);
        }
        return reply;
    }

    Reply succeeded(String command, Reply reply) throws GridFtpException {
        if (reply.isFailure()) {
            throw refusal(command, reply);
        }
        return reply;
    }

    GridFtpException refusal(String command, Reply reply) {
        if (reply.code() == 421) {
            control.close(); // the server says that it hangs up
        }
        return GridFtpException.of(
                new GridFtpException.Failure(reply.fault(), server(), command, "refused", reply, null));
    }

    /** What the server says that it can do (RFC 2389): the first word of each line of {@code FEAT}, in capitals. */
    public Set<String> features() throws GridFtpException {
        Set<String> known = features;
        if (known == null) {
            known = new TreeSet<>();
            List<String> lines = execute("FEAT").lines();
            for (String line : lines.subList(Math.min(1, lines.size()), Math.max(1, lines.size() - 1))) {
                known.add(line.strip().split("[ :]", 2)[0].toUpperCase(Locale.ROOT));
            }
            known = Set.copyOf(known);
            features = known;
        }
        return known;
    }

    /** The size of a file in bytes ({@code SIZE}, RFC 3659). */
    public long size(String path) throws GridFtpException {
        String command = CommandText.withPath("SIZE", path);
        return number(command, execute(command));
    }

    long number(String command, Reply reply) throws GridFtpException {
        String text = reply.lines().get(0).strip();
        if (!text.matches("[0-9]{1,18}")) {
            throw GridFtpException.of(
                    Fault.PROTOCOL, server(), command, "'" + CommandText.shown(text) + "' is no size");
        }
        return Long.parseLong(text);
    }

    /** What is known of a file or directory ({@code MLST}); empty if there is none. */
    public Optional<DirectoryEntry> stat(String path) throws GridFtpException {
        String command = CommandText.withPath("MLST", path);
        try {
            Reply reply = execute(command);
            String line = reply.lines().size() > 1 ? told(reply.lines().get(1)) : "";
            return Optional.of(entry(command, line));
        } catch (PermanentGridFtpException e) {
            if (e.fault() == Fault.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Without the blank that begins such a line; those at its end are the name's. */
    private static String told(String line) {
        return line.startsWith(" ") ? line.substring(1) : line;
    }

    private DirectoryEntry entry(String command, String line) throws GridFtpException {
        try {
            return DirectoryEntry.parse(line);
        } catch (IllegalArgumentException e) {
            throw GridFtpException.of(Fault.PROTOCOL, server(), command, "the listing makes no sense", e);
        }
    }

    /**
     * What is in a directory ({@code MLSD}), without the directory itself and the one above.
     *
     * @param authentication of the data channel that it comes over
     */
    public List<DirectoryEntry> list(String path, DataAuthentication authentication) throws IOException {
        String command = CommandText.withPath("MLSD", path);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataSink whole = DataSink.of(bytes, 0);
        int most = settings.maxListing();
        DataSink sink = (position, part) -> {
            if (position + part.remaining() > most) {
                throw GridFtpException.of(
                        Fault.PROTOCOL,
                        server(),
                        command,
                        "the listing is longer than " + most + " bytes (maxListing)");
            }
            whole.write(position, part);
        };
        TransferOptions options = TransferOptions.STREAM.withSecurity(authentication, Protection.CLEAR);
        new ClientTransfer(this, options, TransferListener.NONE).get(command, sink);
        try {
            return Listing.parse(bytes.toByteArray());
        } catch (IllegalArgumentException e) {
            throw GridFtpException.of(Fault.PROTOCOL, server(), command, "the listing makes no sense", e);
        }
    }

    /** Makes a directory, whose parent is there. */
    public void makeDirectory(String path) throws GridFtpException {
        execute(CommandText.withPath("MKD", path));
    }

    /** Deletes a file. */
    public void deleteFile(String path) throws GridFtpException {
        execute(CommandText.withPath("DELE", path));
    }

    /** Removes an empty directory. */
    public void removeDirectory(String path) throws GridFtpException {
        execute(CommandText.withPath("RMD", path));
    }

    /** Gives another name ({@code RNFR}, {@code RNTO}); what has that name is replaced. */
    public void rename(String from, String to) throws GridFtpException {
        String second = CommandText.withPath("RNTO", to);
        String first = CommandText.withPath("RNFR", from);
        // in one go: a server that refuses the first refuses the second as out of order
        List<Reply> replies = pipeline(List.of(first, second));
        for (int i = 0; i < replies.size(); i++) {
            var unused = succeeded(i == 0 ? first : second, replies.get(i));
        }
    }

    /**
     * A checksum that the server computes ({@code CKSM}).
     *
     * @param algorithm {@code ADLER32}, {@code MD5} or another that the server's {@code FEAT} names
     * @param offset of the first byte
     * @param length how many bytes; -1 to the end
     * @return in hexadecimal digits, small letters
     */
    public String checksum(String algorithm, String path, long offset, long length) throws GridFtpException {
        if (!algorithm.matches("[A-Za-z0-9-]{1,20}") || offset < 0 || length < -1) {
            throw new IllegalArgumentException("not a checksum: " + algorithm + ", " + offset + ", " + length);
        }
        String command = CommandText.withPath("CKSM " + algorithm + " " + offset + " " + length, path);
        String text =
                execute(command, settings.checksumTimeout()).lines().get(0).strip();
        if (!text.matches("[0-9a-fA-F]{1,256}")) {
            throw GridFtpException.of(
                    Fault.PROTOCOL, server(), command, "'" + CommandText.shown(text) + "' is no checksum");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    /**
     * Fetches a file or a part of it. With {@link Mode#EXTENDED} the server connects to this machine.
     *
     * @param sink gets each byte at its offset in the file; of a part, counted from the part's beginning
     */
    public TransferResult get(String path, DataSink sink, TransferOptions options, TransferListener listener)
            throws IOException {
        TransferOptions.Part part = options.part();
        String command = part == null
                ? CommandText.withPath("RETR", path)
                : CommandText.withPath("ERET P " + part.offset() + " " + part.length(), path);
        return new ClientTransfer(this, options, listener).get(command, sink);
    }

    /**
     * Sends a file, or a part of the source to where {@link TransferOptions.Part#destination} says.
     *
     * @param source a whole file: a restart skips what has arrived
     */
    public TransferResult put(DataSource source, String path, TransferOptions options, TransferListener listener)
            throws IOException {
        return new ClientTransfer(this, options, listener).put(storeCommand(path, options), source);
    }

    static String storeCommand(String path, TransferOptions options) {
        TransferOptions.Part part = options.part();
        return part == null
                ? CommandText.withPath("STOR", path)
                : CommandText.withPath("ESTO A " + part.destination(), path);
    }

    /** Tells the server what it does not know yet about the data channels to come. */
    void prepare(TransferOptions options) throws GridFtpException {
        List<String> commands = told.missing(options);
        if (commands.isEmpty()) {
            return;
        }
        keep(null);
        List<Reply> replies = pipeline(commands);
        for (int i = 0; i < replies.size(); i++) {
            if (replies.get(i).isFailure()) {
                told.forget();
                throw refusal(commands.get(i), replies.get(i));
            }
        }
    }

    /** The data connections with another server that its last transfer left open; null where there are none. */
    @Nullable
    DataConnections kept() {
        return kept;
    }

    /** Remembers the data connections that a third-party transfer has left open; null: there are none. One with this machine is closed. */
    void keep(@Nullable DataConnections connections) {
        kept = connections;
        ownData.close();
    }

    /** The data connection with this machine that its last transfer left open. */
    OwnDataConnection ownData() {
        return ownData;
    }

    ControlChannel control() {
        return control;
    }

    GsiSecurity security() {
        return security;
    }

    GridFtpSettings settings() {
        return settings;
    }

    /** Hangs up: {@code QUIT} if the server may still hear it, without waiting for its answer. */
    @Override
    public void close() {
        ownData.close();
        if (control.isInStep()) {
            try {
                control.send(List.of("QUIT"));
            } catch (GridFtpException e) {
                LOG.debug("hanging up", e);
            }
        }
        control.close();
    }
}
