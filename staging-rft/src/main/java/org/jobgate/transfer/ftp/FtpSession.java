// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.ftp;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.commons.net.ftp.FTPFile;
import org.apache.commons.net.ftp.FTPFileEntryParser;
import org.apache.commons.net.ftp.FTPListParseEngine;
import org.apache.commons.net.ftp.FTPReply;
import org.apache.commons.net.ftp.parser.DefaultFTPFileEntryParserFactory;
import org.apache.commons.net.ftp.parser.MLSxEntryParser;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferPassword;
import org.jobgate.transfer.protocol.UrlPolicy;

/**
 * A login with a password, or as anonymous (RFC 1635), at an FTP server: passive (RFC 2428, else RFC 959), binary. Data connections go to the host of the
 * control connection only, whatever the server says.
 */
final class FtpSession implements AutoCloseable {

    private static final int MAX_CONTROL_BYTES = 64 << 20;
    private static final int MAX_LISTING_BYTES = 64 << 20;

    /** With access to what it reads lists with: its own would read lists without an end. */
    private static final class Client extends FTPClient {
        Socket data(String command) throws IOException {
            Socket socket = _openDataConnection_(command, null);
            if (socket == null) {
                throw new FtpRefusedException(command, getReplyCode(), getReplyString());
            }
            return socket;
        }
    }

    /** The first connection is that for commands, of which a hostile server could answer without an end. */
    private static final class Sockets extends SocketFactory {
        private final FtpPlace place;
        private final UrlPolicy policy;
        private boolean isFirst = true;

        Sockets(FtpPlace place, UrlPolicy policy) {
            this.place = place;
            this.policy = policy;
        }

        @Override
        public Socket createSocket() {
            boolean isControl = isFirst;
            isFirst = false;
            return isControl ? new ControlSocket(place, policy) : new CheckedSocket(place, policy);
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
            throw new UnsupportedOperationException();
        }
    }

    /** It connects where the site lets it, and nowhere else: what is checked is what is connected to. */
    private static class CheckedSocket extends Socket {
        private final FtpPlace place;
        private final UrlPolicy policy;

        CheckedSocket(FtpPlace place, UrlPolicy policy) {
            super(Proxy.NO_PROXY);
            this.place = place;
            this.policy = policy;
        }

        @Override
        public void connect(SocketAddress endpoint, int timeout) throws IOException {
            if (endpoint instanceof InetSocketAddress to && to.getAddress() != null) {
                policy.check(place.host(), to.getAddress(), to.getPort());
            }
            super.connect(endpoint, timeout);
        }
    }

    private static final class ControlSocket extends CheckedSocket {
        private final AtomicLong left = new AtomicLong(MAX_CONTROL_BYTES);

        ControlSocket(FtpPlace place, UrlPolicy policy) {
            super(place, policy);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    byte[] one = new byte[1];
                    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
                }

                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    int count = super.read(into, from, length);
                    if (left.addAndGet(-Math.max(0, count)) < 0) {
                        throw new IOException("the server's replies are longer than " + MAX_CONTROL_BYTES + " bytes");
                    }
                    return count;
                }
            };
        }
    }

    private final Client client;

    private FtpSession(Client client) {
        this.client = client;
    }

    static FtpSession open(FtpPlace place, TransferPassword user, Duration timeout, UrlPolicy policy)
            throws IOException {
        Client client = new Client();
        client.setSocketFactory(new Sockets(place, policy));
        int millis = Math.toIntExact(timeout.toMillis());
        client.setConnectTimeout(millis);
        client.setDefaultTimeout(millis);
        client.setDataTimeout(timeout);
        client.setControlEncoding(StandardCharsets.UTF_8.name());
        client.setUseEPSVwithIPv4(true);
        client.setRemoteVerificationEnabled(true);
        client.setIpAddressFromPasvResponse(false);
        FtpSession session = new FtpSession(client);
        boolean isGood = false;
        try {
            client.connect(place.host(), place.port());
            session.require(FTPReply.isPositiveCompletion(client.getReplyCode()), "the connection");
            if (!client.login(user.userName(), user.password())) {
                // what it says goes to the owner and the log, and it may repeat what it was told
                throw new FtpRefusedException(
                        "the login as " + user.userName(),
                        client.getReplyCode(),
                        withoutPassword(client.getReplyString(), user.password()));
            }
            session.require(client.setFileType(FTPClient.BINARY_FILE_TYPE), "TYPE I");
            client.enterLocalPassiveMode();
            isGood = true;
            return session;
        } finally {
            if (!isGood) {
                session.close();
            }
        }
    }

    private static String withoutPassword(String reply, String password) {
        return password.isEmpty() ? reply : reply.replace(password, "(password)");
    }

    private void require(boolean isGood, String command) throws FtpRefusedException {
        if (!isGood) {
            throw new FtpRefusedException(command, client.getReplyCode(), client.getReplyString());
        }
    }

    /** As SIZE says (RFC 3659 section 4); empty where there is no such file, or the server does not say. */
    OptionalLong size(FtpPlace file) throws IOException {
        String said = client.getSize(file.path());
        if (said == null && client.getReplyCode() == FTPReply.SERVICE_NOT_AVAILABLE) {
            require(false, "SIZE");
        }
        return said != null && said.strip().matches("[0-9]{1,18}")
                ? OptionalLong.of(Long.parseLong(said.strip()))
                : OptionalLong.empty();
    }

    /** Whether the server says that it knows SIZE (RFC 3659 section 4.3). */
    boolean knowsSizes() throws IOException {
        return client.hasFeature("SIZE");
    }

    /** As MDTM says (RFC 3659 section 3); empty where the server does not. */
    String changed(FtpPlace file) throws IOException {
        String said = client.getModificationTime(file.path());
        return said != null && said.strip().matches("[0-9.]{14,40}") ? said.strip() : "";
    }

    /** The data of a file from an offset on; to be followed by {@link #complete}. */
    InputStream retrieve(FtpPlace file, long offset) throws IOException {
        client.setRestartOffset(offset);
        InputStream bytes = client.retrieveFileStream(file.path());
        if (bytes == null) {
            throw new FtpRefusedException("RETR", client.getReplyCode(), client.getReplyString());
        }
        return bytes;
    }

    /** Where a file's data go, from an offset on; to be followed by {@link #complete}. */
    OutputStream store(FtpPlace file, long offset) throws IOException {
        client.setRestartOffset(offset);
        OutputStream bytes = client.storeFileStream(file.path());
        if (bytes == null) {
            throw new FtpRefusedException("STOR", client.getReplyCode(), client.getReplyString());
        }
        return bytes;
    }

    /** Waits for the reply to a transfer: only with it all has arrived. */
    void complete(String command) throws IOException {
        require(client.completePendingCommand(), command);
    }

    void rename(FtpPlace from, FtpPlace to) throws IOException {
        require(client.rename(from.path(), to.path()), "RNFR and RNTO");
    }

    boolean makeDirectory(FtpPlace directory) throws IOException {
        return client.makeDirectory(directory.path());
    }

    /** Whether it is a directory, behind links too. */
    boolean isDirectory(FtpPlace place) throws IOException {
        return client.changeWorkingDirectory(place.path());
    }

    /** What the last command was answered. */
    FtpRefusedException refusal(String command) {
        return new FtpRefusedException(command, client.getReplyCode(), client.getReplyString());
    }

    boolean deleteFile(FtpPlace file) throws IOException {
        return client.deleteFile(file.path());
    }

    void removeDirectory(FtpPlace directory) throws IOException {
        require(client.removeDirectory(directory.path()), "RMD");
    }

    /**
     * What is in a directory: with MLSD where the server knows it (RFC 3659 section 7), else with LIST, whose form is guessed from what
     * SYST says. The directory is entered first, for servers take stars in an argument of LIST for patterns.
     */
    List<Entry> list(FtpPlace directory) throws IOException {
        require(client.changeWorkingDirectory(directory.path()), "CWD");
        boolean isFacts = client.hasFeature("MLST") || client.hasFeature("MLSD");
        FTPFileEntryParser parser = isFacts
                ? MLSxEntryParser.getInstance()
                : new DefaultFTPFileEntryParserFactory().createFileEntryParser(client.getSystemType());
        FTPListParseEngine engine = new FTPListParseEngine(parser);
        engine.readServerList(
                new ByteArrayInputStream(listing(isFacts ? "MLSD" : "LIST")), client.getControlEncoding());
        List<Entry> entries = new ArrayList<>();
        for (FTPFile each : engine.getFileList(any -> true)) {
            if (each == null) {
                throw new IOException("the server's list of " + directory.path() + " cannot be read");
            }
            if (!isItself(each)) {
                entries.add(entry(each, directory));
            }
        }
        return entries;
    }

    private byte[] listing(String command) throws IOException {
        byte[] bytes;
        try (Socket data = client.data(command);
                InputStream in = data.getInputStream()) {
            bytes = in.readNBytes(MAX_LISTING_BYTES);
        }
        if (bytes.length == MAX_LISTING_BYTES) {
            throw new IOException("the server's list is longer than " + MAX_LISTING_BYTES + " bytes");
        }
        complete(command);
        return bytes;
    }

    private static boolean isItself(FTPFile each) {
        String facts = String.valueOf(each.getRawListing());
        return each.getName().equals(".") || each.getName().equals("..") || facts.matches("(?i).*type=[cp]dir;.*");
    }

    private static Entry entry(FTPFile each, FtpPlace directory) throws IOException {
        Entry.Kind kind = each.isSymbolicLink() || each.isUnknown()
                ? Entry.Kind.OTHER
                : each.isDirectory() ? Entry.Kind.DIRECTORY : Entry.Kind.FILE;
        try {
            return new Entry(
                    each.getName(),
                    kind,
                    kind == Entry.Kind.FILE ? Math.max(Source.UNKNOWN, each.getSize()) : Source.UNKNOWN);
        } catch (IllegalArgumentException e) {
            throw new IOException("the server lists a name in " + directory.path() + " that cannot be one", e);
        }
    }

    /** Closes the connection without a command, as the server may still be busy with one that is not waited for any more. */
    @Override
    public void close() throws IOException {
        client.disconnect();
    }
}
